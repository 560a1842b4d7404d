"""Addresses: accounts, the outbox and the admin; everything else belongs to games."""

from django.contrib import admin
from django.urls import include, path

from accounts.views import outbox

urlpatterns = [
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("outbox/", outbox, name="outbox"),
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
]
