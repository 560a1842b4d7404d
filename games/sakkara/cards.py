"""What the cards and spells are called and what each is for, in words.

Everything that can be counted or listed is read from the tables of components.py, so that a
correction there is enough: explanations and help page (material.py) follow.
"""

from django.utils.functional import lazy
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.catalogue import Words
from games.sakkara import components
from games.sakkara.components import NUMBER, SLOTS, TIER

MOTIFS: dict[str, Words] = {
    "ship": _("ship"),
    "grain": _("grain"),
    "hewn_stone": _("hewn stone"),
    "stair": _("stair"),
    "braid": _("braid"),
    "double_stripe": _("double stripe"),
    "cross": _("cross"),
    "circle": _("circle"),
    "moon": _("moon"),
    "eye": _("eye"),
    "pyramid_tip": _("pyramid tip"),
    "helping_hand": _("helping hand"),
    "snake": _("snake"),
    "horse": _("horse"),
    "bird": _("bird"),
    "ox": _("ox"),
}
SPELLS: dict[str, Words] = {
    "fire_storm": _("fire storm"),
    "whirlwind": _("whirlwind"),
    "drought": _("drought"),
    "shipwreck": _("shipwreck"),
}
EFFECTS: dict[str, Words] = {
    "fire_storm": _(
        "Take the top card of every field in the row or column of one of your workers."
    ),
    "whirlwind": _("Take the top card of each of the eight fields around one of your workers."),
    "drought": _("Your opponent loses one laid grain."),
    "shipwreck": _("Your opponent loses the laid ship."),
}
DEEDS: dict[str, Words] = {  # what a card does, apart from being built and being part of a spell
    "ship": _("Lay it open: without a ship you cannot build. A shipwreck takes it away."),
    "grain": _("Lay it open: tier 1 needs one grain, tier 2 two, tier 3 three."),
    "stair": _("Spend it to climb a stack of any height."),
    "pyramid_tip": _("Building it wins."),
    "helping_hand": _("Spent in building: each hewn stone costs one, the pyramid tip two."),
    "snake": _("Look into your opponent’s hand and steal one card."),
    "horse": _("After your step: one or two fields further in the same direction."),
    "bird": _("Put one of your workers on any free field and take its top card."),
    "ox": _("Push cards from a stack beside your worker to a neighbouring field, never upwards."),
}


def _purpose(motif: str) -> str:
    """Say what a card is for: what it does, where it is built, and in which spells it is."""
    card = NUMBER[motif]
    said = [str(DEEDS[motif])] if motif in DEEDS else []
    if places := SLOTS[card]:
        said.append(
            ngettext("One belongs in tier %(tier)s.", "%(count)s belong in tier %(tier)s.", places)
            % {"count": places, "tier": TIER[card]}
        )
    if hands := components.HANDS[card]:
        said.append(
            ngettext(
                "Building it costs a helping hand.",
                "Building it costs %(count)s helping hands.",
                hands,
            )
            % {"count": hands}
        )
    if spells := [SPELLS[spell] for spell, recipe in components.SPELLS.items() if motif in recipe]:
        said.append(gettext("Part of: %(spells)s.") % {"spells": ", ".join(map(str, spells))})
    return " ".join(said)


purpose = lazy(_purpose, str)  # worded when it is read, in the reader's language
PURPOSES: dict[str, Words] = {motif: purpose(motif) for motif in MOTIFS}
