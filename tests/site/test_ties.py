"""Favourites, blocks and complaints, from the pages on which they are made."""

from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import Tie, User
from accounts.services import guest_create, guest_merge
from accounts.ties import tie_set
from games.models import Match, Report
from games.services import Opponent, match_create, match_join, match_resign
from tests.site.histories import as_, words
from tests.site.people import duel, person

pytestmark = pytest.mark.django_db


def test_buttons_on_a_profile_make_favourites_and_block(anna, bob):
    client = as_(anna)
    client.post("/people/Bob/tie/", {"kind": "favourite"})
    assert '<option value="Bob">' in client.get("/new/obelisk/").content.decode()
    client.post("/people/Bob/tie/", {"kind": "blocked"})
    assert list(Tie.objects.values_list("user", "other", "kind")) == [(anna.pk, bob.pk, "blocked")]
    assert "Blocked You do not sit at one table" in words(client.get("/people/"))
    client.post("/people/Bob/tie/", {"kind": ""})
    assert Tie.objects.count() == 0


def table_for_four(host: User, *guests: User | str) -> Match:
    """An open table at which these sit, or are expected; one place at least is free."""
    asked = [Opponent("person", one) for one in guests if isinstance(one, str)]
    free = [Opponent("open")] * (3 - len(asked))
    table = match_create(user=host, game="obelisk", opponents=asked + free)
    for one in guests:
        if isinstance(one, User):
            match_join(match_id=table.pk, user=one)
    return table


def seated(*tables: Match) -> list[list[str]]:
    return [[seat.name for seat in table.seats.all()] for table in tables]


def test_who_blocks_somebody_shares_no_open_table_with_them_any_more(anna, bob, cleo):
    mine, expected = table_for_four(anna, bob), table_for_four(anna, "Bob")
    theirs, third = table_for_four(bob, anna), table_for_four(cleo, anna, bob)
    apart = table_for_four(cleo, anna)
    running = duel(anna, bob)
    as_(anna).post("/people/Bob/tie/", {"kind": "blocked"})
    assert seated(mine, expected, theirs, third, apart) == [
        ["Anna", "", "", ""],
        ["Anna", "", "", ""],
        ["Bob", "", "", ""],
        ["Cleo", "", "Bob", ""],
        ["Cleo", "Anna", "", ""],
    ]
    assert seated(running) == [["Anna", "Bob"]]


@pytest.mark.django_db(transaction=True)
def test_a_guest_who_is_blocked_stays_blocked_as_the_member_it_was(anna, bob, cleo):
    guest = guest_create()
    as_(anna).post(f"/people/{guest.username}/tie/", {"kind": "blocked"})
    assert guest.username in words(as_(anna).get("/people/"))
    tie_set(user=cleo, other=bob, kind=Tie.Kind.BLOCKED)
    table = table_for_four(cleo, guest)
    guest_merge(guest, bob)
    assert list(Tie.objects.order_by("user").values_list("user", "other")) == [
        (anna.pk, bob.pk),
        (cleo.pk, bob.pk),
    ]
    assert seated(table) == [["Cleo", "", "", ""]]


def test_a_guest_can_be_blocked_and_reported_but_is_no_favourite(anna):
    guest = guest_create()
    match = duel(guest, anna)
    page = as_(anna).get(f"/matches/{match.pk}/").content.decode()
    address = f"/people/{guest.username}/report/"
    assert f'href="{address}?match={match.pk}"' in page
    assert f'href="/people/{guest.username}/"' not in page
    assert f"Block {guest.username}" in words(as_(anna).get(address))
    as_(anna).post(address, {"reason": "talk", "match": match.pk})
    assert [(one.about, one.match) for one in Report.objects.all()] == [(guest, match)]
    kinds = {"favourite": (404, 0), "hatred": (404, 0), "blocked": (302, 1), "": (302, 0)}
    for kind, expected in kinds.items():
        answer = as_(anna).post(f"/people/{guest.username}/tie/", {"kind": kind})
        assert (answer.status_code, Tie.objects.count()) == expected


def test_beside_a_match_no_name_leads_to_a_profile_that_the_reader_may_not_see(anna, bob):
    match = duel(anna, bob, rated=True)
    match_resign(match_id=match.pk, user=anna)
    User.objects.filter(pk=bob.pk).update(shown_to=User.ShownTo.NOBODY)
    page = as_(None).get(f"/matches/{match.pk}/").content.decode()
    assert ('href="/people/Anna/"' in page, 'href="/people/Bob/"' in page) == (True, False)


def test_nobody_ties_himself_or_nobody(anna):
    client = as_(anna)
    codes = [
        client.post(f"/people/{name}/tie/", {"kind": "favourite"}).status_code
        for name in ("Anna", "Nobody")
    ]
    assert (codes, Tie.objects.count()) == ([404, 404], 0)


def test_an_invitation_from_a_profile_is_written_into_the_form(anna, bob):
    form = as_(anna).get("/new/obelisk/?opponent_1=person&who_1=Bob").context["form"]
    assert (form["opponent_1"].value(), form["who_1"].value()) == ("person", "Bob")


def test_a_complaint_reaches_the_moderators_with_what_was_said(anna, bob):
    match = duel(anna, bob)
    as_(bob).post(f"/matches/{match.pk}/chat/", {"text": "You camel"})
    complaint = {"reason": "talk", "words": "He called me a camel", "match": match.pk}
    as_(anna).post("/people/Bob/report/", complaint)
    report = Report.objects.get()
    assert (report.reporter, report.about, report.match, report.reason) == (
        anna,
        bob,
        match,
        "talk",
    )
    staff = as_(person("Root", is_staff=True, is_superuser=True))
    page = words(staff.get(f"/admin/games/report/{report.pk}/change/"))
    assert ("Bob: You camel" in page, "He called me a camel" in page) == (True, True)
    staff.post(f"/admin/games/report/{report.pk}/change/", {"is_closed": "on", "outcome": "Warned"})
    report.refresh_from_db()
    assert (report.is_closed, report.outcome) == (True, "Warned")


def test_a_complaint_that_must_be_mended_is_still_about_its_match(anna, bob):
    match = duel(anna, bob)
    asked = as_(anna).get(f"/people/Bob/report/?match={match.pk}").content.decode()
    again = as_(anna).post("/people/Bob/report/", {"reason": "", "match": match.pk})
    field = f'<input type="hidden" name="match" value="{match.pk}">'
    assert (field in asked, field in again.content.decode()) == (True, True)


def test_a_complaint_about_a_private_match_of_others_does_not_name_it(anna, bob):
    match = duel(bob, person("Cleo"))
    Match.objects.filter(pk=match.pk).update(private=True)
    as_(anna).post("/people/Bob/report/", {"reason": "other", "match": match.pk})
    assert Report.objects.get().match is None


def test_the_match_page_says_what_the_match_did_to_the_ratings(anna, bob):
    match = duel(anna, bob, rated=True)
    match_resign(match_id=match.pk, user=anna)
    page = words(as_(None).get(f"/matches/{match.pk}/"))
    assert "Anna rating 1395 (-105): left before the end: counts as last" in page
    assert "Bob rating 1605 (+105)" in page
    call_command("ratings", stdout=StringIO())
