"""From what a viewer may know to what is printed: the drawing of an Obelisk table.

Computes places and labels; what a tap does is taps.py's business, how a piece is printed
pieces.py's. It may compute geometry, never rules, so it does not import them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from typing import Any

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.catalogue import Scene
from games.clicks import Click
from games.engine.contract import Move
from games.obelisk.pieces import Card, Obelisk, Pile, Plaque, Stone, Way
from games.obelisk.taps import Taps
from games.obelisk.texts import ACTIONS, EFFECTS, NAMES
from games.obelisk.walk import SPOTS, price
from games.pieces import Piece

LASTING = ("free_move", "double_ended", "off_color")
ORDER = {color: place for place, color in enumerate("RBGY")}


def around(x: int, y: int, wide: int, high: int) -> tuple[tuple[int, int], ...]:
    """Seven places clockwise from the top, in the units of the quarry's picture."""
    turns = [radians(360 * spot / SPOTS - 90) for spot in range(SPOTS)]
    return tuple((round(x + wide * cos(turn)), round(y + high * sin(turn))) for turn in turns)


RING = around(360, 340, 264, 226)  # the piles
# Where the overseer stands: before the pile, and beside the count in the middle.
WALK = ((360, 284), (496, 319), (530, 399), (462, 463), (258, 463), (190, 399), (224, 319))


@dataclass(frozen=True, slots=True)
class Quarry:
    piles: tuple[Pile, ...]
    overseer: Piece
    stands: tuple[int, int]
    ways: tuple[Way, ...]  # the two directions, while one must be chosen
    slots: tuple[tuple[int, bool], ...]  # one for each empty pile that ends the match
    countdown: str
    countdown_label: str


@dataclass(frozen=True, slots=True)
class Display:
    cards: tuple[Plaque | None, ...]
    decline: Piece | None  # while a card may be chosen
    draw_count: int
    discard: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Stall:
    front: Piece  # a tap on the whole stall
    cards: tuple[Card, ...]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """All that belongs to one seat."""

    seat: int
    name: str
    css: str
    note: str
    effects: tuple[Piece, ...]  # of action cards, for the rest of this turn
    score: str
    camels: int
    camels_label: str
    camels_explain: str
    hand: tuple[Card, ...]
    hand_count: int
    hand_label: str
    hand_note: str
    obelisks: tuple[Obelisk, ...]
    plot: Piece | None
    stall: Stall | None
    actions: tuple[Plaque | Card, ...]  # to be read in the own area, small elsewhere


@dataclass(frozen=True, slots=True)
class Drawing:
    css: str
    duel: bool
    banner: str
    quarry: Quarry | None  # laid out once all markets are chosen
    display: Display | None
    others: tuple[Area, ...]
    me: Area | None


def board(scene: Scene) -> Drawing:
    """Draw the table for one viewer."""
    return Painter(scene).drawing()


@cache
def spoken(language: str) -> tuple[dict[str, str], dict[str, str]]:
    """The names of all cards and the effects of the action cards in the active language."""
    names = {key: str(name) for key, name in NAMES.items()}
    return names, {key: str(effect) for key, effect in EFFECTS.items()}


def touched(scene: Scene) -> set[object]:
    """Collect what the lines of the recap speak of: cards, piles and obelisks."""
    keys: set[object] = set()
    for _key, args, _to in scene.recap:
        for name in ("card", "cards", "give", "get"):
            found = args.get(name, ())
            keys.update([found] if isinstance(found, str) else found)
        if "pile" in args:
            keys.add(("pile", args["pile"]))
        if "obelisk" in args:
            keys.add((args["seat"], args["obelisk"]))
    return keys


def picture(card: str) -> tuple[str, str]:
    """The picture of an action card and, for a foundation, its colour."""
    return ("foundation", card[11].upper()) if card.startswith("foundation") else (card[:-2], "")


class Painter:
    """Holds one scene while it is drawn."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.view = scene.view
        self.you: int | None = scene.view["you"]
        self.duel: bool = scene.view["mode"] == "duel"
        self.turn: dict[str, Any] = scene.view["turn"] or {}
        self.taps = Taps(scene)
        self.words, self.effects = spoken(get_language() or "")
        self.marks = touched(scene)

    def drawing(self) -> Drawing:
        players = self.view["players"]
        first = 0 if self.you is None else self.you
        seats = [(first + step) % players for step in range(players)]
        return Drawing(
            css=("duel" if self.duel else "market") + (" holding" if self.taps.hold else ""),
            duel=self.duel,
            banner=self._banner(),
            quarry=self._quarry() if self.view["quarry"] else None,
            display=self._display() if self.view["display"] else None,
            others=tuple(self._area(seat) for seat in seats if seat != self.you),
            me=None if self.you is None else self._area(self.you),
        )

    def _banner(self) -> str:
        if self.view["phase"] == "setup_market":
            return _("The quarry opens when everybody has chosen two cards for the market.")
        if self.view["phase"] == "over":
            return ""
        return {
            "trigger": self._final_turn(),
            "limited": _("Last round: you can only build now. Quarry and markets are closed."),
            "full": _("Last turn: after this one the match is over."),
        }.get(self.view["last_round"], "")

    def _final_turn(self) -> str:
        if not self.duel:
            return _("Last round: this turn is played to the end, without filling a market.")
        name = self._name(1 - self.view["active"])
        return _("Last round: after this turn %(name)s has one more.") % {"name": name}

    def _marked(self, key: object) -> str:
        return "marked" if key in self.marks else ""

    def _name(self, seat: int) -> str:
        return self.scene.names[seat] if seat < len(self.scene.names) else str(seat + 1)

    def _camels(self, camels: int) -> str:
        return ngettext("%(count)s camel", "%(count)s camels", camels) % {"count": camels}

    def _points(self, points: int) -> str:
        return ngettext("%(count)s point", "%(count)s points", points) % {"count": points}

    # --- the quarry ---------------------------------------------------------------------------

    def _quarry(self) -> Quarry:
        quarry, limit = self.view["quarry"], self.view["players"]
        spot, empty = quarry["overseer"], min(quarry["empty"], limit)  # the last round empties more
        label = _("The overseer stands at pile %(spot)s") % {"spot": spot + 1}
        moved = any(isinstance(mark, tuple) and mark[0] == "pile" for mark in self.marks)
        return Quarry(
            piles=tuple(self._pile(spot, pile) for spot, pile in enumerate(quarry["piles"])),
            overseer=Piece(
                key="overseer", label=label, explain="overseer", css="marked" if moved else ""
            ),
            stands=WALK[spot],
            ways=tuple(self._way(move) for move in self.taps.ways()),
            slots=tuple((348 + 17 * (2 * n + 1 - limit), n < empty) for n in range(limit)),
            countdown=_("%(empty)s of %(limit)s") % {"empty": empty, "limit": limit},
            countdown_label=_("%(empty)s of %(limit)s piles empty: that ends the match")
            % {"empty": empty, "limit": limit},
        )

    def _pile(self, spot: int, pile: dict[str, Any]) -> Pile:
        top = pile["top"] or ""
        tap = self.taps.pile(spot)
        walks = self.taps.reach.starting("take", spot)
        prices = [price(self.view["quarry"], move) for move in walks]
        return Pile(
            key=f"pile-{spot}",
            label=self._pile_label(spot, pile),
            click=tap,
            explain="pile" if top else "empty",
            css=self._marked(("pile", spot)),
            x=RING[spot][0],
            y=RING[spot][1],
            spot=spot + 1,
            count=pile["count"],
            card=top,
            camels=pile["camels"],
            price=min(prices, default=0),
        )

    def _pile_label(self, spot: int, pile: dict[str, Any]) -> str:
        if not pile["count"]:
            return _("Pile %(spot)s: empty") % {"spot": spot + 1}
        count = pile["count"]
        parts = [
            _("Pile %(spot)s: %(card)s") % {"spot": spot + 1, "card": self.words[pile["top"]]},
            ngettext("%(count)s card", "%(count)s cards", count) % {"count": count},
        ]
        return ", ".join(parts + [self._camels(pile["camels"])] * bool(pile["camels"]))

    def _way(self, move: Move) -> Way:
        way, cost = str(move[2]), price(self.view["quarry"], move)
        label = f"{self.words[way]}: {self._camels(cost)}"
        return Way(label=label, click=self.taps.reach.go(*move), css=f"way {way}", price=cost)

    # --- action cards -------------------------------------------------------------------------

    def _display(self) -> Display:
        choosing = bool(self.taps.reach.starting("pick_action"))
        return Display(
            cards=tuple(
                self._plaque(card, self.taps.slot(slot)) if card else None
                for slot, card in enumerate(self.view["display"])
            ),
            # A card that a duty needs cannot be declined: the button stays, and says so.
            decline=Piece(label=_("Take none"), click=self.taps.decline(), css="chip")
            if choosing
            else None,
            draw_count=self.view["draw_count"],
            discard=tuple(self._card(card) for card in self.view["discard"]),
        )

    def _plaque(self, card: str, tap: Click | None, play: Click | None = None) -> Plaque:
        kind, color = picture(card)
        name, effect = self.words[card], self.effects[card if color else kind]
        return Plaque(
            key=card,
            label=f"{name}: {effect}",
            click=tap,
            explain=card,
            css=self._marked(card) + " held" * (card == self.taps.held),
            kind=kind,
            color=color,
            name=name,
            effect=effect,
            play=Piece(label=_("Play"), click=play, css="chip") if play else None,
        )

    def _card(self, card: str, tap: Click | None = None, css: str = "") -> Card:
        action = card in ACTIONS
        return Card(
            key=card,
            label=self.words[card],
            click=tap,
            explain=card,
            css=self._marked(card) + css + " held" * (card in self.taps.hold),
            color="" if action else card[0],
            sign=" ".join(picture(card)).strip() if action else card[1],
        )

    # --- a seat -------------------------------------------------------------------------------

    def _area(self, seat: int) -> Area:
        shown = self.view["seats"][seat]
        own = seat == self.you
        laid = self.view["quarry"] is not None
        return Area(
            seat=seat,
            name=self._name(seat),
            css="active" * (seat == self.view["active"]),
            note=self._note(shown),
            effects=self._effects() if seat == self.view["active"] else (),
            score=self._points(shown["score"]),
            camels=shown["camels"],
            camels_label=self._camels(shown["camels"]),
            camels_explain="duel_camel" if self.duel else "camel",
            hand=self._hand(shown, own),
            hand_count=shown["hand_count"],
            hand_label=_("Depot") if self.duel else _("Hand"),
            hand_note=self._hand_note(shown, own),
            obelisks=tuple(
                self._obelisk(one, seat, number) for number, one in enumerate(shown["obelisks"])
            ),
            plot=self._plot() if own and laid and self.taps.allowed else None,
            stall=self._stall(seat, shown) if laid and not self.duel else None,
            actions=tuple(self._action(card, own) for card in shown["actions"]),
        )

    def _action(self, card: str, own: bool) -> Plaque | Card:
        if own:
            return self._plaque(card, self.taps.own_action(card), self.taps.play(card))
        return self._card(card)

    def _note(self, shown: dict[str, Any]) -> str:
        if self.view["phase"] == "setup_market":
            return _("has chosen") if shown["chosen"] else _("is choosing")
        return _("winner") if shown["rank"] == 1 else ""

    def _effects(self) -> tuple[Piece, ...]:
        """Name the played action cards that hold until the turn ends."""
        cards = [f"{kind}_1" for kind in LASTING if self.turn.get(kind)]
        words = _("%(card)s: this turn")
        return tuple(
            Piece(label=words % {"card": self.words[card]}, explain=card) for card in cards
        )

    def _hand(self, shown: dict[str, Any], own: bool) -> tuple[Card, ...]:
        """A hand, sorted by colour and value, so that runs of one colour lie together."""
        cards = sorted(
            shown["hand"] or [], key=lambda card: (ORDER[card[0]], card[1] == "J", card[1:])
        )
        tap = self.taps.own_card if own else self.taps.other_card
        chosen = shown["choice"] or ()
        return tuple(self._card(card, tap(card), " chosen" * (card in chosen)) for card in cards)

    def _hand_note(self, shown: dict[str, Any], own: bool) -> str:
        if self.view["phase"] == "over" or not own:
            return ""
        if self.duel:
            return _("at least 3")
        if self.view["phase"] == "turn":
            bounded = self.view["last_round"] == "none"
            return _("at most 6 at the end of your turn") if bounded else ""
        if shown["choice"]:
            return _("Your market is chosen. Waiting for the others.")
        return _("Choose two cards for your market.")

    # --- obelisks and markets -----------------------------------------------------------------

    def _obelisk(self, one: dict[str, Any], seat: int, number: int) -> Obelisk:
        own = seat == self.you and self.taps.allowed
        cards, base = one["cards"], one["foundation"]
        tap = self.taps.obelisk(number) if own else None
        below = self.taps.bottom(number) if own else None
        return Obelisk(
            label=self._obelisk_label(one, number),
            click=tap,
            explain="obelisk" if cards else "foundation",
            css=self._marked((seat, number)),
            number=number + 1,
            stones=tuple(
                Stone(card, card[0], value, self._marked(card), card[1] == "J")
                for card, value in cards
            ),
            above=self._above(one) if own else None,
            below=self._below(one) if own else None,
            slab=picture(base)[1] if not one["face_down"] else "down",
            base=base or "",
            finished=one["finished"],
            points=one["points"],
            bottom=Piece(label=_("Build below"), click=below, css="chip")
            if below not in (None, tap)
            else None,
            values=tuple(self._value(move) for move in self.taps.values(number) if own),
        )

    def _value(self, move: Move) -> Piece:
        return Piece(label=str(move[-1]), click=self.taps.reach.go(*move), css="chip")

    def _obelisk_label(self, one: dict[str, Any], number: int) -> str:
        stones = ", ".join(
            f"{self.words[card]} = {value}" if card[1] == "J" else self.words[card]
            for card, value in one["cards"]
        )
        if not stones:
            return _("Obelisk %(number)s: foundation only") % {"number": number + 1}
        label = _("Obelisk %(number)s: %(stones)s") % {"number": number + 1, "stones": stones}
        return f"{label}; {self._points(one['points'])}"

    def _above(self, one: dict[str, Any]) -> Stone | None:
        """The ghost of the stone that comes next; on a bare foundation anything may."""
        if not one["cards"]:
            return Stone("", "any", 0)
        return None if one["finished"] else Stone("", one["color"], one["cards"][-1][1] - 1)

    def _below(self, one: dict[str, Any]) -> Stone | None:
        growing = self.turn.get("double_ended") and self.view["active"] == self.you and one["cards"]
        if not growing or one["cards"][0][1] == 5:
            return None
        return Stone("", one["color"], one["cards"][0][1] + 1)

    def _plot(self) -> Piece:
        return Piece(label=_("New foundation"), click=self.taps.plot(), explain="plot", css="plot")

    def _stall(self, seat: int, shown: dict[str, Any]) -> Stall:
        own = seat == self.you
        cards: Sequence[str] = shown["market"]
        aimed = [self.taps.stall_card(seat, card) for card in cards]
        tap = self.taps.own_stall() if own else self.taps.stall(seat)
        label = _("Market of %(name)s: %(cards)s") % {
            "name": self._name(seat),
            "cards": ", ".join(self.words[card] for card in cards) or _("empty"),
        }
        return Stall(
            front=Piece(
                label=label,
                click=None if any(aimed) else tap,
                explain="market",
                css=f"stall cloth-{seat}",
                role="group",
            ),
            cards=tuple(self._card(card, aim) for card, aim in zip(cards, aimed, strict=True)),
            note=_("buy for 1 camel") if not own and tap and tap.lit and not self.taps.hold else "",
        )
