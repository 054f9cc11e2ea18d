"""A push service of our own: it takes messages for one browser and reads them with the browser's keys."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from nevsky.server.notices.encrypting import encoded
from tests.server.support import Json, Visitor

AUTH = b"0123456789abcdef"


class PushService:
    """Answers with `status`, or never if it is 0."""

    def __init__(self) -> None:
        self.status = 201
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.port = 0
        self.ended = asyncio.Event()
        self._key = ec.generate_private_key(ec.SECP256R1())

    def subscription(self, name: str = "one") -> Json:
        public = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": encoded(public), "auth": encoded(AUTH)}
        return {"endpoint": f"http://127.0.0.1:{self.port}/push/{name}", "keys": keys}

    @property
    def messages(self) -> list[Json]:
        """What the browser can read."""
        return [
            json.loads(http_ece.decrypt(body, private_key=self._key, auth_secret=AUTH, version="aes128gcm"))
            for _, _, body in self.requests
        ]

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers["content-length"]))
        self.requests.append((head[0], headers, body))
        if not self.status:
            await self.ended.wait()
        writer.write(f"HTTP/1.1 {self.status} -\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n".encode())
        writer.close()
        await writer.wait_closed()

    async def wait(self, number: int, seconds: float = 10) -> None:
        """Until so many messages have come."""
        async with asyncio.timeout(seconds):
            while len(self.requests) < number:
                await asyncio.sleep(0.02)


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    service = PushService()
    server = await asyncio.start_server(service.answer, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    try:
        yield service
    finally:
        service.ended.set()
        await asyncio.sleep(0.05)
        server.close()


async def subscribe(visitor: Visitor, service: PushService, name: str = "one", **wishes: object) -> None:
    answer = await visitor.http.post("/api/notices/devices", json=service.subscription(name))
    assert answer.status_code == 204, answer.text
    wanted = {"kinds": ["turn", "start", "over", "invite"], "language": "en", "zone": "UTC", **wishes}
    assert (await visitor.http.put("/api/notices", json=wanted)).status_code == 200
