"""What players do about time and each other: come back, take a day, agree, grant, nudge.

All come to one address and say which; a page that is read changes nothing.
"""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from config.posts import posted_from
from games import queries, services
from games.engine.contract import Refused
from games.views.guests import player_of, refuse_floods, to_login, to_signup
from games.views.matches import found, show
from games.views.tables import table_or_404

Action = Callable[..., object]  # of a match, its player and a number (of days, or of a seat)

ACTIONS: dict[str, Action] = {
    "back": lambda number, **who: services.match_return(**who),
    "claim": lambda number, **who: services.match_claim(**who),
    "play_on": lambda number, **who: services.match_play_on(**who),
    "grant": lambda number, **who: services.time_grant(**who),
    "deny": lambda number, **who: services.time_claim(**who),
    "day": lambda number, **who: services.day_take(**who),
    "agree": lambda number, **who: services.proposal_answer(agree=True, **who),
    "decline": lambda number, **who: services.proposal_answer(agree=False, **who),
    "end": lambda number, **who: services.proposal_make(kind="end", **who),
    "rated": lambda number, **who: services.proposal_make(kind="rated", **who),
    "pause": lambda number, **who: services.proposal_make(kind="pause", days=number, **who),
    "nudge": lambda number, **who: services.nudge(seat=number, **who),
}
DONE = {
    "nudge": gettext_lazy("A reminder is on its way."),
    "day": gettext_lazy("The clock stands still for a day."),
}


@posted_from("match", "match_id")
def affair(request: HttpRequest, match_id: int) -> HttpResponse:
    """Do what a player decided; a refusal comes back as the match with the reason."""
    if not isinstance(request.user, User):
        return to_login(request, match_id)
    match = found(request, match_id)
    action, _space, number = request.POST.get("do", "").partition(" ")
    try:
        if queries.seat_of(match, request.user) is None:
            raise Refused("not_seated")
        if action not in ACTIONS:
            raise Refused("malformed")
        number = number or request.POST.get("days", "")
        ACTIONS[action](_number(number), match_id=match_id, user=request.user)
    except Refused as refused:
        return show(request, found(request, match_id), refused=refused)
    if action in DONE:
        messages.success(request, str(DONE[action]))
    return redirect("match", match_id)


@posted_from("match", "match_id")
def take(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take over the seat of somebody who has gone."""
    link = request.POST.get("link", "")
    match = table_or_404(request, match_id, link)
    if queries.seat_of(match, request.user):  # the form came twice
        return redirect("match", match_id)
    try:
        if not any(seat.offered for seat in match.seats.all()):
            raise Refused("no_seat_offered")  # before a stranger becomes a guest
        if sent_away := to_signup(request, match, link):
            return sent_away
        if not request.user.is_authenticated:
            refuse_floods(request)
        services.seat_take(match_id=match_id, user=player_of(request), link=link)
    except Refused as refused:
        return show(request, match, refused=refused)
    messages.success(request, _("The seat is yours."))
    return redirect("match", match_id)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else -1
