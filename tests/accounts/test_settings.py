"""Languages, time zones and the settings page with its sections."""

import datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from accounts.avatars import avatar_of
from accounts.forms import LookForm
from accounts.models import User
from accounts.services import guest_create

pytestmark = pytest.mark.django_db

ENGLISH, DUTCH = "<h1>Log in</h1>", "<h1>Inloggen</h1>"
SETTINGS = "/accounts/settings/"


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


MAILS = {"notify": "digest", "mail_delay": 30, "mail_hours": 12, "digest_hour": 7}


def test_the_users_setting_wins_over_the_browser(client: Client, user: User) -> None:
    client.force_login(user)
    saved = client.post(f"{SETTINGS}look/", {"language": "nl", "theme": "dark"}, follow=True)
    assert "Je instellingen zijn opgeslagen." in saved.content.decode()
    user.refresh_from_db()
    assert (user.language, user.theme) == ("nl", "dark")
    page = client.get(SETTINGS, headers={"accept-language": "en"})
    assert "<h1>Instellingen</h1>" in page.content.decode()
    assert page["Content-Language"] == "nl"


@pytest.mark.parametrize(
    ("section", "form"),
    [
        ("profile", {"username": "Ankh"}),
        ("look", {"language": "nl", "theme": "dark"}),
        ("zone", {"time_zone": "Africa/Cairo"}),
        ("board", {"confirm_turn": True, "animation": True}),
    ],
)
def test_a_section_saves_its_own_fields_and_no_others(
    client: Client, user: User, section: str, form: dict[str, object]
) -> None:
    before = User.objects.values().get()
    client.force_login(user)
    response = client.post(f"{SETTINGS}{section}/", form)
    assert response["Location"] == f"{SETTINGS}#{section}"
    after = User.objects.values().get()
    changed = {"last_login": after["last_login"], "seen": after["seen"]}
    assert after == before | form | changed


def test_what_happens_while_a_section_is_saved_is_kept(user: User) -> None:
    looked_at = User.objects.get(pk=user.pk)
    User.objects.update(dead_address="ramses@example.org")
    LookForm({"language": "nl", "theme": "dark"}, instance=looked_at).save()
    user.refresh_from_db()
    assert (user.theme, user.dead_address) == ("dark", "ramses@example.org")


def test_notifications_are_saved_by_themselves(client: Client, user: User) -> None:
    User.objects.update(time_zone="Africa/Cairo")
    before = User.objects.values().get()
    client.force_login(user)
    form = MAILS | {"topics": ["reminders", "chat"], "snooze": "2030-01-02", "unsubscribed": "on"}
    response = client.post(f"{SETTINGS}notifications/", form)
    assert response["Location"] == f"{SETTINGS}#notifications"
    after = User.objects.values().get()
    assert after == before | MAILS | {
        "declined": ["course", "tables", "invitations", "nudges", "vacation"],
        "snoozed_until": datetime.datetime(2030, 1, 2, 7, tzinfo=ZoneInfo("Africa/Cairo")),
        "unsubscribed": True,
        "last_login": after["last_login"],
        "seen": after["seen"],
    }


@pytest.mark.parametrize(
    ("section", "wrong"),
    [
        ("profile", {"username": "two words"}),
        ("profile", {"username": "Guest-abcde"}),
        ("profile", {"username": "ramses"}),
        ("look", {"language": "xx", "theme": ""}),
        ("look", {"language": "", "theme": "pink"}),
        ("zone", {"time_zone": "Nile/Delta"}),
        ("notifications", MAILS | {"notify": "often"}),
        ("notifications", MAILS | {"mail_delay": "1"}),
        ("notifications", MAILS | {"digest_hour": "24"}),
        ("notifications", MAILS | {"topics": ["weather"]}),
        ("notifications", MAILS | {"snooze": "yesterday"}),
        ("notifications", MAILS | {"snooze": "9999-12-31"}),
    ],
)
def test_wrong_settings_are_refused_and_change_nothing(
    client: Client, user: User, section: str, wrong: dict[str, str]
) -> None:
    User.objects.create_user("Ramses")
    client.force_login(user)
    before = User.objects.values().get(pk=user.pk)
    page = client.post(f"{SETTINGS}{section}/", wrong)
    assert (page.status_code, page.context["refused"]) == (200, section)
    assert len(page.context["forms"][section].errors) == 1
    assert "<summary><span>Nefer</span></summary>" in page.content.decode()
    after = User.objects.values().get(pk=user.pk)
    assert after == before | {"seen": after["seen"]}


def test_there_are_no_other_sections(client: Client, user: User) -> None:
    client.force_login(user)
    assert client.get(f"{SETTINGS}nonsense/").status_code == 404
    assert client.post(f"{SETTINGS}is_staff/", {"is_staff": "1"}).status_code == 404


def test_a_guest_has_a_name_of_the_site_and_keeps_it(client: Client) -> None:
    guest = guest_create()
    client.force_login(guest)
    client.post(f"{SETTINGS}profile/", {"username": "Pharaoh"})
    assert User.objects.get().username == guest.username
    assert 'href="/accounts/password/change/"' not in client.get(SETTINGS).content.decode()


@pytest.mark.parametrize(
    "page", ["password/change", "password/set", "email", "2fa", "2fa/totp/activate", "sessions"]
)
def test_pages_about_logging_in_lead_a_guest_to_the_sign_up(client: Client, page: str) -> None:
    client.force_login(guest_create())
    assert client.get(f"/accounts/{page}/")["Location"] == "/accounts/signup/"


def test_a_confirmed_time_zone_leads_back_to_where_it_was_asked(client: Client, user: User) -> None:
    client.force_login(user)
    assert "data-zone-guess" in client.get("/matches/").content.decode()
    form = {"time_zone": "Europe/Amsterdam", "next": "/matches/"}
    assert client.post(f"{SETTINGS}zone/", form)["Location"] == "/matches/"
    assert "data-zone-guess" not in client.get("/matches/").content.decode()
    form = {"time_zone": "Europe/Amsterdam", "next": "https://evil.example/"}
    assert client.post(f"{SETTINGS}zone/", form)["Location"] == f"{SETTINGS}#zone"


def test_stillness_is_told_to_every_page(client: Client, user: User) -> None:
    client.force_login(user)
    assert 'data-motion="off"' not in client.get("/").content.decode()
    client.post(f"{SETTINGS}board/", {})
    assert 'data-motion="off"' in client.get("/").content.decode()


def test_a_name_has_one_drawing_in_any_case_of_letters() -> None:
    assert avatar_of("Nefer") == avatar_of("NEFER")
    drawings = {avatar_of(f"player{number}") for number in range(100)}
    assert len(drawings) > 75


def test_settings_are_for_those_who_are_logged_in(client: Client) -> None:
    assert client.get(SETTINGS)["Location"] == f"/accounts/login/?next={SETTINGS}"
    for section in ("profile", "look", "zone", "board", "notifications"):
        page = client.post(f"{SETTINGS}{section}/", {})
        assert page["Location"] == f"/accounts/login/?next={SETTINGS}{section}/"


def test_a_visit_renews_the_session_at_most_once_a_week(client: Client, user: User) -> None:
    client.force_login(user)
    assert client.get(SETTINGS).cookies["sessionid"]["max-age"] == 365 * 24 * 60 * 60
    assert "sessionid" not in client.get(SETTINGS).cookies
    session = client.session
    week_ago = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=8)
    session["renewed"] = week_ago.isoformat()
    session.save()
    assert "sessionid" in client.get(SETTINGS).cookies
