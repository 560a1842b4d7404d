"""Pages for everybody: the landing page, play now, my matches, the rules, the language switch."""

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.i18n import set_language

from accounts.models import User
from accounts.services import language_set
from games import queries
from games.catalogue import Game, shelf, template_of
from games.engine.contract import Refused
from games.once import once_of
from games.prose import refuse
from games.services import Opponent, match_create
from games.views.cards import finished_card, running_card, table_cards
from games.views.guests import player_of, refuse_floods

FINISHED_PER_PAGE = 20
MATCHES_ON_LANDING = 3


def game_or_404(slug: str) -> Game:
    if slug not in shelf():
        raise Http404
    return shelf()[slug]


@require_safe
@never_cache  # so that going back prints the forms anew: play now means a new match
def landing(request: HttpRequest) -> HttpResponse:
    ongoing = []
    if isinstance(request.user, User):
        now = timezone.now()
        waiting = queries.matches_waiting_for(request.user)[:MATCHES_ON_LANDING]
        matches = list(waiting) or list(
            queries.matches_running_elsewhere(request.user)[:MATCHES_ON_LANDING]
        )
        ongoing = [running_card(match, request.user, {}, now) for match in matches]
    page = {"games": list(shelf().values()), "ongoing": ongoing}
    return render(request, "games/landing.html", page)


@require_POST
def play(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a match against bots at once, for anybody."""
    game = game_or_404(slug)
    try:
        seats = _seats(game, request.POST.get("seats", ""))
        refuse_floods(request)
        user = player_of(request)
        match = match_create(
            user=user,
            game=slug,
            opponents=[Opponent("bot", game.usual_level)] * (seats - 1),
            pace="friends",
            private=True,
            once=once_of(user, request.POST.get("once", "")),
        )
    except Refused as refused:
        messages.error(request, refuse(refused, game))
        return redirect("home")
    return redirect("match", match.pk)


def _seats(game: Game, asked: str) -> int:
    """Read the number of players; none given means the smallest."""
    seats = int(asked) if re.fullmatch("[0-9]{1,2}", asked) else 0
    if not asked:
        return game.seats[0]
    if seats not in game.seats:
        raise Refused("bad_seats", least=game.seats[0], most=game.seats[-1])
    return seats


@require_safe
@login_required
@never_cache
def my_matches(request: HttpRequest) -> HttpResponse:
    """Show what waits for me, what waits for others, my tables, and what is over."""
    user, now = request.user, timezone.now()
    assert isinstance(user, User)  # noqa: S101 - login_required has seen to it
    waiting = list(queries.matches_waiting_for(user))
    elsewhere = list(queries.matches_running_elsewhere(user))
    said = queries.last_lines([*waiting, *elsewhere])
    over = Paginator(queries.matches_over(user), FINISHED_PER_PAGE).get_page(
        request.GET.get("page")
    )
    page = {
        "waiting": [running_card(match, user, said, now) for match in waiting],
        "elsewhere": [running_card(match, user, said, now) for match in elsewhere],
        "tables": table_cards(queries.tables_of(user), user),
        "over": over,
        "finished": [finished_card(match, user) for match in over],
    }
    return render(request, "games/my_matches.html", page)


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    return render(request, "games/help_index.html", {"games": list(shelf().values())})


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules of a game: its own page in our frame."""
    game = game_or_404(slug)
    text = template_of(slug, "rules")
    if not text:
        raise Http404
    return render(request, "games/help.html", {"game": game, "rules": text})


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Change the language of this browser, and of the user if there is one."""
    response: HttpResponse = set_language(request)
    chosen = request.POST.get("language")
    if isinstance(request.user, User) and chosen in ("en", "nl"):
        language_set(request.user, chosen)
    return response
