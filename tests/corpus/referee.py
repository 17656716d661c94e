"""Ask a running Puppet about programs, compare its answers with those here, group what differs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.recorded import Case, check

HERE = Path(__file__).parent
# Texts that name a place of this machine or of Ruby's own code, or no value.
UNSTABLE = re.compile(r"0xADDRESS|/usr/|/tmp/|unprintable|uninitialized constant|\.rb:\d+")
# Failures inside of Puppet, in Ruby's words: any error here will do.
INTERNAL = re.compile(
    r"undefined (local variable or )?method|no implicit conversion|stack level too deep"
    r"|private method|wrong element type|comparison of \S+ with|can't convert|<internal:"
    r"|wrong number of arguments \(given|invalid value for|can't be coerced|cannot load such file"
    r"|#<(Puppet|struct|Class)|no receiver given|bad value for range|not a class/module"
)
LOCATION = re.compile(r" \((?:file: [^,()]+, )?line: (\d+)(?:, column: (\d+))?\)")
NODE = re.compile(r" on node \S+")
# What is put before a plain error of Ruby where no server compiles.
COMPILER = re.compile(r"^Puppet::Parser::CatalogCompiler failed with error \w+: ")
STACK = re.compile(r"\n   \(location: [^)]*\)")
NAME = "node.example.com"
"""The node that catalogs are for where a request names none: a server compiles for a node."""
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")


def ask(requests: Iterable[Case]) -> Iterator[tuple[Case, Case]]:
    """Yield requests with the answers of Puppet, in the form of recorded cases.

    ``PUPPET_LIB`` names the lib directory of a Puppet 8 tree.
    """
    library = os.environ.get("PUPPET_LIB")
    if not library:
        raise SystemExit("PUPPET_LIB has to name the lib directory of a Puppet 8 tree")
    command = ["ruby", "--disable-did_you_mean", "--disable-error_highlight"]
    command += ["-I", library, str(HERE / "programs_referee.rb")]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", "STDLIB_LOG_DEPRECATIONS": ""},
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for request in map(for_node, requests):
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline() or '{"crash": "no answer"}')
            yield request, tidied({key: answer[key] for key in answer if key != "id"})


def for_node(request: Case) -> Case:
    """Return a request that names a node if it is for a catalog."""
    return {"node": NAME, **request} if request.get("mode") == "catalog" else request


def tidied(answer: Case) -> Case:
    """Return an answer as a recorded case has it: the place of an error apart, none in the logs.

    ``internal`` is ``failure`` where Puppet failed inside.
    """
    logs = [[level, _plain(text)] for level, text in answer.pop("logs", []) if level != "debug"]
    if "error" in answer:
        if INTERNAL.search(answer["error"]):
            answer["internal"] = "failure"
        answer["error"] = error = located(answer["error"])
        if "issue" in answer:
            error["code"] = answer.pop("issue")
        # Puppet logs its errors too; only that of several ones counts as a message of its own.
        if "Language validation logged" not in error["message"]:
            words = LOCATION.sub("", error["message"])
            logs = [row for row in logs if row[0] != "err" or not _is_in(row[1], words)]
    if logs:
        answer["logs"] = logs
    return answer


def _is_in(logged: str, words: str) -> bool:
    text = COMPILER.sub("", logged.strip())
    return bool(text) and text in words


def _plain(text: str) -> str:
    return NODE.sub("", STACK.sub("", LOCATION.sub("", text)))


def located(text: str) -> Case:
    """Return message, line and column of an error; places named on the way stay in the message."""
    text = COMPILER.sub("", NODE.sub("", text).strip())
    places = [place for place in LOCATION.finditer(text) if place.end() == len(text)]
    if not places:
        return {"message": text, "line": None, "column": None}
    line, column = places[0].groups()
    message = text[: places[0].start()]
    return {"message": message, "line": int(line), "column": int(column) if column else None}


def usable(answer: Case | None) -> bool:
    """Tell whether Puppet's answer is one that has to be the same here."""
    return (
        answer is not None
        and "crash" not in answer
        and UNSTABLE.search(json.dumps(answer, ensure_ascii=False)) is None
    )


class Difference(NamedTuple):
    """A request, what Puppet answered, and in what the answer here differs, a line each."""

    request: Case
    answer: Case
    lines: list[str]

    def kind(self) -> str:
        """Return what the differences of one cause have in common, as far as can be told."""
        return " / ".join(QUOTED.sub("_", line)[:140] for line in self.lines[:2])


class Comparison:
    """What a comparison has found so far.

    ``save`` is where all answers of Puppet go, as cases; ``stdlib`` is the directory of the stdlib
    that is used here, instead of the built-in one.
    """

    def __init__(self, save: Path | None = None, stdlib: Path | None = None) -> None:
        self.same = self.total = self.refused = self.inside = 0
        self.differences: list[Difference] = []
        self._save = save
        self._stdlib = stdlib

    def run(self, requests: Iterable[Case]) -> None:
        """Compare, and print what differs."""
        with tempfile.TemporaryDirectory(prefix="puppet-repl-corpus-") as directory:
            for request, answer in ask(requests):
                if usable(answer):
                    self._compare(request, answer, Path(directory))

    def _compare(self, request: Case, answer: Case, directory: Path) -> None:
        case = {**request, **answer}
        self.total += 1
        self.refused += "error" in answer
        self.inside += answer.get("internal") == "failure"
        if self._save is not None:
            with self._save.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(case, ensure_ascii=False) + "\n")
        if self._stdlib is None:
            found = check(case, directory)
        else:
            del case["stdlib"]
            found = check({**case, "modulepath": [str(self._stdlib.parent)]}, directory)
        if not found:
            self.same += 1
            return
        self.differences.append(Difference(request, answer, found))
        print(f"--- {request['id']} {request.get('mode', 'eval')}\n{request['code']}")
        print("\n".join(f"    {line}"[:1500] for line in found), flush=True)

    def agrees(self) -> bool:
        """Tell whether there was anything to compare, and at least 99.5 % are the same."""
        return self.total > 0 and self.same >= 0.995 * self.total

    def report(self) -> str:
        """Return the share that is the same, and the kinds of differences, most frequent first."""
        share = self.same / max(self.total, 1)
        kinds = Counter(each.kind() for each in self.differences)
        lines = [f"{count:5} {kind}" for kind, count in kinds.most_common()]
        lines.append(
            f"{self.same} of {self.total} programs agree ({share:.2%});"
            f" Puppet refused {self.refused}, {self.inside} of them with a failure inside"
        )
        return "\n".join(lines)
