"""Cases recorded from Puppet for one part of the program, in JSONL files beside its tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from puppet_repl.cli.batch import answer
from tests.conformance.run import differences

Case = dict[str, Any]
REQUESTED = ("id", "code", "mode", "facts", "params", "strict", "node", "ruby")
# What a recorded case says instead of a directory of the machine that recorded it.
DIRECTORIES = {"<modulepath>": "modules", "<environment>": "environment"}


def read(path: Path) -> list[Case]:
    """Return the cases of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def check(case: Case, directory: Path) -> list[str]:
    """Return in what the answer to a case differs from Puppet's, a line each."""
    request: Case = {key: case[key] for key in REQUESTED if key in case}
    for kind, name in (("files", "modules"), ("environment_files", "environment")):
        for path, text in case.get(kind, {}).items():
            file = directory / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    if "files" in case:
        request["modulepath"] = [str(directory / "modules")]
    request["environment"] = str(directory / "environment") if "environment_files" in case else ""
    reply = json.dumps(answer(request))
    for shown, name in DIRECTORIES.items():
        reply = reply.replace(str(directory / name), shown)
    return differences(case, json.loads(reply))
