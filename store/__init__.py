"""Saved matches on disk: log files, the list of them, following one, what bots said of them."""
