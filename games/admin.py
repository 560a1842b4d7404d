"""Matches, for those who run the site: to look at, and to rule on with a reason.

Changes go through services and into the audit log. The seed and the snapshot stay hidden while a
match runs, for whoever runs the site may also play; the board is shown as a spectator sees it.
"""

from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import F, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin import Discreet, LookOnly
from accounts.models import User
from games import pictures, prose, services
from games.engine.contract import Refused
from games.models import Holder, Match, Message, Move, Notice, Report, Seat
from games.queries import match_with_seats, session_of
from games.rulings import RULINGS

SECRETS = ("seed", "snapshot", "link", "once")


class SeatInline(LookOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Seat
    fields = ("index", "user", "bot", "invitee", "to_act", "deadline", "score", "rank")
    extra = 0


@admin.register(Match)
class MatchAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "game_slug", "status", "host", "pace_slug", "rated", "private", "created")
    list_filter = ("game_slug", "status", "pace_slug", "rated", "private")
    list_select_related = ("host",)
    search_fields = ("=id", "host__username", "seats__user__username")
    date_hierarchy = "created"
    inlines = (SeatInline,)
    change_form_template = "admin/games/match/look.html"

    def get_exclude(self, request: HttpRequest, obj: Match | None = None) -> tuple[str, ...]:
        over = obj is not None and obj.status == Match.Status.FINISHED
        return ("link", "once") if over else SECRETS

    def get_urls(self) -> list[URLPattern]:
        inside = self.admin_site.admin_view
        own = [
            path(
                f"<int:match_id>/{kind}/",
                inside(partial(self.rule, kind=kind)),
                name=f"games_match_{kind}",
            )
            for kind in RULINGS
        ]
        picture = path(
            "<int:match_id>/picture.png", inside(self.picture), name="games_match_picture"
        )
        return [*own, picture, *super().get_urls()]

    def may_rule(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_match")

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        kinds = [(kind, ruling.title) for kind, ruling in RULINGS.items()]
        more = {"rulings": kinds if self.may_rule(request) else []}
        return super().change_view(request, object_id, form_url, (extra_context or {}) | more)

    def picture(self, request: HttpRequest, match_id: int) -> HttpResponse:
        """Show the board as a spectator sees it."""
        match = match_with_seats(match_id)
        if match is None or not match.snapshot or not self.has_view_permission(request):
            raise Http404
        names = [seat.name for seat in match.seats.all()]
        words = pictures.Words(str(match.game.title), f"#{match.pk}", names)
        drawn = pictures.picture(match.game, session_of(match).state.view(None), words)
        return HttpResponse(drawn, content_type="image/png")

    def rule(self, request: HttpRequest, match_id: int, kind: str) -> HttpResponse:
        """Ask for the reason and the particulars; then rule."""
        match = match_with_seats(match_id)
        if not self.may_rule(request):
            raise PermissionDenied
        if match is None:
            raise Http404
        form = RULINGS[kind](match, request.POST or None)
        if request.method == "POST" and form.is_valid() and isinstance(request.user, User):
            try:
                form.rule(request.user)
            except Refused as refused:
                form.add_error(None, prose.refuse(refused, match.game))
            else:
                messages.success(request, _("Done, and written into the audit log."))
                return redirect("admin:games_match_change", match_id)
        page = {
            **self.admin_site.each_context(request),
            "title": f"{form.title}: {match}",
            "form": form,
            "match": match,
            "opts": self.opts,
        }
        status = 422 if form.is_bound else 200
        return TemplateResponse(request, "admin/games/match/ruling.html", page, status=status)


@admin.register(Move)
class MoveAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "match", "seat", "by", "epoch", "at")
    list_filter = ("by",)
    search_fields = ("=match__id",)
    list_select_related = ("match",)
    fields = ("match", "seat", "by", "epoch", "at")  # what a secret choice was stays secret

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        """List what is done for good: that something is laid out is its seat's alone to know."""
        return super().get_queryset(request).filter(epoch__lt=F("match__epoch"))


@admin.register(Holder)
class HolderAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("seat", "user", "since", "until", "ended", "turns", "missed")
    list_filter = ("ended",)
    search_fields = ("user__username", "=seat__match__id")
    list_select_related = ("seat__user", "seat__invitee", "user")


@admin.register(Notice)
class NoticeAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("kind", "seat", "created", "due", "sent", "attempts", "error")
    list_filter = ("kind",)
    list_select_related = ("seat__match", "seat__user", "seat__invitee")
    actions = ("retry",)

    @admin.action(description=gettext_lazy("Try again to send what was given up"))
    def retry(self, request: HttpRequest, chosen: QuerySet[Notice]) -> None:
        if not request.user.has_perm("games.change_notice"):
            raise PermissionDenied
        assert isinstance(request.user, User)  # noqa: S101 - nobody else gets here
        ids = list(chosen.values_list("pk", flat=True))
        count = services.notices_retry(notices=ids, by=request.user)
        words = _("%(count)s will be sent again.") % {"count": count}
        messages.success(request, words)


@admin.register(LogEntry)
class AuditAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The audit log: what each of the staff did, never to be changed."""

    list_display = ("action_time", "user", "content_type", "object_repr", "done")
    list_filter = ("action_time", "content_type")
    search_fields = ("user__username", "object_repr", "change_message")
    list_select_related = ("user", "content_type")
    date_hierarchy = "action_time"

    @admin.display(description=gettext_lazy("what was done"), ordering="change_message")
    def done(self, entry: LogEntry) -> str:
        return entry.get_change_message()


@admin.register(Report)
class ReportAdmin(Discreet, admin.ModelAdmin):  # type: ignore[type-arg]
    """Complaints: read, answered by what was done, and closed; nobody makes them up here."""

    list_display = ("about", "reason", "reporter", "match", "created", "is_closed")
    list_filter = ("is_closed", "reason")
    list_select_related = ("about", "reporter", "match")
    search_fields = ("about__username", "reporter__username", "words")
    readonly_fields = ("reporter", "about", "match", "reason", "words", "created", "said")
    fields = (*readonly_fields, "is_closed", "outcome")

    @admin.display(description=gettext_lazy("what was said in the match"))
    def said(self, report: Report) -> str:
        lines = Message.objects.filter(match=report.match).select_related("author").order_by("pk")
        return "\n".join(f"{line.author}: {line.text}" for line in lines)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
