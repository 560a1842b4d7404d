"""Open tables, and people who come to them with a browser."""

from django.test import Client

from accounts.models import User
from games.models import Match
from games.services import Opponent, match_create


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def open_table(host: User, *opponents: Opponent, **settings) -> Match:
    return match_create(
        user=host, game="obelisk", opponents=opponents or [Opponent("open")], **settings
    )


def log_in(page, name: str, then: str) -> None:
    page.goto(f"/accounts/login/?next={then}")
    page.fill("[name=login]", name)
    page.fill("[name=password]", "pyramid-22")
    page.click("main button[type=submit]")
    page.wait_for_url(f"**{then}")
