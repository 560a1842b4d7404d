"""docs/proof.md names tests that are there."""

import re
from pathlib import Path

from django.conf import settings

NAMED = re.compile(r"`(tests/\S+\.py)::(test_\w+)`")


def test_every_test_that_the_document_names_is_there():
    root = Path(settings.BASE_DIR)
    named = NAMED.findall((root / "docs" / "proof.md").read_text())
    missing = [
        f"{path}::{name}"
        for path, name in named
        if not re.search(rf"^def {name}\(", (root / path).read_text(), re.MULTILINE)
    ]
    assert len(named) > 25
    assert missing == []
