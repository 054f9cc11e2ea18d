"""Messages that come as one frame are read at once, and as they would be read step by step."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.extensions.base import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from nevsky.server import protocols
from nevsky.server.compression import _LargeOnly
from nevsky.server.frames import between_frames, whole_text
from tests.server.support import run, running
from tests.server.test_errors import alone
from tests.server.test_wire import upgraded

MOST = 4096
PONG = b'{"type":"pong"}'
TEXTS = st.text(max_size=300) | st.text(alphabet="ab", max_size=5000)


def deflating() -> Extension:
    return _LargeOnly(True, True, 15, 15, {})


def reading(*, deflated: bool = False) -> ServerProtocol:
    """Step by step, after the handshake."""
    protocol = ServerProtocol(max_size=65_536)
    protocol.state = State.OPEN
    protocol.parser = super(ServerProtocol, protocol).parse()
    next(protocol.parser)
    protocol.extensions = [deflating()] if deflated else []
    return protocol


def frame(words: bytes, *, deflated: bool = False, opcode: Opcode = Opcode.TEXT, fin: bool = True) -> bytes:
    extensions = [PerMessageDeflate(True, True, 15, 15)] if deflated else []
    return Frame(opcode, words, fin).serialize(mask=True, extensions=extensions)


def step_by_step(protocol: ServerProtocol, data: bytes) -> list[Frame]:
    protocol.receive_data(data)
    return [event for event in protocol.events_received() if isinstance(event, Frame)]


@given(TEXTS, st.booleans())
def test_one_frame_alone_is_read_at_once(words: str, deflated: bool) -> None:
    data = frame(words.encode(), deflated=deflated)
    found = whole_text(data, MOST, deflated=deflated)
    size = len(words.encode())
    assert found == words if size < MOST else size == MOST or found is None
    assert whole_text(data + b"\x89", MOST, deflated=deflated) is None
    assert whole_text(data[:-1], MOST, deflated=deflated) is None


@given(st.binary(max_size=40) | st.binary(max_size=40).map(lambda rest: b"\x81\x82" + rest), st.booleans())
def test_nothing_is_read_that_is_read_otherwise_step_by_step(data: bytes, deflated: bool) -> None:
    found = whole_text(data, MOST, deflated=deflated)
    if found is not None:
        [event] = step_by_step(reading(deflated=deflated), data)
        assert (event.opcode, event.fin, bytes(event.data).decode()) == (Opcode.TEXT, True, found)


@given(st.lists(TEXTS, min_size=1, max_size=4), st.lists(st.integers(1, 40), max_size=30), st.booleans())
def test_messages_in_any_pieces_are_read_in_their_order(words: list[str], sizes: list[int], deflated: bool) -> None:
    data = b"".join(frame(each.encode(), deflated=deflated) for each in words)
    protocol, found = reading(deflated=deflated), []
    for size in [*sizes, len(data)]:
        piece, data = data[:size], data[size:]
        whole = whole_text(piece, MOST, deflated=deflated) if between_frames(protocol) else None
        if whole is None:
            found += [bytes(event.data).decode() for event in step_by_step(protocol, piece)]
        else:
            found.append(whole)
    assert found == words
    assert between_frames(protocol)


def test_what_is_in_the_middle_is_left_to_the_steps() -> None:
    protocol = reading()
    assert between_frames(protocol)
    for begun in (b"\x81", b"\x81\x85", b"\x81\x85mask", b"\x81\x85maska"):
        protocol = reading()
        step_by_step(protocol, begun)
        assert not between_frames(protocol), begun
    protocol = reading()
    step_by_step(protocol, frame(b"first part", fin=False))
    assert not between_frames(protocol)
    step_by_step(protocol, frame(b"last", opcode=Opcode.CONT))
    assert between_frames(protocol)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x81",
        b"\x81\x02{}",  # without a mask
        frame(b"{}", opcode=Opcode.BINARY),
        frame(b"{}", opcode=Opcode.PING),
        frame(b"{}", fin=False),
        frame(b"\xff\xff"),
        frame(b"{}", deflated=True),  # not agreed upon
        b"\x91" + frame(b"{}")[1:],  # a bit that means nothing
        frame(b"x" * 70_000),
    ],
    ids=("nothing", "a start", "no mask", "binary", "ping", "a part", "no text", "compressed", "a bit", "too much"),
)
def test_what_looks_otherwise_is_left_to_the_steps(data: bytes) -> None:
    assert whole_text(data, MOST, deflated=False) is None


def test_little_that_would_become_much_is_left_to_the_steps() -> None:
    assert whole_text(frame(b"x" * 1_000_000, deflated=True), MOST, deflated=True) is None
    assert whole_text(b"\xc1\x84\0\0\0\0\xff\xff\xff\xff", MOST, deflated=True) is None


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_table_hears_everything_in_any_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    taken: list[str] = []
    take = protocols.SocketConnection._take

    def noting(connection: protocols.SocketConnection, words: str) -> None:
        taken.append(words)
        take(connection, words)

    monkeypatch.setattr(protocols.SocketConnection, "_take", noting)
    ping = frame(b'{"type":"ping"}')

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, made = await alone(server)
            async with upgraded(server, made["table"]) as (reader, writer):
                heard = b""
                for pieces in ([(ping * 3)[start : start + size] for start in range(0, len(ping) * 3, size)], [ping]):
                    before = heard.count(PONG)
                    for piece in pieces:
                        writer.write(piece)
                        await asyncio.sleep(0.01)
                    async with asyncio.timeout(10):
                        while heard.count(PONG) < before + b"".join(pieces).count(ping):
                            heard += await reader.read(1024)

    run(scenario())
    assert taken == ['{"type":"ping"}']
