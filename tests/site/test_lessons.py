"""The first lesson as a visitor meets it: offered once, done with forms alone, left at any time."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import lessons_settle
from games.catalogue import Game, shelf
from games.engine.contract import write
from games.lessons import Trail, course_of
from games.models import Match
from tests.site.people import person

pytestmark = pytest.mark.django_db

OBELISK = shelf()["obelisk"]
OFFER = 'id="lesson-offer"'
games = pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.slug)


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


def board_of(page: str) -> str:
    return page[page.index('id="board"') : page.index('class="beside"')]


@games
def test_a_stranger_does_a_whole_lesson_with_forms_alone(client, game):
    end = client.get(address(game, walk(client, game)))
    assert end.context["lesson"]["is_over"]
    assert f'action="/play/{game.slug}/"' in end.content.decode()
    assert Match.objects.count() == 0


@games
def test_a_step_offers_what_it_asks_for_and_a_step_that_is_done_offers_nothing(client, game):
    trail = Trail()
    for step in game.lesson.steps:
        course = course_of(game, trail)
        page = client.get(address(game, trail)).context["page"]
        offered = [page.end.move] if page.end and not page.end.barred else []
        offered += [entry.move for verb in page.verbs for entry in verb.entries if entry.move]
        if not step.refusal:
            assert sorted(offered) == sorted(map(write, course.wanted))
        trail = trail.trying(course.wanted[0])
        answer = client.get(address(game, trail))
        assert answer.context["page"].verbs == ()
        board = board_of(answer.content.decode())
        assert re.findall(r'class="[^"]*\blit\b', board) == []
        asks = [str(name) for key, name in game.texts.names.items() if key.startswith("ask_")]
        assert [ask for ask in asks if ask in board] == []
        trail = trail.next()


def test_a_finished_obelisk_asks_for_no_action_card_once_the_lesson_is_over(client):
    end = client.get(address(OBELISK, walk(client, OBELISK))).content.decode()
    assert "Odd Stone" in board_of(end)
    assert "Choose an action card" not in end
    assert "Take none" not in end


def test_a_newcomer_is_offered_the_lesson_at_the_match(client):
    assert is_offered(client, begin_match(client))


@games
def test_every_game_offers_its_lesson_at_the_match_and_on_its_help_page(client, game):
    match = client.post(f"/play/{game.slug}/", follow=True).request["PATH_INFO"]
    for page in (match, f"/rules/{game.slug}/"):
        assert f'href="/learn/{game.slug}/"' in client.get(page).content.decode()


def test_the_lessons_of_all_who_played_are_settled_in_one_statement(django_assert_num_queries):
    users = [person(name) for name in ("Anna", "Bob", "Cleo", "Dirk")]
    lessons_settle(users[:1], ["sakkara"])
    with django_assert_num_queries(1):
        lessons_settle(users, ["obelisk"])
    assert list(User.objects.order_by("pk").values_list("lessons", flat=True)) == [
        ["obelisk", "sakkara"],
        *([["obelisk"]] * 3),
    ]
    with django_assert_num_queries(0):
        lessons_settle(users, ["obelisk"])


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


def test_what_is_not_asked_for_cannot_be_picked_up_nor_the_turn_be_ended(client):
    trail = Trail().trying(("take", 4, "ccw")).next()
    page = client.get(f"{address(OBELISK, trail)}?hold=B5d").context["page"]
    assert page.hold == ""
    words = "The rules allow that, but the lesson asks for something else now."
    assert (page.refusal.text, page.end.barred) == (words, words)


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
