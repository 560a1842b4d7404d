"""Addresses of the API; each is described in description.py."""

from django.urls import path, re_path

from games.api import gate, views

urlpatterns = [
    path("openapi.json", views.openapi, name="api_description"),
    path("me/", views.me, name="api_me"),
    path("games/", views.games, name="api_games"),
    path("matches/", views.matches, name="api_matches"),
    path("matches/<int:match_id>/", views.match, name="api_match"),
    path("matches/<int:match_id>/log/", views.log, name="api_log"),
    path("matches/<int:match_id>/move/", views.move, name="api_move"),
    path("matches/<int:match_id>/undo/", views.undo, name="api_undo"),
    path("matches/<int:match_id>/join/", views.join, name="api_join"),
    path("matches/<int:match_id>/resign/", views.resign, name="api_resign"),
    re_path("", gate.nowhere, name="api_nowhere"),  # whatever else
]
