"""What a move costs in storage: a snapshot is written with every sealed move and must stay small.

Times are measured side by side in `make bench`; a test that asserts them fails on a busy machine.
"""

import orjson
import pytest

from tests.games.test_conformance import everywhere
from tests.walks import Case, own, record

pytestmark = pytest.mark.speed

SNAPSHOT = 4096  # bytes; a game that needs more says so in tests/games/<slug>/budget.py


@everywhere()
def test_a_snapshot_stays_within_its_budget(case: Case) -> None:
    module = own(case.game, "budget")
    budget = module.SNAPSHOT if module else SNAPSHOT
    states = [*(step.state for step in record(case).steps), record(case).end.state]
    assert max(len(orjson.dumps(state.dump())) for state in states) <= budget
