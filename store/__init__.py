"""Saved matches on disk: writing, listing and following logs, and cached bot evaluations.

Imports only core, which defines the log format. Begin in log_files.py.
"""
