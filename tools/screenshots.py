"""Pictures of the main pages for the documents: starts a server of its own and takes them in Chromium."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ("table-desktop-light.png", "market-desktop-dark.png", "table-phone-light.png")


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        command = [
            str(Path(sys.executable).parent / "nevsky"),
            "serve",
            "--port",
            "0",
            "--database",
            f"{directory}/pictures.db",
        ]
        server = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "NEVSKY_BOT_PAUSE": "0"},
        )
        try:
            assert server.stdout is not None
            found = next(filter(None, (re.search(r"http://[\w.:]+", line) for line in server.stdout)))
            environment = {**os.environ, "NEVSKY_URL": found.group()}
            node = ["node", "e2e/screenshots.mjs", directory]
            subprocess.run(node, cwd=ROOT / "web", env=environment, check=True)
        finally:
            server.terminate()
            server.wait(10)
        target = ROOT / "docs" / "screenshots"
        target.mkdir(exist_ok=True)
        for name in KEPT:
            shutil.copy(Path(directory) / name, target / name)
    print(f"{len(KEPT)} pictures written to {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
