"""Error codes: stable, searchable, and sent by the engine and over the LAN.

`docs/errors.md` explains each. The text of an error may change at any time; its code never does.
"""

from typing import Final

# --- Any error, and bugs of kumite ------------------------------------------------------------

ERROR: Final = "error"  # no more specific code
LOCAL_MISUSE: Final = "local-misuse"  # a bug of kumite

# --- The rules --------------------------------------------------------------------------------

ILLEGAL_STEP: Final = "illegal-step"  # well-formed, but forbidden now
BAD_NOTATION: Final = "bad-notation"  # not a step, square or position of this game
NOT_TO_ACT: Final = "not-to-act"  # not this actor's turn
MATCH_OVER: Final = "match-over"  # a step after the end
HIDDEN: Final = "hidden"  # the answer depends on information that this view hides
BAD_SETUP: Final = "bad-setup"  # no such game, number of seats, option, bot, …
BAD_DATA: Final = "bad-data"  # bytes that are not a canonical packed value

# --- Files ------------------------------------------------------------------------------------

BAD_LOG: Final = "bad-log"  # a saved match that cannot be opened at all
BAD_SHARED: Final = "bad-shared"  # a share line that contains no match
NEWER_LOG: Final = "newer-log"  # a saved match of a later kumite
LOG_FILE: Final = "log-file"  # a log that cannot be written, found or locked
DISK_FULL: Final = "disk-full"  # no space left where matches are saved
BAD_SETTINGS: Final = "bad-settings"  # a settings file that cannot be changed
BAD_THEME: Final = "bad-theme"  # a theme that does not exist
BAD_SPRITE: Final = "bad-sprite"  # a file of a skin that cannot be used
ARENA_RESULTS: Final = "arena-results"  # a results file that the arena cannot continue

# --- This machine -----------------------------------------------------------------------------

NO_TERMINAL: Final = "no-terminal"  # nothing on which the app could be drawn
BAD_BOT: Final = "bad-bot"  # a bot's program that fails, or answers what is no step
STOPPED: Final = "stopped"  # by `stop`, to the engine
NOT_FOR_GUESTS: Final = "not-for-guests"  # of a server: files, programs, other networks
BAD_REQUEST: Final = "bad-request"  # to the engine: no request, or something is missing

# --- The network ------------------------------------------------------------------------------

NO_DISCOVERY: Final = "no-discovery"  # mDNS does not work here
PORT_IN_USE: Final = "port-in-use"
PORT_FORBIDDEN: Final = "port-forbidden"
CANNOT_LISTEN: Final = "cannot-listen"  # any other reason
UNKNOWN_NAME: Final = "unknown-name"  # the host name does not resolve
NO_ANSWER: Final = "no-answer"
REFUSED: Final = "refused"  # nothing listens on that port
UNREACHABLE: Final = "unreachable"  # any other reason

# --- Joining a table --------------------------------------------------------------------------

BAD_CODE: Final = "bad-code"  # not a well-formed code
WRONG_CODE: Final = "wrong-code"  # not the code of this table
SLOW_DOWN: Final = "slow-down"  # too many wrong codes from one address
NOT_FOUND: Final = "not-found"  # no announced table, or several, have this code's number
NO_TABLE: Final = "no-table"  # the other end is not a kumite table
OTHER_PROTOCOL: Final = "other-protocol"  # a different protocol version
OTHER_RULES: Final = "other-rules"  # a different version of the game's rules
UNKNOWN_GAME: Final = "unknown-game"  # a game that is not installed here
FULL: Final = "full"  # all seats are taken
BEGUN: Final = "begun"  # the match has begun
NO_WATCHERS: Final = "no-watchers"  # the table admits no spectators
CROWDED: Final = "crowded"  # the table has its maximum of spectators
CLOSED: Final = "closed"  # the connection to the host ended before the match began
UNKNOWN: Final = "unknown"  # the host does not know the returning player
WRONG_KEY: Final = "wrong-key"  # the returning player has the wrong key
TOURNAMENT: Final = "tournament"  # a tournament, not a table
ELSEWHERE: Final = "elsewhere"  # the player has returned from another terminal
OTHER_MATCH: Final = "other-match"  # the table now plays another match

# --- At a table -------------------------------------------------------------------------------

NOT_NOW: Final = "not-now"  # only the host may do this, before the match
NOT_BEGUN: Final = "not-begun"  # there is no match yet
NOT_READY: Final = "not-ready"  # the match cannot begin yet
WATCHING: Final = "watching"  # spectators cannot act
SENDING: Final = "sending"  # the last step is still in transit
FLOOD: Final = "flood"  # too many messages
LATE: Final = "late"  # another post was entered first
DIGEST: Final = "digest"  # two terminals computed different positions
HOST_BEHIND: Final = "host-behind"  # the host has fewer posts than the returning player
UNEXPECTED: Final = "unexpected"  # a message that is not allowed at this point
FOUL: Final = "foul"  # a terminal broke the protocol
CLOCK: Final = "clock"  # two terminals measure different times
ACCUSED: Final = "accused"  # a terminal accuses another; not verified here
CHEATED: Final = "cheated"  # a deck was shuffled or opened dishonestly
NOT_A_CARD: Final = "not-a-card"  # an opened key shows no card
BAD_BOX: Final = "bad-box"  # a message sealed for one seat cannot be opened
