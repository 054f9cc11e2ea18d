"""What a setting may be. Each kind knows its bounds and says in a sentence what is wrong."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import urlsplit

from nevsky.errors import NevskyError
from nevsky.server.addresses import trusted_proxies
from nevsky.server.logs import LEVELS
from nevsky.server.rates import Rate

__all__ = [
    "LEAST_SECRET",
    "POSTGRES",
    "Advertised",
    "Between",
    "Count",
    "CountOrAll",
    "Database",
    "Days",
    "DaysAway",
    "Entrants",
    "LeaseSeconds",
    "Level",
    "LogLevel",
    "MailFrom",
    "Milliseconds",
    "Minutes",
    "Networks",
    "Origins",
    "Patience",
    "Pause",
    "Port",
    "PublicUrl",
    "RateText",
    "RedisUrl",
    "Reserve",
    "Seconds",
    "Secret",
    "SmtpUrl",
    "Workers",
    "convert",
    "shown",
    "without_password",
]

_TRUE: Final = ("1", "true", "yes", "on")
_FALSE: Final = ("0", "false", "no", "off")
_MOST: Final = 1_000_000
_YEAR: Final = 366 * 24 * 3600
_LONG: Final = 100
"""Characters of a wrong value that are shown."""
LEAST_SECRET: Final = 16
POSTGRES: Final = ("postgresql://", "postgres://")
"""How the address of a PostgreSQL begins."""


class Between(NamedTuple):
    """A number with bounds; NaN is in none."""

    least: float
    most: float

    def __call__(self, name: str, value: Any) -> None:
        """Refuse what is outside."""
        if not self.least <= value <= self.most:
            least, most = _plain(self.least), _plain(self.most)
            raise NevskyError("setting.between", name=name, least=least, most=most, value=shown(value))


def _plain(number: float) -> str:
    return f"{number:g}" if number < _MOST else f"{number:.0f}"


def shown(value: object) -> str:
    """A wrong value as it is quoted, not for pages."""
    text = repr(value)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


def convert(name: str, text: str, kind: type) -> Any:
    """The value that a variable of the environment stands for."""
    if kind is bool:
        word = text.strip().lower()
        if word not in _TRUE + _FALSE:
            raise NevskyError("setting.boolean", name=name, value=shown(text))
        return word in _TRUE
    try:
        value = kind(text)
    except ValueError as error:
        raise NevskyError("setting.whole" if kind is int else "setting.number", name=name, value=shown(text)) from error
    if kind is float and not math.isfinite(value):
        raise NevskyError("setting.number", name=name, value=shown(text))
    return value


def _networks(_: str, value: str) -> None:
    trusted_proxies(value)


def _advertise(name: str, value: str) -> None:
    try:
        found = urlsplit(value)
        fits = not value or (found.scheme in ("http", "https") and bool(found.hostname) and (found.port or 1) > 0)
    except ValueError:
        fits = False
    if not fits or not value.isprintable() or len(value) > _LONG:
        raise NevskyError("setting.advertise", name=name, value=shown(value))


def _origins(name: str, value: str) -> None:
    for origin in filter(None, map(str.strip, value.split(","))):
        try:
            found = urlsplit(origin)
            port_fits = found.port is None or found.port > 0
        except ValueError:
            port_fits = False
        if not port_fits or not re.fullmatch(r"https?://[^\s/?#@\\]+", origin):
            raise NevskyError("setting.origins", name=name, value=shown(origin))


def _level(name: str, value: str) -> None:
    from nevsky.bots import LEVELS as BOTS  # takes a while, and most servers name none

    if value and value not in BOTS:
        raise NevskyError("setting.one_of", name=name, names=", ".join(BOTS), value=shown(value))


def _log_level(name: str, value: str) -> None:
    if value.lower() not in LEVELS:
        raise NevskyError("setting.one_of", name=name, names=", ".join(LEVELS), value=shown(value))


def without_password(url: str) -> str:
    """An address as it may be shown.

    >>> without_password("postgresql://anna:secret@db.example:5432/nevsky?sslmode=require")
    'postgresql://anna@db.example:5432/nevsky'
    """
    try:
        found = urlsplit(url)
        where = found.netloc.rpartition("@")
        user = where[0].partition(":")[0]
        return f"{found.scheme}://{f'{user}@' if user else ''}{where[2]}{found.path}"
    except ValueError:
        return url.partition("://")[0] + "://…"


def _database(name: str, value: str) -> None:
    if "://" not in value:
        return
    try:
        found = urlsplit(value)
        fits = value.startswith(POSTGRES) and found.netloc != "" and len(found.path) > 1 and (found.port or 1) > 0
    except ValueError:  # several hosts, each with a port, are no port
        fits = value.startswith(POSTGRES) and "," in value
    if not fits or "\0" in value:
        raise NevskyError("setting.database", name=name)  # without the value: it may hold a password


def _secret(name: str, value: str) -> None:
    if value and len(value) < LEAST_SECRET:
        raise NevskyError("setting.secret", name=name, least=LEAST_SECRET)


def _redis(name: str, value: str) -> None:
    """Its value is not quoted: there may be a password in it."""
    if not value:
        return
    try:
        found = urlsplit(value)
        fits = found.port is None or found.port > 0
    except ValueError:
        fits = False
    place = fits and (found.path if found.scheme == "unix" else found.hostname)
    number = fits and (found.scheme == "unix" or re.fullmatch(r"/?\d*", found.path))
    if not (place and number and found.scheme in ("redis", "rediss", "unix")):
        raise NevskyError("setting.redis", name=name)


def _public_url(name: str, value: str) -> None:
    if value and ("," in value or value != value.strip()):
        raise NevskyError("setting.public_url", name=name, value=shown(value))
    try:
        _origins(name, value.rstrip("/"))
    except NevskyError as error:
        raise NevskyError("setting.public_url", name=name, value=shown(value)) from error


def _smtp(name: str, value: str) -> None:
    """Its value is not quoted: there may be a password in it."""
    if value in ("", "log"):
        return
    try:
        found = urlsplit(value)
        fits = found.scheme in ("smtp", "smtps") and bool(found.hostname) and (found.port or 1) > 0
    except ValueError:
        fits = False
    if not fits or not value.isprintable():
        raise NevskyError("setting.smtp", name=name)


def _mail_from(name: str, value: str) -> None:
    from email.utils import parseaddr  # takes a while, and most servers send none

    if value and (not value.isprintable() or not re.fullmatch(r"[^@\s]+@[^@\s]+", parseaddr(value)[1])):
        raise NevskyError("setting.mail_from", name=name, value=shown(value))


Port = Annotated[int, Between(0, 65535)]
Count = Annotated[int, Between(1, _MOST)]
"""How many there may be; none would lock everybody out."""
CountOrAll = Annotated[int, Between(0, _MOST)]
Workers = Annotated[int, Between(0, 1024)]
Milliseconds = Annotated[int, Between(1, 600_000)]
Pause = Annotated[float, Between(0, 3600)]
Patience = Annotated[float, Between(0.1, 3600)]
Seconds = Annotated[float, Between(0.1, _YEAR)]
Reserve = Annotated[float, Between(0, _YEAR)]
Minutes = Annotated[float, Between(1, _YEAR / 60)]
Days = Annotated[float, Between(0, 36_500)]
Entrants = Annotated[int, Between(2, 256)]
DaysAway = Annotated[int, Between(0, 366)]
RateText = Annotated[str, Rate.read]
Networks = Annotated[str, _networks]
RedisUrl = Annotated[str, _redis]
Origins = Annotated[str, _origins]
Level = Annotated[str, _level]
LogLevel = Annotated[str, _log_level]
Secret = Annotated[str, _secret]
SmtpUrl = Annotated[str, _smtp]
MailFrom = Annotated[str, _mail_from]
PublicUrl = Annotated[str, _public_url]
Database = Annotated[str, _database]
Advertised = Annotated[str, _advertise]
LeaseSeconds = Annotated[float, Between(1, 60)]
