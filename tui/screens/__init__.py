"""The screens: they wire tables and widgets, and hold no state of a game.

All are KumiteScreens (base.py); menus and lists are FormScreens. They import one another downward
(home, setup, table); what would go up or round is asked of the Shell, and helpers of a screen know
it as a view (views.py). May import all of tui but app.py. Begin with base.py, then table.py.
"""
