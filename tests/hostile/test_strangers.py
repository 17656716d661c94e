"""One stranger's request touches no other: attacks, each before the request of a victim.

``strangers.jsonl`` has one a line: what the ``attack`` is, its ``code``, the code of ``others`` and
that of the ``victim``, whose ``answer`` is the one that it has alone. All are requests to the
shipped ``batch``, and inputs of sessions that live at the same time; ``also`` names further front
ends where it is tried. They have the module ``shop``, which comes from the service.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.session import Options, Session, Shared
from tests.environment.ruby.engine import needs_sandbox

pytestmark = needs_sandbox

HERE = Path(__file__).parent
ATTACKS = [json.loads(line) for line in (HERE / "strangers.jsonl").read_text("utf-8").splitlines()]
ANSWERS = {each["attack"]: each["answer"] for each in ATTACKS}
PROGRAM = os.fspath(Path(sys.executable).with_name("puppet-repl"))
# Where a session is not hermetic, Ruby with nothing but modules in it goes on to the next request.
KEPT = {"a function of a module evaluates a text": "1", "a function of a module counts": "2"}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a module path that has the module shop."""
    path = tmp_path_factory.mktemp("modules")
    shutil.copytree(HERE / "shop", path / "shop")
    return os.fspath(path)


def puppet_repl(*arguments: str, **settings: Any) -> str:
    done = subprocess.run(
        [PROGRAM, *arguments], capture_output=True, text=True, encoding="utf-8", **settings
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def batch(requests: list[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
    """Return the responses of one process."""
    text = "".join(json.dumps(request) + "\n" for request in requests)
    return [json.loads(line) for line in puppet_repl("batch", *options, input=text).splitlines()]


@pytest.mark.parametrize("hermetic", [True, False])
def test_requests_of_batch(modules: str, hermetic: bool) -> None:
    requests: list[dict[str, Any]] = []
    for each in ATTACKS:
        for code in (each["code"], *each.get("others", ())):
            requests.append({"id": None, "code": code})
        requests.append({"id": each["attack"], "code": each["victim"]})
    for request in requests:
        request["modulepath"] = [modules]
    found = batch(requests, *(["--hermetic"] if hermetic else []))
    answers = {each["id"]: each.get("str", each) for each in found if each["id"] is not None}
    assert answers == (ANSWERS if hermetic else ANSWERS | KEPT)
    (warned,) = [each for each in found if each["id"] == "a warning was given before"]
    assert [level for level, _ in warned["logs"]] == ["warning"]


def test_sessions_side_by_side(modules: str) -> None:
    """The victim's session is there before the attack, and has run something."""
    shared = Shared(is_lasting=True)
    options = Options(hermetic=True, modulepath=(modules,))
    answers = {}
    for each in ATTACKS:
        sessions = [Session(options, shared=shared) for _ in range(3)]
        victim, attacker, other = sessions
        assert victim.execute("shop::list()").error is None
        attacker.execute(each["code"])
        for code in each.get("others", ()):
            assert other.execute(code).error is None
        outcome = victim.execute(each["victim"])
        answers[each["attack"]] = (
            victim.describe(outcome.value)["str"] if outcome.error is None else str(outcome.error)
        )
        for session in sessions:
            session.close()
    assert answers == ANSWERS
