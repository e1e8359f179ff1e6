"""The rules: pure, standard library (and msgpack in the codec); no I/O, no clock, no chance."""
