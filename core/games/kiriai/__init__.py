"""Kiri-ai: rules, actions and positions.

rules.py has the order of play, secrets and views; action.py resolves two cards; state.py has the
position, its text and its bytes. All import core. action.py imports none of the others, and none of
them imports rules.py. Begin with rules.py, alongside docs/rules/kiriai.md, then action.py.
"""
