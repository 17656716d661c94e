"""One stranger's request touches no other: attacks, each before the request of a victim.

``strangers.jsonl`` has one a line: what the ``attack`` is, its ``code``, the code of ``others`` and
that of the ``victim``, whose ``answer`` is the one that it has alone. All are requests to the
shipped ``batch``, and inputs of sessions that live at the same time; ``also`` names further front
ends where it is tried. Whether it ``works`` is whether the victim's code has another answer in the
session of the attack. All have the module ``shop``, which comes from the service.
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

from puppet_kernel.worker import Worker
from puppet_repl.session import Options, Session, Shared
from tests.environment.ruby.engine import needs_sandbox

pytestmark = needs_sandbox

HERE = Path(__file__).parent
ATTACKS = [json.loads(line) for line in (HERE / "strangers.jsonl").read_text("utf-8").splitlines()]
ANSWERS = {each["attack"]: each["answer"] for each in ATTACKS}
PROGRAM = os.fspath(Path(sys.executable).with_name("puppet-repl"))
# Where a session is not hermetic, Ruby with nothing but modules in it goes on to the next request.
KEPT = {
    "a function of a module evaluates a text": "1",
    "a function of a module changes a resource type": None,
    "a function of a module counts": "2",
}


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
    answers = {each["id"]: each.get("str") for each in found if each["id"] is not None}
    assert answers == (ANSWERS if hermetic else ANSWERS | KEPT)
    (warned,) = [each for each in found if each["id"] == "a warning was given before"]
    assert [level for level, _ in warned["logs"]] == ["warning"]


def answer_of(session: Session, code: str) -> str:
    outcome = session.execute(code)
    if outcome.error is not None:
        return str(outcome.error)
    return session.describe(outcome.value)["str"]


def test_sessions_side_by_side(modules: str) -> None:
    """The victim's session is there before the attack, and has run something."""
    shared = Shared(is_lasting=True)
    options = Options(hermetic=True, modulepath=(modules,))
    answers, working = {}, {}
    for each in ATTACKS:
        sessions = [Session(options, shared=shared) for _ in range(3)]
        victim, attacker, other = sessions
        assert victim.execute("shop::list()").error is None
        attacker.execute(each["code"])
        for code in each.get("others", ()):
            assert other.execute(code).error is None
        answers[each["attack"]] = answer_of(victim, each["victim"])
        working[each["attack"]] = answer_of(attacker, each["victim"]) != each["answer"]
        for session in sessions:
            session.close()
    assert answers == ANSWERS
    assert working == {each["attack"]: each["works"] for each in ATTACKS}


def test_files_out_of_reach_are_not_watched(modules: str, tmp_path: Path) -> None:
    """A change of a file that Ruby has loaded starts it again, which code notices."""
    secret = tmp_path / "secret.rb"
    secret.write_text("1")
    session = Session(Options(hermetic=True, modulepath=(modules,)))
    code = f"inline_template('<% $keep = 1; $LOADED_FEATURES << %q({secret}) %>')"
    assert session.execute(code).error is None
    secret.write_text("1000")
    assert answer_of(session, "inline_template('<%= $keep.inspect %>')") == "1"


def attacks_in(front_end: str) -> list[dict[str, Any]]:
    return [each for each in ATTACKS if front_end in each.get("also", ())]


def answers_to(attacks: list[dict[str, Any]]) -> dict[str, str]:
    return {each["attack"]: each["answer"] for each in attacks}


class Kernel:
    """The kernel without Jupyter, at the modules."""

    def __init__(self, modules: str) -> None:
        self._sent: list[dict[str, Any]] = []
        self._worker = Worker(lambda text: self._sent.append(json.loads(text)))
        self.run(f":modulepath {modules}")
        self.run(":facts use debian-12")

    def run(self, code: str) -> str:
        """Run a cell; return the text of its value, or its error."""
        self._sent.clear()
        reply = json.loads(self._worker.answer(json.dumps({"type": "execute", "code": code})))
        if reply["status"] == "error":
            return str(reply["evalue"])
        results = [each for each in self._sent if each["type"] == "execute_result"]
        return str(results[-1]["content"]["data"]["text/plain"]) if results else ""


def test_kernels_and_a_session_after_a_reset(modules: str) -> None:
    """The victims: another kernel, which is there before the attacks, and the one who resets."""
    attacked, other = Kernel(modules), Kernel(modules)
    attacks = attacks_in("kernel")
    found: dict[str, list[str]] = {}
    for each in attacks:
        attacked.run(":reset")
        attacked.run(each["code"])
        for code in each.get("others", ()):
            attacked.run(":reset")
            attacked.run(code)
        attacked.run(":reset")
        asked = f"String(with() || {{ {each['victim']} }})"
        found[each["attack"]] = [kernel.run(asked) for kernel in (attacked, other)]
    expected = {name: [quoted(answer)] * 2 for name, answer in answers_to(attacks).items()}
    assert found == expected


def quoted(text: str) -> str:
    """Return a string as the kernel shows it."""
    return Session().describe(text)["value"]


@pytest.mark.parametrize("options", [(), ("--hermetic",)], ids=["", "hermetic"])
def test_nodes_of_compile(modules: str, tmp_path: Path, options: tuple[str, ...]) -> None:
    attacks = attacks_in("compile")
    nodes: dict[str, str] = {}
    for number, each in enumerate(attacks):
        for index, code in enumerate((each["code"], *each.get("others", ()))):
            nodes[f"{number}-a{index}"] = f"with() || {{ {code} }}"
        nodes[f"{number}-v"] = f"$answer = with() || {{ {each['victim']} }}"
    site = tmp_path / "site.pp"
    site.write_text(
        "$answer = 0\n"
        + "".join(
            f"node '{name}' {{ {code} notify {{ 'answer': message => String($answer) }} }}\n"
            for name, code in nodes.items()
        ),
        encoding="utf-8",
    )
    names = tmp_path / "nodes"
    names.write_text("\n".join(nodes), encoding="utf-8")
    output = puppet_repl(
        *("compile", "--format", "ndjson", "--facts", "debian-12", "--jobs", "1"),
        *("--modulepath", modules, "--nodes", os.fspath(names), *options, os.fspath(site)),
    )
    answers = {}
    for line in output.splitlines():
        catalog = json.loads(line)
        number, _, kind = catalog["name"].partition("-")
        (answer,) = [one for one in catalog["resources"] if one["title"] == "answer"]
        if kind == "v":
            answers[attacks[int(number)]["attack"]] = answer["parameters"]["message"]
    assert answers == answers_to(attacks)


def test_tests_of_the_plugin(modules: str, tmp_path: Path) -> None:
    """Each test of the plugin is a session; one attacks, the next one is the victim."""
    attacks = attacks_in("pytest")
    module = tmp_path / "shop"
    shutil.copytree(Path(modules) / "shop", module)
    tests = [
        "import json",
        "from pathlib import Path",
        "ANSWERS = Path('answers')",
    ]
    for number, each in enumerate(attacks):
        for index, code in enumerate((each["code"], *each.get("others", ()))):
            tests.append(f"def test_{number}_a{index}(puppet): puppet.evaluate({code!r})")
        asked = f"String(with() || {{ {each['victim']} }})"
        writing = f"(ANSWERS / '{number}').write_text(puppet.evaluate({asked!r}))"
        tests.append(f"def test_{number}_v(puppet): {writing}")
    (module / "answers").mkdir()
    (module / "test_shop.py").write_text("\n".join(tests), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=module,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    found = {
        each["attack"]: (module / "answers" / str(number)).read_text("utf-8")
        for number, each in enumerate(attacks)
    }
    assert found == answers_to(attacks)
