"""The rules: pure functions and values, without I/O, clock or randomness."""
