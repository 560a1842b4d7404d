"""Matches, for those who run the site: to look at, never to change.

Changes go through services. The seed and the snapshot stay hidden while a match runs, for
whoever runs the site may also play.
"""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from games.models import Match, Move, Notice, Seat

SECRETS = ("seed", "snapshot", "link", "once")


class LookOnly:
    """No adding, changing or deleting."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


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

    def get_exclude(self, request: HttpRequest, obj: Match | None = None) -> tuple[str, ...]:
        over = obj is not None and obj.status == Match.Status.FINISHED
        return ("link", "once") if over else SECRETS


@admin.register(Move)
class MoveAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "match", "seat", "by", "epoch", "at")
    list_filter = ("by",)
    search_fields = ("=match__id",)
    list_select_related = ("match",)
    fields = ("match", "seat", "by", "epoch", "at")  # what a secret choice was stays secret


@admin.register(Notice)
class NoticeAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("kind", "seat", "created", "due", "sent", "attempts", "error")
    list_filter = ("kind",)
    list_select_related = ("seat__match", "seat__user", "seat__invitee")
