"""What a stored position of Valley of the Kings may weigh: a bag, a market and 28 figures."""

SNAPSHOT = 6144  # bytes
