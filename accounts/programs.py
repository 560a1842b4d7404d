"""The page for programs that act for a user: make a key, see the keys there are, revoke one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.apikeys import MOST_KEYS, key_create, key_revoke
from accounts.models import ApiKey, User
from config.posts import posted_from

LONGEST_NAME = ApiKey._meta.get_field("name").max_length


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def programs(request: HttpRequest) -> HttpResponse:
    """List a member's keys; a new one is shown this once and never again."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - login_required has seen to it
    secret = ""
    if request.method == "POST" and not user.is_guest:
        name = request.POST.get("name", "").replace("\x00", "").strip()[:LONGEST_NAME]
        secret = key_create(user, name or _("A program"))
        if not secret:
            words = _("You have %(most)s keys already. Revoke one first.") % {"most": MOST_KEYS}
            messages.error(request, words)
    page = {"secret": secret, "keys": list(user.api_keys.all()), "longest": LONGEST_NAME}
    return render(request, "account/programs.html", page)


@posted_from("account_programs")
@login_required
def revoke(request: HttpRequest, key_id: int) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 - login_required has seen to it
    key_revoke(request.user, key_id)
    messages.success(request, _("The key is revoked."))
    return redirect("account_programs")
