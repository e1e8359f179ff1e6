"""The display and lessons of each game, in one folder each, named after the game's id."""
