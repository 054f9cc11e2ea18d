"""Networks that somebody trained, as bots: ``torch:FILE`` and ``sb3:FILE``, each also with ``#sample`` behind it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from nevsky.errors import NevskyError

if TYPE_CHECKING:
    from nevsky.bots.protocol import Bot

__all__ = ["Checkpoint", "is_checkpoint", "load_checkpoint", "split_spec"]

KINDS: Final = ("torch", "sb3")
_SAMPLE: Final = "#sample"
_LONGEST_NAME: Final = 33


class Checkpoint(NamedTuple):
    """Which file is meant, and how it plays."""

    kind: str
    path: Path
    sample: bool
    """Whether actions are drawn by their chances, as in training, and not always the likeliest taken."""

    def resolved(self) -> str:
        """The same from any other directory."""
        return f"{self.kind}:{self.path.resolve()}{_SAMPLE if self.sample else ''}"


def is_checkpoint(spec: str) -> bool:
    """Whether a bot is named by a checkpoint.

    >>> is_checkpoint("torch:weights.pt"), is_checkpoint("torch.py:Bot")
    (True, False)
    """
    return spec.startswith(tuple(f"{kind}:" for kind in KINDS))


def split_spec(spec: str) -> Checkpoint:
    """The parts of such a name.

    >>> split_spec("torch:weights.pt#sample")
    Checkpoint(kind='torch', path=PosixPath('weights.pt'), sample=True)
    """
    kind, _, rest = spec.partition(":")
    return Checkpoint(kind, Path(rest.removesuffix(_SAMPLE)), rest.endswith(_SAMPLE))


def load_checkpoint(checkpoint: Checkpoint) -> Callable[[int | str], Bot]:
    """What makes the bot; a file that is none of ours, or for another game, is refused with a sentence."""
    path = checkpoint.path
    if not path.is_file():
        raise NevskyError("file.none", path=path)
    try:
        from nevsky.bots.checkpoints.bot import CheckpointBot

        if checkpoint.kind == "torch":
            from nevsky.bots.checkpoints.torch_file import read
        else:
            from nevsky.bots.checkpoints.sb3_file import read
        network = read(path)
    except ModuleNotFoundError as error:
        raise NevskyError(
            "checkpoint.missing", spec=checkpoint.kind, module=error.name, extras=f"envs,{_EXTRAS[checkpoint.kind]}"
        ) from error
    name = f"{path.stem[:_LONGEST_NAME].strip() or checkpoint.kind}{'~' if checkpoint.sample else ''}"
    return lambda seed: CheckpointBot(name, network, seed, sample=checkpoint.sample)


_EXTRAS: Final = {"torch": "train", "sb3": "sb3"}
