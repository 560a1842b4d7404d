"""The table: chance that can be repeated, speech, and what makes a move impossible to take back."""

from collections import Counter
from random import Random

import pytest

from games.engine.table import Line, Silent, Table


def draws(table: Table, *sizes: int) -> list[int]:
    return [table.below(n) for n in sizes]


# --- chance ----------------------------------------------------------------------------------


def test_the_sequence_of_a_seed_never_changes() -> None:
    """Pinned: if Python's generator changed, old matches could no longer be replayed."""
    table = Table("nilepost", 7)
    deck = list(range(10))
    table.shuffle(deck)
    assert deck == [4, 6, 2, 8, 9, 1, 0, 7, 3, 5]
    assert draws(table, 6, 6, 6, 100, 1000, 1_000_000) == [5, 4, 4, 31, 573, 722352]
    assert table.pick(["sun", "moon", "river", "stone"]) == "moon"


def test_the_same_seed_and_epoch_give_the_same_draws() -> None:
    assert draws(Table("s", 3), *[1000] * 20) == draws(Table("s", 3), *[1000] * 20)


@pytest.mark.parametrize("other", [Table("s", 4), Table("t", 3), Table("s:3", 3), Table("", 3)])
def test_another_seed_or_epoch_gives_other_draws(other: Table) -> None:
    assert draws(Table("s", 3), *[1000] * 20) != draws(other, *[1000] * 20)


def test_a_draw_lies_below_its_bound_and_reaches_every_number() -> None:
    for table in (Table("s", 1), Silent(Random(1))):
        assert set(draws(table, *[5] * 300)) == {0, 1, 2, 3, 4}
        assert set(draws(table, *[1] * 20)) == {0}


def test_even_the_greatest_random_number_stays_below_the_bound() -> None:
    class Greatest(Random):
        def random(self) -> float:
            return 1 - 2**-53

    table = Silent(Greatest())
    sizes = [*range(1, 200), 2**16 + 1, 10**6, 2**31 + 1]
    assert draws(table, *sizes) == [n - 1 for n in sizes]


def test_a_pick_is_one_of_the_items_and_may_be_any() -> None:
    for table in (Table("s", 1), Silent(Random(1))):
        assert {table.pick(["a", "b", "c"]) for _ in range(100)} == {"a", "b", "c"}


def test_a_shuffle_keeps_the_items_and_reaches_every_order_equally() -> None:
    for table in (Table("s", 1), Silent(Random(1))):
        orders: Counter[tuple[str, ...]] = Counter()
        for _ in range(6000):
            items = ["a", "b", "c"]
            table.shuffle(items)
            orders[tuple(items)] += 1
        assert len(orders) == 6
        assert all(850 < count < 1150 for count in orders.values())


def test_shuffling_nothing_or_one_thing_is_no_chance() -> None:
    table = Table("s", 1)
    for items in ([], ["a"]):
        table.shuffle(items)
    assert not table.sealed


# --- what seals ------------------------------------------------------------------------------


def test_a_fresh_table_is_not_sealed_and_speech_does_not_seal() -> None:
    table = Table("s", 1)
    table.tell("hello")
    table.whisper(0, "hello")
    assert not table.sealed


def test_chance_and_revelation_seal() -> None:
    for cause in (
        lambda table: table.below(2),
        lambda table: table.pick(["a"]),
        lambda table: table.shuffle(["a", "b"]),
        lambda table: table.reveal(),
    ):
        table = Table("s", 1)
        cause(table)
        assert table.sealed


# --- speech ----------------------------------------------------------------------------------


def test_lines_are_kept_in_order_with_whom_they_are_for() -> None:
    table = Table("s", 1)
    table.tell("took", seat=1, card="R4a")
    table.whisper(1, "saw", card="R3a")
    assert table.lines == [
        Line("took", {"seat": 1, "card": "R4a"}, None),
        Line("saw", {"card": "R3a"}, 1),
    ]


# --- the silent table ------------------------------------------------------------------------


def test_at_a_silent_table_nobody_listens() -> None:
    table = Silent(Random(1))
    table.tell("took", seat=1)
    table.whisper(1, "saw")
    table.reveal()
    assert table.lines == []


def test_a_silent_table_draws_from_the_generator_it_is_given() -> None:
    numbers, expected = Random(5), Random(5)
    deck, same = list(range(8)), list(range(8))
    table = Silent(numbers)
    assert table.below(10) == int(expected.random() * 10)
    table.shuffle(deck)
    for last in range(7, 0, -1):
        other = int(expected.random() * (last + 1))
        same[last], same[other] = same[other], same[last]
    assert (deck, numbers.random()) == (same, expected.random())


def test_both_tables_shuffle_alike() -> None:
    deck, same = list(range(20)), list(range(20))
    Table("s", 1).shuffle(deck)
    Silent(Random("s:1")).shuffle(same)
    assert deck == same
