"""Sites from nearby: large enough for a finger, with what they are worth and what can be done."""

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.valley import chart
from games.valley.components import COLOURS, SHAPES
from games.valley.look import Look, Stand
from games.valley.needs import prospect
from games.valley.pieces import CELL, Button, Spot, use
from games.valley.scenery import Crew, crews


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One site: its picture from above, its side, facts in words, and who stands there."""

    site: int
    title: str
    box: str
    spots: tuple[Spot, ...]
    side: SafeString
    owner: str
    owner_seat: int | None
    facts: tuple[str, ...]
    crews: tuple[Crew, ...]
    button: Button | None
    css: str

    @property
    def picture(self) -> SafeString:
        return mark_safe("".join(spot.html for spot in self.spots))  # noqa: S308 - see Piece


def sheets(look: Look) -> tuple[Sheet, ...]:
    """Open the sites that the moment is about."""
    return tuple(_sheet(look, site) for site in _opened(look))


def _opened(look: Look) -> list[int]:
    taps = look.taps
    if taps.node is not None and isinstance(taps.node, str):
        return [int(taps.node.partition("-")[0])]
    sites = [
        int(move[1])
        for move in look.scene.moves
        if move[0] in ("steal_block", "take_over", "build_block")
    ]
    chosen = [int(site) for site in taps.cell[:1]]
    return list(dict.fromkeys([*chosen, *sites]))


def _sheet(look: Look, site: int) -> Sheet:
    shown, state = chart.SITE[site], look.view["sites"][str(site)]
    owner = state["owner"]
    return Sheet(
        site=site,
        title=_("Site %(site)s") % {"site": site},
        box=f"0 0 {shown['w']} {shown['w']}",
        spots=(_ground(look, site), *_spaces(look, site), *_cells(look, site)),
        side=mark_safe(chart.elevation(site, state["levels"])),  # noqa: S308 - our own symbols
        owner=_("nobody owns it")
        if owner is None
        else _("owner: %(name)s") % {"name": look.name(owner)},
        owner_seat=owner,
        facts=tuple(_facts(look, site)),
        crews=tuple(crews(look, site)),
        button=_button(look, site),
        css="free" if owner is None else f"of-{owner}",
    )


def _ground(look: Look, site: int) -> Spot:
    shown, owner = chart.SITE[site], look.view["sites"][str(site)]["owner"]
    wide = shown["w"]
    art = use(f"frame-{shown['size']}", 0, 0, wide)
    art += f'<text class="number" x="15" y="23">{site}</text>'
    if owner is not None:
        art += use(f"s{owner}", wide - CELL, wide - CELL)
    return Spot(kind="ground", art=art)


def _spaces(look: Look, site: int) -> list[Spot]:
    standing = {str(stand.node): stand for stand in look.figures.get(site, [])}
    planned = set(look.mine["orders"].values()) if look.you is not None else set()
    return [
        _space(look, site, letter, standing.get(f"{site}-{letter}"), f"{site}-{letter}" in planned)
        for letter in chart.SITE[site]["spaces"]
    ]


def _space(look: Look, site: int, letter: str, stand: Stand | None, planned: bool) -> Spot:
    x, y = chart.space_corner(site, letter)
    name = f"{site}-{letter}"
    label = name if stand is None else f"{name}: {_figure(look, stand)}"
    art = f'<path class="seat" d="M{x} {y}h30v30h-30z"/>'
    if stand:
        art += use(stand.art, x + 1, y + 1, 28)
    elif planned:
        art += use(f"o{look.you}", x + 1, y + 1, 28, "ghost")
    else:
        art += f'<text x="{x + 15}" y="{y + 21}">{letter}</text>'
    css = "chosen" if look.taps.node == name else ""
    return Spot(kind="space", label=label, click=look.taps.space(name), css=css, art=art)


def _figure(look: Look, stand: Stand) -> str:
    words = {"name": look.name(stand.seat)}
    return (
        _("overseer of %(name)s") % words if stand.kind == "o" else _("worker of %(name)s") % words
    )


def _cells(look: Look, site: int) -> list[Spot]:
    """All cells, bottom first; those of upper levels only once there is something below them."""
    state = look.view["sites"][str(site)]
    spots = []
    places = iter(chart.ROW_PLACES[site])
    for level, cells in enumerate(state["levels"].values(), 1):
        for cell, block in enumerate(cells):
            x, y, _level = next(places)
            if block or level <= state["level"]:
                spots.append(_cell(look, site, (level, cell), block, (x, y)))
    return spots


def _cell(
    look: Look, site: int, cell: tuple[int, int], block: str | None, at: tuple[int, int]
) -> Spot:
    (level, number), (x, y) = cell, at
    name = look.words[block] if block else _("empty")
    label = _("Site %(site)s, level %(level)s, cell %(cell)s: %(block)s") % {
        "site": site, "level": level, "cell": number + 1, "block": name,
    }  # fmt: skip
    art = f'<path class="cast" d="M{x} {y}h33v33h-33z"/>' if block and level > 1 else ""
    art += use(block, x, y) if block else f'<path class="cell" d="M{x} {y}h30v30h-30z"/>'
    click = look.taps.steal(site, level, number) if block else None
    state = look.view["sites"][str(site)]
    if not block and level == state["level"] and state["owner"] == look.you:
        colour = _suggested(look, site, level, number)
        click = look.taps.build(site, level, number, colour) if colour else None
        if click and click.lit:
            art += use(str(look.taps.colour or colour), x, y, CELL, "ghost")
    chosen = look.taps.cell == (site, level, number)
    hidden = SHAPES[site].hidden == number and level == 1
    return Spot(
        kind="cell",
        key="",
        label=label,
        click=click,
        explain="hidden" if hidden else "",
        css="chosen" * chosen,
        art=art + use("hidden", x, y) * hidden,
    )


def _suggested(look: Look, site: int, level: int, cell: int) -> str:
    """The block a tap would lay while no colour is held: what the level shows, else the most."""
    stock = dict(zip(COLOURS, look.mine["stock"], strict=True))
    have = [colour for colour in COLOURS if stock[colour]]
    if not have:
        return ""
    seen = [block for block in look.view["sites"][str(site)]["levels"][str(level)] if block]
    if SHAPES[site].hidden == cell and level == 1:
        return min(have, key=lambda colour: stock[colour])
    return max(have, key=lambda colour: (seen.count(colour), stock[colour]))


def _facts(look: Look, site: int) -> list[str]:
    state, price = look.view["sites"][str(site)], look.price(f"{site}-A")
    way = [] if price is None else [_("points for the way: %(price)s") % {"price": price}]
    if state["owner"] is None:
        return way
    facts = [*way, prospect(look, site)]
    if loot := state["loot"]:
        facts.append(
            ngettext("you can steal %(left)s block", "you can steal %(left)s blocks", loot)
            % {"left": loot}
        )
    if look.view["phase"] == "build" and state["owner"] == look.you:
        left = state["room"]
        facts.append(
            ngettext("%(left)s block this round", "%(left)s blocks this round", left)
            % {"left": left}
        )
    return facts


def _button(look: Look, site: int) -> Button | None:
    click = look.taps.move("take_over", site)
    if click is None:
        return None
    title = _("Take site %(site)s over") % {"site": site}
    return Button(title=title, sign=f"s{look.you}", click=click)
