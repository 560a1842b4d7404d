"""Tables before the match: the lobby, a new match, and joining, leaving, starting, cancelling."""

import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from config.posts import posted_from
from games import prose, queries, services
from games.affairs import pace_words
from games.catalogue import Game, shelf
from games.engine.contract import Refused
from games.forms import LobbyForm, NewMatchForm
from games.lengths import length_words, lengths_of
from games.models import Match
from games.once import once_of, once_value
from games.views.cards import table_cards
from games.views.guests import player_of, refuse_floods, to_login, to_signup
from games.views.home import game_or_404
from games.views.previews import preview_of

TABLES_SHOWN = 50
WATCHED_SHOWN = 12


# --- the lobby -------------------------------------------------------------------------------


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """List open tables, filtered, and public matches to watch."""
    form = LobbyForm(request.GET)
    conditions = form.conditions()
    tables = queries.tables_to_join(timezone.now(), request.user).filter(**conditions)
    watched = queries.matches_to_watch(request.user).filter(**conditions)[:WATCHED_SHOWN]
    page = {
        "form": form,
        "tables": table_cards(tables[:TABLES_SHOWN], request.user),
        "offered": queries.seats_offered(request.user).filter(**conditions)[:WATCHED_SHOWN],
        "watched": watched,
        "filtered": bool(conditions),
    }
    template = "games/_lobby.html" if request.htmx else "games/lobby.html"  # type: ignore[attr-defined]
    return render(request, template, page)


# --- a new match -----------------------------------------------------------------------------


@require_safe
def new_match_game(request: HttpRequest) -> HttpResponse:
    """Choose the game of a new match, unless there is but one."""
    games = list(shelf().values())
    if len(games) == 1:
        return redirect("new_match_of", games[0].slug)
    return render(request, "games/new_match_game.html", {"games": games})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_match(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for everything about a new match, and open its table."""
    game = game_or_404(slug)
    if request.method == "POST" and "reseat" not in request.POST:
        form = _form(request, game, request.POST, posted=True)
        if form.is_valid() and (match := _opened(request, form)):
            return redirect("match", match.pk)
    else:
        form = _form(request, game, request.POST or request.GET, posted=False)
    status = 422 if form.is_bound else 200
    return render(request, "games/new_match.html", {"game": game, "form": form}, status=status)


def _form(request: HttpRequest, game: Game, values: Any, *, posted: bool) -> NewMatchForm:
    """Make the form with as many opponents as the values ask for."""
    asked = values.get("seats", "")
    seats = int(asked) if re.fullmatch("[0-9]{1,2}", asked) else 0
    seats = seats if seats in game.seats else game.seats[0]
    if posted:
        return NewMatchForm(values, game=game, seats=seats, user=request.user)
    typed = {"once": once_value(), **values.dict(), "seats": seats}
    return NewMatchForm(None, game=game, seats=seats, user=request.user, initial=typed)


def _opened(request: HttpRequest, form: NewMatchForm) -> Match | None:
    """Open the table the form describes, or put the refusal on the form."""
    try:
        refuse_floods(request)
        user = player_of(request)
        return services.match_create(
            user=user,
            game=form.game.slug,
            opponents=form.opponents(),
            options=form.options(),
            pace=form.chosen_pace(),
            weekends=form.cleaned_data["weekends"],
            vacations=not form.cleaned_data["no_vacations"],
            courtesy=form.cleaned_data.get("courtesy", False),
            rated=form.cleaned_data.get("rated", False),
            least_in_time=form.cleaned_data["least_in_time"],
            private=form.is_private(),
            once=once_of(user, form.cleaned_data["once"]),
        )
    except Refused as refused:
        form.add_error(None, prose.refuse(refused, form.game))
        return None


# --- one table -------------------------------------------------------------------------------


def table_or_404(request: HttpRequest, match_id: int, link: str = "") -> Match:
    """Find a match that this viewer may see; to all others it does not exist."""
    match = queries.match_with_seats(match_id)
    if match is None or not queries.may_watch(match, request.user, link):
        raise Http404
    return match


def table_page(request: HttpRequest, match: Match, refused: Refused | None = None) -> HttpResponse:
    """Show a table that has not started yet, and why what was tried there is not possible."""
    link = request.GET.get("link", "")
    if not queries.may_watch(match, request.user, link):
        raise Http404
    if refused:
        messages.error(request, prose.refuse(refused, match.game))
    status = 422 if refused else 200
    return render(request, "games/table.html", _table(request, match, link), status=status)


def _table(request: HttpRequest, match: Match, link: str) -> dict[str, object]:
    seat = queries.seat_of(match, request.user)
    seats = list(match.seats.all())
    link = link if link == match.link else ""
    taken = sum(other.is_taken for other in seats)
    return {
        "match": match,
        "game": match.game,
        "seats": seats,
        "seat": seat,
        "is_host": isinstance(request.user, User) and match.host_id == request.user.pk,
        "is_invited": seat is None and queries.is_invited(match, request.user),
        "missing": len(seats) - taken,
        "may_start": taken in match.game.seats,
        "variants": prose.variants(match.game, match.options),
        "pace": pace_words(match),
        "length": length_words(lengths_of([match])[match.pk]),
        "link": link,
        "preview": preview_of(request, match, link=link),
        "invitation": request.build_absolute_uri(
            f"{reverse('match', args=[match.pk])}?link={match.link}"
        ),
    }


@require_safe
@never_cache
def table_seats(request: HttpRequest, match_id: int) -> HttpResponse:
    """Tell a waiting page who sits at the table: nothing new, new seats, or that it began."""
    link = request.GET.get("link", "")
    match = table_or_404(request, match_id, link)
    if match.status != Match.Status.OPEN:
        return HttpResponse(headers={"HX-Refresh": "true"})
    if request.GET.get("seen") == str(match.revision):
        return HttpResponse(status=204)
    return render(request, "games/_table_seats.html", _table(request, match, link))


@posted_from("match", "match_id")
def join(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take a seat; a stranger becomes a guest by it."""
    link = request.POST.get("link", "")
    match = table_or_404(request, match_id, link)
    if queries.seat_of(match, request.user):  # the form came twice
        return redirect("match", match_id)
    if sent_away := to_signup(request, match, link):
        return sent_away
    try:
        if not request.user.is_authenticated:
            refuse_floods(request)
        services.match_join(match_id=match_id, user=player_of(request), link=link)
    except Refused as refused:
        return _refusal(request, match, refused, link)
    return redirect("match", match_id)


@posted_from("match", "match_id")
def leave(request: HttpRequest, match_id: int) -> HttpResponse:
    """Give up a seat or decline an invitation."""
    return _change(request, match_id, services.match_leave, _("You have left the table."))


@posted_from("match", "match_id")
def start(request: HttpRequest, match_id: int) -> HttpResponse:
    """Begin with those who are there."""
    return _change(request, match_id, services.match_start)


@posted_from("match", "match_id")
def cancel(request: HttpRequest, match_id: int) -> HttpResponse:
    return _change(request, match_id, services.match_cancel, _("The table is closed."))


def _change(
    request: HttpRequest, match_id: int, change: Callable[..., None], done: str = ""
) -> HttpResponse:
    """Let a user change a table; one whose session ended logs in and comes back to it."""
    if not isinstance(request.user, User):
        return to_login(request, match_id)
    match = table_or_404(request, match_id)
    try:
        change(match_id=match_id, user=request.user)
    except Refused as refused:
        return _refusal(request, match, refused)
    if not done:
        return redirect("match", match_id)
    messages.success(request, done)
    return redirect("my_matches")


def _refusal(request: HttpRequest, match: Match, refused: Refused, link: str = "") -> HttpResponse:
    """Say why not, on the table's page as it stands now."""
    words = prose.refuse(refused, match.game)
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "_refusal.html", {"words": words}, status=409)
    messages.error(request, words)
    address = reverse("match", args=[match.pk])
    return redirect(f"{address}?link={link}" if link == match.link else address)
