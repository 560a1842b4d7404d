"""What can be taken away from a match: a picture of a position, and the record of the whole."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.answers import too_often
from config.limits import HOUR, spent, whence
from games import pages, pictures, records
from games.models import Match
from games.views.history import step_of
from games.views.matches import found

PICTURES_PER_HOUR = 300  # for one address: each takes the machine a tenth of a second


@require_safe
def picture(request: HttpRequest, match_id: int) -> HttpResponse:
    """Draw a match after its n-th move, as this visitor may see it."""
    match = found(request, match_id)
    if not match.snapshot:
        raise Http404
    if spent("pictures", whence(request), most=PICTURES_PER_HOUR, seconds=HOUR):
        return too_often(request, seconds=HOUR)
    step = step_of(request, match)
    answer = HttpResponse(_drawn(step), content_type="image/png")
    # A match that is over does not change any more; what a seat sees is for nobody else's cache.
    is_over = match.status == Match.Status.FINISHED
    answer["Cache-Control"] = "private, max-age=86400" if is_over else "private, no-cache"
    return answer


def _drawn(step: pages.Step) -> bytes:
    words = pictures.Words(
        title=str(step.game.title),
        moment=_("Move %(at)s of %(last)s") % {"at": step.at, "last": len(step.numbers)},
        names=step.names,
    )
    return pictures.picture(step.game, step.view, words)


@require_safe
def record(request: HttpRequest, match_id: int) -> HttpResponse:
    """Hand out the record of a finished match; before that its seed is nobody's business."""
    match = found(request, match_id)
    if match.status != Match.Status.FINISHED:
        raise Http404
    text = records.written(records.record_from(match))
    name = records.name_of(match)
    return HttpResponse(
        text,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
