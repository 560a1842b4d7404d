"""The description of the API: whole, true, and fuzzed from its own words."""

import json
import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.urls import get_resolver
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from games.api.description import ADDRESSES, QUERIES, SHAPES, document
from games.api.shapes import faults
from games.models import Match
from tests.api.programs import Program
from tests.api.shapes import NONSENSE, near_misses, values
from tests.site.people import duel

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(anna):
    return Program(anna)


def test_the_description_is_served_and_names_every_address(client):
    told = client.get("/api/openapi.json").json()
    assert told == json.loads(json.dumps(document("http://localhost:8000")))
    served = {
        "/" + pattern.replace("%(match_id)s", "{match_id}")
        for name, entries in get_resolver().reverse_dict.lists()
        if isinstance(name, str) and name.startswith("api_")
        if name not in ("api_description", "api_nowhere")
        for ((pattern, _named),) in [entries[0][0]]
    }
    assert set(told["paths"]) == served


def test_every_part_that_is_named_is_there():
    text = json.dumps(document(""))
    named = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert named <= set(SHAPES)
    used = named | {takes for told in ADDRESSES.values() for _, takes, _ in told.values()}
    assert set(SHAPES) <= used


def test_the_description_has_what_openapi_asks_for():
    told = document("https://nilepost.example")
    assert (told["openapi"], set(told["info"]) >= {"title", "version"}) == ("3.1.0", True)
    operations = [
        (address, method, operation)
        for address, methods in told["paths"].items()
        for method, operation in methods.items()
    ]
    assert len({operation["operationId"] for *_, operation in operations}) == len(operations)
    for address, method, operation in operations:
        named = {(one["in"], one["name"]): one for one in operation["parameters"]}
        assert len(named) == len(operation["parameters"])
        in_address = set(re.findall(r"{(\w+)}", address))
        assert {name for place, name in named if place == "path"} == in_address
        assert all(one["required"] for (place, _), one in named.items() if place == "path")
        assert all("schema" in one for one in named.values())
        assert ("requestBody" in operation) == (method == "post")
        for status, answer in operation["responses"].items():
            assert (len(status), bool(answer["description"])) == (3, True)
    kinds = {"object", "array", "string", "integer", "boolean", "null"}
    for schema in schemas_in(told["components"]["schemas"]):
        given = schema["type"]
        assert {given} <= kinds if isinstance(given, str) else set(given) <= kinds
        assert set(schema.get("required", ())) <= set(schema.get("properties", {}))


def schemas_in(part: object) -> Iterator[dict[str, object]]:
    """Walk all that says of which type it is."""
    if isinstance(part, dict):
        if isinstance(part.get("type"), str | list):
            yield part
        for inner in part.values():
            yield from schemas_in(inner)


@pytest.mark.parametrize(
    ("value", "schema", "fits"),
    [
        (1, {"type": "integer"}, True),
        (True, {"type": "integer"}, False),
        (5, {"type": "integer", "maximum": 4}, False),
        (None, {"type": ["integer", "null"]}, True),
        ("ab", {"type": "string", "maxLength": 1}, False),
        ("a\x00", {"type": "string"}, False),
        ("x", {"type": "string", "pattern": "[0-9]+"}, False),
        ([1, "a"], {"type": "array", "items": {"type": "integer"}}, False),
        ([], {"type": "array", "minItems": 1}, False),
        ({"a": 1}, {"type": "object", "additionalProperties": False}, False),
        ({"a": 1}, {"type": "object", "additionalProperties": {"type": "string"}}, False),
        ({}, {"type": "object", "required": ["a"]}, False),
        ({"token": "1"}, {"$ref": "#/components/schemas/Undo"}, True),
    ],
)
def test_a_shape_is_recognised(value, schema, fits):
    assert (not list(faults(value, schema, SHAPES))) is fits


# --- fuzzed from its own description ---------------------------------------------------------

POSTS = [
    (address, SHAPES[told["post"][1]]) for address, told in ADDRESSES.items() if "post" in told
]
QUICK = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
EXPECTED = {200, 400, 403, 404, 409, 422}


@pytest.mark.slow
@pytest.mark.parametrize(("address", "schema"), POSTS, ids=[address for address, _ in POSTS])
@given(chosen=st.data())
@QUICK
def test_whatever_is_sent_gets_a_described_answer(address, schema, chosen, anna, bob):
    cache.clear()
    match = duel(anna, bob) if not Match.objects.exists() else Match.objects.first()
    program = Program(anna) if not anna.api_keys.exists() else chosen_program(anna)
    sent = chosen.draw(st.one_of(values(schema), near_misses(schema), NONSENSE))
    answer = program.ask(address.replace("{match_id}", str(match.pk)), sent or {})
    assert answer.status_code in EXPECTED
    if list(faults(sent or {}, schema, SHAPES)):
        assert answer.status_code == 400


def test_an_answer_never_holds_the_nul_that_was_sent(anna, bob):
    match = duel(anna, bob)
    answer = Program(anna).ask(f"/api/matches/{match.pk}/undo/", {"token": "1.0", "\x00": 0})
    assert (answer.status_code, answer.json()["faults"]) == (400, ["\\0: unknown"])


def chosen_program(user: User) -> Program:
    user.api_keys.all().delete()
    return Program(user)


@pytest.mark.parametrize("address", list(QUERIES))
@given(chosen=st.data())
@QUICK
def test_whatever_is_asked_gets_a_described_answer(address, chosen, anna, bob):
    cache.clear()
    match = duel(anna, bob) if not Match.objects.exists() else Match.objects.first()
    program = chosen_program(anna)
    query = chosen.draw(
        st.dictionaries(st.sampled_from([*QUERIES[address], "other"]), st.text(max_size=20))
    )
    path = address.replace("{match_id}", str(match.pk))
    answer = program.ask(f"{path}?{urlencode(query)}")
    assert answer.status_code in {200, 204, 400}


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b'"x"', b"null", b"1e999", b"[" * 5000])
def test_what_is_no_json_object_is_refused(anna, bob, program, body):
    match = duel(anna, bob)
    assert program.ask(f"/api/matches/{match.pk}/move/", body).status_code == 400


def test_a_body_that_is_too_long_is_refused_as_described(anna, bob, program):
    match = duel(anna, bob)
    body = b'{"move": "' + b"x" * 10_000_000 + b'"}'
    answer = program.ask(f"/api/matches/{match.pk}/move/", body)
    assert (answer.status_code, answer.json()["error"]) == (400, "malformed")
