"""All error codes: searchable, told by the engine and on the LAN, and never changed.

`docs/errors.md` says of each what it means and what to do. A text may be bettered at any time; a
code is what programs and people search for.
"""

from typing import Final

# --- Any error, and mistakes of our own -------------------------------------------------------

ERROR: Final = "error"  # what has no code of its own
LOCAL_MISUSE: Final = "local-misuse"  # a bug of kumite

# --- The rules --------------------------------------------------------------------------------

ILLEGAL_STEP: Final = "illegal-step"  # well-formed, but forbidden now
BAD_NOTATION: Final = "bad-notation"  # no step, square or position of this game
NOT_TO_ACT: Final = "not-to-act"  # another is to act
MATCH_OVER: Final = "match-over"  # no step comes after the end
HIDDEN: Final = "hidden"  # the answer depends on what this view does not show
BAD_SETUP: Final = "bad-setup"  # no such game, number of seats, option, bot, …
BAD_DATA: Final = "bad-data"  # bytes that are no canonical packed value

# --- Files ------------------------------------------------------------------------------------

BAD_LOG: Final = "bad-log"  # a saved match that cannot be opened at all
BAD_SHARED: Final = "bad-shared"  # a line of text that holds no match
NEWER_LOG: Final = "newer-log"  # a saved match of a later kumite
LOG_FILE: Final = "log-file"  # a log that cannot be written, found or taken over
DISK_FULL: Final = "disk-full"  # no space is left where matches are saved
BAD_SETTINGS: Final = "bad-settings"  # a settings file that cannot be changed
BAD_THEME: Final = "bad-theme"  # a theme that does not exist
BAD_SPRITE: Final = "bad-sprite"  # a file of a skin that cannot be used
ARENA_RESULTS: Final = "arena-results"  # a file of results that cannot be gone on with

# --- This machine -----------------------------------------------------------------------------

NO_TERMINAL: Final = "no-terminal"  # nothing on which the app could be drawn
BAD_BOT: Final = "bad-bot"  # a bot's program that fails, or answers what is no step
STOPPED: Final = "stopped"  # by `stop`, to the engine
BAD_REQUEST: Final = "bad-request"  # to the engine: no request, or something is missing

# --- The network ------------------------------------------------------------------------------

NO_DISCOVERY: Final = "no-discovery"  # tables can be neither announced nor found here
PORT_IN_USE: Final = "port-in-use"
PORT_FORBIDDEN: Final = "port-forbidden"
CANNOT_LISTEN: Final = "cannot-listen"  # for another reason than these two
UNKNOWN_NAME: Final = "unknown-name"  # no computer is known by that name
NO_SCOPE: Final = "no-scope"  # a link-local address without its interface
NO_ANSWER: Final = "no-answer"
REFUSED: Final = "refused"  # nobody listens there
UNREACHABLE: Final = "unreachable"  # for another reason than these

# --- Coming to a table ------------------------------------------------------------------------

BAD_CODE: Final = "bad-code"  # a text that is no code at all
WRONG_CODE: Final = "wrong-code"  # not the code of this table
SLOW_DOWN: Final = "slow-down"  # too many wrong codes from one address
NO_TABLE: Final = "no-table"  # what answers there is no kumite table
OTHER_PROTOCOL: Final = "other-protocol"  # the other kumite speaks another protocol
OTHER_RULES: Final = "other-rules"  # another version of the game
UNKNOWN_GAME: Final = "unknown-game"  # a game that is not here
FULL: Final = "full"  # all seats are taken, or the match has begun
NO_WATCHERS: Final = "no-watchers"  # the table wants nobody to look on
CROWDED: Final = "crowded"  # as many look on as a table can bear
CLOSED: Final = "closed"  # the host went away before the match began
UNKNOWN: Final = "unknown"  # the host does not know who comes back
WRONG_KEY: Final = "wrong-key"  # who comes back has another key
HALL: Final = "hall"  # no table: a tournament is held there
ELSEWHERE: Final = "elsewhere"  # somebody has come back from another terminal
OTHER_MATCH: Final = "other-match"  # the table plays another match by now

# --- At a table -------------------------------------------------------------------------------

NOT_NOW: Final = "not-now"  # for the host to do, and before the match
NOT_BEGUN: Final = "not-begun"  # there is no match yet
NOT_READY: Final = "not-ready"  # the match cannot begin yet
WATCHING: Final = "watching"  # who looks on does not take part
SENDING: Final = "sending"  # the last step is still on its way
FLOOD: Final = "flood"  # too much at once
LATE: Final = "late"  # something else was entered first
DIGEST: Final = "digest"  # two terminals have come to different positions
HOST_BEHIND: Final = "host-behind"  # the host has less of the match than who comes back
UNEXPECTED: Final = "unexpected"  # a terminal sent what does not belong there
FOUL: Final = "foul"  # a terminal has played false
CLOCK: Final = "clock"  # two terminals measure different times
ACCUSED: Final = "accused"  # a terminal says so of another; nothing here has shown it
CHEATED: Final = "cheated"  # a deck was shuffled or opened falsely
NOT_A_CARD: Final = "not-a-card"  # an opened key shows no card
BAD_BOX: Final = "bad-box"  # what was for one seat alone cannot be opened
