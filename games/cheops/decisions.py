"""The decisions of Cheops that are not made on the board itself: buttons in words.

Sell or keep with both consequences in piastres, refilling, and what some laws ask. Says what the
view says things are worth; works out nothing by rules.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue import Scene
from games.cheops.pieces import Button
from games.cheops.settlement import seat_names
from games.cheops.taps import Taps
from games.cheops.texts import COLOURS, EXPLANATIONS


class Decisions:
    """One scene and what the moment asks of the seat that looks at it."""

    def __init__(self, scene: Scene, taps: Taps, words: dict[str, str]) -> None:
        self.scene = scene
        self.view = scene.view
        self.you: int | None = scene.view["you"]
        self.taps = taps
        self.words = words
        self.names = seat_names(scene)

    def ask(self) -> str:
        choice = self.view["choice"]
        if choice and self.scene.moves:
            treasure = self.words[f"t:{choice['colour']}"]
            return _("You take %(treasure)s.") % {"treasure": treasure}
        if self.scene.moves and self.view["ask"] not in ("ask_act", "ask_wrap_up"):
            return self.words[self.view["ask"]]
        return ""

    def buttons(self) -> tuple[Button, ...]:
        """The buttons of a decision that is not made on the board itself."""
        if not self.scene.moves:
            return ()
        if self.view["choice"]:
            return self._sell(), self._keep()
        if from_stock := self._from_stock():
            return from_stock
        if self.view["phase"] == "wrap_up":
            return self._refills()
        if "repeal_law" in self.taps.verbs:
            return tuple(self._repeal(law, where) for law, where in self.whereabouts().items())
        phrases: dict[str, tuple[str, str, tuple[str, ...]]] = {
            "buy_joker": (_("Buy (25)"), "joker", (self._purse(),)),
            "decline_joker": (_("Decline"), "", ()),
            "keep_law": (_("Hold the tile"), "", ()),
            "pass_turn": (_("Pass"), "", (str(EXPLANATIONS["idle"]),)),
        }
        return tuple(
            Button(
                title=title,
                lines=lines,
                sign=sign,
                click=self.taps.move(verb) or self.taps.ask(verb),
            )
            for verb, (title, sign, lines) in phrases.items()
            if verb in self.taps.verbs
            or (verb == "buy_joker" and "decline_joker" in self.taps.verbs)
        )

    def _from_stock(self) -> tuple[Button, ...]:
        """Treasures in stock that could be sold or swapped now; a tile in hand may be kept too."""
        stock = self.view["seats"][self.you]["stock"]
        buttons = [
            Button(
                title=_("Sell %(colour)s") % {"colour": self.words[colour]}
                if click.text.startswith("play_late_sale")
                else _("Swap %(colour)s") % {"colour": self.words[colour]},
                lines=(self._in_stock(number, stock[number]),),
                sign=colour,
                click=click,
            )
            for number, colour in enumerate(COLOURS)
            if stock[number] and (click := self.taps.stock(colour))
        ]
        if buttons and (keep := self.taps.move("keep_law")):
            buttons.append(Button(title=_("Hold the tile"), click=keep))
        return tuple(buttons)

    def _purse(self) -> str:
        return _("You have %(money)s.") % {"money": self.view["seats"][self.you]["money"]}

    def _in_stock(self, colour: int, count: int) -> str:
        value = self.view["boards"][colour]["values"][self.you]
        words = {"count": count, "value": value}
        return _("now worth %(count)s × %(value)s") % words

    def whereabouts(self) -> dict[str, str]:
        """Tell where each law in force lies: under a colour, with a player, or for all."""
        places = dict.fromkeys(self.view["laws"], _("for all"))
        for column in self.view["boards"]:
            colour = self.words[column["colour"]]
            places |= {column["under"]: colour} if column["under"] else {}
            places |= {"new_number": colour} if column["new_number"] is not None else {}
        for name, shown in zip(self.names, self.view["seats"], strict=True):
            places |= {law: name for law, _taken in shown["held"]}
            places |= {"joker": name} if shown["joker"] else {}
        return places

    def _repeal(self, law: str, where: str) -> Button:
        return Button(title=self.words[law], lines=(where,), sign=law, click=self.taps.repeal(law))

    def _refills(self) -> tuple[Button, ...]:
        """Refilling: one button for each stack that may be drawn from, and one for none."""
        draws = [move for move in self.scene.moves if move[0] == "draw_family"]
        buttons = []
        for move in draws:
            stack = self.view["stacks"][int(move[1]) - 1]
            title = _("Take the %(kind)s") % {"kind": self.words[stack["top"]]}
            left = ngettext("%(count)s tile left", "%(count)s tiles left", stack["count"])
            lines = (left % {"count": stack["count"]},)
            buttons.append(
                Button(title=title, lines=lines, sign=stack["top"], click=self.taps.move(*move))
            )
        if "end_turn" in self.taps.verbs:
            title = _("Take none and end your turn") if draws else _("End your turn")
            buttons.append(Button(title=title, click=self.taps.move("end_turn")))
        return tuple(buttons)

    def _sell(self) -> Button:
        """Selling: the money at once, and what it makes of the price board."""
        choice, colour = self.view["choice"], self.words[self.view["choice"]["colour"]]
        lines = [self._number_then(colour), *self._stock_then(), *self._others("if_sold")]
        if choice["ends"]:
            lines.append(_("The match ends at once."))
        elif choice["fills"]:
            lines.append(_("The price board is full then."))
        return Button(
            title=_("Sell: %(price)s at once") % {"price": choice["price"]},
            lines=tuple(lines),
            sign="coin",
            click=self.taps.move("sell_treasure") or self.taps.ask("sell_treasure"),
        )

    def _number_then(self, colour: str) -> str:
        """What the price board pays after the sale."""
        choice = self.view["choice"]
        words = {"colour": colour, "now": choice["shown_now"], "then": choice["shown_then"]}
        if choice["shown_now"] == choice["shown_then"]:
            return _("After that %(colour)s still pays %(now)s.") % words
        return _("After that %(colour)s pays %(then)s instead of %(now)s.") % words

    def _stock_then(self) -> list[str]:
        """What the sale makes of one's own treasures of that colour."""
        choice, you = self.view["choice"], self.you or 0
        count = choice["counts"][you]
        now, then = count * choice["values"][you], count * choice["if_sold"][you]
        words = {"count": count, "now": now, "then": then}
        if now == then:
            return [_("Your %(count)s in stock: still %(now)s.") % words] if count else []
        words["gain"] = f"{choice['price'] + then - now:+d}"
        return [
            _("Your %(count)s in stock: %(then)s instead of %(now)s; %(gain)s altogether.") % words
        ]

    def _others(self, fate: str) -> list[str]:
        """Whose stock would gain or lose, and how much."""
        choice = self.view["choice"]
        changes = [
            f"{self.names[seat]} {count * (then - now):+d}"
            for seat, (count, now, then) in enumerate(
                zip(choice["counts"], choice["values"], choice[fate], strict=True)
            )
            if seat != self.you and count * (then - now)
        ]
        return [_("Others: %(changes)s.") % {"changes": ", ".join(changes)}] if changes else []

    def _keep(self) -> Button:
        """Keeping: what the stock of this colour would bring if the match ended now."""
        choice, you = self.view["choice"], self.you or 0
        count, value = choice["counts"][you] + 1, choice["if_kept"][you]
        now = choice["counts"][you] * choice["values"][you]
        words = {"count": count, "value": value, "sum": count * value}
        if count > 1:
            lines = [
                _("Your %(count)s in stock would pay %(count)s × %(value)s = %(sum)s.") % words
            ]
        else:
            lines = [_("It would be your only one and pay %(value)s.") % words]
        return Button(
            title=_("Keep: %(gain)s as prices stand") % {"gain": f"{count * value - now:+d}"},
            lines=(*lines, *self._others("if_kept")),
            sign=choice["colour"],
            click=self.taps.move("keep_treasure") or self.taps.ask("keep_treasure"),
        )
