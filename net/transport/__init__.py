"""What touches the world: sockets, threads, discovery, the journal of a table."""
