"""Kiri-ai: action.py is what two cards do to each other, state.py the position, text.py its lines.

rules.py has the order of play, secrets and what each seat sees. All import core; action.py imports
none of the others, and nothing imports rules.py here. Begin with rules.py, beside
docs/rules/kiriai.md; then action.py.
"""
