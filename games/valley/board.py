"""From what a viewer may know to what is printed: the drawing of a Valley of the Kings table.

Computes places and words; what a tap does is taps.py's business, how a piece is printed
pieces.py's, the map and single sites are drawn in scenery.py and closeup.py. It may compute
geometry, never rules, so it does not import them.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue import Scene
from games.valley.closeup import Sheet, sheets
from games.valley.components import COLOURS, NODE, POINTS, TABLETS, cost
from games.valley.look import Look
from games.valley.needs import prospect
from games.valley.pieces import Figure, Group, Stack, Tablet
from games.valley.scenery import valley
from games.valley.summary import Summary, summary
from games.valley.texts import ENDS, PHASES

FIRST_ROUND = ("auction", "overseers_open", "workers", "build")
NEAR = ("steal", "takeover", "build")  # phases that are played on single sites, not on the map
LATER_ROUNDS = ("auction", "overseers_secret", "workers", "steal", "takeover", "build")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A phase of the round in the strip above the map."""

    name: str
    css: str  # done, now or empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Whether another player has given secret orders."""

    seat: int
    name: str
    css: str  # done or empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A site of a player, in one line."""

    site: int
    text: str
    css: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """All that belongs to one seat."""

    seat: int
    name: str
    css: str
    notes: tuple[str, ...]
    stock: tuple[Stack, ...]
    scarabs: int
    tablets: int
    overseers: str
    workers: str
    holdings: tuple[Holding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    css: str
    end: str
    steps: tuple[Step, ...]
    round: str
    start: str
    start_seat: int
    pharaoh: int
    pharaoh_label: str
    outlook: str
    bag: tuple[Stack, ...]
    box: str
    picture: SafeString
    groups: tuple[Group, ...]
    tablets: tuple[Tablet, ...]
    figures: tuple[Figure, ...]
    pips: tuple[bool, ...]
    points: str
    secret: bool
    waiting: tuple[Order, ...]
    stock: tuple[Stack, ...]
    sheets: tuple[Sheet, ...]
    hint: str
    summary: Summary | None
    areas: tuple[Area, ...]


def board(scene: Scene) -> Drawing:
    """Draw the table for one viewer."""
    return Painter(scene).drawing()


class Painter:
    """Holds one scene while it is drawn."""

    def __init__(self, scene: Scene) -> None:
        self.look = Look(scene)
        self.view = scene.view
        self.you = self.look.you
        self.taps = self.look.taps
        self.phase = str(scene.view["phase"])

    def drawing(self) -> Drawing:
        view, players = self.view, self.view["players"]
        first = 0 if self.you is None else self.you
        return Drawing(
            css=self._css(),
            end=str(ENDS[view["end_reason"]]) if view["end_reason"] else "",
            steps=self._steps(),
            round=_("Round %(round)s") % {"round": view["round"]},
            start=self.look.name(view["start"]),
            start_seat=view["start"],
            pharaoh=len(view["pharaoh"]),
            pharaoh_label=_("Pharaoh pyramid: %(count)s of 30 blocks")
            % {"count": len(view["pharaoh"])},
            outlook=self._outlook(),
            bag=self._bag(),
            box=self.look.ground.box,
            picture=valley(self.look),
            groups=tuple(
                self._group(number, blocks) for number, blocks in enumerate(view["market"], 1)
            ),
            tablets=self._tablets(),
            figures=self._figures(),
            pips=self._pips(),
            points=self._points(),
            secret=self.phase == "overseers_secret",
            waiting=self._waiting(),
            stock=self._own_stock(),
            sheets=sheets(self.look),
            hint=self._hint(),
            summary=summary(self.look),
            areas=tuple(self._area((first + step) % players) for step in range(players)),
        )

    def _css(self) -> str:
        parts = [self.phase]
        parts += ["folded"] if self.view["players"] < 4 else []
        parts += ["holding"] if self.look.scene.hold else []
        parts += ["mine"] if self.look.scene.moves else []
        parts += ["near"] if self.phase in NEAR and self.look.scene.moves else []
        return " ".join(parts)

    # --- the strip above the map --------------------------------------------------------------

    def _steps(self) -> tuple[Step, ...]:
        if self.phase == "finished":
            return ()
        phases = FIRST_ROUND if self.view["round"] == 1 else LATER_ROUNDS
        now = phases.index(self.phase)
        return tuple(
            Step(
                name=str(PHASES[phase]),
                css="done" if place < now else "now" if place == now else "",
            )
            for place, phase in enumerate(phases)
        )

    def _outlook(self) -> str:
        left = self.view["rounds_left"]
        if left is None or self.phase == "finished":
            return ""
        text = ngettext("about %(count)s round left", "about %(count)s rounds left", left)
        return text % {"count": left}

    def _bag(self) -> tuple[Stack, ...]:
        return tuple(
            self._stack(colour, count, _("in the bag, %(colour)s: %(count)s"), "bag")
            for colour, count in zip(COLOURS, self.view["bag"], strict=True)
        )

    def _stack(self, colour: str, count: int, label: str, explain: str) -> Stack:
        words = {"colour": self.look.words[colour], "count": count}
        return Stack(
            colour=colour,
            count=count,
            label=label % words,
            explain=explain,
            css="none" * (not count),
        )

    # --- the market ---------------------------------------------------------------------------

    def _group(self, number: int, blocks: list[str]) -> Group:
        names = ", ".join(self.look.words[block] for block in blocks)
        return Group(
            number=number,
            blocks=tuple(blocks),
            laid=tuple(
                tablet
                for seat in range(self.view["players"])
                for tablet in self._laid(seat, number)
            ),
            label=_("Group %(number)s: %(blocks)s") % {"number": number, "blocks": names},
            click=self.taps.bid(number),
            explain="group",
            css="held" if self.taps.group == number else "",
        )

    def _laid(self, seat: int, number: int) -> list[Tablet]:
        """Tablets on a group: the own ones by their face, the others' by their back."""
        shown, name = self.view["seats"][seat], self.look.name(seat)
        if shown["bid"]:
            own = [tablet for tablet, group in shown["bid"].items() if group == number]
            return [
                Tablet(
                    face=_face(tablet),
                    label=f"{name}: {self.look.words[tablet]}",
                    key=f"tablet-{seat}-{tablet}",
                    css=f"of-{seat}",
                )
                for tablet in own
            ]
        return [
            Tablet(face="back", label=_("%(name)s: a tablet") % {"name": name}, css=f"of-{seat}")
            for _place in range(shown["laid"].get(str(number), 0))
        ]

    def _tablets(self) -> tuple[Tablet, ...]:
        """The viewer's eight tablets; those laid leave their place empty."""
        if self.you is None or self.phase != "auction":
            return ()
        hand = self.look.mine["hand"]
        return tuple(
            Tablet(
                face=_face(tablet) if tablet in hand else "laid",
                label=self.look.words[tablet],
                key=f"tablet-{self.you}-{tablet}" if tablet in hand else "",
                click=self.taps.lay(tablet),
                explain=tablet,
                css=("held " if self.taps.tablet == tablet else "")
                + ("" if tablet in hand else "gone"),
            )
            for tablet in TABLETS
        )

    # --- figures ------------------------------------------------------------------------------

    def _figures(self) -> tuple[Figure, ...]:
        if self.you is None or not self.taps.walking:
            return ()
        kind = "overseers" if self.taps.walking == "overseer_move" else "workers"
        nodes = self.look.mine[kind]
        return tuple(self._figure(int(number), kind, node) for number, node in nodes.items())

    def _figure(self, number: int, kind: str, node: Any) -> Figure:
        order = self.look.mine["orders"].get(f"o{number}") if kind == "overseers" else None
        price = None if order is None else cost(NODE[node], NODE[order])
        gone = order is not None or (kind == "workers" and number in self.view["moved"])
        name = _("Overseer %(number)s") if kind == "overseers" else _("Worker %(number)s")
        here = self.look.place(node)
        there = "" if order is None else self.look.place(order)
        label = f"{name % {'number': number + 1}}: {here}" + (f" → {there}" if there else "")
        return Figure(
            art=f"{kind[0]}{self.you}",
            here=here,
            there=there,
            price="" if price is None else _("%(price)s p.") % {"price": price},
            label=label,
            click=self.taps.pick(number),
            explain=kind[:-1],
            css=("held " if self.taps.figure == number else "") + "gone" * gone,
        )

    def _pips(self) -> tuple[bool, ...]:
        left = self._left()
        return () if left is None else tuple(place < left for place in range(POINTS))

    def _left(self) -> int | None:
        """The points left to whoever moves figures, as far as the viewer may know."""
        shown = self.view["seats"]
        seats = [self.you] if self.phase.startswith("overseers") else self.view["to_act"][:1]
        known = [shown[seat]["points_left"] for seat in seats if seat is not None]
        return known[0] if known else None

    def _points(self) -> str:
        left = self._left()
        if left is None:
            return ""
        return _("%(left)s of %(points)s points left") % {"left": left, "points": POINTS}

    def _waiting(self) -> tuple[Order, ...]:
        if self.phase != "overseers_secret":
            return ()
        return tuple(
            Order(seat=seat, name=self.look.name(seat), css="done" if shown["confirmed"] else "")
            for seat, shown in enumerate(self.view["seats"])
            if seat != self.you
        )

    # --- building -----------------------------------------------------------------------------

    def _own_stock(self) -> tuple[Stack, ...]:
        if self.you is None or self.phase == "finished":
            return ()
        stock = self.look.mine["stock"]
        return tuple(
            Stack(
                colour=colour,
                count=count,
                label=_("in stock, %(colour)s: %(count)s")
                % {"colour": self.look.words[colour], "count": count},
                click=self.taps.block(colour),
                explain="stock",
                css="held" if self.taps.colour == colour else "",
            )
            for colour, count in zip(COLOURS, stock, strict=True)
            if count
        )

    def _hint(self) -> str:
        """What to tap next while half of something is held; the page says what comes first."""
        taps = self.taps
        if taps.walking == "overseer_move" and taps.figure is not None and taps.node is not None:
            return _("Tap the build space for your overseer.")
        if taps.walking and taps.figure is not None:
            return _("Tap a site or an area. The number is what the way costs.")
        if taps.walking and taps.node is not None:
            return _("Now tap the figure that shall go there.")
        if taps.tablet is not None:
            return _("Tap the group it shall lie on.")
        if taps.group is not None:
            return _("Tap the tablet that shall lie there.")
        if self.phase == "build" and self.look.scene.hold:
            return _("Tap a cell, or another block of your stock.")
        return ""

    # --- a seat -------------------------------------------------------------------------------

    def _area(self, seat: int) -> Area:
        shown = self.view["seats"][seat]
        return Area(
            seat=seat,
            name=self.look.name(seat),
            css="active" * (seat in self.view["to_act"]) + " own" * (seat == self.you),
            notes=self._notes(seat, shown),
            stock=tuple(
                self._stack(colour, count, _("in stock, %(colour)s: %(count)s"), "stock")
                for colour, count in zip(COLOURS, shown["stock"], strict=True)
                if count
            ),
            scarabs=shown["scarabs"],
            tablets=shown["tablets"],
            overseers=self._whereabouts(shown["overseers"]),
            workers=self._whereabouts(shown["workers"]),
            holdings=tuple(
                Holding(
                    site=int(site),
                    text=prospect(self.look, int(site)),
                    css="finished" if state["finished"] else "",
                )
                for site, state in self.view["sites"].items()
                if state["owner"] == seat
            ),
        )

    def _notes(self, seat: int, shown: dict[str, Any]) -> tuple[str, ...]:
        notes = []
        if shown["rank"] == 1:
            notes.append(_("winner"))
        if shown["left"]:
            notes.append(_("has left"))
        if self.view["start"] == seat and self.phase != "finished":
            notes.append(_("start player"))
        return tuple(notes)

    def _whereabouts(self, nodes: dict[str, Any]) -> str:
        """Where figures stand, those in the same area counted."""
        counts: dict[str, int] = {}
        for node in nodes.values():
            counts[str(node)] = counts.get(str(node), 0) + 1
        several = _("%(count)s in %(area)s")
        return ", ".join(
            node if count == 1 else several % {"count": count, "area": node}
            for node, count in counts.items()
        )


def _face(tablet: str) -> str:
    return tablet if tablet[0] == "v" else "blank"
