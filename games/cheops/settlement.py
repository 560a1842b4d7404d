"""The final settlement of Cheops as a table: a row for each colour, a column for each player.

Says in words what a pair of numbers or a multiplier came to. Adds up nothing but what the view
already says each treasure was worth.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.catalogue import Part, Scene
from games.cheops.texts import COLOURS
from games.engine.contract import View


@dataclass(frozen=True, slots=True)
class Cell:
    count: int
    value: int
    joker: bool

    @property
    def total(self) -> int:
        return self.count * self.value


@dataclass(frozen=True, slots=True)
class Row:
    colour: str
    name: str
    number: str
    words: str  # how the number was read
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    cash: tuple[int, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]


def seat_names(scene: Scene) -> tuple[str, ...]:
    """Name the seats; nameless ones are counted."""
    players = scene.view["players"]
    return scene.names[:players] or tuple(str(seat + 1) for seat in range(players))


def table(scene: Scene) -> Table:
    view = scene.view
    seats = view["seats"]
    names = seat_names(scene)
    return Table(
        names=names,
        rows=tuple(_row(view, column, names) for column in view["boards"]),
        cash=tuple(seat["money"] for seat in seats),
        totals=tuple(seat["score"] for seat in seats),
        ranks=tuple(seat["rank"] for seat in seats),
    )


def tally(view: View) -> list[list[Part]]:
    """Tell for each seat whence its points came; the table above them says it by colour."""
    return [
        [Part(_("cash"), seat["money"]), Part(_("treasures"), seat["worth"])]
        for seat in view["seats"]
    ]


def _row(view: dict[str, Any], column: dict[str, Any], names: tuple[str, ...]) -> Row:
    number = column["entries"].split()[column["sold"]]
    named = view["joker_colour"] == column["colour"]
    return Row(
        colour=column["colour"],
        name=str(COLOURS[column["colour"]]),
        number=number,
        words=reading(view, column, names),
        cells=tuple(
            Cell(count, value, named and view["seats"][seat]["joker"])
            for seat, (count, value) in enumerate(
                zip(column["counts"], column["values"], strict=True)
            )
        ),
    )


def reading(view: View, column: dict[str, Any], names: tuple[str, ...]) -> str:
    """Spell out what the topmost number of a price board comes to; a plain one says it itself."""
    number = column["entries"].split()[column["sold"]]
    counts, values = column["counts"], column["values"]
    if number.startswith("x"):
        return _("%(times)s × %(all)s treasures in all stocks = %(value)s each") % {
            "times": number[1:],
            "all": sum(counts),
            "value": values[0],
        }
    if "/" in number:
        return _pair(view, counts, number, names)
    return ""


def _pair(view: dict[str, Any], counts: list[int], number: str, names: tuple[str, ...]) -> str:
    low, _slash, high = number.partition("/")
    one, rest = (low, high) if view["pair_rule"] == "majority_low" else (high, low)
    most = max(counts)
    if counts.count(most) > 1:
        return _("Nobody alone has most: everybody gets %(rest)s") % {"rest": rest}
    words = {"name": names[counts.index(most)], "one": one, "rest": rest}
    if int(one) < int(rest):
        return _("%(name)s has most and gets less: %(one)s, the others %(rest)s") % words
    return _("%(name)s has most and gets more: %(one)s, the others %(rest)s") % words
