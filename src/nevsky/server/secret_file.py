"""The secret that signs cookies: from the settings, or from a file beside the database."""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path
from typing import Final

from nevsky.errors import NevskyError, Words
from nevsky.server.setting_kinds import LEAST_SECRET
from nevsky.server.settings import Settings

__all__ = ["load_secret", "secret_path"]

_MOST: Final = 4096
_TEXT: Final = re.compile(rb"[!-~]*")


def secret_path(database: Path) -> Path:
    """Where the secret of a database lies."""
    return Path(f"{database}.secret")


def load_secret(settings: Settings) -> str:
    """The secret from the settings, or from a file that is made with the database; a broken one is refused."""
    if settings.secret:
        return settings.secret
    if settings.postgres is not None:
        raise NevskyError("server.secret_needed")
    path = secret_path(settings.database_path)
    try:
        if not path.exists():
            _make(path)
        return _read(path)
    except OSError as error:
        raise NevskyError("server.secret", path=path, reason=error.strerror or str(error)) from error


def _make(path: Path) -> None:
    """A new secret, which is never there in part. Whoever asks for it has the start lock of the database."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(32))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _read(path: Path) -> str:
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise _broken(path, Words("file.no_file"))
    if os.name == "posix" and found.st_mode & stat.S_IRWXO:  # Windows knows no rights of this kind
        raise _broken(path, Words("server.secret_open", path=path))
    with path.open("rb") as file:
        content = file.read(_MOST + 1).strip()
    if not content:
        raise _broken(path, Words("server.secret_empty"))
    if len(content) > _MOST or not _TEXT.fullmatch(content):
        raise _broken(path, Words("server.secret_text"))
    if len(content) < LEAST_SECRET:
        raise _broken(path, Words("server.secret_short", least=LEAST_SECRET))
    return content.decode("ascii")


def _broken(path: Path, reason: Words) -> NevskyError:
    return NevskyError("server.secret", path=path, reason=reason)
