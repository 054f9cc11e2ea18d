"""A bot program with one fault of choice; it is started by the tests and needs nothing of Nevsky."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

fault, directory = sys.argv[1], Path(sys.argv[2])
(directory / str(os.getpid())).touch()
if fault == "leaves_child" and os.fork() == 0:
    (directory / str(os.getpid())).touch()
    time.sleep(600)


def say(**message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def forever() -> NoReturn:
    while True:
        time.sleep(60)


def compute() -> None:
    """Keep a processor busy for 30 ms of its own time."""
    begun = time.process_time()
    while time.process_time() < begun + 0.03:
        pass


decided = 0
if fault == "mute":
    forever()
if fault == "slow_start":
    time.sleep(1.0)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        protocol = 99 if fault == "stranger" else message["protocol"]
        name: object = "x" * 100 if fault == "long_name" else 7 if fault == "number_name" else fault
        say(id=message["id"], protocol=protocol, name=name, observe=fault.startswith("watcher"))
        if fault == "deaf":
            forever()
    elif message["type"] in ("observe", "game_over", "new_game"):
        with (directory / "told").open("a") as told:
            told.write(line)
        if message["type"] == "observe" and fault == "watcher_leaves":
            os._exit(0)
        if message["type"] == "observe" and fault == "watcher_talks":
            say(seen=True)
    elif message["type"] == "decide":
        decided += 1
        if fault == "scribe":
            with (directory / "asked").open("a") as asked:
                asked.write(line)
        answer: dict[str, Any] = {"action": message["legal"][0]}
        if fault != "no_numbers":
            answer["id"] = message["id"]
        if fault == "silent":
            forever()
        elif fault == "crash" or (fault == "crash_once" and decided == 3):
            os._exit(3)
        elif fault == "complains":
            sys.stderr.write("x" * 200_000 + "\nTraceback (most recent call last):\nValueError: no \x1b[31mplan\n")
            sys.stderr.flush()
            os._exit(3)
        elif fault == "unknown_id":
            answer["id"] = message["id"] + 40
        elif fault == "same_id":
            answer["id"] = 1
        elif fault == "computes":
            compute()
        elif fault == "computes_and_ends":
            compute()
            os._exit(3)
        elif fault == "lets_compute":
            if os.fork() == 0:
                compute()
                os._exit(0)
            os.wait()
        elif fault == "illegal":
            answer["action"] = "buy kremlin"
        elif fault == "no_action":
            del answer["action"]
        elif fault == "list":
            sys.stdout.write("[1, 2]\n")
            sys.stdout.flush()
            continue
        elif fault == "chatter":
            sys.stdout.write("thinking...\n")
        elif fault == "deep":
            sys.stdout.write("[" * 200000 + "\n")
            sys.stdout.flush()
            continue
        elif fault == "huge":
            sys.stdout.write("x" * 3_000_000)
            sys.stdout.flush()
            forever()
        elif fault == "flood":
            while True:
                sys.stdout.write('{"id": 1}\n')
        elif fault in ("late", "no_numbers") and decided % 2 == 0:
            time.sleep(1.2)
        say(**answer)
if fault == "stubborn":
    forever()
