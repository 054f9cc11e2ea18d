"""A message that comes as one frame in one piece, as by far the most do: read at once instead of step by step.

Whatever looks otherwise in any way is left to those who read frames step by step, and both read the same.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final

from websockets.streams import StreamReader

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

if TYPE_CHECKING:
    from websockets.protocol import Protocol

__all__ = ["between_frames", "whole_text"]

_TEXT: Final = 0x81
_DEFLATED_TEXT: Final = 0xC1
_MASKED: Final = 0x80
_SHORT: Final = 126
"""From here on the size stands in two bytes of its own."""
_LONG: Final = 127
_TAIL: Final = b"\x00\x00\xff\xff"
"""What whoever compresses a message leaves out (RFC 7692, 7.2.1)."""
_AT_A_BEGINNING: Final = StreamReader.at_eof.__code__


def between_frames(reading: Protocol) -> bool:
    """Whether everything that has come was read, and no message is in the middle of its parts."""
    step: Any = reading.parser
    while (inner := getattr(step, "gi_yieldfrom", None)) is not None:
        step = inner
    if getattr(step, "gi_code", None) is not _AT_A_BEGINNING:
        return False
    return getattr(reading, "current_size", 0) is None  # of versions that call it otherwise nothing is known


def whole_text(data: bytes, most: int, *, deflated: bool) -> str | None:
    """The text if it is one masked frame with a text and nothing else; with `deflated` it may be compressed."""
    if len(data) < 6 or not data[1] & _MASKED:
        return None
    head, size, start = data[0], data[1] - _MASKED, 6
    if size >= _SHORT:
        if size == _LONG or len(data) < 8:
            return None
        size, start = int.from_bytes(data[2:4]), 8
    if len(data) != start + size or size > most:
        return None
    words = apply_mask(data[start:], data[start - 4 : start])
    if head == _DEFLATED_TEXT and deflated:
        inflated = _inflated(words, most)
        if inflated is None:
            return None
        words = inflated
    elif head != _TEXT:
        return None
    try:
        return words.decode()
    except UnicodeDecodeError:
        return None


def _inflated(words: bytes, most: int) -> bytes | None:
    try:
        inflating = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
        found = inflating.decompress(words + _TAIL, most)
    except zlib.error:
        return None
    return None if len(found) >= most or inflating.eof else found
