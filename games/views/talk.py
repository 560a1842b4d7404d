"""Chat and private notes beside a match, and complaints about people.

The chat stands below the table and is looked at by itself: what is said changes no match.
"""

from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from config.posts import posted_from
from config.trouble import by_the_way
from games import people, prose, queries, services
from games.engine.contract import Refused
from games.models import Match, Rating, Seat
from games.talk import LONGEST_MESSAGE, LONGEST_NOTE
from games.views.guests import to_login
from games.views.tables import table_or_404

OPEN = "chat"  # in an address: the chat is open


def talk_of(request: HttpRequest, match: Match) -> dict[str, Any]:
    """Put together what stands below a table; what was said is read where the chat is open."""
    if not people.may_hear(match, request.user):
        return {}
    said = list(reversed(people.messages_for(match, request.user)))
    seat = queries.seat_of(match, request.user)
    persons = [one for one in match.seats.all() if one.user_id]
    talk: dict[str, Any] = {
        "address": reverse("match_chat", args=[match.pk]),
        "messages": said,
        "last": said[-1].pk if said else 0,
        "may_write": seat is not None and len(persons) > 1,
        "is_shown": bool(said) or len(persons) > 1,
        "longest": LONGEST_MESSAGE,
        "people": _people(match, persons),
        "is_open": OPEN in request.GET,
    }
    if isinstance(request.user, User) and seat is not None:
        book = people.notebook_of(match, request.user)
        fresh = [one for one in said if one.pk > book.read and one.author_id != request.user.pk]
        talk |= {"note": book.text, "longest_note": LONGEST_NOTE, "unread": len(fresh)}
        if fresh and talk["is_open"]:
            talk |= {"unread": 0, "just_read": True}
            with by_the_way():
                services.messages_read(match=match, user=request.user, upto=talk["last"])
    return talk


class Somebody(NamedTuple):
    """Who plays in a match, and what it did to their rating."""

    user: User
    rating: Rating | None = None
    is_given_back: bool = False  # by a later rating, which found that it was one long absence


def _people(match: Match, persons: list[Seat]) -> list[Somebody]:
    """List everybody whom the match has rated; before that, and else, who sits at it."""
    over = match.rated and match.status == Match.Status.FINISHED
    rated = (
        list(match.ratings.filter(game_slug=match.game_slug).select_related("user")) if over else []
    )
    if rated:
        returned = _given_back(match, rated)
        return [Somebody(one.user, one, one.user_id in returned) for one in rated]
    return [Somebody(one.user) for one in persons if one.user and len(persons) > 1]


def _given_back(match: Match, rated: list[Rating]) -> set[int]:
    """Find who got back what this match had cost: one query, if anybody ran out of time."""
    late = [one.user_id for one in rated if one.note == Rating.Note.TIMED_OUT]
    if not late:
        return set()
    later = Rating.objects.filter(user__in=late, game_slug=match.game_slug).exclude(returned=[])
    found = later.values_list("user", "returned")
    return {user for user, matches in found if match.pk in matches}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def chat(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show what is new in a match's chat, or say something in it."""
    if request.method == "POST" and not isinstance(request.user, User):
        return to_login(request, match_id)
    match = table_or_404(request, match_id, request.GET.get("link", ""))
    if not people.may_hear(match, request.user):
        raise Http404
    refusal = ""
    if request.method == "POST":
        assert isinstance(request.user, User)  # noqa: S101 - seen to above
        try:
            text = request.POST.get("text", "")
            services.message_write(match=match, user=request.user, text=text)
        except Refused as refused:
            refusal = prose.refuse(refused)
    if not request.htmx:  # type: ignore[attr-defined]
        if refusal:
            messages.error(request, refusal)
        return redirect(f"{reverse('match', args=[match.pk])}?{OPEN}#chat")
    talk = talk_of(request, match)
    is_known = request.GET.get("seen") == str(talk["last"])
    if request.method != "POST" and is_known and not talk.get("just_read"):
        return HttpResponse(status=204)
    status = 422 if refusal else 200
    page = {"talk": talk, "refusal": refusal}
    return render(request, "games/_messages.html", page, status=status)


@posted_from("match", "match_id")
@login_required
def note(request: HttpRequest, match_id: int) -> HttpResponse:
    """Keep private notes about a match."""
    match = table_or_404(request, match_id)
    assert isinstance(request.user, User)  # noqa: S101 - login_required has seen to it
    try:
        services.note_write(match=match, user=request.user, text=request.POST.get("text", ""))
        messages.success(request, _("Your notes are kept."))
    except Refused as refused:
        messages.error(request, prose.refuse(refused))
    return redirect(f"{reverse('match', args=[match.pk])}#notes")
