"""What is mine: everything kept about me as a file, the records of my matches, and my farewell."""

import zipfile
from collections.abc import Iterator

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from config.answers import too_often
from config.limits import HOUR, spent
from games import records, services
from games.belongings import belongings_of
from games.queries import matches_held_by

FILES_PER_HOUR = 10  # for one person: each reads all there is
AT_ONCE = 100  # matches read together


@require_safe
@login_required
@never_cache
def everything(request: HttpRequest) -> HttpResponseBase:
    """Hand out all that is kept about the visitor, as JSON."""
    pieces = belongings_of(_visitor(request))
    return _handed_out(request, pieces, "application/json", "nilepost.json")


@require_safe
@login_required
@never_cache
def my_records(request: HttpRequest) -> HttpResponseBase:
    """Hand out the records of all the visitor's finished matches, each as a text."""
    pieces = _zipped(_visitor(request))
    return _handed_out(request, pieces, "application/zip", "nilepost-matches.zip")


def _visitor(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - login_required has seen to it
    return request.user


def _handed_out(
    request: HttpRequest, pieces: Iterator[bytes], kind: str, name: str
) -> HttpResponseBase:
    if spent("belongings", request.user.pk, most=FILES_PER_HOUR, seconds=HOUR):
        return too_often(request, seconds=HOUR)
    answer = StreamingHttpResponse(pieces, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


class Pipe:
    """A file that cannot be read or rewound: what is written waits to be handed on."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []

    def write(self, piece: bytes, /) -> int:
        self.waiting.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Nothing to do: it keeps nothing back."""

    close = flush

    def taken(self) -> bytes:
        pieces, self.waiting = self.waiting, []
        return b"".join(pieces)


def _zipped(user: User) -> Iterator[bytes]:
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for match in matches_held_by(user).iterator(chunk_size=AT_ONCE):
            archive.writestr(records.name_of(match), records.written(records.record_from(match)))
            yield pipe.taken()
    yield pipe.taken()


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
@reauthentication_required
def farewell(request: HttpRequest) -> HttpResponse:
    """Say what deleting the account means; then do it, once the name is typed in."""
    user = _visitor(request)
    typed = request.POST.get("name", "").strip()
    if request.method == "POST" and typed.casefold() == user.username.casefold():
        services.person_leave(user=user)
        logout(request)
        messages.success(
            request, _("Your account is deleted. Farewell, and thank you for playing.")
        )
        return redirect("home")
    page = {"is_refused": request.method == "POST"}
    return render(request, "account/farewell.html", page, status=422 if page["is_refused"] else 200)
