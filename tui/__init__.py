"""The app: the user interface. May import core, net and store, but not cli.

Subpackages import downward: screens, widgets and lessons use play (tables without a screen),
bots, drawing, scenes and look; export renders saved matches. Screens call the app through
shell.py. Begin with play/local_table.py (tables) and screens/table.py (how they are shown).
"""
