"""The app: what people see and press. May import core, net and store; nothing of cli.

Its rooms import downward: screens, widgets and lessons over play (tables without a screen), bots,
drawing, scenes and look; export shows saved matches on paper. What screens ask of the app itself is
shell.py. Begin with play/local_table.py (what a table is) and screens/table.py (how it is shown).
"""
