"""Peers and files: pure state machines, one module with sockets, one with log files."""
