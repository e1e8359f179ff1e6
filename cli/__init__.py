"""The command line; imports Textual late, so that what needs no screen answers at once."""
