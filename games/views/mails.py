"""Asking for less mail: from a mail without logging in, and on the settings page.

An address in a mail is opened by robots before any person sees it. So opening changes nothing; a
change is a POST, by the button on the page or by a mail program (RFC 8058).
"""

from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.days import DayField
from accounts.models import User
from accounts.services import address_revived, feeds_reset
from config.posts import posted_from
from games import outbox, services
from games.models import Match, Seat
from games.tickets import Ticket, read_ticket

ONE_CLICK = "One-Click"  # what RFC 8058 makes a mail program post


@csrf_exempt  # the ticket is the permission; a mail program has no cookie
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ticket(request: HttpRequest, text: str) -> HttpResponse:
    """Show what a ticket is for; do it, or take it back, when that is posted."""
    found = read_ticket(text)
    if found is None:
        raise Http404
    user = User.objects.filter(pk=found.user, is_active=True).first() if found.user else None
    if user is None and not found.address:
        raise Http404
    with translation.override(user.language if user and user.language else _spoken(request)):
        if request.method != "POST":
            return _page(request, found, user)
        if request.POST.get("List-Unsubscribe") == ONE_CLICK:
            services.mail_less(found, user, until=_monday(user))
            return HttpResponse(status=200)
        wish = request.POST.get("wish")
        if wish not in {"less", "more"}:
            return HttpResponseBadRequest()
        return _change(request, found, user, wish)


def _change(request: HttpRequest, found: Ticket, user: User | None, wish: str) -> HttpResponse:
    """Do it or take it back; the page remembers what there was before."""
    until, before = _day(request) or _monday(user), request.POST.get("before", "")
    if wish == "less":
        before = user.notify if user else ""
        services.mail_less(found, user, until=until)
    else:
        services.mail_more(found, user, before=before)
    return _page(request, found, user, done=wish, until=until, before=before)


def _spoken(request: HttpRequest) -> str:
    return translation.get_language_from_request(request)


def _page(
    request: HttpRequest,
    found: Ticket,
    user: User | None,
    done: str = "",
    until: date | None = None,
    before: str = "",
) -> HttpResponse:
    match = Match.objects.filter(pk=found.match).first() if found.match else None
    context = {
        "scope": found.scope.value,
        "topic": found.scope.topic if user else None,
        "title": str(match) if match else "",
        "address": found.address,
        "done": done,
        "before": before,
        "until": until,
        "date": _monday(user).isoformat(),
        "today": timezone.localdate().isoformat(),
    }
    return render(request, "mail/ticket.html", context)


def _day(request: HttpRequest) -> date | None:
    """Read the day until which to snooze; nonsense is no day."""
    try:
        day: date | None = DayField(required=False).clean(request.POST.get("date"))
    except ValidationError:
        return None
    return day


def _monday(user: User | None) -> date:
    """Give the day a snooze ends if nobody says otherwise: the next Monday."""
    today = timezone.localdate(timezone=user.zone) if user else timezone.localdate()
    return today + timedelta(days=7 - today.weekday())


# --- on the site -----------------------------------------------------------------------------


@posted_from("account_settings")
@login_required
def test_mail(request: HttpRequest) -> HttpResponse:
    """Send the user a mail, now, and say what became of it."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required
    outcome: dict[str, Any] = {
        "sent": (messages.success, _("The test mail is on its way to you.")),
        "often": (messages.error, _("That was enough test mails for today.")),
        "unconfirmed": (messages.error, _("Confirm first that this address is yours.")),
        "nowhere": (messages.error, _("You have no e-mail address yet.")),
        "failed": (messages.error, _("The mail server did not take the test mail.")),
    }
    say, words = outcome[outbox.send_test(request.user, timezone.now())]
    say(request, words)
    return redirect(_section())


@posted_from("account_settings")
@login_required
def revive(request: HttpRequest) -> HttpResponse:
    """Try an address again that bounced."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required
    address_revived(request.user)
    messages.success(request, _("We will try your address again."))
    return redirect(_section())


@posted_from("account_settings")
@login_required
def new_feeds(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 - login_required
    feeds_reset(request.user)
    messages.success(request, _("Your feeds have new addresses."))
    return redirect(_section())


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mute(request: HttpRequest, match_id: int) -> HttpResponse:
    """Ask whether mails about one match shall stop, or begin again; then do it."""
    seat = get_object_or_404(Seat, match__pk=match_id, user=request.user)
    if request.method != "POST":
        return render(request, "games/mute.html", {"seat": seat, "title": str(seat.match)})
    muted = request.POST.get("muted") == "1"
    services.seat_mute(match_id=match_id, user_id=seat.user_id or 0, muted=muted)
    words = _("No more mails about this match.") if muted else _("This match is mailed again.")
    messages.success(request, words)
    return redirect("match", match_id)


def _section() -> str:
    return f"{reverse('account_settings')}#notifications"
