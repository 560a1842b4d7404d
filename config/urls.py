"""Addresses: accounts, the outbox and the admin; everything else belongs to games."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from accounts.views import outbox, outbox_mail
from config.health import health, ready

# Staff log in where everybody does: with the same limits and the second step.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

admin.site.site_title = _("Nilepost moderation")  # type: ignore[assignment]
admin.site.site_header = _("Nilepost moderation")  # type: ignore[assignment]
admin.site.index_title = _("People, matches and mail")  # type: ignore[assignment]

urlpatterns = [
    path("health/", health, name="health"),
    path("ready/", ready, name="ready"),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("outbox/", outbox, name="outbox"),
    path("outbox/<int:mail_id>/", outbox_mail, name="outbox_mail"),
    path("admin/", admin.site.urls),
    path("api/", include("games.api.urls")),
    path("", include("games.urls")),
]
handler400, handler500 = "config.answers.refused", "config.answers.broken"
if settings.MAIL_WEBHOOK_SECRET:
    urlpatterns.insert(0, path("mail/reports/", include("anymail.urls")))
