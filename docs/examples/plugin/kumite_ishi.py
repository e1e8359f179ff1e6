"""Two players take stones in turn.

## Your turn
Take one, two or three stones: type `1`, `2` or `3`.

## How it ends
Whoever takes the last stone wins.
"""

from kumite.core.bots import Choice
from kumite.core.errors import BadData, BadNotation, IllegalStep
from kumite.core.game import Option, Outcome, Seat, same_text

ID, TITLE, RULES, SEATS, TEAMS, SECRETS = "ishi", "Ishi", 1, (2,), False, None
OPTIONS = (Option("stones", 12, (12, 21), "How many stones there are"),)


# fmt: off
# A position is a tuple: the stones at the beginning, those that are left, the seat to act.
def start(seats, options): return options["stones"], options["stones"], Seat(0)
def setup_of(state): return 2, {"stones": state[0]}
def actors(state): return (state[2],) if state[1] else ()
def legal(state, actor): return tuple("123"[: state[1]]) if actor in actors(state) else ()
def odds(state): return {}
def outcome(state): return None if state[1] else Outcome((Seat(1 - state[2]),), "last-stone")
def view(state, by): return state
def seen(state, actor, step, by): return step
def pack(state): return state
def text(state): return f"ishi {state[0]} {state[1]} seat={state[2]}"

def apply(state, actor, step):
    if reason := why(state, actor, step):
        raise (IllegalStep if step in ("1", "2", "3") else BadNotation)(f"ishi: {reason}")
    return state[0], state[1] - int(step), Seat(1 - state[2])

def why(state, actor, step):
    return "" if step in legal(state, actor) else f"{step} is not 1 to 3, or more than are left"

def unpack(packed):
    match packed:
        case (12 | 21 as first, int(left), 0 | 1 as seat) if 0 <= left <= first:
            return first, left, Seat(seat)
    raise BadData("no position of ishi")

def parse(said):
    words = said.replace("seat=", "").split()
    if len(words) != 4 or not all(map(str.isdecimal, words[1:])) or words[1] not in ("12", "21"):
        raise BadNotation("ishi: a position is `ishi 12 7 seat=0`")
    state = int(words[1]), int(words[2]), Seat(int(words[3]) % 2)
    same_text(ID, said, text(state))
    return state

def counts(position, rng, budget):
    """Leave a multiple of four if that is possible: a bot, `bot:counter`."""
    best = str(position.view[1] % 4)
    return Choice(best if best in position.legal else rng.choice(position.legal))
