"""Terminal input and output: keys and bytes in, changed cells out. See docs/terminal.md."""
