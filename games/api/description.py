"""The description of the API (OpenAPI 3.1): what programs read, and what their requests are checked
against. An address is served only if it stands here.
"""

from typing import Any

from games.api.shapes import Schema
from games.clock import PACES
from games.engine.contract import LONGEST_MOVE
from games.models import Match

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
YES_OR_NO: Schema = {"type": "boolean"}
ANYTHING: Schema = {"type": "object"}
STATUSES = [str(value) for value in Match.Status.values]


def shape(required: dict[str, Schema], **more: Schema) -> Schema:
    """Describe an object; what stands in `more` may be missing."""
    return {"type": "object", "properties": required | more, "required": list(required)}


def body(required: dict[str, Schema], **more: Schema) -> Schema:
    """Describe what is sent to us: nothing else may stand in it. Answers may gain fields."""
    return shape(required, **more) | {"additionalProperties": False}


def listed(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def or_null(schema: Schema) -> Schema:
    return schema | {"type": [schema["type"], "null"]}


def part(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


MOMENT = TEXT | {"description": "a moment, as in 2026-03-01T19:04:00+00:00"}
TOKEN = TEXT | {"maxLength": 60, "description": "from the match as last seen; a stale one is 409"}

SHAPES: dict[str, Schema] = {
    "Error": shape({"error": TEXT, "message": TEXT}, faults=listed(TEXT)),
    "Me": shape({"name": TEXT, "waiting": NUMBER}),
    "Option": shape(
        {
            "key": TEXT,
            "label": TEXT,
            "values": listed({"type": ["integer", "string"]}),
            "default": {"type": ["integer", "string"]},
            "any_seat": YES_OR_NO,
        }
    ),
    "Game": shape(
        {
            "game": TEXT,
            "title": TEXT,
            "version": NUMBER,
            "seats": listed(NUMBER),
            "levels": listed(TEXT),
            "options": listed(part("Option")),
        }
    ),
    "Games": shape({"games": listed(part("Game")), "paces": listed(TEXT)}),
    "Entry": shape(
        {
            "id": NUMBER,
            "game": TEXT,
            "status": TEXT | {"enum": STATUSES},
            "seat": NUMBER,
            "my_turn": YES_OR_NO,
            "deadline": or_null(MOMENT),
            "revision": NUMBER,
        }
    ),
    "Entries": shape({"matches": listed(part("Entry")), "before": or_null(NUMBER)}),
    "Player": shape(
        {
            "seat": NUMBER,
            "name": TEXT,
            "bot": TEXT,
            "taken": YES_OR_NO,
            "deadline": or_null(MOMENT),
            "score": or_null(listed(NUMBER)),
            "rank": or_null(NUMBER),
        }
    ),
    "Match": shape(
        {
            "id": NUMBER,
            "game": TEXT,
            "version": NUMBER,
            "options": ANYTHING,
            "status": TEXT | {"enum": STATUSES},
            "pace": TEXT,
            "private": YES_OR_NO,
            "least_in_time": or_null(NUMBER),
            "commitment": TEXT,
            "revision": NUMBER,
            "seat": or_null(NUMBER),
            "token": TEXT,
            "to_act": listed(NUMBER),
            "can_undo": YES_OR_NO,
            "players": listed(part("Player")),
            "view": or_null(ANYTHING) | {"description": "all that your seat may know"},
            "moves": listed(TEXT) | {"description": "what your seat may do now"},
        }
    ),
    "Line": shape(
        {"key": TEXT, "args": ANYTHING, "text": TEXT, "seat": or_null(NUMBER), "by": TEXT}
    ),
    "Log": shape({"lines": listed(part("Line"))}),
    "NewMatch": body(
        {
            "game": TEXT | {"maxLength": 40},
            "opponents": listed(part("Opponent")) | {"minItems": 1, "maxItems": 8},
        },
        options={
            "type": "object",
            "additionalProperties": {"type": ["integer", "string"], "maxLength": 40},
        },
        pace=TEXT | {"enum": list(PACES)},
        private=YES_OR_NO,
        rated=YES_OR_NO,
        least_in_time=NUMBER
        | {"minimum": 1, "maximum": 100, "description": "per cent of turns made in time"},
    ),
    "Opponent": body(
        {"kind": TEXT | {"enum": ["open", "bot", "person"]}},
        who=TEXT | {"maxLength": 150, "description": "the level of a bot, the name of a person"},
    ),
    "NewMove": body({"token": TOKEN, "move": TEXT | {"maxLength": LONGEST_MOVE}}),
    "Undo": body({"token": TOKEN}, whole_turn=YES_OR_NO),
    "Join": body({}, link=TEXT | {"maxLength": 60, "description": "of a private table"}),
    "Nothing": body({}),
}

# address: {method: (what it does, the shape it takes, the shape it gives)}
ADDRESSES: dict[str, dict[str, tuple[str, str, str]]] = {
    "/api/me/": {"get": ("Who am I, and how many matches wait for me", "", "Me")},
    "/api/games/": {"get": ("The games and what can be chosen for them", "", "Games")},
    "/api/matches/": {
        "get": ("My matches, the newest first", "", "Entries"),
        "post": ("Open a table; it starts when nobody is missing", "NewMatch", "Match"),
    },
    "/api/matches/{match_id}/": {"get": ("A match as I may see it", "", "Match")},
    "/api/matches/{match_id}/log/": {"get": ("What was said, as I may read it", "", "Log")},
    "/api/matches/{match_id}/move/": {"post": ("Make a move", "NewMove", "Match")},
    "/api/matches/{match_id}/undo/": {"post": ("Take back a move, or the turn", "Undo", "Match")},
    "/api/matches/{match_id}/join/": {"post": ("Take a seat at a table", "Join", "Match")},
    "/api/matches/{match_id}/resign/": {"post": ("Give up", "Nothing", "Match")},
}
QUERIES: dict[str, dict[str, Schema]] = {
    "/api/matches/": {
        "status": TEXT | {"enum": STATUSES},
        "waiting": TEXT | {"enum": ["1"]},
        "before": NUMBER | {"minimum": 1, "maximum": 2**31},
    },
    "/api/matches/{match_id}/": {
        "seen": NUMBER | {"minimum": 0, "maximum": 2**31, "description": "revision; 204: no news"},
        "link": TEXT | {"maxLength": 60},
    },
}
REFUSALS = {
    "400": "the request is not of the form described here",
    "401": "no key, or a key that was revoked",
    "403": "you do not play in this match",
    "404": "there is nothing here for you",
    "409": "the match has changed since you looked",
    "422": "the rules do not allow it",
    "429": "too many requests; wait as long as Retry-After says",
    "500": "the fault is ours; nothing was changed",
    "503": "the site can write nothing just now, or read nothing; wait as long as Retry-After says",
}


def document(site: str) -> dict[str, Any]:
    """Put the description together as OpenAPI wants it."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Nilepost", "version": "1", "description": "See docs/api.md."},
        "servers": [{"url": site}],
        "security": [{"key": []}],
        "paths": {
            address: {
                method: _operation(address, method, *told) for method, told in methods.items()
            }
            for address, methods in ADDRESSES.items()
        },
        "components": {
            "schemas": SHAPES,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(address: str, method: str, what: str, takes: str, gives: str) -> dict[str, Any]:
    words = [part for part in address.split("/") if part]
    operation: dict[str, Any] = {
        "summary": what,
        "operationId": "_".join([method, *(word.strip("{}") for word in words[1:])]),
        "parameters": [
            {"name": name, "in": "query", "schema": schema}
            for name, schema in QUERIES.get(address, {}).items()
            if method == "get"
        ],
        "responses": {"200": _answer("done", gives)}
        | {status: _answer(words, "Error") for status, words in REFUSALS.items()},
    }
    if "{match_id}" in address:
        number = {"name": "match_id", "in": "path", "required": True, "schema": NUMBER}
        operation["parameters"].append(number)
    if "seen" in QUERIES.get(address, {}) and method == "get":
        operation["responses"]["204"] = {"description": "nothing has changed"}
    if takes:
        operation["requestBody"] = {"required": True, **_content(takes)}
    return operation


def _answer(words: str, name: str) -> dict[str, Any]:
    return {"description": words, **_content(name)}


def _content(name: str) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": part(name)}}}
