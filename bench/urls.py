"""The site's addresses and, beside them, that of the bare application."""

from django.urls import path

from bench.bare.views import move
from config.urls import urlpatterns as site

urlpatterns = [path("bare/", move), *site]
