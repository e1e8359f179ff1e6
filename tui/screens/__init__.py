"""Screens wire scenes, widgets and tables together."""
