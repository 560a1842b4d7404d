"""From what a viewer may know to what is printed: the drawing of a Cheops table.

Computes places and words; what a tap does is taps.py's business, how a piece is printed
pieces.py's. It may compute geometry, never rules, so it does not import them.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.catalogue import Scene
from games.cheops import settlement
from games.cheops.decisions import Decisions
from games.cheops.pieces import HIGH, WIDE, Block, Button, Gem, Law, Number, Tile
from games.cheops.taps import Taps
from games.cheops.texts import COLOURS, EFFECTS, ENDS, KINDS, NAMES, REFUSALS, ROWS
from games.clicks import Click
from games.pieces import Piece

FULL = 4  # treasures on a full price board
POSITIONS = 5
HIRE = 20


BOX = (-14, -10, 688, 646)  # of the pyramid's picture: left, top, width, height


def place(field: str) -> tuple[int, int]:
    """Where a block stands in the pyramid's picture: rows rise, each half a block inwards."""
    row, column = map(int, field.split("-"))
    return (2 * column + row - 3) * WIDE // 2, (ROWS - row) * HIGH


def look(spots: list[tuple[int, int]]) -> str:
    """Tell the middle of some blocks as shares of the picture; of none, the foot of the pyramid."""
    left, top, width, height = BOX
    xs, ys = zip(*(spots or [place("1-6")]), strict=True)
    x = (min(xs) + max(xs) + WIDE) / 2 - left
    y = (min(ys) + max(ys) + HIGH) / 2 - top
    return f"{x / width:.2f} {y / height:.2f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A price board: its head, its numbers from the top, the law below."""

    colour: str
    head: Piece
    numbers: tuple[Number, ...]
    law: Law | None
    now: str  # what it pays
    then: str  # after one more sale
    own: int  # treasures of this colour in the viewer's stock
    note: str
    css: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """All that belongs to one seat."""

    seat: int
    name: str
    css: str
    note: str
    money: int | None  # None: only the owner sees it
    purse: str  # what explains it
    hand: tuple[Tile, ...]
    stock: tuple[Gem, ...]
    worth: str
    held: tuple[Law, ...]
    joker: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    css: str
    law: Law | None  # just turned up
    law_call: str
    choices: tuple[Button, ...]  # what the moment asks
    ask: str
    columns: tuple[Column, ...]
    price: int
    price_label: str
    ends: str
    ends_label: str
    slots: tuple[bool, ...]  # one for each full board that ends the match
    idle: str
    stacks: tuple[Tile, ...]
    neighbour: Tile | None
    neighbours_left: int
    blocks: tuple[Block, ...]
    look: str  # where in the picture things happen: shares of its width and height
    laws: tuple[Law, ...]
    others: tuple[Area, ...]
    me: Area | None
    end: str
    table: settlement.Table | None

    @property
    def box(self) -> str:
        return " ".join(map(str, BOX))

    @property
    def pyramid(self) -> SafeString:
        """All blocks in one string: quicker than a loop of the template."""
        return mark_safe("".join(block.html for block in self.blocks))  # noqa: S308 - see Piece


def board(scene: Scene) -> Drawing:
    """Draw the table for one viewer."""
    return Painter(scene).drawing()


@cache
def spoken(language: str) -> dict[str, str]:
    """All names in the active language."""
    return {key: str(name) for key, name in NAMES.items()}


def touched(scene: Scene) -> set[str]:
    """Collect what the lines of the recap speak of: blocks, colours of boards and laws."""
    keys: set[str] = set()
    for key, args, _to in scene.recap:
        keys |= {str(args[name]) for name in ("field", "field_b", "law", "colour") if name in args}
        if key in ("sold", "had_to_sell", "late_sold"):
            keys.add(str(args["treasure"])[2:])
    return keys


class Painter:
    """Holds one scene while it is drawn."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.view = scene.view
        self.you: int | None = scene.view["you"]
        self.taps = Taps(scene)
        self.words = spoken(get_language() or "")
        self.reasons = {key: str(REFUSALS[key]) for key in ("identical_adjacent", "not_supported")}
        self.names = settlement.seat_names(scene)
        self.decisions = Decisions(scene, self.taps, self.words)
        self.marks = touched(scene)

    def drawing(self) -> Drawing:
        view, players = self.view, self.view["players"]
        first = 0 if self.you is None else self.you
        seats = [(first + step) % players for step in range(players)]
        pending, over = view["pending_law"], view["phase"] == "finished"
        return Drawing(
            css=self._css(),
            law=self._law(pending, click=self.taps.pending(pending)) if pending else None,
            law_call=self._law_call(),
            choices=self.decisions.buttons(),
            ask=self.decisions.ask(),
            columns=tuple(self._column(column) for column in view["boards"]),
            price=view["market_price"],
            price_label=_("Market price: %(price)s") % {"price": view["market_price"]},
            ends=f"{view['full_boards']}/{view['threshold']}",
            ends_label=_("Full price boards: %(full)s of %(limit)s; then the match ends")
            % {"full": view["full_boards"], "limit": view["threshold"]},
            slots=tuple(place < view["full_boards"] for place in range(view["threshold"])),
            idle=self._idle(),
            stacks=tuple(self._stack(number) for number in range(3)),
            neighbour=self._neighbour() if self.you is not None and not over else None,
            neighbours_left=view["neighbours_left"],
            blocks=tuple(self._block(field, what) for field, what in view["pyramid"].items()),
            look=look([place(field) for field in view["reachable"]]),
            laws=self._laws(),
            others=tuple(self._area(seat) for seat in seats if seat != self.you),
            me=None if self.you is None else self._area(self.you),
            end=str(ENDS[view["end_reason"]]) if view["end_reason"] else "",
            table=settlement.table(self.scene) if over else None,
        )

    def _css(self) -> str:
        parts = [str(self.view["phase"])]
        parts += ["holding"] if self.scene.hold else []
        parts += ["mine"] if self.scene.moves else []
        parts += ["numbering"] if "place_number" in self.taps.verbs else []
        return " ".join(parts)

    def _marked(self, key: str) -> str:
        return "marked" if key in self.marks else ""

    def _law_call(self) -> str:
        if not self.view["pending_law"]:
            return ""
        if self.scene.moves:
            return _("You turn up a law")
        return _("%(name)s turns up a law") % {"name": self.names[self.view["current"]]}

    def _idle(self) -> str:
        turns, players = self.view["idle_turns"], self.view["players"]
        if not turns or self.view["phase"] == "finished":
            return ""
        return _("Nobody has laid a tile for %(turns)s of %(players)s turns.") % {
            "turns": turns,
            "players": players,
        }

    # --- the pyramid --------------------------------------------------------------------------

    def _block(self, field: str, content: str) -> Block:
        x, y = place(field)
        group, _colon, name = content.partition(":")
        taken = group in "fn"
        reachable = field in self.view["reachable"]
        sign, reason = ("", "") if taken else self._in_the_way(field, reachable)
        what = self.words.get(content) or self.words[name]
        return Block(
            key=f"at-{field}",
            label=". ".join(filter(None, (f"{self.words[field]}: {what}", reason))),
            words=reason,
            click=self.taps.block(field),
            explain=self._explain(group, name, content),
            css=" ".join(
                [
                    "taken" if taken else "open" if reachable else "shut",
                    self._marked(field),
                    "held" if field in self.scene.hold else "",
                ]
            ),
            x=x,
            y=y,
            face="niche" if taken else f"stone-{(x * 7 + y) % 3}",
            thing=name or ("neighbour" if taken else "eye"),
            sign=sign,
        )

    def _in_the_way(self, field: str, reachable: bool) -> tuple[str, str]:
        """What keeps the family member in hand off a block: its sign, and the reason in words."""
        held = "n" if self.taps.verb == "hire_neighbour" else f"f:{self.taps.kind}"
        if held in self.view["reachable"].get(field, ()):
            return "barred", self.reasons["identical_adjacent"]
        if not reachable and self.taps.verb in ("place_family", "hire_neighbour"):
            return "loose", self.reasons["not_supported"]
        return "", ""

    @staticmethod
    def _explain(group: str, name: str, content: str) -> str:
        if group == "f":
            return name
        if group == "l":
            return name or "eye"
        return content

    # --- price boards -------------------------------------------------------------------------

    def _column(self, column: dict[str, Any]) -> Column:
        colour, entries, sold = column["colour"], column["entries"].split(), column["sold"]
        name = self.words[colour]
        label = _("Price board %(colour)s: pays %(now)s, after a sale %(then)s") % {
            "colour": name,
            "now": entries[sold],
            "then": entries[sold + 1] if sold < FULL else "–",
        }
        return Column(
            colour=colour,
            head=Piece(
                label=label,
                words=self._reading(column),
                click=self.taps.board(colour),
                explain="price_board",
                css="head",
            ),
            numbers=tuple(
                self._number(column, position, text) for position, text in enumerate(entries)
            ),
            law=self._law(column["under"]) if column["under"] else None,
            now=entries[sold],
            then=entries[sold + 1] if sold < FULL else "",
            own=0 if self.you is None else column["counts"][self.you],
            note=self._pays(column, entries[sold]),
            css=" ".join(["full" if sold == FULL else "", self._marked(colour)]),
        )

    def _number(self, column: dict[str, Any], position: int, text: str) -> Number:
        sold, colour = column["sold"], column["colour"]
        state = "covered" if position < sold else "top" if position == sold else "free"
        label = ""
        if "place_number" in self.taps.verbs:
            label = _("Number %(position)s of %(colour)s: %(number)s") % {
                "position": position + 1,
                "colour": self.words[colour],
                "number": text,
            }
        return Number(
            text=text,
            state=state,
            colour=colour,
            is_new=position == column["new_number"],
            label=label,
            click=self.taps.number(colour, position + 1),
        )

    def _reading(self, column: dict[str, Any]) -> str:
        """Say what a number comes to just now that depends on who holds what."""
        words = settlement.reading(self.view, column, self.names)
        return f"{words}." if words else ""

    def _pays(self, column: dict[str, Any], text: str) -> str:
        """What one treasure would bring now: spelled out where it depends on who holds what."""
        counts, values = column["counts"], column["values"]
        if text.startswith("x"):
            return f"×{sum(counts)}={values[0]}"
        if "/" in text and self.you is not None:
            return f"={values[self.you]}"
        return ""

    # --- laws, stacks, neighbours -------------------------------------------------------------

    def _law(self, law: str, where: str = "", click: Click | None = None) -> Law:
        return Law(
            key="" if where else f"law-{law}",  # a mere mention is not the tile itself
            law=law,
            name=self.words[law],
            effect=str(EFFECTS[law]),
            where=where,
            label=f"{self.words[law]}: {EFFECTS[law]}",
            click=click,
            explain=law,
            css=self._marked(law),
        )

    def _laws(self) -> tuple[Law, ...]:
        """The laws in force, in words; while one is to be repealed they can be tapped."""
        places = self.decisions.whereabouts()
        return tuple(self._law(law, where, self.taps.repeal(law)) for law, where in places.items())

    def _stack(self, number: int) -> Tile:
        stack = self.view["stacks"][number]
        before = any(other["count"] for other in self.view["stacks"][:number])
        later = bool(stack["count"]) and before and self.view["family_draw"] == "front_stack"
        name = self.words[stack["top"]] if stack["top"] else _("empty")
        return Tile(
            kind=stack["top"] or "gone",
            name=_("later") if later else name,
            count=stack["count"],
            label=_("Stack %(number)s: %(name)s, %(count)s tiles")
            % {"number": number + 1, "name": name, "count": stack["count"]},
            explain="later" if later else "front_stack",
            css="later" if later else "" if stack["count"] else "gone",
        )

    def _neighbour(self) -> Tile:
        left = self.view["neighbours_left"]
        acting = self.scene.moves and self.view["phase"] == "act"
        return Tile(
            kind="neighbour",
            name=_("neighbour"),
            count=left,
            note=_("hire for %(price)s") % {"price": HIRE},
            label=_("Hire a neighbour for %(price)s; %(left)s left")
            % {"price": HIRE, "left": left},
            click=self.taps.neighbour() if acting else None,
            explain="neighbours",
            css="hire" + " held" * (self.taps.verb == "hire_neighbour"),
        )

    # --- a seat -------------------------------------------------------------------------------

    def _area(self, seat: int) -> Area:
        shown = self.view["seats"][seat]
        own = seat == self.you
        return Area(
            seat=seat,
            name=self.names[seat],
            css="active" * (seat == self.view["current"]),
            note=_("winner") if shown["rank"] == 1 else "",
            money=shown["money"],
            purse="open_" * self.view["open_money"] + ("money" if own else "purse"),
            hand=self._hand(shown["hand"], own),
            stock=tuple(
                self._gem(colour, number, shown, seat)
                for number, colour in enumerate(COLOURS)
                if own or shown["stock"][number]
            ),
            worth=self._worth(shown["worth"]),
            held=tuple(
                self._law(law, click=self.taps.law(law) if own and self._usable(law) else None)
                for law, _taken in shown["held"]
            ),
            joker=shown["joker"],
        )

    def _worth(self, worth: int) -> str:
        if self.view["phase"] == "finished":
            return _("treasures: %(worth)s") % {"worth": worth}
        return _("worth %(worth)s now") % {"worth": worth}

    def _usable(self, law: str) -> bool:
        """Tiles are used before or after the placement, while nothing else is to be settled."""
        return self.view["phase"] in ("act", "wrap_up")

    def _hand(self, counts: list[int], own: bool) -> tuple[Tile, ...]:
        return tuple(
            Tile(
                kind=kind,
                name=self.words[kind],
                count=counts[number],
                label=f"{self.words[kind]} × {counts[number]}"
                if counts[number] > 1
                else self.words[kind],
                click=self.taps.family(kind) if own and self._laying() else None,
                explain=kind,
                css="held" if own and kind == self.taps.kind else "",
            )
            for number, kind in enumerate(KINDS)
            if counts[number]
        )

    def _laying(self) -> bool:
        """Whether family members can be tapped at all just now."""
        return bool({"place_family", "play_secret_passage", "pass_turn"} & self.taps.verbs)

    def _gem(self, colour: str, number: int, shown: dict[str, Any], seat: int) -> Gem:
        column = self.view["boards"][number]
        count, value = shown["stock"][number], column["values"][seat]
        own = seat == self.you
        return Gem(
            colour=colour,
            count=count,
            worth=f"={count * value}" if own and count else "",
            joker=shown["joker"] and self.view["joker_colour"] == colour,
            label=_("%(colour)s: %(count)s, each worth %(value)s now")
            % {"colour": self.words[colour], "count": count, "value": value},
            click=self.taps.stock(colour) if own else None,
            explain="stock",
            css=f"{'none' if not count else ''}",
        )
