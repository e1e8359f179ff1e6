"""Saved matches on disk: writing their logs, listing and following them, what bots said of them.

May import core and nothing else of ours; the format of a log is core.log's. Begin in log_files.py.
"""
