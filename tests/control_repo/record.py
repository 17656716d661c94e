"""Record what Puppet's own ``puppet lookup`` says about the control repository beside this file.

    PUPPET_LIB=DIR [EYAML_LIB=DIR:DIR] python -m tests.control_repo.record [--new | --check N]

PUPPET_LIB is the directory lib of Puppet 8, EYAML_LIB holds hiera-eyaml and what it requires.
Answers go to recorded.jsonl.gz; directories of this machine are written as ``<repository>`` and
``<puppet>``. With --new, only what was not asked before is asked. With --check, N of the recorded
answers are compared with those of the real command line instead.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from tests.control_repo.requests import Request, requests

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.jsonl.gz"
PUPPET = ["ruby", "--disable-did_you_mean", "--disable-error_highlight"]
PROCESSES = 2


def load_path() -> list[str]:
    """Return the options of ruby that name Puppet and hiera-eyaml."""
    eyaml = os.environ.get("EYAML_LIB", "").split(os.pathsep)
    return [f"-I{path}" for path in (os.environ["PUPPET_LIB"], *eyaml) if path]


def command_line(request: Request, state: str) -> list[str]:
    """Return the arguments of ``puppet lookup``; Puppet's files are kept in ``state``."""
    settings = {
        "confdir": state,
        "vardir": state,
        "environmentpath": str(HERE / "environments"),
        "hiera_config": str(HERE / "global" / "hiera.yaml"),
        "environment": request["environment"],
        "color": "false",
    }
    return [
        *request["arguments"],
        *(word for name, value in settings.items() for word in (f"--{name}", value)),
    ]


def environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def ask(asked: list[Request]) -> list[dict[str, Any]]:
    """Return the answers to requests, in their order."""
    with tempfile.TemporaryDirectory() as state:
        lines = [
            json.dumps({**request, "arguments": command_line(request, state)}) for request in asked
        ]
        done = subprocess.run(
            [*PUPPET, *load_path(), str(HERE / "record.rb")],
            input="".join(line + "\n" for line in lines),
            stdout=subprocess.PIPE,
            text=True,
            cwd=HERE,
            env=environment(),
            check=True,
        )
        return [tidy(json.loads(line), state) for line in done.stdout.splitlines()]


def tidy(answer: dict[str, Any], state: str) -> dict[str, Any]:
    """Return an answer without the directories of this machine."""
    names = {str(HERE): "<repository>", os.environ["PUPPET_LIB"]: "<puppet>", state: "<state>"}
    for key in ("output", "errors"):
        for path, name in names.items():
            answer[key] = answer[key].replace(path, name)
    return answer


def ask_command_line(request: Request) -> dict[str, Any]:
    """Return the answer of a ``puppet lookup`` of its own."""
    with tempfile.TemporaryDirectory() as state:
        program = Path(os.environ["PUPPET_LIB"]).parent / "bin" / "puppet"
        done = subprocess.run(
            [*PUPPET, *load_path(), str(program), "lookup", *command_line(request, state)],
            capture_output=True,
            text=True,
            cwd=HERE,
            env=environment(),
        )
    answer = {"status": done.returncode, "output": done.stdout, "errors": done.stderr}
    return tidy(answer, state)


def recorded() -> dict[str, dict[str, Any]]:
    """Return the requests with their answers, by ``identity``."""
    if not RECORDED.exists():
        return {}
    with gzip.open(RECORDED, "rt", encoding="utf-8") as file:
        return {identity(case): case for case in map(json.loads, file)}


def identity(request: Request) -> str:
    """Return what tells a request from all others."""
    return json.dumps([request[key] for key in ("environment", "arguments")])


def record(known: dict[str, dict[str, Any]]) -> None:
    """Ask everything whose answer is not known, and write all answers."""
    asked = [request for request in requests() if identity(request) not in known]
    parts = [asked[start::PROCESSES] for start in range(PROCESSES)]
    with ThreadPoolExecutor(PROCESSES) as pool:
        answers = list(pool.map(ask, parts))
    for number, request in enumerate(asked):
        answer = answers[number % PROCESSES][number // PROCESSES]
        known[identity(request)] = {**request, **answer}
    # Without a time of writing the same answers make the same file.
    with gzip.GzipFile(RECORDED, "wb", mtime=0) as packed, TextIOWrapper(packed, "utf-8") as file:
        for request in requests():
            file.write(json.dumps(known[identity(request)], ensure_ascii=False) + "\n")
    print(f"{len(asked)} asked, {len(list(requests()))} recorded")


def check(count: int) -> int:
    """Compare recorded answers with those of the real command line; return the exit status."""
    # What a certificate says cannot be given on the command line.
    known = [case for case in recorded().values() if "trusted" not in case]
    chosen = random.Random(0).sample(known, min(count, len(known)))
    wrong = 0
    for case in chosen:
        answer = ask_command_line(case)
        if answer != {key: case[key] for key in answer}:
            print("differs:", case, answer, file=sys.stderr)
            wrong += 1
    print(f"{len(chosen) - wrong} of {len(chosen)} as recorded")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--new", action="store_true")
    parser.add_argument("--check", type=int, metavar="N")
    given = parser.parse_args()
    if given.check:
        return check(given.check)
    record(recorded() if given.new else {})
    return 0


if __name__ == "__main__":
    sys.exit(main())
