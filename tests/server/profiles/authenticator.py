"""A passkey in software, which can also be told to lie."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = secrets.token_bytes(16)
        self.user = b""
        self.count = 0
        self._key = ec.generate_private_key(ec.SECP256R1())

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _data(self, party: str, flags: int) -> bytes:
        self.count += 1
        return hashlib.sha256(party.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def make(self, text: str) -> str:
        """The answer to navigator.credentials.create."""
        options = json.loads(text)
        self.user = decoded(options["user"]["id"])
        numbers = self._key.public_key().public_numbers()
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)})
        data = self._data(options["rp"]["id"], 0x45) + bytes(16) + len(self.id).to_bytes(2) + self.id + key
        return self._answer(
            clientDataJSON=_text(self._client("webauthn.create", options)),
            attestationObject=_text(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})),
        )

    def sign(self, text: str) -> str:
        """The answer to navigator.credentials.get."""
        options = json.loads(text)
        data, client = self._data(options["rpId"], 0x05), self._client("webauthn.get", options)
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            clientDataJSON=_text(client),
            authenticatorData=_text(data),
            signature=_text(signature),
            userHandle=_text(self.user),
        )

    def _answer(self, **response: str) -> str:
        name = _text(self.id)
        whole = {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}
        return json.dumps(whole)
