"""The admin looks at matches and never changes them; secrets of a running match stay secret."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin import site
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse

from accounts.models import Mail, User
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


@pytest.mark.parametrize("model", sorted(site._registry, key=str))
def test_no_list_is_searched_by_a_column_that_it_does_not_offer(desk, model):
    """Or a seed, a secret choice, a session would be guessed letter by letter."""
    page, opened = site._registry[model], {}
    offered = {page.date_hierarchy, *page.list_filter}
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    for column in [field.name for field in model._meta.concrete_fields]:
        for how in ("", "__startswith", "__isnull"):
            if column not in offered:
                opened[column + how] = desk.get(address, {column + how: "1"}).status_code
    assert len(opened) >= 6
    assert set(opened.values()) == {400}
    assert desk.get(address).status_code == 200


def test_what_a_list_offers_it_still_does(desk):
    match = duel(person("Anna"), person("Bob"))
    for query, shown in [
        ("status__exact=running", 1),
        ("status__exact=open", 0),
        (f"created__year={match.created.year}", 1),
        ("q=anna", 1),
    ]:
        answer = desk.get(f"/admin/games/match/?{query}")
        assert (query, answer.context["cl"].result_count) == (query, shown)


def test_mail_of_others_is_read_by_superusers_alone(client):
    """It holds hands of running matches, and links that set a new password."""
    mail = Mail.objects.create(to="root@example.org", subject="Your new password", text="…")
    clerk, found = person("Clerk", is_staff=True), {}
    clerk.user_permissions.set(Permission.objects.filter(codename__endswith="_mail"))
    for reader in (clerk, person("Root", is_staff=True, is_superuser=True)):
        client.force_login(reader)
        places = ("/admin/accounts/mail/", f"/admin/accounts/mail/{mail.pk}/change/")
        found[reader.username] = [client.get(place).status_code for place in places]
    assert found == {"Clerk": [403, 403], "Root": [200, 200]}
