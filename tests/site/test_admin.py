"""The admin looks at matches and never changes them; secrets of a running match stay secret."""

import pytest
from django.urls import reverse

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
