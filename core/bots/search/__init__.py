"""Searches that know no game: UCT, information-set UCT, beams over turns."""
