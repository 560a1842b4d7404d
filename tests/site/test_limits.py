"""Whoever asks too often is counted by where the asking comes from, not by an address."""

import pytest
from allauth.account.adapter import get_adapter
from django.test import RequestFactory

from config.limits import whence
from games.views import share
from tests.site.people import duel


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::1", "::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),  # IPv4 by a door for IPv6
    ],
)
def test_all_addresses_of_one_household_are_one_place(address, place):
    assert whence(RequestFactory().get("/", REMOTE_ADDR=address)) == place


def test_our_accounts_count_ipv4_apart_by_whatever_door_it_came():
    """Shortened to its first half, each such address would be the same for the log-in's limits."""
    request = RequestFactory().get("/", REMOTE_ADDR="::ffff:192.0.2.7")
    assert get_adapter(request).get_client_ip(request) == "192.0.2.7"


@pytest.mark.django_db
def test_a_new_address_of_the_same_household_draws_no_more_pictures(client, anna, bob, monkeypatch):
    monkeypatch.setattr(share, "PICTURES_PER_HOUR", 1)
    address = f"/matches/{duel(anna, bob).pk}/picture.png"
    asked = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "::ffff:192.0.2.7", "192.0.2.8"]
    answers = [client.get(address, REMOTE_ADDR=one).status_code for one in asked]
    assert answers == [200, 429, 200, 200, 200]
