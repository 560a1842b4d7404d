"""One scene while it is drawn: what all parts of the drawing ask again and again."""

from functools import cache
from typing import Any, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.catalogue import Scene
from games.engine.contract import Atom
from games.valley import chart
from games.valley.components import NODE, PLACE, cost
from games.valley.taps import Taps
from games.valley.texts import NAMES


@cache
def spoken(language: str) -> dict[str, str]:
    """All names in the active language."""
    return {key: str(name) for key, name in NAMES.items()}


class Stand(NamedTuple):
    """A figure on its place."""

    seat: int
    kind: str  # o: overseer, w: worker
    number: int
    node: Atom

    @property
    def art(self) -> str:
        return f"{self.kind}{self.seat}"

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.seat}-{self.number}"


class Look:
    """A scene with its figures sorted by place."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.view = scene.view
        self.you: int | None = scene.view["you"]
        self.taps = Taps(scene)
        self.ground = chart.ground(scene.view["players"])
        self.words = spoken(get_language() or "")
        self.figures: dict[int, list[Stand]] = {}
        for seat, shown in enumerate(self.view["seats"]):
            for kind, nodes in (("o", shown["overseers"]), ("w", shown["workers"])):
                for number, node in nodes.items():
                    stand = Stand(seat, kind, int(number), node)
                    self.figures.setdefault(PLACE[NODE[node]], []).append(stand)
        self.marks = touched(scene)

    @property
    def mine(self) -> dict[str, Any]:
        """What the viewer's own seat shows; there is one whenever this is asked."""
        shown: dict[str, Any] = self.view["seats"][self.you or 0]
        return shown

    def name(self, seat: int) -> str:
        return self.scene.names[seat] if seat < len(self.scene.names) else str(seat + 1)

    def place(self, node: Atom) -> str:
        """Word a place: area 16, or a build space as it is printed."""
        return str(node) if isinstance(node, str) else _("area %(area)s") % {"area": node}

    def held_figure(self) -> Atom | None:
        """Where the figure stands that is held."""
        figure = self.taps.figure
        if figure is None:
            return None
        kind = "overseers" if self.taps.walking == "overseer_move" else "workers"
        node: Atom = self.mine[kind][str(figure)]
        return node

    def price(self, node: Atom) -> int | None:
        """What the way of the held figure to a place costs, if it may go there."""
        here = self.held_figure()
        return None if here is None else cost(NODE[here], NODE[node])


def touched(scene: Scene) -> set[int]:
    """Collect the places that the lines of the recap speak of."""
    places = set()
    for _key, args, _to in scene.recap:
        if "site" in args:
            places.add(int(args["site"]))
        if "place" in args:
            places.add(PLACE[NODE[args["place"]]])
    return places
