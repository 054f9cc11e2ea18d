"""What players see and know, as the tensors and strings that OpenSpiel asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from threading import local
from typing import TYPE_CHECKING, Any, Final

from nevsky.extras import needing

with needing("openspiel", __name__):
    import numpy as np
    import numpy.typing as npt
    import pyspiel

from nevsky.encoding import SIZE, Encoder
from nevsky.envs.openspiel_play import Play
from nevsky.errors import NevskyError
from nevsky.rules.view import make_view

if TYPE_CHECKING:
    from nevsky.envs.openspiel_state import NevskyState

__all__ = ["FINGERPRINT", "NevskyObserver", "numbers", "observation_text"]

FINGERPRINT: Final = 32
"""Numbers at the end of an information state tensor that tell one history from another."""
_BITS: Final = [[float(byte >> bit & 1) for bit in range(7, -1, -1)] for byte in range(256)]


class _Here(local):
    """An encoder for each thread: what is encoded is read a moment later."""

    def __init__(self) -> None:
        self.encoder = Encoder()


_HERE: Final = _Here()


def numbers(play: Play, seat: int, *, memory: bool) -> list[float]:
    """What a seat sees, or with ``memory`` what it knows and the fingerprint of that."""
    encoder = _HERE.encoder
    play.encode(encoder, seat, memory)
    row = encoder.row()
    if memory:
        row += _fingerprint(play, seat)
    return row


def observation_text(play: Play, seat: int | None) -> str:
    """The view of a seat, or of a spectator with None, as JSON."""
    return "{}" if play.position is None else make_view(play.position, play.ruleset, seat).to_bytes().decode()


def _fingerprint(play: Play, seat: int) -> list[float]:
    digest = blake2b(play.information(seat).encode(), digest_size=FINGERPRINT // 8).digest()
    return [bit for byte in digest for bit in _BITS[byte]]


class NevskyObserver:
    """Observations of one kind. Only what is public together with what one player knows comes as numbers, too."""

    tensor: npt.NDArray[np.float32] | None
    dict: dict[str, npt.NDArray[np.float32]]

    def __init__(self, kind: pyspiel.IIGObservationType, params: Mapping[str, Any] | None) -> None:
        if params:
            raise NevskyError("env.no_observer_parameters", unknown=", ".join(params))
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise NevskyError("env.no_secrets")
        self.memory: bool = kind.perfect_recall
        self.public: bool = kind.public_info
        self.private: bool = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor = None
        self.dict = {}
        if self.public and self.private:
            self.tensor = np.zeros(SIZE + FINGERPRINT if self.memory else SIZE, np.float32)
            self.dict["observation"] = self.tensor[:SIZE]
            if self.memory:
                self.dict["fingerprint"] = self.tensor[SIZE:]
        self._row: Any = None if self.tensor is None else memoryview(self.dict["observation"])  # type: ignore[arg-type]

    def set_from(self, state: NevskyState, player: int) -> None:
        """Write down the numbers, if there are any."""
        if self.tensor is None:
            return
        encoder = _HERE.encoder
        state.play.encode(encoder, player, self.memory)
        self.tensor.fill(0)
        encoder.put_into(self._row)
        if self.memory:
            self.tensor[SIZE:] = _fingerprint(state.play, player)

    def string_from(self, state: NevskyState, player: int) -> str:
        """The player's view as JSON; with perfect recall everything the player has seen happen, in order."""
        play = state.play
        if not self.public:
            return _private(play, player, self.memory) if self.private else ""
        if self.memory:
            return play.information(player if self.private else None)
        return observation_text(play, player if self.private else None)


def _private(play: Play, seat: int, memory: bool) -> str:
    """What a spectator does not see: rubles, hand, the card looked at, assignments, and a secret question."""
    if memory:
        return "; ".join(step.text for step in play.history if step.knower == seat)
    if play.position is None:
        return "{}"
    view = make_view(play.position, play.ruleset, seat)
    own = view.players[seat]
    known: dict[str, Any] = {
        "rubles": own.rubles,
        "hand": [card._asdict() for card in own.hand],
        "drawn": view.drawn,
        "asked": view.due if view.to_move == seat else None,
    }
    for name in ("assignments", "chosen"):
        if name in view.table:
            known[name] = view.table[name][seat]
    return json.dumps(known, separators=(",", ":"))
