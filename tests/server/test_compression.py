"""Large messages are compressed, small ones are not, and nothing is kept between them."""

from __future__ import annotations

import pytest
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory, PerMessageDeflate
from websockets.frames import Frame, Opcode

from nevsky.server.compression import COMPRESSED_FROM, LargeMessages

BROWSER = [("client_max_window_bits", None)]


def agreed() -> tuple[PerMessageDeflate, PerMessageDeflate]:
    """The server's and a browser's end of a connection."""
    answer, server = LargeMessages().process_request_params(BROWSER, [])
    return server, ClientPerMessageDeflateFactory(client_max_window_bits=True).process_response_params(answer, [])


@pytest.mark.parametrize("size", [1, COMPRESSED_FROM - 1, COMPRESSED_FROM, 10 * COMPRESSED_FROM])
def test_only_large_messages_are_compressed_and_all_of_them_are_understood(size: int) -> None:
    server, browser = agreed()
    for words in (b"a state ", b"another one "):
        data = (words * size)[:size]
        sent = server.encode(Frame(Opcode.TEXT, data))
        assert sent.rsv1 == (size >= COMPRESSED_FROM)
        assert len(sent.data) < size or not sent.rsv1
        assert browser.decode(sent).data == data


def test_what_a_browser_compresses_is_understood() -> None:
    server, browser = agreed()
    for _ in range(2):
        assert server.decode(browser.encode(Frame(Opcode.TEXT, b'{"type": "ping"}'))).data == b'{"type": "ping"}'


def test_a_connection_keeps_no_window() -> None:
    server, _ = agreed()
    assert not hasattr(server, "encoder")
    assert not hasattr(server, "decoder")
