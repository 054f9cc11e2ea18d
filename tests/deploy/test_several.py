"""The configuration for several servers is one that nginx takes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.deploy.several import configured
from tests.server.engines import free_port


@pytest.mark.parametrize("hashed", [True, False])
def test_nginx_takes_the_configuration(tmp_path: Path, hashed: bool) -> None:
    servers = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    words = configured(tmp_path, servers, free_port(), free_port(), hashed=hashed)
    checked = subprocess.run([*words, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "test is successful" in checked.stderr


def test_what_may_have_been_carried_out_is_not_sent_again() -> None:
    site = (Path(__file__).parents[2] / "deploy" / "nginx-several.conf").read_text(encoding="utf-8")
    [line] = [each for each in site.splitlines() if each.strip().startswith("proxy_next_upstream ")]
    assert "non_idempotent" not in line
