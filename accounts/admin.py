"""People in the admin: Django's own pages with our fields added.

Nobody is deleted here: matches, results and the audit log of others hang on every user. An account
is locked by making it inactive. What opens an account (addresses, second steps) is changed by
superusers alone, and its secrets are read by nobody: who looks after people must not become them.
"""

from typing import Any

from allauth.account.admin import EmailAddressAdmin as BaseEmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as BaseGroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiKey, Delivery, Mail, User

POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")


class Discreet:
    """A list is narrowed by what it offers, and by nothing else.

    Django lets an address ask for any column of a list: letter by letter, whoever may look at it
    would find out the seed of a running match, a secret choice, or the key of a session.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        listed: Any = self  # a ModelAdmin
        offered = {listed.date_hierarchy, *listed.get_list_filter(request)}
        allowed: bool = super().lookup_allowed(lookup, value, request)  # type: ignore[misc]
        return allowed and lookup.partition("__")[0] in offered


class Kept(Discreet):
    """Never made or removed by hand."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class LookOnly(Kept):
    """Nor taken away."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class Guarded(Discreet):
    """Changed by superusers alone; others, if they have the permission, look."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(request.user.is_superuser)


for model in (Group, EmailAddress, Authenticator, UserSession):
    admin.site.unregister(model)


@admin.register(Group)
class GroupAdmin(Guarded, BaseGroupAdmin):
    pass


@admin.register(EmailAddress)
class EmailAddressAdmin(Guarded, BaseEmailAddressAdmin):  # type: ignore[misc]
    actions = None  # to confirm an address for somebody is a change


@admin.register(Authenticator)
class AuthenticatorAdmin(Guarded, admin.ModelAdmin):  # type: ignore[type-arg]
    """Second steps: a superuser takes one away that got lost; the secret of it nobody sees."""

    list_display = fields = readonly_fields = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    search_fields = ("user__username",)
    list_select_related = ("user",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(UserSession)
class UserSessionAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Visits: from where, and when; not the key, for who has it is that visitor."""

    list_display = fields = ("user", "created_at", "last_seen_at", "ip", "user_agent")
    search_fields = ("user__username", "ip")
    list_select_related = ("user",)


@admin.register(User)
class UserAdmin(Discreet, BaseUserAdmin):
    list_display = ("username", "email", "is_guest", "is_active", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_staff", "is_active", "language")
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ()
    fieldsets = (
        *(BaseUserAdmin.fieldsets or ()),
        (_("Settings"), {"fields": ("is_guest", "language", "time_zone", "theme", "notify")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        """Nobody makes oneself or others more than one is."""
        given = super().get_readonly_fields(request, obj)
        return [*given, *(() if request.user.is_superuser else POWERS)]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Accounts of staff, and their passwords, are changed by superusers alone."""
        may = super().has_change_permission(request, obj)
        return may and (obj is None or not obj.is_staff or request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False


@admin.register(ApiKey)
class ApiKeyAdmin(Kept, admin.ModelAdmin):  # type: ignore[type-arg]
    """Keys of programs: their use can be seen, and a key that got lost be deleted."""

    list_display = ("user", "name", "created", "used")
    search_fields = ("user__username",)
    list_select_related = ("user",)
    fields = ("user", "name", "created", "used")


@admin.register(Mail)
class MailAdmin(Kept, admin.ModelAdmin):  # type: ignore[type-arg]
    """Mail of others: it holds hands of running matches, and links that set a new password."""

    list_display = ("created", "to", "subject")
    search_fields = ("to", "subject")
    fields = ("to", "subject", "text", "html", "headers", "created")

    def has_view_permission(self, request: HttpRequest, obj: Mail | None = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)


@admin.register(Delivery)
class DeliveryAdmin(Kept, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("created", "to", "subject", "state", "error")
    list_filter = ("state",)
    search_fields = ("to", "message_id")
