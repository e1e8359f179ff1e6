"""What people and programs see: the app, the command line, the engine, the benchmarks."""
