"""What a round has brought: who won which blocks, who stole what, which site changed hands."""

from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.valley.look import Look
from games.valley.pieces import icons


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing that happened, by whom, with the blocks it was about."""

    seat: int | None
    text: str
    blocks: str = ""  # ready to be printed


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    title: str
    rows: tuple[Row, ...]
    is_open: bool


def summary(look: Look) -> Summary | None:
    """Look back on the round that is over, or on what this one has brought so far."""
    view = look.view
    if view["phase"] == "auction" and view["round"] > 1:
        title = _("Round %(round)s is over") % {"round": view["round"] - 1}
        return Summary(title=title, rows=_rows(look, view["last_story"]), is_open=True)
    rows = _rows(look, view["story"])
    if not rows:
        return None
    over = view["phase"] == "finished"
    title = _("The last round") if over else _("This round so far")
    return Summary(title=title, rows=rows, is_open=False)


def _rows(look: Look, story: list[dict[str, Any]]) -> tuple[Row, ...]:
    """Tell the story in its order; what one seat stole on one site is told together."""
    rows, robbed = [], set[tuple[int, int]]()
    for event in story:
        if event["event"] != "stolen":
            rows.append(_row(look, event))
        elif (theft := (event["seat"], event["site"])) not in robbed:
            robbed.add(theft)
            rows.append(_theft(look, event, story))
    return tuple(rows)


def _theft(look: Look, first: dict[str, Any], story: list[dict[str, Any]]) -> Row:
    seat, site = first["seat"], first["site"]
    loot = tuple(
        event["block"]
        for event in story
        if event["event"] == "stolen" and (event["seat"], event["site"]) == (seat, site)
    )
    words = {"name": look.name(seat), "other": look.name(first["other"]), "site": site}
    text = _("%(name)s robs %(other)s on site %(site)s") % words
    return Row(seat=seat, text=text, blocks=icons(loot))


def _row(look: Look, event: dict[str, Any]) -> Row:
    seat = event["seat"]
    words = {key: value for key, value in event.items() if isinstance(value, int | str)}
    words["name"] = "" if seat is None else look.name(seat)
    match event["event"]:
        case "sold":
            return Row(seat=seat, text=_won(look, event, words), blocks=_blocks(event))
        case "unsold":
            text = _("Nobody buys group %(group)s") % words
            return Row(seat=None, text=text, blocks=_blocks(event))
        case "claimed":
            return Row(seat=seat, text=_("%(name)s claims site %(site)s") % words)
        case "bounced":
            return Row(seat=seat, text=_("%(name)s is pushed back from %(place)s") % words)
        case "taken_over":
            words["other"] = look.name(event["other"])
            text = _("%(name)s takes site %(site)s over from %(other)s") % words
            return Row(seat=seat, text=text)
        case "finished":
            words["kind"] = look.words[event["kind"]]
            return Row(seat=seat, text=_("%(name)s finishes site %(site)s: %(kind)s") % words)
    if seat is not None:
        text = _("%(name)s leaves blocks to the pharaoh: %(count)s")
        return Row(seat=seat, text=text % words)
    text = ngettext(
        "%(count)s block for the pharaoh", "%(count)s blocks for the pharaoh", event["count"]
    )
    return Row(seat=None, text=text % words)


def _blocks(event: dict[str, Any]) -> SafeString:
    return icons(tuple(event["blocks"]))


def _won(look: Look, event: dict[str, Any], words: dict[str, Any]) -> str:
    """Say who won a group and against whom; equal bids say why (§5.3)."""
    group, seat = str(event["group"]), event["seat"]
    rivals = []
    for other, tablets in enumerate(look.view["revealed"]):
        bid = sum(int(tablet[1]) for tablet in tablets.get(group, ()) if tablet[0] == "v")
        if other != seat and bid:
            name = look.name(other)
            rivals.append(_("%(name)s %(bid)s") % {"name": name, "bid": bid})
    text = _("%(name)s wins group %(group)s with %(bid)s") % words
    return f"{text} ({', '.join(rivals)})" if rivals else text
