"""Web push: messages that only the browser can read (RFC 8291), and who sends them (VAPID, RFC 8292)."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from typing import Final
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

__all__ = ["Identity", "decoded", "encoded", "encrypt", "is_key"]

_RECORD: Final = 4096
_HALF_A_DAY: Final = 12 * 3600
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve P-256."""


def encoded(data: bytes) -> str:
    """In base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decoded(text: str) -> bytes:
    """The other way round; ValueError for anything else."""
    return base64.b64decode(text + "=" * (-len(text) % 4), "-_", validate=True)


def _raw(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)


def is_key(text: str) -> bool:
    """Whether it is the public key of a browser."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(text))
    except (ValueError, InvalidKey):
        return False
    return True


def encrypt(
    message: bytes, p256dh: str, auth: str, own: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """A message for one browser; key and salt are new each time, unless a test names them."""
    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(p256dh))
    ours = _raw(own.public_key())
    secret = own.exchange(ec.ECDH(), theirs)
    material = _derived(secret, decoded(auth), b"WebPush: info\0" + _raw(theirs) + ours, 32)
    key = _derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(material, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + _RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)


class Identity:
    """By which push services know this server. It follows from the server's secret, so all processes have the same."""

    def __init__(self, secret: str, contact: str) -> None:
        number = int.from_bytes(hashlib.shake_256(f"nevsky-push:{secret}".encode()).digest(48), "big")
        self._key = ec.derive_private_key(1 + number % (_ORDER - 1), ec.SECP256R1())
        self._contact = contact
        self.public = encoded(_raw(self._key.public_key()))
        """For browsers: they take messages of nobody else."""

    def authorization(self, endpoint: str) -> str:
        """The header that says who sends."""
        found = urlsplit(endpoint)
        claims = {
            "aud": f"{found.scheme}://{found.netloc}",
            "exp": int(time.time()) + _HALF_A_DAY,
            "sub": self._contact,
        }
        parts = [{"typ": "JWT", "alg": "ES256"}, claims]
        signed = ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
        r, s = utils.decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={signed}.{signature}, k={self.public}"
