"""The admin looks at matches and never changes them; secrets of a running match stay secret."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse

from accounts.models import User
from games.models import Match
from games.services import Opponent, match_create, match_resign
from tests.site.people import duel, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client):
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    return client


def test_every_list_of_the_games_is_shown(desk):
    duel(person("Anna"), person("Bob"))
    for model in ("match", "move", "notice"):
        response = desk.get(reverse(f"admin:games_{model}_changelist"))
        assert response.status_code == 200, model


def test_the_seed_is_shown_once_a_match_is_finished_and_not_before(desk):
    match = duel(person("Anna"), person("Bob"))
    address = reverse("admin:games_match_change", args=[match.pk])
    running = desk.get(address).content.decode()
    assert match.seed not in running
    assert match.link not in running
    assert "snapshot" not in running.lower()
    Match.objects.filter(pk=match.pk).update(status="finished")
    assert match.seed in desk.get(address).content.decode()


def test_a_called_off_match_keeps_its_seed(desk):
    anna = person("Anna")
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("bot", "easy")])
    match_resign(match_id=match.pk, user=anna)
    address = reverse("admin:games_match_change", args=[match.pk])
    assert match.seed not in desk.get(address).content.decode()


def test_nothing_can_be_changed_here(desk):
    match = duel(person("Anna"), person("Bob"))
    before = Match.objects.values().get(pk=match.pk)
    assert desk.get(reverse("admin:games_match_add")).status_code == 403
    desk.post(reverse("admin:games_match_change", args=[match.pk]), {"status": "cancelled"})
    assert desk.post(reverse("admin:games_match_delete", args=[match.pk])).status_code == 403
    assert Match.objects.values().get(pk=match.pk) == before


def test_when_somebody_came_is_seen_and_not_changed(desk):
    anna = person("Anna")
    html = desk.get(f"/admin/accounts/user/{anna.pk}/change/").content.decode()
    assert "css/admin" in html, "in our colours"
    assert ('name="username"' in html, 'name="date_joined' in html) == (True, False)


OPENS_ACCOUNTS = {"account.emailaddress", "auth.group", "mfa.authenticator"}


def test_who_looks_after_people_reads_no_secret_and_opens_no_account(client, desk):
    anna, clerk = person("Anna"), person("Clerk", is_staff=True)
    secrets = {"secret": "totp-of-anna"}
    things = [
        EmailAddress.objects.get(user=anna),
        Authenticator.objects.create(user=anna, type="totp", data=secrets),
        UserSession.objects.create(user=anna, session_key="key-of-anna", ip="10.0.0.1"),
        Group.objects.create(name="Guards"),
    ]
    for user in (clerk, User.objects.get(username="Root")):
        client.force_login(user)
        for thing in things:
            label = thing._meta.label_lower
            kind = ContentType.objects.get_for_model(thing)
            clerk.user_permissions.add(*Permission.objects.filter(content_type=kind))
            place = f"/admin/{label.replace('.', '/')}/"
            own = f"{place}{thing.pk}/"
            html = client.get(place).content.decode() + client.get(f"{own}change/").content.decode()
            assert ("totp-of-anna" in html, "key-of-anna" in html) == (False, False)
            may = user.is_superuser and label in OPENS_ACCOUNTS
            assert client.get(f"{own}delete/").status_code == (200 if may else 403)
            if not may:
                before = type(thing).objects.values().get(pk=thing.pk)
                client.post(place, {"action": "make_verified", "_selected_action": [thing.pk]})
                client.post(f"{own}change/", {"email": "clerk@example.org", "user": anna.pk})
                assert type(thing).objects.values().get(pk=thing.pk) == before
