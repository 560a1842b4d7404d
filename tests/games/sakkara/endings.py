"""The ways a match of Sakkara can end (docs/rules/sakkara.md §6); a playthrough shows each."""

ENDINGS = {
    "pyramid": lambda end: end.end_reason == "pyramid",
    "stall_won_by_building": lambda end: (
        end.end_reason == "stall" and len({built for built, _laid in end.scores()}) == 2
    ),
    "stall_won_by_supplies": lambda end: (
        end.end_reason == "stall"
        and len({built for built, _laid in end.scores()}) == 1
        and end.winner() >= 0
    ),
    "turn_limit": lambda end: end.end_reason == "turn_limit",
    "drawn": lambda end: end.winner() < 0,
}
