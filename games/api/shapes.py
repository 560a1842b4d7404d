"""Whether a JSON value has the shape that a JSON Schema describes: the small part of it we use.

What programs send is checked with this before anything else sees it; the tests check with it
whatever we answer.
"""

import re
from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def faults(value: Any, schema: Schema, parts: dict[str, Schema], where: str = "") -> Iterator[str]:
    """Tell what does not fit; nothing: it all does. `parts` are what `$ref` may name."""
    if "$ref" in schema:
        schema = parts[schema["$ref"].rpartition("/")[2]]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        yield f"{where or 'the body'}: not of type {' or '.join(kinds)}"
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{where}: none of {', '.join(map(str, schema['enum']))}"
    elif isinstance(value, str):
        yield from _text_faults(value, schema, where)
    elif isinstance(value, int) and not isinstance(value, bool):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            yield f"{where}: out of range"
    elif isinstance(value, list):
        yield from _list_faults(value, schema, parts, where)
    elif isinstance(value, dict):
        yield from _object_faults(value, schema, parts, where)


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, KINDS[kind]) and not (kind == "integer" and isinstance(value, bool))


def _text_faults(value: str, schema: Schema, where: str) -> Iterator[str]:
    if len(value) > schema.get("maxLength", len(value)):
        yield f"{where}: too long"
    elif not re.fullmatch(schema.get("pattern", r"[\s\S]*"), value):
        yield f"{where}: not of the form {schema['pattern']}"
    elif "\x00" in value:
        yield f"{where}: holds a NUL"


def _list_faults(
    value: list[Any], schema: Schema, parts: dict[str, Schema], where: str
) -> Iterator[str]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{where}: too many or too few"
    for number, item in enumerate(value):
        yield from faults(item, schema.get("items", {}), parts, f"{where}[{number}]")


def _object_faults(
    value: dict[str, Any], schema: Schema, parts: dict[str, Schema], where: str
) -> Iterator[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{where}.{name}: missing".lstrip(".")
    for name, item in value.items():
        place = f"{where}.{name}".lstrip(".").replace("\x00", "\\0")  # an answer holds no NUL
        if name in known:
            yield from faults(item, known[name], parts, place)
        elif others is False:
            yield f"{place}: unknown"
        elif isinstance(others, dict):
            yield from faults(item, others, parts, place)
