"""Every change of a match goes through one transaction, and a refused change leaves nothing."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.utils import timezone

from games import services
from games.models import Line, Match, Move, Notice, Seat
from games.queries import differences, session_of
from games.services import Opponent, match_create, match_join
from tests.site.people import duel, finish, legal, market, person, play, play_turn, refused, token

pytestmark = pytest.mark.django_db


def whole(match: Match) -> tuple:
    """Everything that a refused change must leave alone."""
    return (
        list(Match.objects.filter(pk=match.pk).values()),
        list(Seat.objects.filter(match=match).values()),
        list(Move.objects.filter(match=match).values()),
        list(Line.objects.filter(match=match).values()),
        list(Notice.objects.filter(seat__match=match).values()),
    )


def test_a_table_starts_by_itself_when_the_last_seat_is_taken(anna, bob):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    assert (match.status, match.snapshot) == ("open", "")
    match_join(match_id=match.pk, user=bob)
    match.refresh_from_db()
    assert match.status == "running"
    assert [(seat.name, seat.index) for seat in match.seats.all()] == [("Anna", 0), ("Bob", 1)]
    assert [seat.to_act for seat in match.seats.all()].count(True) == 1


def test_a_table_of_bots_starts_at_once(anna):
    match = match_create(
        user=anna, game="obelisk", opponents=[Opponent("bot", "easy"), Opponent("bot", "hard")]
    )
    assert match.status == "running"
    assert [seat.bot for seat in match.seats.all()] == ["", "easy", "hard"]


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"game": "monopoly"}, "no_such_game"),
        ({"opponents": []}, "bad_seats"),
        ({"opponents": [Opponent("open")] * 5}, "bad_seats"),
        ({"opponents": [Opponent("bot", "genius")]}, "bad_level"),
        ({"opponents": [Opponent("person", "Nobody")]}, "no_such_player"),
        ({"opponents": [Opponent("person", "Anna")]}, "no_such_player"),
        ({"options": {"expert": 7}}, "bad_option"),
        ({"options": {"cheat": 1}}, "bad_option"),
        ({"options": {"first_player": 2}}, "bad_option"),
        ({"pace": "hourly"}, "bad_pace"),
    ],
)
def test_a_table_with_wrong_settings_is_refused_and_not_made(anna, change, key):
    arguments = {"user": anna, "game": "obelisk", "opponents": [Opponent("open")]} | change
    assert refused(match_create, **arguments) == key
    assert not Match.objects.exists()


def test_the_same_form_posted_twice_makes_one_table(anna):
    first = match_create(user=anna, game="obelisk", opponents=[Opponent("open")], once="form-1")
    second = match_create(user=anna, game="obelisk", opponents=[Opponent("open")], once="form-1")
    assert (second.pk, Match.objects.count()) == (first.pk, 1)


def test_nobody_fills_the_lobby_alone(anna):
    for _ in range(services.MOST_OPEN_TABLES):
        match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    arguments = {"user": anna, "game": "obelisk", "opponents": [Opponent("open")]}
    assert refused(match_create, **arguments) == "too_many_tables"


def test_matches_with_bots_or_without_a_clock_are_never_rated(anna):
    bots = match_create(user=anna, game="obelisk", opponents=[Opponent("bot", "easy")], rated=True)
    friends = match_create(
        user=anna, game="obelisk", opponents=[Opponent("open")], pace="friends", rated=True
    )
    timed = match_create(user=anna, game="obelisk", opponents=[Opponent("open")], rated=True)
    assert [bots.rated, friends.rated, timed.rated] == [False, False, True]


def test_a_move_is_written_down_with_its_lines_and_calls_the_next_seat(anna, bob):
    match = duel(anna, bob)
    play_turn(match, 0)
    assert [(move.seat, move.by) for move in match.moves.all()][-1] == (0, "player")
    assert {line.key for line in match.lines.exclude(move=None)} >= {"took", "ended_turn"}
    assert [seat.to_act for seat in match.seats.all()] == [False, True]
    assert list(Notice.objects.filter(kind="your_turn", seat__index=1).values_list("sent")) == [
        (None,)
    ]


@pytest.mark.parametrize(
    ("seat", "text", "key"),
    [
        (1, "take 1 cw", "not_your_turn"),
        (0, "take 99 cw", "pile_empty"),
        (0, "end_turn", "must_take"),
        (0, "take 1", "direction_required"),
        (0, "fly away", "illegal"),
    ],
)
def test_an_illegal_move_is_refused_and_changes_nothing(anna, bob, seat, text, key):
    match = duel(anna, bob)
    before = whole(match)
    arguments = {"match_id": match.pk, "seat": seat, "token": token(match, seat), "text": text}
    assert refused(services.match_play, **arguments) == key
    assert whole(match) == before


def test_a_malformed_move_does_not_even_reach_the_rules(anna, bob):
    match = duel(anna, bob)
    arguments = {"match_id": match.pk, "seat": 0, "token": token(match, 0)}
    for text in ("", "take  1", "<script>", "take 1\n", "x" * 10_000, "take ①"):
        assert refused(services.match_play, text=text, **arguments) == "malformed"


def test_a_double_click_makes_one_move(anna, bob):
    match = duel(anna, bob)
    click = {"match_id": match.pk, "seat": 0, "token": token(match, 0), "text": legal(match, 0)[0]}
    services.match_play(**click)
    assert refused(services.match_play, **click) == "stale"
    assert match.moves.count() == 1


def test_a_draft_can_be_taken_back_with_its_lines_and_tried_again(anna, bob):
    match = duel(anna, bob)
    card = next(text for text in legal(match, 0) if text.startswith("lay_foundation"))
    before = (token(match, 0), list(match.lines.values()))
    play(match, 0, card)
    services.match_undo(match_id=match.pk, seat=0, token=token(match, 0))
    assert (token(match, 0), list(match.lines.values())) == before
    assert match.moves.count() == 0
    play(match, 0, card)
    assert [move.text for move in match.moves.all()] == [card]


def test_the_whole_turn_can_be_restarted_up_to_the_last_new_knowledge(anna, bob):
    match = duel(anna, bob)
    first, second = [text for text in legal(match, 0) if text.startswith("lay_foundation")][:2]
    play(match, 0, first)
    play(match, 0, second)
    services.match_undo(match_id=match.pk, seat=0, token=token(match, 0), whole_turn=True)
    assert match.moves.count() == 0
    play(match, 0, next(text for text in legal(match, 0) if text.startswith("take")))
    arguments = {"match_id": match.pk, "seat": 0, "token": token(match, 0)}
    assert refused(services.match_undo, **arguments) == "nothing_to_undo"


def test_a_secret_choice_is_recalled_until_the_last_one_is_in_and_earns_no_time(anna, bob):
    match = market(anna, bob, person("Cleo"))
    reserve = [seat.reserve for seat in match.seats.all()]
    one, other = legal(match, 0)[:2]
    play(match, 0, one)
    assert [seat.to_act for seat in match.seats.all()] == [False, True, True]
    services.match_undo(match_id=match.pk, seat=0, token=token(match, 0))
    assert [seat.to_act for seat in match.seats.all()] == [True, True, True]
    play(match, 0, other)
    assert match.seats.get(index=0).reserve <= reserve[0]
    assert match.seats.get(index=0).deadline is None
    play_turn(match, 1)
    play_turn(match, 2)
    called = match.seats.get(to_act=True)
    assert (called.index, called.deadline - called.called) == (0, called.reserve)


def test_a_completed_turn_pays_the_increment_once_and_no_more_than_the_cap(anna, bob):
    match = duel(anna, bob, pace="standard")
    long_ago = timezone.now() - timedelta(days=2)
    Seat.objects.filter(match=match, index=0).update(called=long_ago)
    play_turn(match, 0)
    reserve = match.seats.get(index=0).reserve
    assert timedelta(days=2) - timedelta(minutes=1) < reserve <= timedelta(days=2)
    for _ in range(4):
        play_turn(match, 1)
        play_turn(match, 0)
    assert match.seats.get(index=0).reserve == timedelta(days=5)


def test_a_match_is_played_to_its_end_and_replays_from_its_seed(anna, bob):
    match = duel(anna, bob)
    while match.status == "running":
        play_turn(match, match.seats.get(to_act=True).index)
        match.refresh_from_db()
    assert (match.status, differences(match)) == ("finished", [])
    scores = [tuple(seat.score) for seat in match.seats.all()]
    assert scores == session_of(match).state.scores()
    assert [seat.rank for seat in match.seats.all()] == [
        1 + sum(other > score for other in scores) for score in scores
    ]
    assert Notice.objects.filter(kind="finished").count() == 2
    arguments = {"match_id": match.pk, "seat": 0, "token": token(match, 0), "text": "end_turn"}
    assert refused(services.match_play, **arguments) == "game_over"


def test_a_seat_kept_for_somebody_is_taken_by_nobody_else(anna, bob):
    cleo = person("Cleo")
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("person", "bob")])
    assert refused(match_join, match_id=match.pk, user=cleo) == "not_invited"
    match_join(match_id=match.pk, user=bob)
    assert refused(match_join, match_id=match.pk, user=cleo) == "not_open"


def test_a_private_table_is_joined_through_its_link_only(anna, bob):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")], private=True)
    assert refused(match_join, match_id=match.pk, user=bob) == "not_invited"
    assert refused(match_join, match_id=match.pk, user=bob, link="guess") == "not_invited"
    match_join(match_id=match.pk, user=bob, link=match.link)
    match.refresh_from_db()
    assert match.status == "running"


def test_a_seat_kept_for_an_address_needs_that_address_verified_or_the_link_of_the_mail(anna):
    eve = person("Eve", email="cleo@example.org", verified=False)
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("person", eve.email)])
    assert refused(match_join, match_id=match.pk, user=eve) == "not_invited"
    EmailAddress.objects.create(user=eve, email="Cleo@example.org", verified=True)
    assert match_join(match_id=match.pk, user=eve).index == 1
    other = match_create(user=anna, game="obelisk", opponents=[Opponent("person", "x@example.org")])
    assert match_join(match_id=other.pk, user=eve, link=other.link).index == 1


def test_a_table_cannot_be_joined_after_its_last_day(anna, bob):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    with time_machine.travel(match.expires):
        assert refused(match_join, match_id=match.pk, user=bob) == "not_open"


def test_nobody_sits_twice_at_a_table(anna):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")] * 2)
    assert refused(match_join, match_id=match.pk, user=anna) == "already_seated"


def test_guests_leave_and_hosts_cancel(anna, bob):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")] * 2)
    match_join(match_id=match.pk, user=bob)
    assert refused(services.match_leave, match_id=match.pk, user=anna) == "host_stays"
    assert refused(services.match_cancel, match_id=match.pk, user=bob) == "not_host"
    services.match_leave(match_id=match.pk, user=bob)
    assert refused(services.match_leave, match_id=match.pk, user=bob) == "not_seated"
    services.match_cancel(match_id=match.pk, user=anna)
    match.refresh_from_db()
    assert match.status == "cancelled"


def test_the_host_may_start_early_without_the_empty_seats(anna, bob):
    match = match_create(
        user=anna,
        game="obelisk",
        opponents=[Opponent("open"), Opponent("open"), Opponent("bot", "easy")],
        options={"first_player": 3},
    )
    assert refused(services.match_start, match_id=match.pk, user=bob) == "not_host"
    services.match_start(match_id=match.pk, user=anna)
    match.refresh_from_db()
    assert [(seat.index, seat.name) for seat in match.seats.all()] == [(0, "Anna"), (1, "Hapu")]
    assert (match.status, match.options) == ("running", {"expert": 0, "first_player": "random"})


def test_a_host_alone_cannot_start(anna):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    before = whole(match)
    assert refused(services.match_start, match_id=match.pk, user=anna) == "seats_empty"
    assert whole(match) == before


def test_a_rematch_keeps_settings_and_people_and_is_one_table_for_all(anna, bob):
    match = duel(anna, bob, pace="brisk")
    assert refused(services.match_rematch, match_id=match.pk, user=bob) == "not_finished"
    finish(match)
    again = services.match_rematch(match_id=match.pk, user=bob)
    assert services.match_rematch(match_id=match.pk, user=anna) == again
    assert (again.pace_slug, again.options, again.host) == ("brisk", match.options, bob)
    assert [seat.invitee or seat.user for seat in again.seats.all()] == [bob, anna]


def test_drafts_that_new_rules_forbid_are_dropped_and_the_snapshot_stands(anna, bob):
    match = duel(anna, bob)
    Move.objects.create(match=match, seat=0, epoch=match.epoch, text="fly 1")
    play_turn(match, 0)
    assert "fly 1" not in [move.text for move in match.moves.all()]
    match.refresh_from_db()
    assert differences(match) == []


def test_two_workers_do_not_think_the_same_thought(anna):
    match = match_create(
        user=anna,
        game="obelisk",
        opponents=[Opponent("bot", "easy")],
        options={"first_player": 1},
    )
    seat, now, lease = match.seats.get(index=1), timezone.now(), timedelta(seconds=60)
    assert services.thought_claim(seat=seat, now=now, lease=lease) is True
    assert services.thought_claim(seat=seat, now=now, lease=lease) is False
    later = now + timedelta(seconds=61)
    assert services.thought_claim(seat=seat, now=later, lease=lease) is True
    awaiting = match.seats.get(index=0)  # it is not this seat's turn
    assert services.thought_claim(seat=awaiting, now=later, lease=lease) is False
