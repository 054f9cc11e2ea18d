"""Which address a connection is counted under, and whom the server believes."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from nevsky.errors import NevskyError
from nevsky.server.addresses import address_of, trusted_proxies
from nevsky.server.settings import Settings


def found(peer: str | None, *forwarded: str, trusted: str = "127.0.0.1,::1") -> str:
    headers = [(b"x-forwarded-for", each.encode("latin-1")) for each in forwarded]
    client = None if peer is None else (peer, 1)
    connection = HTTPConnection({"type": "http", "client": client, "headers": headers})
    return address_of(connection, Settings(trusted_proxies=trusted))


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", "127.0.0.1"),
        (None, ""),
        ("testclient", ""),
    ],
)
def test_the_other_end_of_the_connection(peer: str | None, address: str) -> None:
    assert found(peer) == address


@pytest.mark.parametrize("peer", ["192.0.2.7", "127.0.0.2"])
def test_nobody_is_believed_but_trusted_proxies(peer: str) -> None:
    assert found(peer, "203.0.113.1") == peer


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        (["203.0.113.1"], "203.0.113.1"),
        ([" 203.0.113.1 "], "203.0.113.1"),
        (["203.0.113.1:5566"], "203.0.113.1"),
        (["[2001:db8:1:2::3]:443"], "2001:db8:1:2::/64"),
        (["[2001:db8:1:2::3]"], "2001:db8:1:2::/64"),
        (["2001:db8:1:2::3"], "2001:db8:1:2::/64"),
        (["::ffff:203.0.113.1"], "203.0.113.1"),
        (["[::ffff:203.0.113.1]:99"], "203.0.113.1"),
    ],
)
def test_a_trusted_proxy_says_who_came(forwarded: list[str], address: str) -> None:
    for proxy in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        assert found(proxy, *forwarded) == address


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        (["198.51.100.9, 203.0.113.1"], "203.0.113.1"),  # the visitor wrote the first one themselves
        (["198.51.100.9", "203.0.113.1"], "203.0.113.1"),  # in a header of their own, too
        (["127.0.0.1, 203.0.113.1"], "203.0.113.1"),
        (["203.0.113.1, 10.1.2.3, 127.0.0.1"], "203.0.113.1"),  # two trusted proxies
        (["203.0.113.1, 10.1.2.3, 198.51.100.9, 10.9.9.9"], "198.51.100.9"),
        (["10.1.2.3"], "10.1.2.3"),  # a proxy that asks for itself
        (["1.2.3.4," * 5000 + "203.0.113.1"], "203.0.113.1"),
    ],
)
def test_only_the_last_hop_that_is_no_trusted_proxy_counts(forwarded: list[str], address: str) -> None:
    assert found("127.0.0.1", *forwarded, trusted="127.0.0.1, 10.0.0.0/8") == address


GARBAGE = "|,|unknown|_hidden|203.0.113.999|010.0.0.1|[2001:db8::1|[2001:db8::1]x|1.2.3.4:x|1.2.3.4:|1.2.3.4:999999"
MORE_GARBAGE = ("1.2.3.4:80:80", "é", "\x00", "0x7f000001", "203.0.113.1/24", "x" * 60_000)


@pytest.mark.parametrize("garbage", [*GARBAGE.split("|"), *MORE_GARBAGE])
def test_what_cannot_be_read_falls_back_on_the_proxy(garbage: str) -> None:
    assert found("127.0.0.1", garbage) == "127.0.0.1"
    assert found("127.0.0.1", f"203.0.113.1, {garbage}") == "127.0.0.1"
    assert found("127.0.0.1", f"203.0.113.1, {garbage}, 10.1.2.3", trusted="127.0.0.1,10.1.2.3") == "10.1.2.3"


def test_no_more_hops_are_read_than_make_sense() -> None:
    assert found("10.0.0.1", ", ".join(["203.0.113.1"] + ["10.0.0.2"] * 100), trusted="10.0.0.0/8") == "10.0.0.2"


def test_nobody_at_all_may_be_trusted() -> None:
    assert found("127.0.0.1", "203.0.113.1", trusted="") == "127.0.0.1"


@pytest.mark.parametrize("wrong", ["everybody", "*", "10.0.0.1/8", "127.0.0.1;::1", "10.0.0.0/33"])
def test_proxies_that_cannot_be_are_refused(wrong: str) -> None:
    with pytest.raises(NevskyError, match="NEVSKY_TRUSTED_PROXIES"):
        trusted_proxies(wrong)
