"""What a match does to ratings: the rules for staying, leaving, coming in and being away."""

from games.ratings import Part, Strength, verdicts

NEW = Strength()


def judged(*parts: Part, seats: int = 0, **settings: bool) -> dict[int, tuple[int, str]]:
    """Points after the match and the note, for people who are all new."""
    before = {part.user: NEW for part in parts}
    is_duel = (seats or len(parts)) == 2
    found = verdicts(parts, before, is_duel=is_duel, **settings)
    return {user: (verdict.strength.points, verdict.note) for user, verdict in found.items()}


def test_everybody_begins_at_1500_with_great_doubt():
    assert (NEW.points, NEW.spread) == (1500, 667)


def test_of_two_the_winner_gains_what_the_loser_loses():
    assert judged(Part(1, 1), Part(2, 2)) == {1: (1605, ""), 2: (1395, "")}


def test_a_tie_of_equals_changes_nothing_but_the_doubt():
    before = {1: NEW, 2: NEW}
    after = verdicts([Part(1, 1), Part(2, 1)], before, is_duel=True)
    assert [verdict.strength.points for verdict in after.values()] == [1500, 1500]
    assert all(verdict.strength.spread < NEW.spread for verdict in after.values())


def test_five_are_rated_in_the_order_of_their_places():
    after = judged(*(Part(user, user) for user in (1, 2, 3, 4, 5)))
    points = [after[user][0] for user in (1, 2, 3, 4, 5)]
    assert points == sorted(points, reverse=True)
    assert (points[0] > 1500, points[4] < 1500) == (True, True)


def test_of_two_leaving_is_losing():
    gone = Part(2, 2, stayed=False)
    assert judged(Part(1, 1), gone) == {1: (1605, ""), 2: (1395, "left")}


def test_who_left_three_is_last_for_his_own_rating_whatever_his_seat_reached():
    winner_gone = Part(1, 1, stayed=False)
    last = judged(Part(2, 1), Part(3, 2), Part(1, 3))[1][0]
    assert judged(winner_gone, Part(2, 2), Part(3, 3))[1] == (last, "left")


def test_those_who_stayed_are_rated_as_if_he_had_not_been_there():
    after = judged(Part(1, 1, stayed=False), Part(2, 2), Part(3, 3))
    assert {2: after[2], 3: after[3]} == judged(Part(2, 1), Part(3, 2))


def test_the_only_one_who_stays_of_three_gains_nothing_by_it():
    after = judged(Part(1, 1), Part(2, 2, stayed=False), Part(3, 3, stayed=False))
    assert (after[1], after[2][1], after[2] == after[3]) == ((1500, ""), "left", True)


def test_a_substitute_who_does_well_gains():
    after = judged(
        Part(1, 1, stayed=False), Part(4, 1, is_substitute=True), Part(2, 2), Part(3, 3), seats=3
    )
    assert (after[4][0] > 1500, after[4][1]) == (True, "substitute")
    assert {2: after[2], 3: after[3]} == judged(Part(2, 1), Part(3, 2))


def test_a_substitute_who_does_badly_loses_nothing():
    after = judged(
        Part(1, 3, stayed=False), Part(4, 3, is_substitute=True), Part(2, 1), Part(3, 2), seats=3
    )
    assert after[4] == (1500, "substitute")


def test_a_substitute_who_leaves_again_loses_nothing():
    again = Part(4, 1, stayed=False, is_substitute=True)
    assert judged(Part(1, 1, stayed=False), again, Part(2, 2), Part(3, 3), seats=3)[4] == (
        1500,
        "substitute",
    )


def test_where_a_caretaker_played_most_of_a_seat_only_its_owner_is_rated():
    after = judged(Part(1, 1, stayed=False), Part(2, 2), Part(3, 3), is_nursed=True)
    assert (after[2], after[3]) == ((1500, "caretaker"), (1500, "caretaker"))
    assert (after[1][0] < 1500, after[1][1]) == (True, "left")


def test_an_absence_that_has_counted_elsewhere_does_not_count_again():
    after = judged(Part(1, 2, stayed=False, is_excused=True), Part(2, 1))
    assert after == {1: (1500, "absent"), 2: (1605, "")}
