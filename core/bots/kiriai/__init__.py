"""Bots at Kiri-ai, which is solved: book.py has the first rounds, table.py all that can follow.

model.py is what the levels ask, solved.py the solution of a position, habits.py what is learnt of
the other. It imports core and the standard library; kiriai.book and kiriai.table are data made by
tools/solve_kiriai.py. Begin reading with model.py, then solved.py and table.py.
"""
