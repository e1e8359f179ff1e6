"""Positions of Kitsu! that several tests look at."""

WIN = """\
options adjacent=4 limit=100 opening=4
turn 3 seat 0 phase move
open autumn winter spring
at - used - owed 0
seat 0 spirit s6 f2 hand s0 f4 taken s2 f0
seat 1 spirit s6 f4 hand s0 f1 taken s1 f1
8 ........
7 ........
6 .s......
5 ......f.
4 .....sFf
3 .....fsf
2 ....S...
1 .S.F....
outcome -
"""
"""`g4-h2 d1-f2 f2>xh3 h3>xf4` wins in the turn, and looks poor until it does."""
