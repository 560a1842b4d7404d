"""People in the admin: Django's own pages with our fields added."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.utils.translation import gettext_lazy as _

from accounts.models import Mail, User


@admin.register(User)
class UserAdmin(BaseUserAdmin):
    list_display = ("username", "email", "is_guest", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_staff", "is_active", "language")
    fieldsets = (
        *(BaseUserAdmin.fieldsets or ()),
        (_("Settings"), {"fields": ("is_guest", "language", "time_zone", "theme", "notify")}),
    )


@admin.register(Mail)
class MailAdmin(admin.ModelAdmin):
    list_display = ("created", "to", "subject")
    search_fields = ("to", "subject")
    readonly_fields = ("to", "subject", "text", "html", "headers", "created")
