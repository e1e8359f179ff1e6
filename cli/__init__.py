"""The command line: one module for each kind of command, imported when its command runs.

Modules here may import every package below, but Textual only inside functions, so that commands
without a screen start fast. Begin in main.py. Commands that open the app are in play.py, lan.py
and tournament.py. Text output is in printing.py, line mode in line_mode.py, matches
between bots in arena/, and benchmarks in bench/.
"""
