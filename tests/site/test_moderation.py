"""What those who run the site may do to a match, and that whatever they did is on record."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.engine.contract import Refused
from games.models import Holder, Line, Match, Notice, Report, Seat
from games.services import match_adjourn, match_void, notices_retry, report_write, seat_replace
from tests.site.people import begun, duel, market, person, play_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def root():
    return person("Root", is_staff=True, is_superuser=True)


@pytest.fixture
def desk(client, root):
    client.force_login(root)
    return client


def audited() -> list[tuple[str, str, str]]:
    entries = LogEntry.objects.order_by("pk")
    return [(one.user.username, one.object_id, one.change_message) for one in entries]


def said(match: Match) -> list[tuple[str, dict[str, object]]]:
    return list(match.lines.filter(key__startswith="site_").values_list("key", "args"))


# --- calling off -----------------------------------------------------------------------------


def test_a_match_called_off_has_no_result_and_a_reason(anna, bob, root):
    match = duel(anna, bob)
    match_void(match_id=match.pk, by=root, reason="  both asked for it ")
    match.refresh_from_db()
    assert (match.status, match.ending) == ("cancelled", "voided")
    assert not match.seats.filter(to_act=True).exists()
    assert not match.seats.exclude(rank=None).exists()
    assert said(match) == [("site_voided", {"reason": "both asked for it"})]
    told = Notice.objects.filter(kind="cancelled").order_by("seat__index")
    assert [notice.seat.user for notice in told] == [anna, bob]
    assert audited() == [("Root", str(match.pk), "voided:   both asked for it ")]


def test_what_is_over_cannot_be_called_off_and_leaves_no_trace(anna, bob, root):
    match = duel(anna, bob)
    match_void(match_id=match.pk, by=root, reason="once")
    with pytest.raises(Refused, match="game_over"):
        match_void(match_id=match.pk, by=root, reason="twice")
    assert len(audited()) == 1


def test_nothing_is_done_without_a_reason(anna, bob, root):
    match = duel(anna, bob)
    with pytest.raises(Refused, match="no_reason"):
        match_void(match_id=match.pk, by=root, reason=" ")
    match.refresh_from_db()
    assert (match.status, audited(), said(match)) == ("running", [], [])


# --- letting the clocks stand ----------------------------------------------------------------


def test_an_adjourned_match_waits_as_long_as_it_was_adjourned(anna, bob, root):
    match = duel(anna, bob)
    before = match.seats.get(index=0).deadline
    match_adjourn(match_id=match.pk, by=root, reason="a storm", days=5)
    after = match.seats.get(index=0).deadline
    assert timedelta(days=4, hours=23) < after - before <= timedelta(days=6)
    assert said(match)[0][0] == "site_adjourned"
    assert audited() == [("Root", str(match.pk), "adjourned for 5 days: a storm")]
    play_turn(match, 0)  # whoever likes may move


def test_a_match_without_a_clock_cannot_be_adjourned(anna, bob, root):
    match = duel(anna, bob, pace="friends")
    with pytest.raises(Refused, match="no_clock"):
        match_adjourn(match_id=match.pk, by=root, reason="a storm", days=5)


# --- replacing a player ----------------------------------------------------------------------


def test_a_seat_is_given_to_somebody_else_beside_the_record_of_the_first(anna, bob, root):
    carl = person("Carl")
    match = duel(anna, bob)
    seat_replace(match_id=match.pk, by=root, reason="illness", seat=0, user=carl)
    seat = match.seats.get(index=0)
    assert (seat.user, seat.bot, seat.to_act) == (carl, "", True)
    held = list(seat.holders.values_list("user__username", "substituted"))
    assert held == [("Anna", True), ("Carl", False)]
    what = f"seat 0 of Anna (user {anna.pk}) given to Carl (user {carl.pk}): illness"
    assert audited() == [("Root", str(match.pk), what)]
    play_turn(match, 0)


def test_a_seat_is_given_to_a_caretaker(anna, bob, root):
    match = market(anna, bob, person("Carl"))
    seat_replace(match_id=match.pk, by=root, reason="insults", seat=1, user=None)
    seat = match.seats.get(index=1)
    assert (seat.user, seat.bot) == (bob, "medium")
    assert seat.holders.get().ended == Holder.Ended.REMOVED
    with pytest.raises(Refused, match="no_person"):
        seat_replace(match_id=match.pk, by=root, reason="again", seat=1, user=None)


@pytest.mark.parametrize("seat", [-1, 2])
def test_only_a_seat_that_is_there_is_replaced(anna, bob, root, seat):
    match = duel(anna, bob)
    with pytest.raises(Refused, match="not_seated"):
        seat_replace(match_id=match.pk, by=root, reason="x", seat=seat, user=None)


def test_nobody_plays_two_seats(anna, bob, root):
    match = duel(anna, bob)
    with pytest.raises(Refused, match="already_seated"):
        seat_replace(match_id=match.pk, by=root, reason="x", seat=0, user=bob)


@pytest.mark.parametrize("pace", ["standard", "friends"])
def test_who_is_given_a_seat_in_the_midst_of_a_turn_is_called_with_the_full_time(
    anna, bob, root, pace
):
    match = begun(anna, bob, pace=pace)
    cleo = person("Cleo", time_zone="Africa/Cairo", quiet=True)
    later = timezone.now() + timedelta(days=2)
    with time_machine.travel(later, tick=False):
        seat_replace(match_id=match.pk, by=root, reason="asked", seat=0, user=cleo)
    seat = match.seats.get(index=0)
    assert (seat.called, seat.rest.split()[0]) == (later, "Africa/Cairo")
    assert (seat.deadline is None) == (pace == "friends")
    if seat.deadline:
        assert seat.deadline - later >= match.increment
    assert cleo.notices.filter(kind="your_turn").count() == 1


# --- on the admin's pages --------------------------------------------------------------------


def test_the_desk_shows_the_board_and_what_can_be_done(desk, anna, bob):
    match = duel(anna, bob, private=False)
    html = desk.get(reverse("admin:games_match_change", args=[match.pk])).content.decode()
    for kind in ("void", "adjourn", "replace"):
        address = f"/admin/games/match/{match.pk}/{kind}/"
        assert f'href="{address}"' in html
        assert desk.get(address).status_code == 200
    address = f"/admin/games/match/{match.pk}/picture.png"
    assert f'src="{address}"' in html
    picture = desk.get(address)
    assert (picture["Content-Type"], picture.content[1:4]) == ("image/png", b"PNG")


def test_a_ruling_is_made_on_its_page(desk, anna, bob, client):
    match = duel(anna, bob)
    carl = person("Carl")
    address = f"/admin/games/match/{match.pk}"
    form = {"reason": "illness", "seat": "1", "user": "carl"}
    answer = desk.post(f"{address}/replace/", form)
    assert (answer.status_code, answer["Location"]) == (302, f"{address}/change/")
    assert match.seats.get(index=1).user == carl
    assert desk.post(f"{address}/adjourn/", {"reason": "storm", "days": 3}).status_code == 302
    assert desk.post(f"{address}/void/", {"reason": "enough"}).status_code == 302
    match.refresh_from_db()
    assert match.status == "cancelled"
    html = client.get(f"/matches/{match.pk}/").content.decode()
    assert "Those who run the site called the match off: enough" in html
    assert [entry[2].partition(":")[0] for entry in audited()] == [
        f"seat 1 of Bob (user {bob.pk}) given to Carl (user {carl.pk})",
        "adjourned for 3 days",
        "voided",
    ]


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("void", {"reason": ""}),
        ("adjourn", {"reason": "x", "days": 400}),
        ("replace", {"reason": "x", "seat": "7", "user": ""}),
        ("replace", {"reason": "x", "seat": "0", "user": "nobody"}),
        ("replace", {"reason": "x", "seat": "0", "user": "Bob"}),
    ],
)
def test_a_ruling_that_cannot_be_is_refused_on_its_page(desk, anna, bob, kind, form):
    match = duel(anna, bob)
    answer = desk.post(f"/admin/games/match/{match.pk}/{kind}/", form)
    assert (answer.status_code, bool(answer.context["form"].errors)) == (422, True)
    assert audited() == []


def test_staff_that_may_only_look_does_not_rule(client, anna, bob):
    clerk = person("Clerk", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_match"))
    client.force_login(clerk)
    match = duel(anna, bob)
    page = client.get(reverse("admin:games_match_change", args=[match.pk]))
    assert page.status_code == 200
    address = f"/admin/games/match/{match.pk}/void/"
    assert f"/admin/games/match/{match.pk}/picture.png" in page.content.decode()
    assert address not in page.content.decode()
    answer = client.post(address, {"reason": "x"})
    assert answer.status_code == 403
    match.refresh_from_db()
    assert match.status == "running"


def test_what_was_given_up_is_sent_again(desk, anna, bob, root):
    duel(anna, bob)
    first, second, dropped = Notice.objects.order_by("pk")[:3]
    Notice.objects.update(due=None, sent=timezone.now())
    Notice.objects.filter(pk=first.pk).update(sent=None, error="no such host", attempts=9)
    Notice.objects.filter(pk=dropped.pk).update(sent=None)  # it was no longer true
    chosen = {"action": "retry", "_selected_action": [first.pk, second.pk, dropped.pk]}
    desk.post(reverse("admin:games_notice_changelist"), chosen)
    first.refresh_from_db()
    waiting = Notice.objects.exclude(due=None)
    assert (first.attempts, [notice.pk for notice in waiting]) == (0, [first.pk])
    assert audited() == [("Root", str(first.pk), "sent again")]
    assert notices_retry(notices=[second.pk], by=root) == 0


def test_the_audit_log_is_shown_and_cannot_be_changed(desk, anna, bob, root):
    match = duel(anna, bob)
    match_void(match_id=match.pk, by=root, reason="a good one")
    html = desk.get(reverse("admin:admin_logentry_changelist")).content.decode()
    assert "a good one" in html
    entry = LogEntry.objects.get()
    for part in ("delete", "change"):
        desk.post(reverse(f"admin:admin_logentry_{part}", args=[entry.pk]), {"post": "yes"})
    assert LogEntry.objects.get().change_message == "voided: a good one"


def test_the_audit_log_words_what_was_changed_in_a_form(desk, anna, bob):
    report = report_write(reporter=anna, about=bob, match=None, reason="talk", words="Rude")
    change = {"outcome": "Warned.", "is_closed": "on"}
    desk.post(reverse("admin:games_report_change", args=[report.pk]), change)
    html = desk.get(reverse("admin:admin_logentry_changelist")).content.decode()
    assert "Changed Closed and What was done." in html


def test_users_are_locked_and_not_deleted(desk, anna, bob):
    match = duel(anna, bob)
    address = reverse("admin:accounts_user_delete", args=[anna.pk])
    assert desk.post(address, {"post": "yes"}).status_code == 403
    assert User.objects.filter(pk=anna.pk).exists()
    assert Seat.objects.get(match=match, index=0).user == anna


def filled(page, **changes: object) -> dict[str, object]:
    """The form of a page of the admin as it stands, with some changes."""
    form = page.context["adminform"].form
    values = {name: form[name].value() for name in form.fields}
    values |= {f"{name}_0": "2026-01-01" for name in ("last_login", "date_joined")}
    return {name: value for name, value in values.items() if value not in (None, False)} | changes


def test_whoever_is_locked_out_or_complained_about_is_on_record(desk, anna, bob):
    place = reverse("admin:accounts_user_change", args=[anna.pk])
    sent = filled(desk.get(place)) | {"is_active": ""}
    assert desk.post(place, {key: value for key, value in sent.items() if value}).status_code == 302
    anna.refresh_from_db()
    assert anna.is_active is False
    report = Report.objects.create(reporter=bob, about=anna, reason="talk")
    place = reverse("admin:games_report_change", args=[report.pk])
    assert desk.post(place, {"is_closed": "on", "outcome": "locked out"}).status_code == 302
    report.refresh_from_db()
    assert (report.is_closed, report.outcome) == (True, "locked out")
    entries = LogEntry.objects.order_by("pk")
    told = [(one.user.username, one.object_repr, one.get_change_message()) for one in entries]
    assert [one[:2] for one in told] == [("Root", "Anna"), ("Root", str(report))]
    assert ["Active" in told[0][2], "Closed" in told[1][2]] == [True, True]


def test_staff_that_looks_after_people_makes_nobody_staff(client, anna, root):
    warden = person("Warden", is_staff=True)
    for codename in ("view_user", "change_user"):
        warden.user_permissions.add(Permission.objects.get(codename=codename))
    client.force_login(warden)
    place = reverse("admin:accounts_user_change", args=[anna.pk])
    page = client.get(place)
    assert {"is_active"} == {"is_active", "is_staff", "is_superuser"} & set(
        page.context["adminform"].form.fields
    )
    powers = {"is_staff": "on", "is_superuser": "on", "user_permissions": [1]}
    assert client.post(place, filled(page, **powers)).status_code == 302
    anna.refresh_from_db()
    assert (anna.is_staff, anna.is_superuser, anna.user_permissions.count()) == (False, False, 0)
    for one in (root, warden):
        place = reverse("admin:accounts_user_change", args=[one.pk])
        assert client.post(place, filled(page, **powers)).status_code == 403
        assert client.post(f"/admin/accounts/user/{one.pk}/password/", {}).status_code == 403
    warden.refresh_from_db()
    assert warden.is_superuser is False


def test_every_line_of_a_ruling_is_worded_for_players(client, anna, bob, root):
    match = market(anna, bob, person("Carl"))
    match_adjourn(match_id=match.pk, by=root, reason="because", days=2)
    seat_replace(match_id=match.pk, by=root, reason="because", seat=1, user=None)
    html = client.get(f"/matches/{match.pk}/").content.decode()
    assert Line.objects.filter(match=match, key__startswith="site_").count() >= 3
    assert html.count("because") >= 2
