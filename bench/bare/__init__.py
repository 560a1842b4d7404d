"""The least that Django can do for a move, to compare with: no users, no rules, no page."""
