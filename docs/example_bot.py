"""An example of a program that plays on Nilepost: it plays one match to its end.

    python docs/example_bot.py https://nilepost.example KEY            opens a match against a bot
    python docs/example_bot.py https://nilepost.example KEY obelisk    the same, of that game
    python docs/example_bot.py https://nilepost.example KEY 1234       plays in match 1234

KEY is made on the site, under Settings, Programs. Nothing but Python is needed. Its play is poor:
it takes any legal move. Replace `choose` to do better.
"""

import json
import random
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Site:
    """The API of a site, for the owner of a key."""

    def __init__(self, address, key):
        self.address = address.rstrip("/")
        self.key = key

    def ask(self, path, sent=None):
        """Get something, or send something; None: nothing is new. Waits when it is told to."""
        request = Request(self.address + path, headers={"Authorization": f"Bearer {self.key}"})
        if sent is not None:
            request.data = json.dumps(sent).encode()
            request.add_header("Content-Type", "application/json")
        while True:
            try:
                with urlopen(request) as answer:
                    text = answer.read()
                return json.loads(text) if text else None
            except HTTPError as refused:
                if refused.code not in (429, 503):
                    raise
                time.sleep(int(refused.headers["Retry-After"]))


def choose(match):
    """Pick a move. `match["view"]` holds all that this seat may know."""
    return random.choice(match["moves"])


def play(site, number, pause=1.0):
    """Play a match to its end; return it as it stands then."""
    match = site.ask(f"/api/matches/{number}/")
    while match["status"] in ("open", "running"):
        if match["moves"]:
            try:
                sent = {"token": match["token"], "move": choose(match)}
                match = site.ask(f"/api/matches/{number}/move/", sent)
            except HTTPError as refused:
                if refused.code not in (409, 422):
                    raise
                match = site.ask(f"/api/matches/{number}/")  # it went on meanwhile
        else:
            time.sleep(pause)
            news = site.ask(f"/api/matches/{number}/?seen={match['revision']}")
            match = news or match
    return match


def open_match(site, game):
    """Open a match of two against a bot of the site; it begins at once."""
    opponent = {"kind": "bot", "who": "easy"}
    wanted = {"game": game, "opponents": [opponent], "pace": "friends", "private": True}
    return site.ask("/api/matches/", wanted)["id"]


def main(address, key, what="sakkara"):
    site = Site(address, key)
    number = int(what) if what.isdecimal() else open_match(site, what)
    print(f"{site.address}/matches/{number}/")
    match = play(site, number)
    for player in match["players"]:
        print(player["rank"], player["name"], player["score"])


if __name__ == "__main__":
    main(*sys.argv[1:])
