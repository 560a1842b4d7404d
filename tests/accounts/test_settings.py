"""Languages, time zones and the settings page."""

import datetime

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db

ENGLISH, DUTCH = "<h1>Log in</h1>", "<h1>Inloggen</h1>"


@pytest.fixture
def user() -> User:
    return User.objects.create_user("Nefer", "nefer@example.org", "papyrus-and-lapis")


def test_strangers_read_their_browsers_language(client: Client) -> None:
    assert ENGLISH in client.get("/accounts/login/").content.decode()
    page = client.get("/accounts/login/", headers={"accept-language": "nl-BE,nl;q=0.9,en;q=0.5"})
    assert DUTCH in page.content.decode()


def test_the_switch_on_the_page_wins_over_the_browser(client: Client) -> None:
    client.post("/language/", {"language": "nl", "next": "/accounts/login/"})
    assert DUTCH in client.get("/accounts/login/").content.decode()


def test_the_users_setting_wins_over_the_browser(client: Client, user: User) -> None:
    client.force_login(user)
    form = {"language": "nl", "time_zone": "Africa/Cairo", "theme": "dark", "notify": "none"}
    saved = client.post("/accounts/settings/", form, follow=True)
    assert "Je instellingen zijn opgeslagen." in saved.content.decode()
    user.refresh_from_db()
    assert (user.language, user.time_zone, user.theme, user.notify) == tuple(form.values())
    page = client.get("/accounts/settings/", headers={"accept-language": "en"})
    assert "<h1>Instellingen</h1>" in page.content.decode()
    assert page["Content-Language"] == "nl"


@pytest.mark.parametrize(
    "wrong",
    [{"language": "xx"}, {"time_zone": "Nile/Delta"}, {"theme": "pink"}, {"notify": "often"}],
)
def test_wrong_settings_are_refused_and_change_nothing(
    client: Client, user: User, wrong: dict[str, str]
) -> None:
    client.force_login(user)
    form = {"language": "nl", "time_zone": "", "theme": "", "notify": "every_turn"} | wrong
    page = client.post("/accounts/settings/", form)
    assert (page.status_code, list(page.context["form"].errors)) == (200, list(wrong))
    user.refresh_from_db()
    assert (user.language, user.notify) == ("", "every_turn")


def test_settings_are_for_those_who_are_logged_in(client: Client) -> None:
    assert (
        client.get("/accounts/settings/")["Location"] == "/accounts/login/?next=/accounts/settings/"
    )


def test_a_visit_renews_the_session_at_most_once_a_week(client: Client, user: User) -> None:
    client.force_login(user)
    assert client.get("/accounts/settings/").cookies["sessionid"]["max-age"] == 365 * 24 * 60 * 60
    assert "sessionid" not in client.get("/accounts/settings/").cookies
    session = client.session
    week_ago = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=8)
    session["renewed"] = week_ago.isoformat()
    session.save()
    assert "sessionid" in client.get("/accounts/settings/").cookies
