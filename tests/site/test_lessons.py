"""The first lesson as a visitor meets it: offered once, done with forms alone, left at any time."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.catalogue import Game, shelf
from games.engine.contract import write
from games.lessons import Trail, course_of
from games.models import Match

pytestmark = pytest.mark.django_db

OBELISK = shelf()["obelisk"]
TAUGHT = [game for game in shelf().values() if game.lesson]
OFFER = 'id="lesson-offer"'


def address(game: Game, trail: Trail) -> str:
    return reverse("lesson", args=[game.slug, trail])


def begin_match(client: Client) -> str:
    """Begin a match against a bot as a stranger does; give its address."""
    answer = client.post("/play/obelisk/", follow=True)
    return answer.request["PATH_INFO"]


def is_offered(client: Client, match: str) -> bool:
    return OFFER in client.get(match).content.decode()


def walk(client: Client, game: Game) -> Trail:
    """Do a whole lesson with forms alone, and read what each step says."""
    trail = Trail()
    for step in game.lesson.steps:
        assert str(step.ask) in client.get(address(game, trail)).context["page"].sentence
        move = course_of(game, trail).wanted[0]
        answer = client.post(f"{address(game, trail)}move/", {"move": write(move)}, follow=True)
        trail = trail.trying(move)
        assert answer.redirect_chain == [(address(game, trail), 302)]
        assert answer.context["page"].sentence == str(step.told)
        trail, done = trail.next(), trail
    return done


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.slug)
def test_a_stranger_does_a_whole_lesson_with_forms_alone(client, game):
    end = client.get(address(game, walk(client, game)))
    assert end.context["lesson"]["is_over"]
    assert f'action="/play/{game.slug}/"' in end.content.decode()
    assert Match.objects.count() == 0


def test_a_newcomer_is_offered_the_lesson_at_the_match(client):
    assert is_offered(client, begin_match(client))


def test_an_offer_that_was_declined_is_not_made_again(client):
    match = begin_match(client)
    answer = client.post("/learn/obelisk/skip/", {"match": match.split("/")[-2]})
    assert answer["Location"] == match
    assert not is_offered(client, match)
    assert User.objects.get(seats__match=match.split("/")[-2]).lessons == ["obelisk"]


def test_who_has_done_the_lesson_is_not_offered_it_any_more(client):
    match = begin_match(client)
    walk(client, OBELISK)
    assert not is_offered(client, match)


def test_a_stranger_who_has_done_the_lesson_is_not_offered_it_at_the_first_match(client):
    walk(client, OBELISK)
    assert client.session["lessons"] == ["obelisk"]
    assert not is_offered(client, begin_match(client))


def test_who_only_watches_is_offered_nothing(client):
    match = begin_match(client)
    Match.objects.update(private=False)
    assert not is_offered(Client(), match)


def test_a_move_that_is_not_asked_for_is_answered_in_words(client):
    answer = client.post(f"{address(OBELISK, Trail())}move/", {"move": "take 0 cw"})
    assert answer.status_code == 422
    assert answer.context["page"].refusal.text == (
        "The rules allow that, but the lesson asks for something else now."
    )


def test_a_step_can_be_taken_back(client):
    trail = Trail().trying(("take", 4, "ccw")).next().trying(("lay_foundation", "Y4a"))
    answer = client.post(f"{address(OBELISK, trail)}undo/")
    assert answer["Location"] == address(OBELISK, trail.back(1))


def test_skipping_leads_to_the_match_or_else_to_the_rules(client):
    assert client.post("/learn/obelisk/skip/")["Location"] == "/rules/obelisk/"
    match = begin_match(client)
    assert client.post("/learn/obelisk/skip/")["Location"] == match


@pytest.mark.parametrize("place", ["2/", "9/", "2/take.9.cw/", "1/nonsense/", "2/take.4.ccw,x/"])
def test_a_trail_that_leads_nowhere_is_no_page(client, place):
    assert client.get(f"/learn/obelisk/{place}").status_code == 404


def test_the_help_page_leads_to_the_lesson(client):
    assert 'href="/learn/obelisk/"' in client.get("/rules/obelisk/").content.decode()
