"""Chat, private notes and blocks: who hears whom, who sits with whom."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from accounts.models import Tie, User
from accounts.ties import are_apart, tie_cut, tie_set
from games import outbox
from games.engine.contract import Refused
from games.models import Match, Message, Notebook, Notice
from games.services import (
    Opponent,
    match_create,
    match_join,
    match_resign,
    message_write,
    note_write,
    nudge,
    report_write,
)
from games.services.talk import MESSAGES_PER_DAY, MESSAGES_PER_MINUTE, REPORTS_PER_DAY
from tests.site.people import duel, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(anna, bob) -> Match:
    return duel(anna, bob)


def as_(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def page(user: User | None, match: Match) -> str:
    return as_(user).get(f"/matches/{match.pk}/").content.decode()


def refusal(service, **arguments) -> str:
    with pytest.raises(Refused) as caught:
        service(**arguments)
    return caught.value.key


def chat_notices() -> list[str]:
    rows = Notice.objects.filter(kind="chat").exclude(due=None).select_related("seat__user")
    return [notice.seat.name for notice in rows]


# --- chat --------------------------------------------------------------------------------------


def test_what_one_player_says_the_other_reads_as_plain_text(anna, bob, match):
    says = {"text": "  Well   played, <b>Bob</b>!  "}
    answer = as_(anna).post(f"/matches/{match.pk}/chat/", says)
    assert answer["Location"] == f"/matches/{match.pk}/?chat#chat"
    assert Message.objects.get().text == "Well played, <b>Bob</b>!"
    assert escape("Well played, <b>Bob</b>!") in page(bob, match)


def test_what_is_written_runs_in_the_direction_of_its_script(anna, bob, match):
    message_write(match=match, user=anna, text="שלום")
    html = as_(bob).get(f"/matches/{match.pk}/").content.decode()
    assert '<p class="message-text" dir="auto">שלום</p>' in html
    assert all(re.search(rf'id="{field}"[^>]* dir="auto"', html) for field in ("say", "note"))


@pytest.mark.parametrize("who", ["stranger", "member"])
def test_spectators_neither_read_nor_write_while_the_match_runs(anna, match, who):
    message_write(match=match, user=anna, text="A secret plan")
    watcher = person("Cleo") if who == "member" else None
    assert "A secret plan" not in page(watcher, match)
    chat = f"/matches/{match.pk}/chat/"
    assert as_(watcher).get(chat).status_code == 404
    # Who is nobody may be a player whose session ended.
    assert as_(watcher).post(chat, {"text": "Boo"}).status_code == (404 if watcher else 302)
    assert Message.objects.count() == 1


def test_after_the_end_everybody_reads_and_only_players_write(anna, bob, match):
    message_write(match=match, user=anna, text="Thank you")
    match_resign(match_id=match.pk, user=bob)
    assert "Thank you" in page(None, match)
    as_(person("Cleo")).post(f"/matches/{match.pk}/chat/", {"text": "Boo"})
    as_(bob).post(f"/matches/{match.pk}/chat/", {"text": "Well played"})
    assert list(Message.objects.values_list("text", flat=True)) == ["Thank you", "Well played"]


def test_a_look_at_the_chat_that_brings_nothing_new_is_empty(anna, bob, match):
    said = message_write(match=match, user=anna, text="Hello")
    htmx = {"HX-Request": "true"}
    chat = f"/matches/{match.pk}/chat/"
    assert as_(bob).get(f"{chat}?seen={said.pk}", headers=htmx).status_code == 204
    assert "Hello" in as_(bob).get(f"{chat}?seen=0", headers=htmx).content.decode()


def test_nothing_and_too_much_are_refused(anna, match):
    assert refusal(message_write, match=match, user=anna, text="   ") == "nothing_said"
    for number in range(MESSAGES_PER_MINUTE):
        message_write(match=match, user=anna, text=str(number))
    assert refusal(message_write, match=match, user=anna, text="more") == "said_too_often"
    assert Message.objects.count() == MESSAGES_PER_MINUTE


def test_nobody_talks_a_whole_day_through(anna, match):
    now = timezone.now()
    Message.objects.bulk_create(
        Message(match=match, author=anna, text="again") for _ in range(MESSAGES_PER_DAY)
    )
    Message.objects.update(at=now - timedelta(hours=23))
    assert refusal(message_write, match=match, user=anna, text="more") == "said_too_often"
    Message.objects.update(at=now - timedelta(hours=25))
    message_write(match=match, user=anna, text="more")


def look(user: User, match: Match, seen: int = 0) -> HttpResponse:
    """Look at a chat that is open."""
    address = f"/matches/{match.pk}/chat/?seen={seen}&chat="
    return as_(user).get(address, headers={"hx-request": "true"})


def test_what_was_said_is_new_until_the_chat_was_open(anna, bob, match):
    for text in ("One", "Two"):
        message_write(match=match, user=anna, text=text)
    last = Message.objects.latest("pk").pk
    for _time in range(2):
        assert "2 new messages" in page(bob, match)
    polled = as_(bob).get(f"/matches/{match.pk}/chat/?seen=0", headers={"hx-request": "true"})
    assert 'id="chat-count" class="badge" hx-swap-oob="true">2<' in polled.content.decode()
    assert (chat_notices(), look(anna, match, last).status_code) == (["Bob"], 204)
    opened = look(bob, match, last)
    assert 'id="chat-count" class="small" hx-swap-oob="true">2<' in opened.content.decode()
    assert (chat_notices(), look(bob, match, last).status_code) == ([], 204)
    assert "new message" not in page(bob, match)


def test_the_way_to_new_messages_opens_the_chat_without_scripts_too(anna, bob, match):
    message_write(match=match, user=anna, text="One")
    way = re.search(r'<a href="(\?chat)#chat">1 new message</a>', page(bob, match))[1]
    opened = as_(bob).get(f"/matches/{match.pk}/{way}").content.decode()
    assert re.search(r'<details class="panel" id="chat"[^>]* open>', opened)
    assert "new message" not in opened
    assert chat_notices() == []


def test_the_other_is_told_once_until_having_looked(anna, bob, match):
    for text in ("One", "Two"):
        message_write(match=match, user=anna, text=text)
    assert chat_notices() == ["Bob"]
    look(bob, match)
    assert chat_notices() == []
    assert "new message" not in page(bob, match)
    message_write(match=match, user=anna, text="Three")
    assert chat_notices() == ["Bob"]


def quoted(user: User) -> list[str]:
    """What a mail to somebody quotes of a chat; no other mail is sent meanwhile."""
    mail.outbox.clear()
    outbox.deliver(timezone.now() + timedelta(minutes=16))
    texts = [str(message.body) for message in mail.outbox if user.email in message.to]
    return [line for text in texts for line in text.splitlines() if line.startswith(">")]


def test_a_mail_quotes_what_others_have_said_since_one_looked(anna, bob, match):
    message_write(match=match, user=anna, text="Hello Bob")
    message_write(match=match, user=bob, text="Hello Anna")
    message_write(match=match, user=anna, text="Shall we\n> play <b>slowly</b>?")
    message_write(match=match, user=anna, text="Good")
    assert quoted(bob) == ["> Anna: Shall we > play <b>slowly</b>?", "> Anna: Good"]
    html = mail.outbox[-1].alternatives[0][0]
    assert escape("Anna: Shall we > play <b>slowly</b>?") in html


def test_no_mail_quotes_again_what_another_has_quoted(anna, bob, match):
    began = timezone.now()
    message_write(match=match, user=bob, text="Hello Anna")
    with time_machine.travel(began, tick=False):
        assert quoted(anna) == ["> Bob: Hello Anna"]
    with time_machine.travel(began + timedelta(hours=20), tick=False):
        message_write(match=match, user=bob, text="Still there?")
        nudge(match_id=match.pk, user=bob, seat=0)
        assert quoted(anna) == ["> Bob: Still there?"]


def test_a_mail_quotes_no_chat_to_who_wants_no_mail_of_it(anna, bob, match):
    User.objects.filter(pk=anna.pk).update(declined=["chat"])
    message_write(match=match, user=bob, text="Your turn")
    assert quoted(anna) == []
    assert mail.outbox, "the turn itself is told"


def test_a_mail_quotes_nothing_that_was_blanked(anna, bob, match):
    message_write(match=match, user=bob, text="Boo")
    Message.objects.update(text="")
    assert quoted(anna) == []
    assert mail.outbox, "the turn itself is told"


def test_a_mail_quotes_nobody_from_whom_its_reader_is_kept_apart(anna, bob, match):
    message_write(match=match, user=bob, text="Boo")
    tie_set(user=anna, other=bob, kind=Tie.Kind.BLOCKED)
    assert quoted(anna) == []
    assert mail.outbox, "the turn itself is told"


def test_a_match_against_bots_alone_has_no_chat(anna):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("bot", "easy")])
    assert "Your message" not in page(anna, match)
    assert "Private notes" in page(anna, match)


# --- notes -------------------------------------------------------------------------------------


def test_notes_are_kept_for_their_writer_alone(anna, bob, match):
    as_(anna).post(f"/matches/{match.pk}/note/", {"text": "Bob saves red stones"})
    assert "Bob saves red stones" in page(anna, match)
    assert "Bob saves red stones" not in page(bob, match)
    assert "Bob saves red stones" not in page(None, match)


def test_only_players_keep_notes(match):
    assert refusal(note_write, match=match, user=person("Cleo"), text="x") == "not_seated"
    assert Notebook.objects.count() == 0


# --- blocks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("blocker", ["Anna", "Bob"])
def test_people_who_are_kept_apart_share_no_table(anna, bob, blocker):
    one, other = (anna, bob) if blocker == "Anna" else (bob, anna)
    tie_set(user=one, other=other, kind=Tie.Kind.BLOCKED)
    table = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    assert refusal(match_join, match_id=table.pk, user=bob) == "not_together"
    invite = [Opponent("person", "Bob")]
    assert refusal(match_create, user=anna, game="obelisk", opponents=invite) == "not_together"
    lobby = as_(bob).get("/lobby/").content.decode()
    assert f"/matches/{table.pk}/" not in lobby
    assert f"/matches/{table.pk}/" in as_(person("Cleo")).get("/lobby/").content.decode()


def test_people_who_are_kept_apart_do_not_hear_each_other(anna, bob, match):
    tie_set(user=bob, other=anna, kind=Tie.Kind.BLOCKED)
    message_write(match=match, user=anna, text="From Anna")
    message_write(match=match, user=bob, text="From Bob")
    assert ("From Anna" in page(bob, match), "From Bob" in page(anna, match)) == (False, False)
    assert chat_notices() == []
    tie_cut(user=bob, other=anna)
    assert "From Anna" in page(bob, match)


def test_people_who_are_kept_apart_do_not_nudge_each_other(anna, bob, match):
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        tie_set(user=anna, other=bob, kind=Tie.Kind.BLOCKED)
        assert refusal(nudge, match_id=match.pk, user=bob, seat=0) == "no_nudge"
        tie_cut(user=anna, other=bob)
        nudge(match_id=match.pk, user=bob, seat=0)
    assert Notice.objects.filter(kind="nudged").count() == 1


def test_complaints_are_not_made_without_end(anna, bob):
    complaint = {"reporter": anna, "about": bob, "match": None, "reason": "talk", "words": ""}
    for _complaint in range(REPORTS_PER_DAY):
        report_write(**complaint)
    assert refusal(report_write, **complaint) == "said_too_often"


def test_a_favourite_who_is_blocked_is_no_favourite_any_more(anna, bob):
    tie_set(user=anna, other=bob, kind=Tie.Kind.FAVOURITE)
    assert not are_apart(anna, [bob.pk])
    tie_set(user=anna, other=bob, kind=Tie.Kind.BLOCKED)
    assert list(Tie.objects.values_list("kind", flat=True)) == ["blocked"]
    assert are_apart(bob, [anna.pk])
    assert not are_apart(anna, [anna.pk, None])
