"""Compression of WebSocket messages: of large ones only, and without anything kept between them.

A patch is small anyway, to compress it for each viewer costs a twentieth of a move, and each connection would hold two
windows of memory for as long as it lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from websockets.extensions.base import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame
from websockets.typing import ExtensionParameter

__all__ = ["COMPRESSED_FROM", "LargeMessages"]

COMPRESSED_FROM: Final = 4096
"""Bytes: whole states are larger, patches smaller."""
_LEVEL: Final = 3
"""A whole state becomes an eighth larger than with the usual 6, in a third of the time."""


class _LargeOnly(PerMessageDeflate):
    def encode(self, frame: Frame) -> Frame:
        return super().encode(frame) if len(frame.data) >= COMPRESSED_FROM else frame


class LargeMessages(ServerPerMessageDeflateFactory):
    """Offers compression, and uses it for large messages; whatever clients compress is understood."""

    def __init__(self) -> None:
        super().__init__(server_no_context_takeover=True, client_no_context_takeover=True)

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """Agree on what the client offers."""
        answer, agreed = super().process_request_params(params, accepted_extensions)
        windows = agreed.remote_max_window_bits, agreed.local_max_window_bits
        return answer, _LargeOnly(True, True, *windows, {"level": _LEVEL})
