"""What a mail says and how it is addressed: the deadline first, both parts complete, no secrets."""

import re
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from random import Random

import pytest
import time_machine
from django.core import mail
from django.utils import timezone, translation

from games import letters, outbox, services, tasks
from games.chairs import Player
from games.engine.contract import State
from games.models import Holder, Match, Notice, Seat
from games.pages import Sight
from games.queries import Told
from games.tellings import tellings
from tests.games.test_conformance import everywhere
from tests.games.test_privacy import NOW, heard, looks, other_world
from tests.mailserver import html_of, text_of
from tests.site.people import (
    away,
    begun,
    chosen,
    duel,
    finish,
    legal,
    market,
    person,
    play,
    sweep,
)
from tests.walks import NAMES, Case, Record, record

SOON = timedelta(minutes=16)
HOUR = timedelta(hours=1)


def sent(address: str = "anna@example.org") -> EmailMessage:
    """The last mail to somebody, as it goes over the wire."""
    from email import message_from_bytes, policy

    written = next(one for one in reversed(mail.outbox) if one.to == [address])
    parsed = message_from_bytes(written.message().as_bytes(), policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    return parsed


# --- words -----------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_turn_mail_tells_the_deadline_first_and_all_of_it_in_the_text_too():
    with time_machine.travel(datetime(2026, 5, 4, 12, tzinfo=UTC), tick=False):
        anna = person("Anna", time_zone="Europe/Amsterdam")
        match, chance = market(anna, person("Bob"), person("Cleo")), Random(5)
        while match.moves.filter(seat=0).count() < 6 or not match.seats.get(index=0).to_act:
            seat = match.seats.filter(to_act=True).first().index
            play(match, seat, chance.choice(legal(match, seat)))
        outbox.deliver(timezone.now() + SOON)
    text, html = text_of(sent()), html_of(sent())
    lines = text.splitlines()
    assert lines[0].startswith("Until ")
    assert " CEST (in " in lines[0]
    assert lines[2:4] == [f"Obelisk #{match.pk} with Bob and Cleo", "It is your turn."]
    assert "Since your last turn:" in lines
    assert 3 <= sum(line.startswith(("- Bob", "- Cleo")) for line in lines) <= 8
    assert "If time runs out, a neutral turn is made for you" in text
    assert "The board as you see it. Your turn. Points:" in text
    assert f"http://localhost:8000/matches/{match.pk}/" in lines
    for words in (lines[0], lines[3], f'href="http://localhost:8000/matches/{match.pk}/"'):
        assert words in html
    for label in ("Mute this match", "Snooze", "Settings", "No more mail at all"):
        assert (label in text, label in html) == (True, True)


@pytest.mark.django_db
def test_what_is_to_do_is_said_once_and_then_what_else_the_turn_owes(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    outbox.deliver(timezone.now() + SOON)
    begins = text_of(sent())
    while takes := [text for text in legal(match, 0) if text.startswith("take ")]:
        play(match, 0, takes[0])
    play(match, 0, next(text for text in legal(match, 0) if text.startswith("lay_foundation ")))
    with time_machine.travel(timezone.now() + 13 * HOUR, tick=False):
        services.nudge(match_id=match.pk, user=bob, seat=0)
        outbox.deliver(timezone.now())
    told = [
        text.partition("Since")[2].partition("\n\n")[2].split("\n\nIf time")[0]
        for text in (begins, text_of(sent()))
    ]
    assert told == [
        "Take from the quarry first.\n"
        "- Take from the quarry\n- Build at least one card\n- Put at least one card in your market",
        "Put at least one card in your market.",
    ]


LOSES = "If time runs out, you lose the match."
NEUTRAL = (
    "If time runs out, a neutral turn is made for you; the second time in a row a bot takes care "
    "of your seat until you are back."
)
CARETAKER = "If time runs out, a bot takes care of your seat until you are back."


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, LOSES),
        (
            {"courtesy": True},
            "If time runs out, your opponent may grant you more, or win the match.",
        ),
        ({"pace": "friends"}, "No clock runs: take your time, but not for ever."),
    ],
)
def test_of_two_it_is_said_what_follows_if_one_does_nothing(anna, bob, settings, words):
    match = begun(anna, bob, **settings)
    assert letters.otherwise(match, match.seats.get(index=0)) == words


@pytest.mark.django_db
def test_a_loss_on_time_is_not_threatened_before_it_can_come(anna, bob):
    match = duel(anna, bob, courtesy=True)
    assert letters.otherwise(match, match.seats.get(index=0)) == (
        "If time runs out, the match is cancelled: you have not both made two turns yet."
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("missed", "in_a_row", "words"),
    [(0, 0, NEUTRAL), (1, 0, NEUTRAL), (1, 1, CARETAKER), (2, 0, CARETAKER)],
)
def test_of_three_the_step_is_named_that_comes_next(anna, bob, cleo, missed, in_a_row, words):
    match = chosen(anna, bob, cleo)
    missing = {"missed": missed, "missed_in_a_row": in_a_row}
    Holder.objects.filter(seat__match=match, user=anna).update(**missing)
    assert letters.otherwise(match, match.seats.get(index=0)) == words
    sweep(match)
    assert (match.seats.get(index=0).bot != "") is (words == CARETAKER)


@pytest.mark.django_db
def test_who_is_the_only_one_left_is_threatened_with_nothing(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, bob, cleo)
    words = letters.otherwise(match, match.seats.get(index=0))
    assert words == "No clock runs: take your time, but not for ever."


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (31 * HOUR + timedelta(minutes=59, seconds=59), "in 31 h"),
        (48 * HOUR - timedelta(seconds=1), "in 47 h"),
        (48 * HOUR, "in 2 d 0 h"),
        (HOUR - timedelta(seconds=1), "in 59 min"),
        (timedelta(seconds=59), "in 0 min"),
    ],
)
def test_the_time_left_is_never_rounded_up(left, words):
    with translation.override("en"):
        assert letters.from_now(left) == words


@pytest.mark.django_db
@pytest.mark.parametrize("kind", Notice.Kind.values)
@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_kind_of_notice_has_a_sentence_of_its_own_about_me_and_about_others(kind, language):
    from games.tellings import telling

    match = duel(person("Anna"), person("Bob"))
    match.expires = timezone.now()
    seat = match.seats.get(index=0)
    with translation.override(language):
        told = {
            telling(Notice(seat=seat, kind=kind, about=about), ["Anna", "Bob"], match)
            for about in (0, 1)
        }
    assert all(sentence.endswith(".") and "%(" not in sentence for sentence in told)


@pytest.mark.django_db
def test_the_result_is_told_with_the_places_of_all():
    match = duel(person("Anna"), person("Bob"))
    finish(match)
    outbox.deliver(timezone.now() + SOON)
    places = [(seat.rank, seat.name, seat.score[0]) for seat in match.seats.all()]
    for rank, name, points in places:
        assert f"{rank}. {name}: {points}" in text_of(sent()).splitlines()


@pytest.mark.django_db
def test_who_won_and_who_came_behind_read_it_in_the_first_sentence_with_the_reason():
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    services.match_resign(match_id=match.pk, user=anna)
    outbox.deliver(timezone.now() + SOON)
    told = [text_of(sent(f"{name}@example.org")).splitlines()[1] for name in ("anna", "bob")]
    assert told == [
        "The match is over. You came in at place 2 of 2. Reason: resigned.",
        "The match is over. You have won. Reason: resigned.",
    ]


@pytest.mark.django_db
def test_a_victory_is_shared_by_those_who_came_in_first_together():
    match = duel(person("Anna"), person("Bob"))
    finish(match)
    match.seats.update(rank=1)
    outbox.deliver(timezone.now() + SOON)
    assert "The match is over. You share the victory." in text_of(sent()).splitlines()


@pytest.mark.django_db
def test_a_nudge_tells_the_deadline_first_and_what_there_is_to_do():
    match, now = duel(person("Anna"), bob := person("Bob")), timezone.now()
    outbox.deliver(now + SOON)
    with time_machine.travel(now + 13 * HOUR, tick=False):
        services.nudge(match_id=match.pk, user=bob, seat=0)
        outbox.deliver(timezone.now())
    lines = text_of(sent()).splitlines()
    assert lines[0].startswith("Until ")
    assert lines[3] == "Bob asks you to move when you can."
    assert "Open the match" in html_of(sent())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kinds", "sentences"),
    [
        (["timed_out"], ("Your time has run out, so a neutral turn was made for you.",)),
        (
            ["timed_out", "caretaker"],
            (
                "Your time has run out.",
                "A bot now takes care of your seat. "
                "You can take it back on the match page at any time.",
            ),
        ),
    ],
)
def test_among_three_a_timeout_says_what_followed(kinds, sentences):
    match = market(person("Anna"), person("Bob"), person("Cleo"))
    notices = [Notice(seat=match.seats.get(index=0), kind=kind) for kind in kinds]
    assert tellings(notices, ["Anna", "Bob", "Cleo"], match) == sentences


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("how", "mine", "theirs"),
    [
        (
            "resigned",
            "You have resigned, and a bot now takes care of your seat. "
            "Until somebody takes it over you can come back on the match page.",
            "Anna has resigned, and a bot now takes care of the seat.",
        ),
        (
            "away",
            "Your vacation has held up a turn for a week, "
            "so a bot takes care of your seat meanwhile.",
            "The vacation of Anna has held up a turn for a week, "
            "so a bot takes care of the seat meanwhile.",
        ),
        (
            "removed",
            "A bot now takes care of your seat. "
            "You can take it back on the match page at any time.",
            "A bot now takes care of the seat of Anna.",
        ),
    ],
)
def test_of_a_caretaker_it_is_told_why_it_came(anna, bob, cleo, how, mine, theirs):
    match = market(anna, bob, cleo)
    away(match, anna)
    Holder.objects.filter(user=anna).update(ended=how)
    notices = Notice.objects.filter(seat__match=match, kind="caretaker").order_by("seat__index")
    assert [tellings([one], ["Anna", "Bob", "Cleo"], match) for one in notices] == [
        (mine,),
        (theirs,),
        (theirs,),
    ]


@pytest.mark.django_db
def test_before_a_sleeping_match_ends_all_read_that_coming_back_saves_it(anna, bob, cleo):
    with time_machine.travel(datetime(2026, 5, 4, 12, tzinfo=UTC), tick=False):
        match = market(anna, bob, cleo)
        away(match, anna, bob, cleo)
    seat = match.seats.get(index=0)
    notices = [Notice(seat=seat, kind=kind) for kind in ("asleep", "expires_soon")]
    assert tellings(notices, ["Anna", "Bob", "Cleo"], match) == (
        "Nobody plays any more. The match is cancelled on Monday 18 May, 12:00 UTC "
        "unless one of you comes back.",
        "Still nobody plays: the match is cancelled on Monday 18 May, 12:00 UTC "
        "unless one of you comes back.",
    )


@pytest.mark.django_db
def test_of_two_who_extend_courtesy_both_read_what_can_be_done():
    match = duel(person("Anna"), person("Bob"), courtesy=True)
    told = [
        tellings([Notice(seat=seat, kind="timed_out", about=0)], ["Anna", "Bob"], match)
        for seat in match.seats.all()
    ]
    assert told == [
        ("Your time is up. Move now, unless your opponent claims the win.",),
        ("The time of Anna is up. On the match page you grant more, or claim the win.",),
    ]


@pytest.mark.django_db
def test_a_pause_is_told_with_its_end():
    match = duel(anna := person("Anna"), bob := person("Bob"))
    with time_machine.travel(datetime(2026, 5, 4, 12, tzinfo=UTC), tick=False):
        services.proposal_make(match_id=match.pk, user=anna, kind="pause", days=3)
        services.proposal_answer(match_id=match.pk, user=bob, agree=True)
        match.refresh_from_db()
    [told] = tellings([Notice(seat=match.seats.get(index=1), kind="paused")], [], match)
    assert told == (
        "The match is paused until Thursday 7 May, 12:00 UTC: all clocks stand still. "
        "You may move all the same."
    )


@pytest.mark.django_db
def test_a_stranger_is_invited_in_the_language_of_the_host_and_told_what_this_is():
    cleo = person("Cleo", language="nl", time_zone="Europe/Amsterdam")
    invited = [services.Opponent("person", "stranger@example.net")]
    services.match_create(user=cleo, game="sakkara", opponents=invited)
    outbox.deliver(timezone.now() + SOON)
    text = text_of(sent("stranger@example.net"))
    assert "Cleo nodigt je uit om te spelen. Op Nilepost spelen mensen bordspellen" in text
    assert "2 spelers. Standaard: 3 dagen om mee te beginnen" in text
    assert re.search(r"De tafel sluit op \w+ \d+ \w+, \d\d:\d\d CES?T\.", text)
    assert "omdat een speler van Nilepost dit adres heeft uitgenodigd" in text


@pytest.mark.django_db
@pytest.mark.parametrize("rated", [True, False])
def test_an_invitation_says_all_that_is_unusual_about_a_match_and_whether_it_is_rated(rated):
    invited = [services.Opponent("person", "Bob")]
    person("Bob")
    options = {"expert": 1}
    services.match_create(
        user=person("Anna"), game="obelisk", opponents=invited, options=options, rated=rated
    )
    outbox.deliver(timezone.now() + SOON)
    text = text_of(sent("bob@example.org"))
    assert "Scoring: Only finished obelisks." in text
    assert "First player" not in text
    assert ("The match counts for the rating." in text) == rated


@pytest.mark.django_db
def test_what_happened_twice_is_said_once_and_of_calls_to_a_turn_the_most_pressing():
    match = duel(person("Anna"), person("Bob"))
    seat = match.seats.get(index=0)
    late, call, half = (
        Notice(seat=seat, reader=seat.user, kind=kind, about=0)
        for kind in ("reminded_late", "your_turn", "reminded_half")
    )
    used = Notice(seat=seat, reader=seat.user, kind="vacation_used", about=0)
    assert tellings([late, call, half, used, used], ["Anna", "Bob"], match) == (
        "It is still your turn, and most of your time is gone.",
        "Your time was up, so a day of your vacation was used. The match waits for you a day more.",
    )
    assert tellings([call, half], ["Anna", "Bob"], match) == ("It is your turn.",)


@pytest.mark.django_db
def test_a_table_that_will_close_is_only_its_hosts_and_to_who_was_asked_an_invitation():
    anna, bob, open_seat = person("Anna"), person("Bob"), services.Opponent("open")
    asked = services.Opponent("person", "Cleo")
    person("Cleo")
    match = services.match_create(user=anna, game="obelisk", opponents=[open_seat, asked])
    services.match_join(match_id=match.pk, user=bob)
    with time_machine.travel(match.expires - timedelta(hours=20), tick=False):
        tasks.tick()
    firsts = [text_of(sent(f"{name}@example.org")) for name in ("anna", "bob", "cleo")]
    moment = "on .* unless all seats are taken by then"
    assert [re.search(rf"(Your|The) table closes {moment}", text)[1] for text in firsts[:2]] == [
        "Your",
        "The",
    ]
    assert re.search(r"You have not answered yet. The invitation stands until .*, ", firsts[2])


@pytest.mark.django_db
def test_how_many_are_missing_is_said_once_however_many_have_joined():
    anna, open_seats = person("Anna", mail_delay=0), [services.Opponent("open")] * 4
    match = services.match_create(user=anna, game="obelisk", opponents=open_seats)
    for name in ("Bob", "Cleo"):
        services.match_join(match_id=match.pk, user=person(name))
    outbox.deliver(timezone.now() + SOON)
    lines = text_of(sent()).splitlines()
    joined = lines.index("Bob has joined your table.")
    assert lines[joined + 1 : joined + 3] == [
        "Cleo has joined your table.",
        "Waiting for 2 more players.",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("chosen", "read", "words"),
    [
        ("", ["nl-BE,nl"], "Je bent aan de beurt."),
        ("", ["nl", "en"], "It is your turn."),
        ("en", ["nl"], "It is your turn."),
        ("nl", ["en"], "Je bent aan de beurt."),
    ],
)
def test_a_mail_speaks_the_chosen_language_or_else_that_of_the_page_last_read(
    client, chosen, read, words
):
    anna = person("Anna", language=chosen)
    client.force_login(anna)
    for language in read:
        client.get("/lobby/", headers={"accept-language": language})
    duel(anna, person("Bob"))
    outbox.deliver(timezone.now() + SOON)
    assert words in text_of(sent())


@pytest.mark.django_db
def test_the_other_matches_that_wait_are_listed_with_their_deadlines_but_for_muted_ones():
    with time_machine.travel(datetime(2026, 5, 4, 12, tzinfo=UTC), tick=False):
        anna = person("Anna", mail_delay=0)
        first, muted = duel(anna, person("Bob")), duel(anna, person("Dirk"))
        anna.seats.filter(match=muted).update(muted=True)
        outbox.deliver(timezone.now())
        duel(anna, person("Cleo"), pace="brisk")
        outbox.deliver(timezone.now())
    assert f"/matches/{muted.pk}/" not in text_of(sent())
    lines = text_of(sent()).splitlines()
    listed = lines.index(f"- Obelisk #{first.pk}, until Thursday 7 May, 12:00 UTC")
    assert lines[listed - 1 : listed + 2 : 2] == [
        "These matches wait for you too:",
        f"  http://localhost:8000/matches/{first.pk}/",
    ]


@pytest.mark.django_db
def test_a_mail_works_without_pictures_and_brings_its_own():
    match = duel(person("Anna"), person("Bob"))
    outbox.deliver(timezone.now() + SOON)
    message = sent()
    assert message.get_content_type() == "multipart/related"
    image = next(part for part in message.walk() if part.get_content_type() == "image/png")
    assert image["Content-ID"] == f"<board-{match.pk}>"
    assert image.get_content().startswith(b"\x89PNG")
    html = html_of(message)
    assert f'src="cid:board-{match.pk}"' in html
    assert 'alt="The board as you see it. Your turn.' in html
    assert ("http://" not in html.replace("http://localhost:8000", ""), "<link" in html) == (
        True,
        False,
    )
    assert "prefers-color-scheme: dark" in html


# --- headers ---------------------------------------------------------------------------------


@pytest.mark.django_db
def test_mails_of_a_match_are_one_thread_for_each_reader(settings):
    settings.MAIL_REPLY_TO = "people@example.org"
    match = duel(person("Anna"), person("Bob"))
    seat = match.seats.get(index=0)
    for after in (SOON, 37 * HOUR, 70 * HOUR):
        outbox.deliver(seat.called + after)
    mails = [one for one in mail.outbox if one.to == ["anna@example.org"]]
    headers = [one.extra_headers for one in mails]
    assert {one.subject for one in mails} == {f"Nilepost: Obelisk #{match.pk}"}
    assert {one["References"] for one in headers} == {f"<m{match.pk}.u{seat.user_id}@localhost>"}
    assert {one["In-Reply-To"] for one in headers} == {one["References"] for one in headers}
    assert len({one["Message-ID"] for one in headers}) == 3
    assert {one["List-ID"] for one in headers} == {
        f'"Nilepost: Obelisk #{match.pk}" <m{match.pk}.mail.localhost>'
    }
    assert {one["Auto-Submitted"] for one in headers} == {"auto-generated"}
    assert {one["List-Unsubscribe-Post"] for one in headers} == {"List-Unsubscribe=One-Click"}
    assert all(
        one["List-Unsubscribe"].startswith("<http://localhost:8000/mail/t/") for one in headers
    )
    assert {tuple(one.reply_to) for one in mails} == {("people@example.org",)}


# --- no secrets ------------------------------------------------------------------------------


def section(record_: Record, number: int, state: State, viewer: int) -> letters.Section:
    """What a mail would say to a seat about a recorded match."""
    told = [
        Told(line, step.seat, at, "player", NOW)
        for at, step in enumerate(record_.steps[:number])
        for line in heard(step.lines, viewer)
    ]
    game, seats = record_.case.game, record_.case.seats
    sight = Sight(
        game=game,
        state=state,
        seat=viewer,
        players=tuple(map(Player, NAMES[:seats])),
        log=told[-50:],
        token="1.0",
        now=NOW,
    )
    seat = Seat(index=viewer, match=Match(pk=1, game_slug=game.slug))
    notice = Notice(kind="your_turn", seat=seat)
    return letters.section_of(sight, [notice], seat.match, with_picture=record_.case.is_usual)


@pytest.mark.slow
@everywhere()
def test_a_mail_depends_on_nothing_its_reader_may_not_know(case: Case) -> None:
    """Words and picture are the same to the byte, whatever lies hidden."""
    record_ = record(case)
    number = len(record_.steps) // 2
    state = record_.steps[number].state
    for seat, viewer in looks(case):
        if viewer is not None:
            twin = other_world(state, seat)
            with translation.override("nl" if seat % 2 else "en"):
                assert section(record_, number, twin, viewer) == (
                    section(record_, number, state, viewer)
                )
