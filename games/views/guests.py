"""Who is asking: a user, or a stranger who becomes a guest with the first click that needs one."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from accounts.services import guest_create
from config.limits import HOUR, NEW_MATCHES_PER_HOUR, spent, whence
from games import prose
from games.engine.contract import Refused
from games.models import Match

BACKEND = "django.contrib.auth.backends.ModelBackend"


def player_of(request: HttpRequest) -> User:
    """Return the user; a stranger becomes a guest and is logged in as such."""
    if isinstance(request.user, User):
        return request.user
    guest = guest_create()
    login(request, guest, backend=BACKEND)
    return guest


def refuse_floods(request: HttpRequest) -> None:
    """Count what this address begins; refuse when it is more than people do."""
    if spent("begun", whence(request), most=NEW_MATCHES_PER_HOUR, seconds=HOUR):
        raise Refused("too_often")


def to_signup(request: HttpRequest, match: Match, link: str) -> HttpResponse | None:
    """Send whoever needs an account for a seat to where one is made, and from there back."""
    member = isinstance(request.user, User) and not request.user.is_guest
    if member or not match.rated:
        return None
    messages.info(request, prose.refuse(Refused("members_only"), match.game))
    table = reverse("match", args=[match.pk])
    back = f"{table}?{urlencode({'link': link})}" if link else table
    return redirect(f"{reverse('account_signup')}?{urlencode({'next': back})}")


def to_login(request: HttpRequest, match_id: int) -> HttpResponse:
    """Send a visitor whose session ended to the log-in page, and from there back to the match."""
    login_page = redirect_to_login(reverse("match", args=[match_id]))
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponseClientRedirect(login_page["Location"])
    return login_page
