"""The arena: bots against bots, and what it says about them."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.catalogue import the_game
from games.management.commands.arena import (
    Bout,
    Outcome,
    Player,
    interval,
    ladder,
    pairing_of,
    play,
    timed,
)

EASY_RANDOM = (Player("easy"), Player("random"))


def arena(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("arena", "obelisk", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_a_pairing_is_reported_with_its_share_interval_scores_and_times() -> None:
    head, *sides = arena("--pairing", "easy:random", "--games", "6", "--seats", "3")
    assert re.fullmatch(
        r"easy v random, 3 seats, 6 games: wins [\d.]+% "
        r"\(95 %: [\d.]+% to [\d.]+%; fair share 33\.3%\)",
        head,
    )
    assert [side.split(":")[0].strip() for side in sides] == ["easy", "random"]
    for side in sides:
        assert re.search(
            r"mean score [\d.]+, [\d,]+ decisions/s, [\d.]+ ms each, "
            r"longest [\d.]+ s, longest turn [\d.]+ s$",
            side,
        )


def test_matches_repeat_with_their_seed_and_differ_with_another() -> None:
    def scores(seed: str) -> list[tuple[float, float]]:
        bouts = [Bout("obelisk", 2, {}, EASY_RANDOM, seed, hero) for hero in (0, 1)]
        return [play(bout).scores for bout in bouts]

    assert scores("1") == scores("1")
    assert scores("1") != scores("2")


def test_several_jobs_give_the_same_result_as_one() -> None:
    one, two = (
        arena("--pairing", "easy:random", "--games", "4", "--jobs", jobs)[0] for jobs in "12"
    )
    assert one == two


def test_the_hero_sits_in_every_seat_equally_often(monkeypatch: pytest.MonkeyPatch) -> None:
    from games.management.commands import arena as module

    played: list[tuple[str, int]] = []

    def noted(bout: Bout) -> Outcome:
        played.append((bout.seed, bout.hero))
        return play(bout)

    monkeypatch.setattr(module, "play", noted)
    arena("--pairing", "easy:random", "--games", "6", "--seats", "3", "--seed", "s")
    assert played == [(f"s:{deal}", seat) for deal in (0, 1) for seat in (0, 1, 2)]


def test_the_time_of_a_level_can_be_overridden() -> None:
    game = the_game("obelisk")
    one, other = pairing_of("hard@0.2:easy")
    assert (one.mind(game)[1], other.mind(game)[1]) == (0.2, game.levels["easy"])
    assert (str(one), str(other)) == ("hard@0.2", "easy")
    pair = (Player("hard"), Player("medium", 0.5))
    assert [player.seconds for player in timed(game, pair, 0.1)] == [0.1, 0.5]
    assert timed(game, EASY_RANDOM, 0.1) == EASY_RANDOM


def test_a_short_thought_is_played_and_timed() -> None:
    head, thinker, _ = arena("--pairing", "hard@0.002:random", "--games", "2")
    assert head.startswith("hard@0.002 v random, 2 seats, 2 games")
    assert thinker.startswith("  hard@0.002: mean score")


def test_without_pairings_each_level_meets_the_one_below() -> None:
    pairs = [f"{one}:{other}" for one, other in ladder(the_game("obelisk"))]
    assert pairs == ["easy:random", "medium:easy", "hard:medium"]


@pytest.mark.parametrize(
    ("share", "games", "low", "high"),
    [(0.5, 200, 0.431, 0.569), (1.0, 200, 0.981, 1.0), (0.0, 10, 0.0, 0.278)],
)
def test_intervals_are_wilsons(share: float, games: int, low: float, high: float) -> None:
    assert interval(share, games) == pytest.approx((low, high), abs=0.001)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--pairing", "clever:easy"], "no level 'clever'"),
        (["--pairing", "hard"], "not a pairing"),
        (["--pairing", "hard@fast:easy"], "not a number of seconds"),
        (["--seats", "9"], "bad_seats"),
        (["--option", "wind=3"], "bad_option"),
        (["--games", "0"], "At least one game"),
        (["--jobs", "0"], "At least one game"),
    ],
)
def test_bad_input_gets_a_clear_message(arguments: list[str], complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint):
        arena(*arguments)


def test_an_unknown_game_is_named_with_those_there_are() -> None:
    with pytest.raises(CommandError, match="no game 'chess'; there are"):
        call_command("arena", "chess", stdout=StringIO())


def test_an_option_of_the_game_can_be_set() -> None:
    plain = arena("--pairing", "easy:random", "--games", "2")
    expert = arena("--pairing", "easy:random", "--games", "2", "--option", "expert=1")
    assert plain[1].split(",")[0] != expert[1].split(",")[0]
