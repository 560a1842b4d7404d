"""A position as a picture: of every game, only what the viewer may see, and to be shared."""

import re
from html import unescape
from random import Random
from struct import unpack

import pytest
from django.core.cache import cache
from django.utils import translation

from games.catalogue import Game, shelf
from games.engine.session import Session
from games.engine.table import Silent
from games.inlay import Inlay, parsed, worked_out
from games.pictures import HEIGHT, WIDTH, Words, drawing, picture, plain
from games.services import Opponent, match_create, match_join
from games.views import share
from tests.site.people import duel, market, person, play_turn


def midway(game: Game, moves: int = 40) -> Session:
    seats = game.seats[0]
    session, _said = Session.start(game.state, "ab" * 32, seats, game.chosen({}, seats))
    chance = Random(3)
    for _ in range(moves):
        if called := session.state.to_act():
            session.play(called[0], chance.choice(session.state.legal(called[0])))
    return session


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return unpack(">II", png[16:24])


@pytest.mark.slow
@pytest.mark.parametrize("slug", sorted(shelf()))
def test_every_game_has_a_picture_that_changes_with_its_moves(slug):
    game = shelf()[slug]
    words = Words(str(game.title), "Move 1 of 2", ["Anna", "Bob"])
    early, late = (picture(game, midway(game, moves).state.view(None), words) for moves in (0, 40))
    assert size_of(early) == size_of(late) == (WIDTH, HEIGHT)
    assert early != late


@pytest.mark.slow
@pytest.mark.parametrize("slug", sorted(shelf()))
def test_a_picture_shows_nothing_that_its_viewer_cannot_know(slug):
    game = shelf()[slug]
    state = midway(game).state
    words = Words("", "", ["Anna", "Bob"])
    dealt_anew = state.determinize(0, Silent(Random(9)))
    assert dealt_anew.dump() != state.dump()
    assert picture(game, dealt_anew.view(0), words) == picture(game, state.view(0), words)


@pytest.mark.slow
def test_every_word_in_a_picture_is_written_as_on_the_page():
    """Its style has reached it: else a count is black on black."""
    written = []
    for game in shelf().values():
        drawn, *_shared = drawing(game, midway(game).state.view(0), ["Anna", "Bob"]).drawn()
        written += [(game.slug, one.text, one.attrib) for one in drawn.iter("text") if one.text]
    assert len({slug for slug, _text, _look in written}) >= 3
    assert [one for one in written if not {"fill", "font-size"} <= one[2].keys()] == []


@pytest.mark.parametrize(
    ("rule", "result"),
    [
        (":is(.a .b, .c) .d { fill: red }", ".a .b .d, .c .d{ fill: red }"),
        (".x, .a:is(.b, .c) i { fill: red }", ".x,.a.b i, .a.c i{ fill: red }"),
        (":is(a, b) :is(i, p){}", "a i, b i,a p, b p{}"),
        (".a /* :is(b, c), */ .d { }", ".a  .d { }"),
        (".a:not(.b, .c) { color: red; }", ".a:not(.b, .c) { color: red; }"),
    ],
)
def test_a_rule_for_several_is_written_out_for_each(rule, result):
    assert plain(rule) == result


def test_a_drawing_stands_alone_as_a_browser_would_show_it():
    page = parsed(
        '<body style="--deep: #000000;"><svg viewBox="0 0 9 9"></svg>'
        '<svg style="display: none;" viewBox="0 0 999 999"></svg>'
        '<symbol id="bug" viewBox="0 0 8 8">'
        '<path d="M0 0" style="fill: var(--shell);"></path></symbol>'
        '<svg viewBox="0 0 90 90"><g style="--shell: var(--deep, red);" class="x" data-key="B3">'
        '<use href="#bug" x="4" width="10" height="10"></use><title>secret</title></g></svg></body>'
    )
    drawing, *_shared = Inlay(page).drawn()
    assert drawing.attrib == {"viewBox": "0 0 90 90"}
    (group,) = drawing
    assert group.attrib == {}
    (place,) = group
    assert place[0].attrib == {"transform": "translate(4 0)"}
    assert place[0][0].attrib == {"viewBox": "0 0 8 8", "width": "10", "height": "10"}
    assert place[0][0][0].attrib == {"d": "M0 0", "fill": "#000000"}


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("var(--a)", "#102030"),
        ("var(--gone, #fff)", "#fff"),
        ("color-mix(in srgb, #ff0000 50%, #0000ff)", "#7f007f"),
        ("color-mix(in srgb, var(--a) 100%, #000)", "#102030"),
        ("var(--gone)", ""),
    ],
)
def test_a_style_is_worked_out(value, result):
    assert worked_out(value, {"--a": "#102030"}) == result


# --- on the site -----------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_seat_gets_its_own_picture_and_others_the_public_one(client):
    people = [person(name) for name in ("Anna", "Bob", "Carl")]
    match = market(*people)
    seen = {}
    for user in (*people, None):
        client.logout()
        if user:
            client.force_login(user)
        answer = client.get(f"/matches/{match.pk}/picture.png?as=all")
        assert (answer["Content-Type"], answer["Cache-Control"]) == (
            "image/png",
            "private, no-cache",
        )
        seen[user] = answer.content
    assert size_of(seen[None]) == (WIDTH, HEIGHT)


@pytest.mark.django_db
def test_the_replay_offers_the_address_and_the_picture_of_a_position(client):
    anna, bob = person("Anna"), person("Bob")
    match = duel(anna, bob)
    play_turn(match, 0)
    html = unescape(client.get(f"/matches/{match.pk}/replay/?at=1").content.decode())
    address = re.search(r'id="shared"[^>]* value="([^"]*)"', html)[1]
    assert address == f"http://testserver/matches/{match.pk}/replay/?at=1"
    assert previewed(html)["og:url"] == address
    picture = f"http://testserver/matches/{match.pk}/picture.png?at=1"
    assert previewed(html)["og:image"] == picture
    assert client.get(address).status_code == 200


def previewed(html: str) -> dict[str, str]:
    """What a program that shows an address finds at the head of its page."""
    return dict(re.findall(r'<meta property="(og:[^"]+)" content="([^"]*)">', unescape(html)))


@pytest.mark.django_db
def test_an_address_that_is_passed_on_shows_the_match_and_its_picture(client):
    anna = person("Anna")
    table = match_create(user=anna, game="obelisk", opponents=[Opponent("open")], private=True)
    client.force_login(anna)
    for link in ("", table.link):
        query = f"?link={link}" if link else ""
        assert previewed(client.get(f"/matches/{table.pk}/{query}").content.decode()) == {
            "og:type": "website",
            "og:site_name": "Nilepost",
            "og:title": f"Obelisk #{table.pk}",
            "og:description": "Anna",
            "og:url": f"http://testserver/matches/{table.pk}/{query}",
        }
    match_join(match_id=table.pk, user=person("Bob"), link=table.link)
    client.logout()
    shown = previewed(client.get(f"/matches/{table.pk}/{query}").content.decode())
    assert (shown["og:description"], shown["og:image:width"]) == ("Anna and Bob", f"{WIDTH}")
    assert client.get(shown["og:url"]).status_code == 200
    assert client.get(shown["og:image"])["Content-Type"] == "image/png"


@pytest.mark.django_db
def test_a_private_match_is_shown_to_others_only_when_it_is_over_and_by_a_player(client):
    anna, bob = person("Anna"), person("Bob")
    match = duel(anna, bob)
    match.private = True
    match.save()
    client.force_login(anna)
    assert match.link not in client.get(f"/matches/{match.pk}/replay/").content.decode()
    match.status = "finished"
    match.save()
    html = unescape(client.get(f"/matches/{match.pk}/replay/").content.decode())
    address = re.search(r'id="shared"[^>]* value="([^"]*)"', html)[1]
    client.logout()
    assert client.get(address).status_code == 200
    assert client.get(f"/matches/{match.pk}/replay/").status_code == 404


@pytest.mark.django_db
def test_one_address_does_not_keep_the_machine_busy_with_pictures(client, monkeypatch):
    monkeypatch.setattr(share, "PICTURES_PER_HOUR", 1)
    cache.clear()  # the pictures of other tests count as well
    match = duel(person("Anna"), person("Bob"))
    first, second = (client.get(f"/matches/{match.pk}/picture.png") for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 429)
    assert "<h1>That was too often</h1>" in second.content.decode()


@pytest.mark.django_db
def test_the_words_of_a_picture_are_the_readers(client):
    match = duel(person("Anna"), person("Bob"))
    with translation.override("en"):
        english = client.get(f"/matches/{match.pk}/picture.png").content
    dutch = client.get(f"/matches/{match.pk}/picture.png", HTTP_ACCEPT_LANGUAGE="nl").content
    assert dutch != english
