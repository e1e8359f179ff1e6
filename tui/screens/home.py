"""The home screen: games, the unfinished match, LAN tables, and the way to every other screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.timer import Timer

from kumite.core.errors import KumiteError
from kumite.core.games import GAMES, NAMES
from kumite.core.players import MAX_NAME, as_person, bot_name
from kumite.store import guest_mode, log_files
from kumite.store.library import Kept, Library
from kumite.tui.drawing.home import CONTINUE, GAME, TABLE, Entry, Home
from kumite.tui.play.kept import unfinished_parts
from kumite.tui.play.suggestion import Suggestion, next_up, of_game
from kumite.tui.scenes.sentences import counted
from kumite.tui.screens import lookout
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.settings import keep, own_name
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.menu import Menu
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from kumite.net.transport.discovery import Found, News
    from kumite.tui.shell import Shell

NEW_LOGS: Final = 50  # new logs opened before the menu is shown; `Saved matches` opens the rest
LOOK_AFTER: Final = 0.5  # s to wait before searching the LAN
ENTRIES: Final = (
    Entry("play", "p", "play here", "people take turns at this keyboard"),
    Entry("bot", "b", "against a bot", ""),
    Entry("host", "h", "host on the LAN", "others join your table with a code"),
    Entry("join", "j", "join", "a table{{ on the LAN, or by an address| that is open here}}"),
    Entry("tournament", "t", "tournament", "round by round, for all in one room"),
    Entry("learn", "l", "learn", "its first steps, task by task"),
    Entry("saved", "s", "saved matches", "to replay, search or continue"),
    Entry("record", "y", "your record", "how much, against whom, and how well"),
    Entry("puzzles", "z", "puzzles", "one best turn, and one try; one for each day"),
    Entry("rules", "r", "rules", "how it is played"),
    Entry("settings", "o", "settings", "colours, glyphs, your name{{, keys|}}"),
)


TOO_SOON: Final = 0.7  # s after the return, in which a `q` was meant for where one was
WELCOME: Final = "Welcome! How should the others see you? You can change your name in the settings."


def _suited() -> tuple[Entry, ...]:
    lan = guest_mode.suited("{{on the LAN|a table}}")
    labels = [one.label.replace("on the LAN", lan) for one in ENTRIES]
    pairs = zip(labels, ENTRIES, strict=True)
    return tuple(
        one._replace(label=label, said=guest_mode.suited(one.said)) for label, one in pairs
    )


class HomeScreen(KumiteScreen):
    """The home menu: games and what to do with them."""

    HELP = """\
Use the arrows to move and Enter to choose. Enter on a game's tile sets up a match against
the bot of last time; Enter again starts it. c continues your unfinished match, or does
what is suggested next for the marked game. The entries below the tiles apply to that
game, too, and their letters work from anywhere.

Tables that others have opened on this LAN appear here by themselves (you can turn that
off in the settings). Everything in kumite works with the keyboard alone."""
    IN_HELP_ONLY = frozenset({"screen.keys"})
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "back", "quit", id="screen.back"),
        Binding(
            "c", "open('continue')", "continue, or what comes next", show=False, id="home.continue"
        ),
        *(
            Binding(one.letter, f"open('{one.key}')", one.label, show=False, id=f"home.{one.key}")
            for one in ENTRIES
        ),
    ]

    def __init__(
        self,
        finder: lookout.MakeFinder | None = None,
        *,
        asks_name: bool = False,
        then: Callable[[str], Screen[None]] | None = None,
    ) -> None:
        """Search the LAN with `finder`, or with the default finder if the settings allow it.

        `asks_name`: ask whoever starts for the first time what to call them. `then`: ask in any
        case, and open the screen that this returns for the name.
        """
        super().__init__()
        self._finder = finder
        self._asks_name, self._then = asks_name, then
        self._lookouts: list[lookout.Lookout] = []
        self._timer: Timer | None = None
        self._found: dict[str, Found] = {}
        self._unfinished: Path | None = None
        self._played: list[Kept] = []
        self._suggestion: Suggestion | None = None  # what to offer if no match is unfinished
        self._suggestions: dict[str, Suggestion | None] = {}  # by marked game; "": of all
        self._since: float | None = None  # when the user returned; None: has not been away

    def compose(self) -> ComposeResult:
        yield Menu(Home(NAMES, NAMES[0], f"{GAME}{NAMES[0]}", (), _suited()), id="menu")
        yield Prompt(id="prompt")
        yield Lines(id="hint")
        yield Lines(id="keys")

    @property
    def menu(self) -> Menu:
        return self.query_one(Menu)

    def on_mount(self) -> None:
        self.menu.focus()
        self.call_after_refresh(self._add_plugins)

    def _add_plugins(self) -> None:
        """Add games of other packages, which are looked for once the screen is drawn."""
        self.menu.show(replace(self.menu.home, games=tuple(GAMES)))

    # --- while it is shown ----------------------------------------------------------------------

    def on_screen_resume(self) -> None:
        """Refresh the unfinished match and the suggestion, and start searching the LAN."""
        self._found.clear()
        library = Library()
        library.read(NEW_LOGS)
        newest, game, found = next_up(library, self.shell.settings)
        self._played = library.all()
        self._unfinished = library.path(newest.name) if newest else None
        said: tuple[str, ...] = ()
        if newest is not None:
            name = own_name(self.shell.settings)
            said = unfinished_parts(newest, name, datetime.now(tz=UTC))
        home = self.menu.home
        game = game or home.game
        is_first = found is not None and found.kind == "first"
        self._suggestions = {"": found} if is_first else {"": found, game: found}
        at = CONTINUE if newest is not None else f"{GAME}{game}"
        if self._since is not None:
            game, at = home.game, home.at  # keep the cursor where it was
        self._since = 0.0 if self._since is None else monotonic()
        self._suggestion = self._of_game(game)
        following = self._suggestion.said if self._suggestion is not None else ()
        if at == CONTINUE and not (said or following):
            at = f"{GAME}{game}"
        self.menu.show(replace(home, unfinished=said, following=following, game=game, at=at))
        self._look_out()
        self._show()
        is_new = self._asks_name and not library.all() and not self.shell.settings.name
        if is_new or self._then is not None:
            self._ask_name()
        self._asks_name = False

    def _ask_name(self) -> None:
        usual = own_name(self.shell.settings)
        label = f"Your name (Enter: {usual}):"
        self.query_one(Prompt).ask(label, self._named, longest=MAX_NAME)
        self._explain()

    def _named(self, text: str | None) -> None:
        name = as_person(text or own_name(self.shell.settings))
        self.menu.focus()
        with self.complaining():
            keep(name=name)
            self.shell.use(replace(self.shell.settings, name=name))
            self._explain()
        if (then := self._then) is not None:
            self._then = None
            self.app.push_screen(then(name))

    def _look_out(self) -> None:
        """Start the LAN search after a short delay, so that the screen is drawn first."""
        make = self._finder
        if make is None and self.shell.settings.lan and not self.app.is_headless:
            make = lookout.lan_finder
        if make is not None:
            deliver = partial(self.call_later, self._told)
            self._lookouts = [lookout.Lookout(make, deliver), lookout.seat_lookout(make, deliver)]
            self._timer = self.set_timer(LOOK_AFTER, self._begin)

    def _begin(self) -> None:
        for one in self._lookouts:
            one.begin()

    def on_screen_suspend(self) -> None:
        self._look_no_more()

    def on_unmount(self) -> None:
        self._look_no_more()

    def _look_no_more(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        for one in self._lookouts:
            one.end()
        self._timer, self._lookouts = None, []

    def _told(self, news: News) -> None:
        if self._lookouts:
            lookout.keep_news(self._found, news, own_name(self.shell.settings))
            self._show()

    # --- what is shown --------------------------------------------------------------------------

    def _show(self) -> None:
        tables = tuple(map(_table, lookout.listed(self._found.values())))
        home = self.menu.home
        gone = home.at.startswith(TABLE) and home.at not in {table.key for table in tables}
        can_join = sum(not lookout.is_full(one) for one in self._found.values())
        entries, at = self._entries(can_join), "join" if gone else home.at
        is_looking = bool(self._lookouts)
        now = replace(home, entries=entries, tables=tables, is_looking=is_looking, at=at)
        self.menu.show(now)
        self._explain()

    def _entries(self, tables: int) -> tuple[Entry, ...]:
        changed = {"bot": {"said": f"{bot_name(self.shell.settings.level)}, or another"}}
        if tables:
            open_now = f"{counted(tables, 'table')} open"
            changed["join"] = {"label": f"join ({tables} open)", "said": f"{open_now} now"}
        return tuple(one._replace(**changed.get(one.key, {})) for one in _suited())

    @on(Menu.Moved)
    def _moved(self) -> None:
        """Explain what is marked."""
        found, home = self._of_game(self.menu.home.game), self.menu.home
        if found is not self._suggestion:
            self._suggestion = found
            self.menu.show(replace(home, following=found.said if found is not None else ()))
        self._explain()

    def _of_game(self, game: str) -> Suggestion | None:
        """Return the suggestion for the marked game, or another if that has none."""
        of_all = self._suggestions.get("")
        if game not in self._suggestions and self._unfinished is None and game in NAMES:
            found = of_game(self._played, game, self.shell.settings)
            self._suggestions[game] = found or of_all
        return self._suggestions.get(game, of_all)

    def _explain(self) -> None:
        if self.query_one(Prompt).is_open:
            self.say(WELCOME)
            return
        home = self.menu.home
        name, bot = home.about.name, bot_name(self.shell.settings.level)
        if home.at.startswith(GAME):
            time = f", about {home.about.minutes} minutes" if home.about.minutes else ""
            what = f"{name}: {home.about.players_in_words}{time}."
            self.hint(((what, ""), (f"  Enter: against {bot}", "quiet")))
            return
        found = self._found.get(home.at.removeprefix(TABLE))
        said = {
            CONTINUE: _first_said(self._suggestion),
            "play": f"{name} at this keyboard: people take turns.",
            "bot": f"{name} against {bot}; another level can be chosen first.",
            "host": f"Open a table of {name}; others join it with a code.",
            "join": "The tables that are open {{on this LAN, and a way to any other|here}}.",
            "tournament": "Organise, continue or join one{{ on this LAN|}}.",
            "learn": f"The first steps in {name}, task by task.",
            "puzzles": "Positions with one best turn: today's, and each game's own.",
            "saved": "Replay, search or continue your matches.",
            "record": "Your matches, streaks, openings and rating, by game.",
            "rules": f"How {name} is played.",
            "settings": "Colours, glyphs, your name, keys.",
        }.get(home.at, _way_to(found) if found else "")
        self.say(guest_mode.suited(said), "quiet")

    # --- what is done ---------------------------------------------------------------------------

    @on(Menu.Chosen)
    def _chosen(self, event: Menu.Chosen) -> None:
        self.action_open(event.key)

    def action_open(self, key: str) -> None:
        with self.complaining():
            if (screen := self._screen(key)) is not None:
                self.app.push_screen(screen)

    def _screen(self, key: str) -> Screen[None] | None:  # imports are local to keep startup fast
        game = self.menu.home.game
        if key == CONTINUE:
            return self._to_first()
        if key.startswith(TABLE):
            from kumite.tui.screens.open_list import way_to

            return way_to(self._found[key.removeprefix(TABLE)], own_name(self.shell.settings))
        if key in ("play", "bot") or key.startswith(GAME):
            from kumite.tui.screens.setup import NewScreen

            return NewScreen(game, against_bots=key != "play")
        if key in ("learn", "puzzles") and game not in NAMES:  # of another package
            self.say(f"{self.menu.home.about.name} has no lessons and no puzzles.", "quiet")
            return None
        return _other_screen(key, game)

    def _to_first(self) -> Screen[None] | None:
        if self._suggestion is not None:
            return screen_of(self._suggestion, self.shell)
        if self._unfinished is None:
            self.say("Nothing is unfinished.", "quiet")
            return None
        from kumite.tui.screens.saved import going_on

        return going_on(log_files.load(self._unfinished), self._unfinished)

    def action_back(self) -> None:
        """Quit, but not by the last of several `q` that led back here."""
        if self._since and monotonic() - self._since < TOO_SOON:
            self._since = 0.0
            self.say("q again leaves kumite", "quiet")
        else:
            self.app.exit()


def screen_of(found: Suggestion, shell: Shell) -> Screen[None]:
    """Return the screen for a suggestion; a KumiteError says why there is none."""
    if found.kind in ("first", "learn", "match"):
        from kumite.tui.screens.lessons import LessonsScreen, screen_against

        if found.kind != "match":
            return LessonsScreen(found.game)
        return screen_against(found.game, found.level, shell)
    from kumite.tui.play.tasks import next_puzzle
    from kumite.tui.puzzles.model import daily
    from kumite.tui.screens.puzzles import PuzzleScreen

    if found.kind == "daily":
        return PuzzleScreen(daily(date.today()), "puzzle of the day")
    if (one := next_puzzle(found.game)) is not None:
        return PuzzleScreen(one)
    raise KumiteError("there is no puzzle for today", hint="come back tomorrow")


def _first_said(found: Suggestion | None) -> str:
    if found is None:
        return "Continue where you left off; Saved matches lists the others."
    if found.kind == "match":
        return f"Begin a match against {bot_name(found.level)}."
    is_lesson = found.kind in ("first", "learn")
    return "Begin with it." if is_lesson else "Solve it: one best turn, and one try."


def _table(found: Found) -> Entry:
    table = found.table
    if not found.is_ours:
        return Entry(f"{TABLE}{found.key}", "", "another version", "update to join")
    said = f"{table.title}, {lookout.free_seats(found)}"
    return Entry(f"{TABLE}{found.key}", "", table.name, said)


def _way_to(found: Found) -> str:
    if not found.is_ours:
        return lookout.why_not(found)
    more = "" if lookout.is_awaiting(found) else " The host tells the code."
    return f"{lookout.does(found)}: {found.addresses[0]} port {found.table.port}.{more}"


def _other_screen(key: str, game: str) -> Screen[None]:
    match key:
        case "host":
            from kumite.tui.screens.setup import HostScreen

            return HostScreen(game)
        case "join":
            from kumite.tui.screens.open_list import JoinScreen

            return JoinScreen()
        case "tournament":
            from kumite.tui.screens.tournaments import TournamentsScreen

            return TournamentsScreen(game)
        case "learn":
            from kumite.tui.screens.lessons import LessonsScreen

            return LessonsScreen(game)
        case "saved":
            from kumite.tui.screens.saved import SavedScreen

            return SavedScreen()
        case "record":
            from kumite.tui.screens.record import RecordScreen

            return RecordScreen()
        case "puzzles":
            from kumite.tui.screens.puzzles import PuzzlesScreen

            return PuzzlesScreen(game)
        case "settings":
            from kumite.tui.screens.settings import SettingsScreen

            return SettingsScreen()
    from kumite.tui.screens.reading import RulesScreen

    return RulesScreen(game, GAMES[game].TITLE)
