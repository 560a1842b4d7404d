"""Who may do what: every address of the site, for every kind of visitor.

The lines below are compared with the site's own list of addresses: a new address without a line
fails, and so does a line whose address is gone. To add a line:

1. Give the name of the address (as in urls.py), the method, the kind of match it is asked for
   (see MATCHES; `-`: none), and what each visitor gets (see WORDS), in the order of the heading.
2. Arguments of an address are filled in by their names (see `arguments`).
3. What a post carries, if it matters, goes into FORMS.

Whoever is refused, sent to log in or told that there is nothing must also leave nothing behind:
that is checked for every line. The admin has one rule for all its addresses, at the end.
"""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import NamedTuple

import pytest
from django.contrib.admin import site
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounts.models import Tie, User
from accounts.services import guest_create
from accounts.ties import tie_set
from games.lessons import Trail
from games.models import Match, Move, Seat
from games.services import (
    Opponent,
    match_create,
    match_join,
    match_leave,
    match_look,
    match_resign,
    seat_take,
)
from tests.site.people import legal, person, token

pytestmark = pytest.mark.django_db

WORDS = {
    "page": "it is shown or done (200), or nothing is new (204)",
    "goes": "it is done, or lies elsewhere: the visitor is sent there",
    "login": "the visitor is asked to log in first",
    "refused": "not possible, in words (409, 422)",
    "no": "forbidden (403)",
    "key": "only for programs with a key (401)",
    "gone": "there is nothing here for this visitor (404)",
}

LINES = """
address                    method match   | stranger guest   member  seat    ex-seat staff   blocked
# pages for everybody
home                       GET    -       | page     page    page    page    page    page    page
play                       POST   -       | goes     goes    goes    goes    goes    goes    goes
language                   POST   -       | goes     goes    goes    goes    goes    goes    goes
rules                      GET    -       | page     page    page    page    page    page    page
rules_of                   GET    -       | page     page    page    page    page    page    page
learn                      GET    -       | goes     goes    goes    goes    goes    goes    goes
lesson                     GET    -       | page     page    page    page    page    page    page
lesson_move                POST   -       | refused  refused refused refused refused refused refused
lesson_undo                POST   -       | refused  refused refused refused refused refused refused
lesson_restart             POST   -       | refused  refused refused refused refused refused refused
lesson_skip                POST   -       | goes     goes    goes    goes    goes    goes    goes
lobby                      GET    -       | page     page    page    page    page    page    page
new_match                  GET    -       | page     page    page    page    page    page    page
new_match_of               GET    -       | page     page    page    page    page    page    page
new_match_of               POST   -       | refused  refused refused refused refused refused refused
my_matches                 GET    -       | login    page    page    page    page    page    page
next_match                 GET    -       | login    goes    goes    goes    goes    goes    goes
outbox                     GET    -       | page     page    page    page    page    page    page
health                     GET    -       | page     page    page    page    page    page    page
ready                      GET    -       | page     page    page    page    page    page    page

# tables
match                      GET    table   | page     page    page    page    page    page    page
match                      GET    hidden  | gone     gone    gone    page    gone    gone    gone
table_seats                GET    table   | page     page    page    page    page    page    page
table_seats                GET    hidden  | gone     gone    gone    page    gone    gone    gone
match_join                 POST   table   | goes     goes    goes    goes    goes    goes    goes
match_join                 POST   hidden  | gone     gone    gone    goes    gone    gone    gone
match_leave                POST   table   | login    goes    goes    goes    goes    goes    goes
match_leave                POST   hidden  | login    gone    gone    goes    gone    gone    gone
match_start                POST   table   | login    goes    goes    goes    goes    goes    goes
match_start                POST   hidden  | login    gone    gone    goes    gone    gone    gone
match_cancel               POST   table   | login    goes    goes    goes    goes    goes    goes
match_cancel               POST   hidden  | login    gone    gone    goes    gone    gone    gone

# matches
match                      GET    public  | page     page    page    page    page    page    page
match                      GET    private | gone     gone    gone    page    page    gone    gone
match                      GET    over    | page     page    page    page    page    page    page
match_play                 GET    private | goes     goes    goes    goes    goes    goes    goes
match_play                 POST   public  | login    no      no      goes    no      no      no
match_play                 POST   private | login    gone    gone    goes    no      gone    gone
match_play                 POST   over    | login    no      no      refused no      no      no
match_undo                 POST   public  | login    no      no      refused no      no      no
match_undo                 POST   private | login    gone    gone    refused no      gone    gone
match_restart              POST   public  | login    no      no      refused no      no      no
match_restart              POST   private | login    gone    gone    refused no      gone    gone
match_resign               GET    public  | login    no      no      page    no      no      no
match_resign               POST   public  | login    no      no      goes    no      no      no
match_resign               POST   private | login    gone    gone    goes    no      gone    gone
match_rematch              POST   over    | login    no      no      goes    no      no      no
match_rematch              POST   private | login    gone    gone    refused refused gone    gone
match_affair               POST   public  | login    no      no      refused no      no      no
match_affair               POST   private | login    gone    gone    refused no      gone    gone
match_take                 POST   public  | refused  refused refused goes    refused refused refused
match_take                 POST   private | gone     gone    gone    goes    refused gone    gone
match_others               GET    public  | goes     goes    goes    page    goes    goes    goes
match_others               GET    private | gone     gone    gone    page    goes    gone    gone
match_replay               GET    public  | page     page    page    page    page    page    page
match_replay               GET    private | gone     gone    gone    page    page    gone    gone
match_picture              GET    public  | page     page    page    page    page    page    page
match_picture              GET    private | gone     gone    gone    page    page    gone    gone
match_picture              GET    table   | gone     gone    gone    gone    gone    gone    gone
match_record               GET    over    | page     page    page    page    page    page    page
match_record               GET    public  | gone     gone    gone    gone    gone    gone    gone
match_record               GET    private | gone     gone    gone    gone    gone    gone    gone
match_chat                 GET    public  | gone     gone    gone    goes    gone    gone    gone
match_chat                 GET    private | gone     gone    gone    goes    gone    gone    gone
match_chat                 POST   public  | gone     gone    gone    goes    gone    gone    gone
match_chat                 POST   private | gone     gone    gone    goes    gone    gone    gone
match_note                 POST   public  | login    goes    goes    goes    goes    goes    goes
match_note                 POST   private | login    gone    gone    goes    goes    gone    gone
match_check                GET    public  | page     page    page    page    page    page    page
match_check                GET    private | gone     gone    gone    page    page    gone    gone

# programs: a key counts, a log-in does not
api_description            GET    -       | page     page    page    page    page    page    page
api_me                     GET    -       | key      key     key     key     key     key     key
api_games                  GET    -       | key      key     key     key     key     key     key
api_matches                GET    -       | key      key     key     key     key     key     key
api_matches                POST   -       | key      key     key     key     key     key     key
api_match                  GET    public  | key      key     key     key     key     key     key
api_log                    GET    public  | key      key     key     key     key     key     key
api_move                   POST   public  | key      key     key     key     key     key     key
api_undo                   POST   public  | key      key     key     key     key     key     key
api_join                   POST   table   | key      key     key     key     key     key     key
api_resign                 POST   public  | key      key     key     key     key     key     key

# mails and feeds
mail_ticket                GET    -       | gone     gone    gone    gone    gone    gone    gone
mail_ticket                POST   -       | gone     gone    gone    gone    gone    gone    gone
test_mail                  POST   -       | login    goes    goes    goes    goes    goes    goes
mail_revive                POST   -       | login    goes    goes    goes    goes    goes    goes
feeds_reset                POST   -       | login    goes    goes    goes    goes    goes    goes
feed_calendar              GET    -       | gone     gone    gone    gone    gone    gone    gone
feed_atom                  GET    -       | gone     gone    gone    gone    gone    gone    gone
feed_json                  GET    -       | gone     gone    gone    gone    gone    gone    gone
match_mute                 GET    public  | login    gone    gone    page    gone    gone    gone
match_mute                 POST   public  | login    gone    gone    goes    gone    gone    gone
match_mute                 POST   private | login    gone    gone    goes    gone    gone    gone

# time
vacation                   GET    -       | login    page    page    page    page    page    page
vacation                   POST   -       | login    refused refused refused refused refused refused
vacation_end               POST   -       | login    goes    goes    goes    goes    goes    goes

# people
my_people                  GET    -       | login    page    page    page    page    page    page
person                     GET    -       | page     page    page    page    page    page    page
history                    GET    -       | page     page    page    page    page    page    page
history_csv                GET    -       | page     page    page    page    page    page    page
history_json               GET    -       | page     page    page    page    page    page    page
tie                        POST   -       | login    goes    goes    goes    goes    goes    goes
report                     GET    -       | login    page    page    page    page    page    page
report                     POST   -       | login    goes    goes    goes    goes    goes    goes
my_everything              GET    -       | login    page    page    page    page    page    page
my_records                 GET    -       | login    page    page    page    page    page    page
farewell                   GET    -       | login    page    goes    goes    goes    goes    goes
farewell                   POST   -       | login    refused goes    goes    goes    goes    goes
leaderboards               GET    -       | goes     goes    goes    goes    goes    goes    goes
leaderboard                GET    -       | page     page    page    page    page    page    page

# accounts
account_programs           GET    -       | login    page    page    page    page    page    page
account_programs           POST   -       | login    page    page    page    page    page    page
account_program_revoke     POST   -       | login    goes    goes    goes    goes    goes    goes
account_signup             GET    -       | page     page    goes    goes    goes    goes    goes
account_login              GET    -       | page     page    goes    goes    goes    goes    goes
account_logout             GET    -       | goes     page    page    page    page    page    page
account_settings           GET    -       | login    page    page    page    page    page    page
account_settings           POST   -       | login    page    page    page    page    page    page
account_settings_of        GET    -       | login    page    page    page    page    page    page
account_settings_of        POST   -       | login    goes    goes    goes    goes    goes    goes
account_inactive           GET    -       | page     page    page    page    page    page    page
account_reauthenticate     GET    -       | login    no      page    page    page    page    page
account_email              GET    -       | login    goes    page    page    page    page    page
account_email_verification_sent GET -     | page     page    page    page    page    page    page
account_confirm_email      GET    -       | page     page    page    page    page    page    page
account_change_password    GET    -       | login    goes    page    page    page    page    page
account_set_password       GET    -       | login    goes    goes    goes    goes    goes    goes
account_reset_password     GET    -       | page     page    page    page    page    page    page
account_reset_password_done GET -         | page     page    page    page    page    page    page
account_reset_password_from_key GET -     | page     page    page    page    page    page    page
account_reset_password_from_key_done GET - | page     page    page    page    page    page    page
account_confirm_login_code GET    -       | login    goes    goes    goes    goes    goes    goes
mfa_index                  GET    -       | login    goes    page    page    page    page    page
mfa_authenticate           GET    -       | login    login   goes    goes    goes    goes    goes
mfa_reauthenticate         GET    -       | login    goes    goes    goes    goes    goes    goes
mfa_activate_totp          GET    -       | login    goes    goes    goes    goes    goes    goes
mfa_deactivate_totp        GET    -       | login    goes    gone    gone    gone    gone    gone
mfa_view_recovery_codes    GET    -       | login    goes    gone    gone    gone    gone    gone
mfa_generate_recovery_codes GET -         | login    goes    goes    goes    goes    goes    goes
mfa_download_recovery_codes GET -         | login    goes    gone    gone    gone    gone    gone
mfa_list_webauthn          GET    -       | login    goes    page    page    page    page    page
mfa_add_webauthn           GET    -       | login    goes    goes    goes    goes    goes    goes
mfa_reauthenticate_webauthn GET -         | login    goes    goes    goes    goes    goes    goes
mfa_remove_webauthn        GET    -       | login    goes    goes    goes    goes    goes    goes
mfa_edit_webauthn          GET    -       | login    goes    goes    goes    goes    goes    goes
mfa_login_webauthn         GET    -       | login    login   goes    goes    goes    goes    goes
usersessions_list          GET    -       | login    goes    page    page    page    page    page
"""

FORMS: dict[str, Callable[[Match], dict[str, object]]] = {
    "language": lambda match: {"language": "nl"},
    "report": lambda match: {"reason": "other"},
    "match_play": lambda match: {"token": token(match, 0), "move": legal(match, 0)[0]},
    "match_undo": lambda match: {"token": token(match, 0)},
    "match_restart": lambda match: {"token": token(match, 0)},
}


# --- the visitors and the matches ------------------------------------------------------------


class Cast:
    """Somebody of every kind; `seat` hosts whatever match is asked for, and blocks `blocked`."""

    def __init__(self) -> None:
        self.seat = person("Seth")
        self.partner = person("Pepi")
        self.substitute = person("Sutu")
        self.people: dict[str, User | None] = {
            "stranger": None,
            "guest": guest_create(),
            "member": person("Mina"),
            "seat": self.seat,
            "ex-seat": person("Xois"),
            "staff": person("Root", is_staff=True, is_superuser=True),
            "blocked": person("Boqi"),
        }
        tie_set(user=self.seat, other=self.people["blocked"], kind=Tie.Kind.BLOCKED)


def table(cast: Cast, private: bool = False, **settings: object) -> Match:
    """An open table at which one more has sat."""
    former = cast.people["ex-seat"]
    match = match_create(
        user=cast.seat,
        game="obelisk",
        opponents=[Opponent("open"), Opponent("open")],
        options={"first_player": 0},
        private=private,
        **settings,
    )
    match_join(match_id=match.pk, user=former, link=match.link)
    match_leave(match_id=match.pk, user=former)
    return match


def offered(cast: Cast, private: bool = False) -> Match:
    """A match of three that one has left: anybody may take that seat."""
    match = table(cast, private)
    for other in (cast.partner, cast.people["ex-seat"]):
        match_join(match_id=match.pk, user=other, link=match.link)
    match_resign(match_id=match.pk, user=cast.people["ex-seat"])
    match_look(match_id=match.pk, now=timezone.now() + timedelta(days=3))
    return match


def running(cast: Cast, private: bool = False) -> Match:
    """A match of three; one has left it, and another has taken over that seat."""
    match = offered(cast, private)
    seat_take(match_id=match.pk, user=cast.substitute, link=match.link)
    return match


def over(cast: Cast) -> Match:
    match = running(cast)
    Match.objects.filter(pk=match.pk).update(status="finished", finished=timezone.now())
    return match


MATCHES: dict[str, Callable[[Cast], Match | None]] = {
    "-": lambda cast: None,
    "table": table,
    "hidden": lambda cast: table(cast, private=True),
    "public": running,
    "private": lambda cast: running(cast, private=True),
    "over": over,
}


# --- reading the lines -----------------------------------------------------------------------


class Rule(NamedTuple):
    address: str
    method: str
    match: str
    answers: dict[str, str]  # by visitor

    def __str__(self) -> str:
        return f"{self.address}-{self.method}-{self.match}"


def rules() -> list[Rule]:
    heading, *lines = [line for line in LINES.splitlines() if line and line[0] != "#"]
    visitors = heading.partition("|")[2].split()
    found = []
    for line in lines:
        left, _, right = line.partition("|")
        answers = dict(zip(visitors, right.split(), strict=True))
        assert set(answers.values()) <= set(WORDS), line
        found.append(Rule(*left.split(), answers))
    return found


def addresses(resolver: URLResolver | None = None, space: str = "") -> Iterator[tuple[str, str]]:
    """Walk the site's own list: the name space and the name of each address."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, pattern.namespace or space)
        elif isinstance(pattern, URLPattern):
            yield space, pattern.name or ""


def admin_addresses() -> list[str]:
    """List where everything in the admin is, with the number 1 wherever a number is asked for."""
    found = []
    for pattern in site.get_urls():
        parts = pattern.url_patterns if isinstance(pattern, URLResolver) else [pattern]
        start = str(pattern.pattern) if isinstance(pattern, URLResolver) else ""
        found += [re.sub("<[^>]*>", "1", f"/admin/{start}{part.pattern}") for part in parts]
    return [address for address in found if not re.search(r"[\^$]", address)]


def arguments(address: str, match: Match | None) -> dict[str, object]:
    """Fill in what an address asks for."""
    known = {
        "match_id": match.pk if match else 1,
        "slug": "obelisk",
        "key": "unknown",
        "key_id": 1,
        "uidb36": "1",
        "text": "unknown",
        "section": "zone",
        "trail": Trail(),
        "vacation_id": 1,
        "name": "Pepi",
        "pk": 1,
    }
    (_pattern, wanted), *_ = get_resolver().reverse_dict.getlist(address)[0][0]
    return {name: known[name] for name in wanted}


def asked(client: Client, method: str, address: str, form: dict[str, object]) -> HttpResponse:
    return client.get(address) if method == "GET" else client.post(address, form)


def word_of(answer: HttpResponse) -> str:
    target = answer.get("Location", "")
    if answer.status_code in (301, 302):
        return "login" if target.startswith(reverse("account_login")) else "goes"
    named = {
        200: "page",
        204: "page",
        401: "key",
        403: "no",
        404: "gone",
        409: "refused",
        422: "refused",
    }
    return named.get(answer.status_code, str(answer.status_code))


def kept() -> list[object]:
    """What a refused visitor must leave as it was."""
    rows = (Match.objects, Seat.objects, Move.objects, User.objects)
    return [list(table.order_by("pk").values()) for table in rows]


@pytest.fixture(autouse=True)
def _embedded_mailbox(settings):
    settings.EMAIL_BACKEND = settings.EMBEDDED_MAILBOX  # else there is no outbox page


# --- the rules -------------------------------------------------------------------------------


def test_every_address_has_a_line_and_every_line_an_address():
    named = {name for space, name in addresses() if not space}
    assert {rule.address for rule in rules()} == named


@pytest.mark.parametrize("rule", rules(), ids=str)
def test_everybody_gets_what_the_table_says(rule):
    cast = Cast()
    match = MATCHES[rule.match](cast)
    address = reverse(rule.address, kwargs=arguments(rule.address, match))
    form = FORMS[rule.address](match) if rule.address in FORMS and rule.method == "POST" else {}
    found = {}
    for visitor, user in cast.people.items():
        client = Client()
        if user:
            client.force_login(user)
        before = kept()
        undone = transaction.savepoint()
        found[visitor] = word_of(asked(client, rule.method, address, form))
        if found[visitor] not in ("page", "goes"):
            assert kept() == before, visitor
        transaction.savepoint_rollback(undone)
    assert found == rule.answers


OPEN_TO_ALL = {"/admin/login/", "/admin/logout/", "/admin/jsi18n/"}


@pytest.mark.parametrize("visitor", ["stranger", "guest", "member", "seat", "ex-seat"])
def test_only_staff_comes_into_the_admin(visitor):
    cast = Cast()
    running(cast)
    client = Client()
    if user := cast.people[visitor]:
        client.force_login(user)
    before = kept()
    found = {}
    for address in admin_addresses():
        for answer in (client.get(address), client.post(address, {})):
            found[address] = (answer.status_code, answer.get("Location", "").partition("?")[0])
    assert kept() == before
    entered = {address for address, answer in found.items() if answer != (302, "/admin/login/")}
    assert len(found) > 30
    assert entered <= OPEN_TO_ALL


@pytest.mark.parametrize(("kind", "address"), [("table", "match_join"), ("offered", "match_take")])
def test_who_is_blocked_by_a_seat_gets_no_seat_beside_it(kind, address):
    cast = Cast()
    match = table(cast) if kind == "table" else offered(cast)
    found = {}
    for visitor in ("member", "blocked"):
        undone = transaction.savepoint()
        client = Client()
        client.force_login(cast.people[visitor])
        client.post(reverse(address, args=[match.pk]))
        found[visitor] = match.seats.filter(user=cast.people[visitor]).count()
        transaction.savepoint_rollback(undone)
    assert found == {"member": 1, "blocked": 0}
