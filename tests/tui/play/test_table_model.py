"""What people do at a table, without a screen: each act leads to a model and to effects."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from kumite.core import bots
from kumite.core.errors import IllegalStep
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES, find
from kumite.core.match import Match
from kumite.core.table import Note, Play, TakeBack
from kumite.tui.bots.judging import Blunder
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.table_model import (
    WITH_BACK,
    WITH_HINTS,
    Effect,
    Refuse,
    Show,
    Stop,
    TableModel,
    Tell,
    Updated,
    Warn,
    Work,
)
from kumite.tui.play.table_words import hover
from kumite.tui.scenes.lines import abbreviated, plain, trimmed
from tests.support import kiriai_positions, kumo_positions
from tests.support.random_matches import walk

ASCII = LOOKS["ascii"]


def at(match: Match, *names: str, **more: Any) -> TableModel:
    table = LocalTable(match, names or ("ann", "ben"), None)
    return followed(TableModel.open(table, ASCII, **more))


def begun(game_id: str = "kuzushi", **more: Any) -> TableModel:
    return at(Match.begin(Setup.of(find(game_id))), **more)


def followed(model: TableModel) -> TableModel:
    return model.follow(ASCII)[0]


def made(updated: Updated) -> TableModel:
    """Carry out the step among the effects, as a screen does."""
    model, effects = updated
    (step,) = [one for one in effects if isinstance(one, Play)]
    before = model.table.match
    model.table.play(step.actor, step.step)
    return followed(model).made(before)[0]


def steps(effects: tuple[Effect, ...]) -> list[str]:
    return [one.step for one in effects if isinstance(one, Play)]


def refusal(effects: tuple[Effect, ...]) -> str:
    (found,) = [one for one in effects if isinstance(one, Refuse)]
    return str(found.error)


def in_parts(model: TableModel) -> tuple[str, ...]:
    """Return the parts of a step that has several."""
    return next(parts for parts in model.choice.parts.values() if len(parts) > 1)


def test_the_last_part_makes_the_step_and_the_model_makes_none_itself() -> None:
    model = begun("kitsu")
    *firsts, last = in_parts(model)
    for part in firsts:
        model, effects = model.pick(part)
        assert effects == (Show("cursor", part), Stop("check"), Show("chosen"))
        assert steps(effects) == []
    after, effects = model.pick(last)
    assert len(steps(effects)) == 1
    assert after.table.match.number == 0
    assert made((after, effects)).seen.number == 1


@pytest.mark.parametrize("undo", [TableModel.take_back, lambda model: model.unchoose("q leaves")])
def test_taking_back_and_esc_first_undo_a_part_that_was_chosen(undo: Any) -> None:
    """After the first card of a plan, u said that there is no step to take back."""
    model = begun("kitsu")
    assert not model.may("take_back")
    part = in_parts(model)[0]
    model, _ = model.pick(part)
    assert model.may("take_back")
    model, effects = undo(model)
    assert effects == (Stop("check"), Show("chosen", part))  # the cursor is there again
    assert model.choice.chosen == ()
    assert model.unchoose("q leaves") == (model, (Tell("q leaves"),))


def test_a_part_that_cannot_be_chosen_is_explained() -> None:
    model = begun()
    assert model.pick("nowhere") == (model, (Show("hint", "nowhere"),))


def test_steps_of_a_line_are_made_one_after_the_other_and_can_be_mended() -> None:
    model = begun()
    model, effects = model.type("e6 f7 z99")
    assert steps(effects) == ["e6"]
    before = model.table.match
    assert model.made(before) == (model, ())  # the step is in transit
    model.table.play(*before.actors, Step("e6"))
    model, effects = followed(model).made(before)
    assert steps(effects) == ["f7"]
    model, effects = model.refused(IllegalStep("no"))
    assert effects[1:] == (Show("prompt", "f7 z99"),)
    assert model.typed == ()


def test_choosing_what_comes_next_ends_what_is_under_way() -> None:
    """In Kitsu! `stop` had to be chosen after most moves."""
    model = made(begun("kitsu").type("c5-b4"))
    assert model.table.match.state.phase == "dispatch"
    stopped = model.table.match.play(Seat(0), Step("stop"))
    names = {step[:2] for step in stopped.legal(Seat(0)) if "-" in step or "x" in step}
    (name, *_) = sorted(names - model.choice.targets)
    now, effects = model.pick(name)
    assert steps(effects) == ["stop"]
    model = made((now, effects))
    assert model.choice.chosen == (name,)
    away = made(begun("kitsu").type("c5-b4"))
    assert steps(away.pick("h1")[1]) == []  # nothing can be done there afterwards
    turn = made(begun("kitsu").type("a5-b4"))  # a move after which `stop` ends the turn
    while Seat(0) in turn.table.match.actors:
        assert steps(turn.pick("e8")[1]) in ([], ["stop"])
        turn = made(turn.type(turn.table.match.legal(Seat(0))[-1]))


def test_the_end_of_a_turn_that_could_capture_more_is_asked_for_once() -> None:
    table = LocalTable.begin(Setup.of(find("kitsu")), ("ada", "bob"))
    legal = table.match.legal(Seat(0))
    while "end" not in legal or not any("x" in step for step in legal):
        actor = table.match.actors[0]
        table.play(actor, min(legal, key=lambda step: ("x" not in step, step)))
        legal = table.match.legal(table.match.actors[0])
    model = followed(TableModel.open(table, ASCII))
    asked, effects = model.pick("end")
    assert [one.text for one in effects if isinstance(one, Tell)] == [
        "You can still capture d5: the same key again ends the turn all the same."
    ]
    assert steps(effects) == []
    assert steps(asked.pick("end")[1]) == ["end"]
    assert steps(model.type("end")[1]) == ["end"]  # typing it is deliberate
    table.close()


def test_a_typed_square_is_chosen_like_one_under_the_cursor() -> None:
    model, effects = begun("kitsu").type("c5")
    assert (model.choice.chosen, steps(effects)) == (("c5",), [])
    assert steps(model.type("b4")[1]) == ["c5-b4"]
    assert steps(model.type("c5-d4")[1]) == ["c5-d4"]  # a whole step counts as before
    assert steps(begun("kitsu").type("c5 b4")[1]) == ["c5-b4"]
    position = kumo_positions.at("e4 0kumo; e3 0kumo; e6 1run")
    blocked = at(Match.begin(Setup.of(find("kumo")), position=position))
    chosen, effects = blocked.type("e4 e3 push")
    assert effects[-1] == Show("hint", "push")  # the rules say why not
    assert "the stone cannot move north" in plain(hover(chosen, "push"))
    assert blocked.type("e4 e9 push")[1][-2:] == (Show("hint", "e9"), Show("prompt", "e9 push"))


def test_a_whole_step_that_is_typed_does_not_go_on_from_what_was_chosen() -> None:
    """With Approach chosen, `low retreat` played Approach and Low, and dropped Retreat."""
    model = begun("kiriai")
    while model.table.match.actors == ("*",):
        model.table.play("*", model.table.match.draw(Random(1)))
        model = followed(model)
    assert not model.may("take_back")  # only chance has acted
    model, _ = followed(model.uncover()[0]).pick("approach")
    assert steps(model.type("low retreat")[1]) == ["low,retreat"]
    assert steps(model.type("low")[1]) == ["approach,low"]
    assert steps(model.type("approach")[1]) == ["approach"]  # the rules say why not


def test_a_chosen_card_is_drawn_on_the_table_until_it_is_taken_back() -> None:
    model = followed(begun("kiriai").uncover()[0])
    chosen, _ = model.pick("low")
    assert chosen.laid != model.laid == model.scene
    assert "[Low" in "".join(map(plain, chosen.laid.picture))
    assert chosen.take_back()[0].laid == model.scene


def test_a_step_that_is_picked_stops_what_was_typed_behind_it() -> None:
    model, _ = begun().type("e6 f7")
    assert model.pick(model.choice.legal[-1])[0].typed == ()


# --- secrets --------------------------------------------------------------------------------------


def hands() -> TableModel:
    """Return a table of two people with hands, after the deal."""
    match = walk(Setup.of(find("kitsune"), 2), 1)
    return at(next(one for one in match.line() if one.actors and one.actors[0] != "*"))


def test_a_table_is_covered_until_who_is_to_act_has_come() -> None:
    model = hands()
    assert model.is_covered
    assert (model.seat, model.eyes) == (None, frozenset())
    assert not model.may("type")
    assert model.may("rules")
    model = followed(model.uncover()[0])
    assert not model.is_covered
    assert model.seat == model.table.acting
    assert model.eyes == {model.seat}


def test_nobody_takes_back_what_another_has_chosen_under_secrets() -> None:
    model = followed(hands().uncover()[0])
    model = made(model.make(model.choice.legal[0]))
    while model.interlude or model.table.acting == model.looking:
        model = followed(model.go_on()[0])
        if model.seat is not None and model.choice is not None:
            model = made(model.make(model.choice.legal[0]))
    assert model.may("take_back")  # one's own, before the other has come to the screen
    model = followed(model.uncover()[0])
    assert not model.may("take_back"), "a key that is refused was offered"
    assert "someone else has chosen or seen" in refusal(model.take_back()[1])


def test_ones_own_last_choice_is_taken_back() -> None:
    model = begun()
    assert "nothing to take back" in refusal(model.take_back()[1])
    model = made(model.make(Step("e6")))
    assert model.take_back()[1] == (TakeBack(0),)


def test_only_own_choices_are_taken_back_where_all_choose_at_once() -> None:
    """A bot's plan was: u, and nothing had changed when the bot had planned again."""
    model = at(walk(Setup.of(find("kiriai")), 1, 2), "ada", "bot:easy")
    bot, ada = Seat(1), Seat(0)
    model.table.play(bot, model.table.match.legal(bot)[0])
    model = followed(model)
    assert model.seat == ada
    assert not model.may("take_back")
    number = model.table.match.number
    model = made(model.make(model.choice.legal[0]))
    while model.interlude:
        model = followed(model.go_on()[0])
    model.table.play(bot, model.table.match.legal(bot)[0])
    model = followed(model)
    assert model.take_back()[1] == (TakeBack(number),)


def test_an_interlude_is_seen_before_the_match_goes_on() -> None:
    rng, model = Random(2), hands()
    while model.interlude is None:
        model = followed(model.uncover()[0])
        model = made(model.make(rng.choice(model.choice.legal)))
    assert model.looking is None  # all at this screen look at it
    assert model.seat is None
    assert model.may("go_on")
    after = followed(model.go_on()[0])
    assert after.interlude is None or after.seen.number > model.seen.number


def test_looking_back_makes_no_step() -> None:
    model = made(begun().make(Step("e6")))
    back = followed(model.look_by(-1)[0])
    assert (back.seen.number, back.seat) == (0, None)
    assert "not your turn" in refusal(back.make(Step("f7"))[1])
    assert followed(back.look_by(1)[0]).seat is not None


# --- help -----------------------------------------------------------------------------------------


def test_a_tutor_looks_at_a_step_before_it_is_made() -> None:
    model, effects = begun(wants_tutor=True), ()
    (seat,) = model.table.match.actors
    assert model.tutored is model.table.match
    model, effects = model.make(Step("e6"))
    assert effects == (Stop("check"), Work("check", Seat(int(seat)), Step("e6")))
    fine, effects = model.check(Step("e6"), None)
    assert steps(effects) == ["e6"]
    assert fine.checked is None
    assert model.check(Step("f7"), None) == (model, ())  # it was about another step
    assert steps(model.make(Step("e6"))[1]) == ["e6"]  # Enter once more: at once


def test_a_tutor_warns_of_a_step_once() -> None:
    model, _ = begun(wants_tutor=True).make(Step("e6"))
    model, effects = model.check(Step("e6"), Blunder(Step("e6"), Step("g6"), 0.7, 0.2))
    kinds = [type(one) for one in effects]
    assert kinds == [Note, Warn]
    assert steps(model.make(Step("e6"))[1]) == ["e6"]


def test_a_hint_is_asked_for_once_and_explained_when_asked_again() -> None:
    model = begun()
    (seat,) = model.table.match.actors
    model, effects = model.ask_hint()
    assert effects[0] == Note(f"hint: seat {seat} before step 1")
    assert effects[-1] == Work("hint", Seat(int(seat)))
    assert [type(one) for one in model.ask_hint()[1]] == [Tell]
    found = bots.Choice(Step("e6"))
    assert model.take_hint(begun().table.match, found)[0].hint is None  # of another match
    model, effects = model.take_hint(model.table.match, found)
    assert Show("chosen", "e6") in effects
    assert Work("after", Seat(int(seat))) in model.ask_hint()[1]


def test_the_first_hint_of_a_match_that_can_be_rated_is_asked_for_twice() -> None:
    """That it is not rated any more was said below the hint."""
    table = LocalTable.begin(Setup.of(find("kuzushi")), ("bot:easy", "ada"))
    model, effects = followed(TableModel.open(table, ASCII)).ask_hint()
    assert [one.text for one in effects] == [
        "A match with hints is not rated: ask again for the hint"
    ]
    assert Work("hint", Seat(1)) in model.ask_hint()[1]
    table.close()


def rated(game_id: str) -> TableModel:
    """Return a table against a bot, in which the person has made a step and is to act again."""
    setup = Setup.of(find(game_id))
    table = LocalTable.begin(setup, ("ada", *["bot:easy"] * (setup.seats - 1)))
    rng, has_acted = Random(game_id), False
    while not (
        has_acted
        and table.acting == 0
        and table.last_choice()
        and len(table.match.legal(Seat(0))) > 1  # else there is nothing to give a hint about
    ):
        actor = table.match.actors[0]
        has_acted |= actor == 0
        table.play(actor, rng.choice(table.match.legal(actor)))
    return followed(TableModel.open(table, ASCII))


@pytest.mark.parametrize("game_id", GAMES)
def test_what_ends_the_rating_of_a_match_is_asked_for_twice_and_only_once(game_id: str) -> None:
    """Taking back cost the rating without a word, and the hint was asked about after it."""
    model = rated(game_id)
    model, effects = model.take_back()
    assert effects == (Tell(WITH_BACK, "title"),)
    assert model.ask_hint()[1] == (Tell(WITH_HINTS, "title"),)  # still rated
    model, (back,) = model.take_back()
    model.table.do(back)
    model = followed(model)
    assert not model.table.is_rated
    assert not any(one.text == WITH_HINTS for one in model.ask_hint()[1] if isinstance(one, Tell))
    path, names = model.table.path, model.table.names
    seat, step = model.seat, model.table.match.legal(model.seat)[0]
    model.table.play(seat, step)  # or it would not be kept
    model.table.close()
    again = LocalTable.resume(path, names)
    assert not again.is_rated  # after another start, too
    again.close()


def test_after_a_hint_taking_back_is_not_asked_about() -> None:
    model = rated("kuzushi")
    model, _ = model.ask_hint()
    model, effects = model.ask_hint()
    model.table.do(effects[0])
    assert isinstance(followed(model).take_back()[1][0], TakeBack)
    model.table.close()


def test_at_a_table_that_is_not_rated_nothing_is_asked() -> None:
    table = LocalTable.begin(Setup.of(find("kuzushi")), ("ada", "bob"))
    (seat,) = table.match.actors
    table.play(seat, table.match.legal(seat)[0])
    assert isinstance(followed(TableModel.open(table, ASCII)).take_back()[1][0], TakeBack)
    table.close()


def test_a_hint_is_past_with_its_position() -> None:
    model, _ = begun().ask_hint()
    model.table.play(*model.table.match.actors, Step("e6"))
    model, effects = model.follow(ASCII)
    assert Stop("hint") in effects
    assert not model.is_thinking


@pytest.mark.parametrize("action", ["rematch", "review", "replay", "card"])
def test_what_is_for_the_end_is_for_the_end_alone(action: str) -> None:
    model = begun()
    assert not model.may(action)
    assert model.may("resign")
    model.table.resign()
    model = followed(model)
    assert not model.may("resign")
    assert model.may(action) == (action != "review")  # this table has no log to be reviewed


@pytest.mark.parametrize(
    ("game_id", "part", "said"),
    [
        ("kitsu", "d6", "choose this Fox, then choose one of 8 squares"),
        ("kumo", "e1", "place a Kumotori here, then choose one of 6 stances"),
        ("kiriai", "charge", "play Charge first, then choose one of 6 cards"),
    ],
)
def test_a_part_says_what_is_chosen_after_it(game_id: str, part: str, said: str) -> None:
    model = at(Match.begin(Setup.of(find(game_id))), "ann", "bot:easy")
    assert plain(hover(model, part)) == f"Enter: {said}"


def test_the_only_choice_is_said_to_be_made_by_itself() -> None:
    """`Enter: play the orange 1` was offered, and a moment later the card lay there."""
    line = walk(Setup.of(find("kitsu")), 4).line()
    model = at(next(one for one in line if one.actors and len(one.legal(one.actors[0])) == 1))
    assert model.only_step is not None
    (name,) = model.choice.targets
    assert plain(hover(model, name)).startswith("Your only choice, made for you: ")


def test_choices_of_several_kinds_are_counted_by_kind() -> None:
    """`one of 8` was taken for eight squares; five were stances."""
    model = at(Match.begin(Setup.of(find("kumo"))).play(Seat(0), Step("+a1=run")))
    said = plain(hover(model, "a1"))
    assert said == "Enter: choose this runner, then choose one of 5 squares or 5 stances"
    walled = kumo_positions.at("a1 0run; a2 1run; b2 1run; c1 1run")
    said = plain(hover(at(Match.begin(Setup.of(find("kumo")), position=walled)), "a1"))
    assert said == "Enter: choose this runner, then choose the square or one of 5 stances"
    chosen, _ = model.pick("a1")
    assert plain(hover(chosen, "a1")).startswith(
        "runner a1 is chosen: choose one of 5 squares or 5 stances   Tab: buttons"
    )
    assert plain(hover(model, "")).endswith("n: next of 9 squares or 2 buttons")


def test_what_is_chosen_next_is_told_in_sixty_columns_too() -> None:
    """`Enter: choose this runner, then choose one of` was all that fitted."""
    model = at(Match.begin(Setup.of(find("kumo"))).play(Seat(0), Step("+a1=run")))
    said = abbreviated(hover(model, "a1"))
    assert plain(trimmed(said, 58)) == "Enter: choose this runner, then 5 squares or 5 stances"


def test_cards_that_a_katana_may_hit_are_counted_as_cards() -> None:
    line = walk(Setup.of(find("kitsune"), 2), 1).line()
    tables = (at(one) for one in line if one.actors and one.actors[0] != "*")
    said = [plain(hover(followed(one.uncover()[0]), "katana")) for one in tables]
    assert "Enter: play the Katana, then choose one of 2 cards" in said


def test_the_line_above_the_keys_names_the_piece_of_another_player_and_what_it_does() -> None:
    model = at(walk(Setup.of(find("kumo")), 1, 30))
    assert plain(hover(model, "i9")).startswith("grabber: moves a neighbour by one space   ")
    assert plain(hover(model, "e5")).startswith("the stone: over the edge")
    chosen, _ = model.pick("h1")
    assert "blocker" not in plain(hover(chosen, "a3"))  # only why it cannot be grabbed
    kuzushi = at(walk(Setup.of(find("kuzushi")), 1, 8))
    assert plain(hover(kuzushi, "f6")) == "the city lies on f6 for good"


def test_what_is_chosen_stays_chosen_when_others_choose_meanwhile() -> None:
    """A bot laid its plan, and the first card of one's own was put back."""
    model = begun("kiriai")
    while model.table.match.actors == ("*",):
        model.table.play("*", model.table.match.draw(Random(1)))
        model = followed(model)
    model, _ = followed(model.uncover()[0]).pick("approach")
    model.table.play(Seat(1), model.table.match.legal(Seat(1))[0])
    assert followed(model).choice.chosen == ("approach",)
    again = made(model.pick("low"))
    assert again.choice is None or again.choice.chosen == ()


def test_spaces_to_start_on_are_named_where_keys_stand_beside_them() -> None:
    """`1[2] 2 3 3 4` were three keys and three spaces."""
    assert at(kiriai_positions.dealt(field="advanced")).label("2") == "on space 2"
