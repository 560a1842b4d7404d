"""The ways a match of Valley of the Kings can end (docs/rules/valley.md §5.9, §6)."""

from games.engine.session import ranks

ENDINGS = {
    "pharaoh_complete": lambda end: end.end_reason == "pharaoh_complete",
    "all_sites_complete": lambda end: end.end_reason == "all_sites_complete",
    "round_limit": lambda end: end.end_reason == "round_limit",
    "surplus": lambda end: bool(end.discard),
    "won_alone": lambda end: ranks(end.scores()).count(1) == 1,
    "shared": lambda end: ranks(end.scores()).count(1) > 1,
}
