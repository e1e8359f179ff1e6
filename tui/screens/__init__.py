"""The screens: each connects a table or model to widgets and holds no game state.

All are KumiteScreens (base.py); menus and lists are FormScreens. A screen imports only screens
below it (home, then setup, then table) and asks the Shell for any other. The table screen has
three layers: shown_table.py draws, thinking.py runs what the table model asks for, and table.py
handles the keys. May import all of tui except app.py. Begin with base.py, then table.py.
"""
