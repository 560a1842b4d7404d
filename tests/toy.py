"""Scarabs, a toy game that uses every feature of the engine; the engine's tests are played on it.

Each round all seats bid a card in secret. The highest bidder takes a jewel, may draw a card and
buy more jewels with cards, and ends the turn. Ties go by lot, to nobody, or to a chosen seat.
"""

from dataclasses import dataclass
from typing import Any, Self

from games.catalogue import Choice, Game, Lesson, Opening, Option, Scene, Step, Texts
from games.engine.contract import OPEN, Move, Options, Refused, State, View
from games.engine.table import Table

CARDS = [f"c{value}{copy}" for value in (1, 2, 3, 4) for copy in "abcd"]


def worth(card: str) -> int:
    return int(card[1]) if card in CARDS else 0


@dataclass(slots=True)
class Scarabs(State):
    # public
    tie: int | str  # lot, nobody, or the seat that wins ties
    rounds: int  # still to be played, this one included
    active: int  # whose turn it is; OPEN while all bid
    took: bool  # the active seat has taken its jewel
    drew: bool  # and its card
    jewels: list[int]  # by spot; 0 where one was taken
    loot: list[list[int]]
    spent: list[str]
    # owner only
    hands: list[list[str]]
    bids: list[str]  # "" = not yet, "pass" with an empty hand
    # nobody
    deck: list[str]

    @classmethod
    def setup(cls, seats: int, options: Options, table: Table) -> Self:
        deck = CARDS[:]
        table.shuffle(deck)
        table.tell("dealt", seats=seats)
        return cls(
            tie=options["tie"],
            rounds=int(options["rounds"]),
            active=OPEN,
            took=False,
            drew=False,
            jewels=[1, 2, 3] * seats,
            loot=[[] for _ in range(seats)],
            spent=[],
            hands=[[deck.pop() for _ in range(3)] for _ in range(seats)],
            bids=[""] * seats,
            deck=deck,
        )

    def to_act(self) -> list[int]:
        if self._is_over():
            return []
        if self.active != OPEN:
            return [self.active]
        return [seat for seat, bid in enumerate(self.bids) if not bid]

    def legal(self, seat: int) -> list[Move]:
        if seat not in self.to_act():
            return []
        hand = self.hands[seat]
        if self.active == OPEN:
            return [("bid", card) for card in hand] or [("pass",)]
        spots = [spot for spot, jewel in enumerate(self.jewels) if jewel]
        moves: list[Move] = [] if self.took else [("take", spot) for spot in spots]
        moves += [("buy", card, spot) for card in hand for spot in spots]
        moves += [("draw",)] if self.deck and not self.drew else []
        return moves + ([("end",)] if self.took or not spots else [])

    def apply(self, seat: int, move: Move, table: Table) -> None:
        match move:
            case ("bid", str(card)):
                self.hands[seat].remove(card)
                self.bids[seat] = card
                table.tell("chose", seat=seat)
            case ("pass",):
                self.bids[seat] = "pass"
                table.tell("chose", seat=seat)
            case ("take", int(spot)):
                self.took = True
                self._gain(seat, spot, table)
            case ("buy", str(card), int(spot)):
                self.hands[seat].remove(card)
                self.spent.append(card)
                table.tell("spent", seat=seat, card=card)
                self._gain(seat, spot, table)
            case ("draw",):
                self.drew = True
                self.hands[seat].append(self.deck.pop())
                table.tell("drew", seat=seat)
                table.whisper(seat, "drew_this", card=self.hands[seat][-1])
                table.reveal()
            case ("end",):
                self._next_round()
        if all(self.bids):
            self._award(table)

    def view(self, seat: int | None) -> View:
        def shown(owner: int) -> bool:
            return seat in (owner, OPEN) or self._is_over()

        hidden = [bid if shown(at) else "chosen" * bool(bid) for at, bid in enumerate(self.bids)]
        return {
            "me": seat,
            "tie": self.tie,
            "rounds": self.rounds,
            "active": self.active,
            "jewels": self.jewels[:],
            "loot": [loot[:] for loot in self.loot],
            "spent": self.spent[:],
            "hands": [hand[:] if shown(at) else [] for at, hand in enumerate(self.hands)],
            "sizes": self._sizes(),
            "bids": hidden,
            "left": len(self.deck),
            "deck": self.deck[:] if shown(OPEN) else [],
        }

    def determinize(self, seat: int, table: Table) -> Self:
        twin = self.clone()
        others = [other for other in range(len(twin.hands)) if other != seat]
        unknown = twin.deck + [card for other in others for card in twin.hands[other]]
        unknown += [twin.bids[other] for other in others if worth(twin.bids[other])]
        table.shuffle(unknown)
        for other in others:
            if worth(twin.bids[other]):
                twin.bids[other] = unknown.pop()
            twin.hands[other] = [unknown.pop() for _ in twin.hands[other]]
        twin.deck = unknown
        return twin

    def scores(self) -> list[tuple[int, ...]]:
        return [(sum(loot), len(hand)) for loot, hand in zip(self.loot, self.hands, strict=True)]

    def why_not(self, seat: int, move: Move) -> Refused:
        refused = State.why_not(self, seat, move)
        match move:
            case _ if refused.key != "illegal":
                return refused
            case ("bid" | "buy", str(card), *_) if card not in self.hands[seat]:
                return Refused("not_in_hand", card=card)
            case ("take", _) if self.took:
                return Refused("one_jewel")
            case ("end",) if not self.took:
                return Refused("take_first")
        return refused

    def idle(self, seat: int) -> Move:
        moves = self.legal(seat)
        return ("end",) if ("end",) in moves else moves[0]

    def _gain(self, seat: int, spot: int, table: Table) -> None:
        self.loot[seat].append(self.jewels[spot])
        table.tell("took", seat=seat, jewel=self.jewels[spot])
        self.jewels[spot] = 0

    def _award(self, table: Table) -> None:
        """Open the bids: the highest wins the turn."""
        table.reveal()
        for seat, bid in enumerate(self.bids):
            if worth(bid):
                table.tell("bid", seat=seat, card=bid)
            else:
                table.tell("passed", seat=seat)
        highest = max(map(worth, self.bids))
        best = [seat for seat, bid in enumerate(self.bids) if worth(bid) == highest]
        self.spent += filter(worth, self.bids)
        self.bids = [""] * len(self.bids)
        if self.tie in best:
            best = [int(self.tie)]
        if not highest or (len(best) > 1 and self.tie == "nobody"):
            table.tell("tied")
            self._next_round()
        else:
            self.active = best[0] if len(best) == 1 else table.pick(best)
            table.tell("won", seat=self.active)

    def _next_round(self) -> None:
        self.rounds -= 1
        self.active, self.took, self.drew = OPEN, False, False

    def _is_over(self) -> bool:
        return not self.rounds or (self.active == OPEN and not any(self.jewels))

    def _sizes(self) -> list[int]:
        """Count the hands as the others see them: a bid that is not open yet counts as held."""
        return [
            len(hand) + bool(worth(bid)) for hand, bid in zip(self.hands, self.bids, strict=True)
        ]


def phrase(move: Move) -> tuple[str, dict[str, Any]]:
    """Name the verb and the atoms that are there: `buy`, `buy_card`, `buy_card_spot`."""
    verb, *atoms = move
    named = dict(zip(("spot",) if verb == "take" else ("card", "spot"), atoms, strict=False))
    return "_".join([str(verb), *named]), named


TEXTS = Texts(
    names={card: f"the {worth(card)} ({card[2]})" for card in CARDS}
    | {"pass": "nothing", "chosen": "a hidden card"},
    lines={
        "dealt": "Cards are dealt to %(seats)s players.",
        "chose": "%(seat)s has chosen.",
        "bid": "%(seat)s bids %(card)s.",
        "passed": "%(seat)s has no card to bid.",
        "tied": "Nobody wins the turn.",
        "won": "%(seat)s wins the turn.",
        "took": "%(seat)s takes a jewel of %(jewel)s.",
        "spent": "%(seat)s spends %(card)s.",
        "drew": "%(seat)s draws a card.",
        "drew_this": "You draw %(card)s.",
    },
    moves={
        "bid": "Bid ...",
        "bid_card": "Bid %(card)s",
        "pass": "Pass",
        "take": "Take ...",
        "take_spot": "Take the jewel on spot %(spot)s",
        "buy": "Buy ...",
        "buy_card": "Buy with %(card)s ...",
        "buy_card_spot": "Buy the jewel on spot %(spot)s with %(card)s",
        "draw": "Draw a card",
        "end": "End the turn",
    },
    refusals={
        "not_in_hand": "You do not hold %(card)s.",
        "one_jewel": "You have taken your jewel.",
        "take_first": "Take a jewel first.",
    },
    explanations={card: f"A card worth {worth(card)} in the bidding." for card in CARDS}
    | {"pass": "Who has no card bids nothing.", "chosen": "A bid nobody else may see yet."},
    phrase=phrase,
)


@dataclass(frozen=True)
class Drawing:
    """All of the view in one line, and what can be clicked."""

    picture: str
    moves: tuple[str, ...]


def board(scene: Scene) -> Drawing:
    return Drawing(str(scene.view), tuple(" ".join(map(str, move)) for move in scene.moves))


LESSON = Lesson(
    steps=(
        Step(
            opening=Opening(seats=2, seed="lesson 2", moves="1 bid c1d"),
            ask="All bid a card in secret. Bid one of yours.",
            wanted=("bid",),
            told="Yours was higher, so the turn is yours.",
        ),
        Step(ask="Take a jewel.", wanted=("take 0", "take 1"), told="It is yours."),
        Step(
            ask="Try to take another one.",
            wanted=("take 2",),
            refusal="one_jewel",
            told="One jewel a turn; more are bought with cards.",
        ),
        Step(ask="End the turn.", wanted=("end",), told="Who has most in jewels at the end wins."),
    ),
)

TOY = Game(
    slug="toy",
    title="Scarabs",
    summary="Bid in secret, take jewels.",
    seats=range(2, 5),
    state=Scarabs,
    texts=TEXTS,
    board=board,
    minutes=5,
    turns={2: 3, 3: 4, 4: 4},
    lesson=LESSON,
    options=(
        Option(
            key="tie",
            label="Ties",
            explanation="Who wins the turn when the highest bids are equal.",
            choices=(Choice("lot", "by lot"), Choice("nobody", "nobody")),
            default="lot",
            any_seat=True,
        ),
        Option(
            key="rounds",
            label="Rounds",
            explanation="How many rounds are played.",
            choices=(Choice(3, "three"), Choice(2, "two")),
            default=3,
        ),
    ),
)
