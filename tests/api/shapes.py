"""Values of the shape a schema describes, and values that miss it: made from the schema itself."""

from typing import Any

from hypothesis import strategies as st

from games.api.description import SHAPES
from games.api.shapes import Schema

NONSENSE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(max_size=30),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=8), st.integers(), max_size=3),
)


def values(schema: Schema) -> st.SearchStrategy[Any]:
    """Draw what the schema allows."""
    if "$ref" in schema:
        return values(SHAPES[schema["$ref"].rpartition("/")[2]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return st.one_of([_of(kind, schema) for kind in kinds])


def _of(kind: str, schema: Schema) -> st.SearchStrategy[Any]:
    if kind == "integer":
        return st.integers(schema.get("minimum", -(2**31)), schema.get("maximum", 2**31))
    if kind == "boolean":
        return st.booleans()
    if kind == "null":
        return st.none()
    if kind == "array":
        least, most = schema.get("minItems", 0), min(schema.get("maxItems", 5), 5)
        return st.lists(values(schema["items"]), min_size=least, max_size=most)
    if kind == "object":
        known, needed = schema.get("properties", {}), schema.get("required", ())
        others = schema.get("additionalProperties")
        if not known and isinstance(others, dict):
            return st.dictionaries(st.text(max_size=8), values(others), max_size=3)
        return st.fixed_dictionaries(
            {name: values(known[name]) for name in needed},
            optional={name: values(known[name]) for name in known if name not in needed},
        )
    return st.text(st.characters(exclude_characters="\x00"), max_size=schema.get("maxLength", 60))


def near_misses(schema: Schema) -> st.SearchStrategy[Any]:
    """Draw what is almost allowed: a part is missing, of another kind, or one too many."""
    parts = list(schema.get("properties", {})) or ["nothing"]
    return st.builds(
        lambda value, name, nonsense: value | {name: nonsense},
        values(schema),
        st.sampled_from([*parts, "surplus"]),
        NONSENSE,
    )
