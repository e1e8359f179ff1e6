"""Search algorithms that work for any game, on arrays that can be compiled.

tree.py is UCT for games without secrets, and ismcts.py its extension to hidden information.
turns.py searches games with long turns; loops.py runs its beams and hunts, whose inner loops are in
frontier.py. plain.py is UCT over the rules of a game without a model. These modules import
core.bots.base and core.bots.fast. Begin with tree.py.
"""
