"""The map of the valley as it stands: areas, sites with their pyramids, figures, prices of ways."""

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.valley import chart
from games.valley.components import AREAS, MAP, SITES
from games.valley.look import Look, Stand
from games.valley.needs import prospect
from games.valley.pieces import CELL, Spot, use

# The number of a site, over its first corner so that it can be read on a phone.
PLAQUE = (
    '<g class="plaque"><rect x="-11" y="-11" width="42" height="36" rx="7"/>'
    '<text x="10" y="17">{}</text></g>'
)


def valley(look: Look) -> SafeString:
    """Draw the whole map: the ground first, what can be tapped above it."""
    rim = look.ground.rim
    drawn = [f'<path class="plinth" d="{rim}" transform="translate(0 14)"/>']
    drawn.append(f'<path class="ground" d="{rim}"/>')
    drawn += [_area(look, area).html for area in AREAS]
    drawn.append(look.ground.lines)
    drawn += [_tokens(look, area) for area in AREAS]
    drawn.append(_pharaoh(look))
    drawn += [_site(look, site).html for site in SITES]
    drawn.append(chart.ROCKS)
    drawn += _plans(look)
    return mark_safe("".join(drawn))  # noqa: S308 - labels are escaped in Piece


# --- areas --------------------------------------------------------------------------------------


def _area(look: Look, area: int) -> Spot:
    x, y = look.ground.labels[area]
    click = look.taps.area(area)
    price = look.price(area) if click and click.lit else None
    return Spot(
        kind=f"area a{area}",
        label=_in_area(look, area, price),
        click=click,
        explain="area",
        css="marked" * (area in look.marks) + " chosen" * (look.taps.node == area),
        art=f'<path d="{look.ground.areas[area]}"/>'
        + (_badge(price, x, y) or f'<text class="number" x="{x}" y="{y + 14}">{area}</text>'),
    )


def _in_area(look: Look, area: int, price: int | None) -> str:
    parts = [_("Area %(area)s") % {"area": area}, *who_stands(look, area)]
    if price is not None:
        parts.append(_("points for the way: %(price)s") % {"price": price})
    return ". ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """How many figures of one player stand at a place."""

    seat: int
    name: str
    overseers: int
    workers: int

    @property
    def words(self) -> str:
        counts = []
        if count := self.overseers:
            text = ngettext("%(count)s overseer", "%(count)s overseers", count)
            counts.append(text % {"count": count})
        if count := self.workers:
            text = ngettext("%(count)s worker", "%(count)s workers", count)
            counts.append(text % {"count": count})
        return f"{self.name}: {', '.join(counts)}"


def crews(look: Look, place: int) -> list[Crew]:
    """Count the figures at a place, for each player who has some there."""
    found = [(stand.seat, stand.kind) for stand in look.figures.get(place, [])]
    return [
        Crew(
            seat=seat,
            name=look.name(seat),
            overseers=found.count((seat, "o")),
            workers=found.count((seat, "w")),
        )
        for seat in sorted({seat for seat, _kind in found})
    ]


def who_stands(look: Look, place: int) -> list[str]:
    return [crew.words for crew in crews(look, place)]


def _tokens(look: Look, area: int) -> str:
    """Figures in an area: one token for all of a kind, with their number."""
    kinds: dict[str, list[Stand]] = {}
    for stand in look.figures.get(area, []):
        kinds.setdefault(stand.art, []).append(stand)
    places = chart.muster(area, len(kinds))
    drawn, counts = [], []
    for (art, stands), (x, y, size) in zip(sorted(kinds.items()), places, strict=True):
        token = use(art, x, y, size * 0.94)
        drawn.append(f'<g data-key="{stands[0].key}">{token}</g>')
        if len(stands) > 1:
            at = f'x="{x + size * 0.64:g}" y="{y + size:g}"'
            counts.append(f"<text {at}>{len(stands)}</text>")
    return f'<g class="tokens" aria-hidden="true">{"".join(drawn + counts)}</g>'


def _badge(price: int | None, x: float, y: float) -> str:
    """What a way costs; in an area it takes the place of the number."""
    if price is None:
        return ""
    return (
        f'<g class="badge"><circle cx="{x:g}" cy="{y:g}" r="32"/>'
        f'<text x="{x:g}" y="{y + 15:g}">{price}</text></g>'
    )


# --- sites --------------------------------------------------------------------------------------


def _site(look: Look, site: int) -> Spot:
    shown = chart.SITE[site]
    size, wide = shown["size"], shown["w"]
    middle = wide / 2
    if str(site) not in look.view["sites"]:
        folded = look.ground is chart.FOLDED and shown["suns"] == 3
        art = "" if folded else use(f"{size}-closed", shown["x"], shown["y"], wide)
        label = _("Site %(site)s, not in play") % {"site": site}
        return Spot(kind="site closed", label=label, explain="closed", art=art)
    click = look.taps.site(site)
    price = look.price(f"{site}-A") if click and click.lit else None
    wider = look.ground.reach
    reach = (wider - wide) / 2
    owner = look.view["sites"][str(site)]["owner"]
    return Spot(
        key=f"site-{site}",
        kind=f"site {size}",
        label=". ".join(about(look, site)),
        click=click,
        explain=size,
        css=f"{'free' if owner is None else f'of-{owner}'}{' marked' * (site in look.marks)}"
        f"{' chosen' * _is_chosen(look, site)}",
        art=f'<g transform="translate({shown["x"]} {shown["y"]})">'
        f'<path class="reach" d="M{-reach:g} {-reach:g}h{wider}v{wider}h-{wider}z"/>'
        f"{stage(look, site)}"
        f"{PLAQUE.format(site)}"
        f"{_badge(price, middle, middle)}</g>",
    )


def _is_chosen(look: Look, site: int) -> bool:
    node = look.taps.node
    return str(node).startswith(f"{site}-") or look.taps.cell[:1] == (site,)


def stage(look: Look, site: int) -> str:
    """A site with all that stands on it, in the units of its own picture."""
    shown, state = chart.SITE[site], look.view["sites"][str(site)]
    wide, owner = shown["w"], state["owner"]
    drawn = [f'<path class="cast" d="M8 10h{wide}v{wide}h-{wide}z"/>']
    drawn.append(use(f"frame-{shown['size']}", 0, 0, wide))
    drawn.append(f'<path class="shared" d="{chart.SHARED[site]}"/>')
    drawn.append(use(f"suns-{shown['suns']}", wide - CELL, 0))
    if owner is not None:
        drawn.append(use(f"s{owner}", wide - 35, wide - 35, 42))
        worth = "worth" if state["finished"] else "hope"
        drawn.append(f'<text class="{worth}" x="15" y="{wide - 7}">{state["points"]}</text>')
    drawn.append(chart.pyramid(site, state["levels"]))
    if state["finished"] and owner is not None:
        drawn.append(use(f"s{owner}", wide / 2 - 12, wide / 2 - 12, 24))
    for stand in look.figures.get(site, []):
        x, y = chart.space_corner(site, str(stand.node).partition("-")[2])
        drawn.append(f'<g data-key="{stand.key}">{use(stand.art, x - 2, y - 4, 34)}</g>')
    return "".join(drawn)


def about(look: Look, site: int) -> list[str]:
    """Say what there is to know about a site."""
    state = look.view["sites"][str(site)]
    size = _("small") if chart.SITE[site]["size"] == "small" else _("large")
    parts = [_("Site %(site)s, %(size)s") % {"site": site, "size": size}]
    if state["owner"] is None:
        parts.append(_("nobody owns it"))
    else:
        parts.append(_("owner: %(name)s") % {"name": look.name(state["owner"])})
        parts.append(prospect(look, site))
    parts += who_stands(look, site)
    price = look.price(f"{site}-A")
    if price is not None:
        parts.append(_("points for the way: %(price)s") % {"price": price})
    return parts


# --- the pharaoh, and plans ---------------------------------------------------------------------


def _pharaoh(look: Look) -> str:
    """The common pyramid: blocks fill it level by level."""
    place, blocks = MAP["pharaoh"], look.view["pharaoh"]
    x, y, drawn, start = place["x"] + 15, place["y"] + 15, [], 0
    for level, wide in enumerate(range(place["base"], 0, -1)):
        for cell, block in enumerate(blocks[start : start + wide * wide]):
            left = x + 15 * level + CELL * (cell % wide)
            top = y + 15 * level + CELL * (cell // wide)
            if level:
                drawn.append(f'<path class="cast" d="M{left} {top}h33v33h-33z"/>')
            drawn.append(use(block, left, top))
        start += wide * wide
    label = _("Pharaoh pyramid: %(count)s of 30 blocks") % {"count": len(blocks)}
    spot = Spot(
        kind="tomb",
        label=label,
        explain="pharaoh",
        art=use("tomb", place["x"], place["y"], place["size"]) + "".join(drawn),
    )
    return spot.html


def _plans(look: Look) -> list[str]:
    """Where the viewer's own overseers shall go, as long as only the viewer knows."""
    if look.you is None:
        return []
    drawn = []
    for order, node in look.mine["orders"].items():
        if isinstance(node, str):
            x, y, _area = chart.SITE[int(node.partition("-")[0])]["spaces"][node.partition("-")[2]]
        else:
            x, y = look.ground.labels[node]
            x -= 62
        drawn.append(
            f'<g class="plan" data-key="plan-{order}"><circle cx="{x}" cy="{y}" r="24"/>'
            f"{use(f'o{look.you}', x - 16, y - 16, 32)}</g>"
        )
    return drawn
