"""Compile recorded catalogs of modules with ``puppet-repl batch``; compare them with Puppet's.

``python -m tests.corpus.modules`` compiles the classes and examples of Debian's packages that
tests/conformance/modules/debian.jsonl.gz lists; the packages are those of ``make corpus``. With
--modules and --recording it does the same for any other directory of modules, see
tests/corpus/record.py.

A case counts as answered where the resources and edges are equal, or where both refuse with the
same message; places and the name of the node are left out of messages. The exit status tells
whether the share of equal catalogs, among those that Puppet compiles, has reached the bar.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from puppet_repl.environment.facts.facts import bundled_facts
from puppet_repl.environment.modules.modules import read_metadata, short_name
from tests.frontends.cli.batch import Batch
from tests.recorded import read

HERE = Path(__file__).parent
RECORDED = HERE.parent / "conformance" / "modules"
UNPACKED = Path("build/corpus/usr/share/puppet/modules.available")
LINKS = Path("build/modules")
BARS = {"debian.jsonl.gz": 99.5, "modern.jsonl.gz": 97.5}
"""Percent of the catalogs that Puppet compiles, by the name of the recording."""

Case = dict[str, Any]
Answer = dict[str, Any]
_NODE = re.compile(r" on node \S+")
_PLACE = re.compile(r" ?\((?:file: [^)]*|line: \d+[^)]*)\)")
_DURING = re.compile(r"Evaluation Error: |Error while evaluating a [A-Z][\w' -]*, ")
_LINE = re.compile(r"line: (\d+)")


class Verdict(NamedTuple):
    """How an answer compares: the kind, and what was in the way, shortened so that alike unite."""

    kind: str
    cause: str = ""


EQUAL = "equal"
SAME_MESSAGE = "same message"
DIFFERS = "differs"
REFUSED = "Puppet compiles, this refuses"
OTHER_MESSAGE = "other message"
COMPILED = "Puppet refuses, this compiles"


def link_modules(unpacked: Path, links: Path) -> Path:
    """Link unpacked packages under the names that their metadata give them; return the directory.

    Puppet itself knows a module by the name of its directory only.
    """
    links.mkdir(parents=True, exist_ok=True)
    for directory in sorted(unpacked.iterdir()):
        name = read_metadata(os.fspath(directory)).get("name")
        link = links / short_name(name if isinstance(name, str) else directory.name)
        if directory.is_dir() and not link.is_symlink():
            link.symlink_to(directory.resolve())
    return links


class Requests:
    """Makes requests of cases: facts and examples are read from their directories."""

    def __init__(self, modules: Path, facts: Path, ruby: str = "auto") -> None:
        self.modules = modules.resolve()
        self._ruby = ruby
        self._facts = facts
        self._sets: dict[str, dict[str, Any]] = {}

    def facts(self, name: str) -> dict[str, Any]:
        """Return a set of facts: a file of the directory, or one that is bundled."""
        if name not in self._sets:
            file = self._facts / f"{name}.json"
            known = json.loads(file.read_text("utf-8")) if file.is_file() else bundled_facts(name)
            self._sets[name] = known
        return self._sets[name]

    def code(self, case: Case) -> str:
        """Return the program of a case; an example of a module is read from the module."""
        code = case.get("code")
        if code is None:
            code = (self.modules / case["file"]).read_text("utf-8", "replace")
        assert isinstance(code, str)
        return code

    def request(self, case: Case) -> dict[str, Any]:
        """Return the request of a case."""
        return {
            "id": case["id"],
            "code": self.code(case),
            "mode": "catalog",
            "facts": {**self.facts(case["facts"]), **case.get("own_facts", {})},
            "modulepath": [os.fspath(self.modules)],
            "node": case["node"],
            "ruby": self._ruby,
        }

    def without_paths(self, answer: Answer) -> Answer:
        """Return an answer that names the files of modules as paths below their directory."""
        text = json.dumps(answer)
        found: Answer = json.loads(text.replace(json.dumps(f"{self.modules}/")[1:-1], ""))
        return found


# Comparing


def cleaned(message: str) -> str:
    """Return a message without its places and without the name of the node."""
    message = _PLACE.sub("", _NODE.sub("", message))
    return message.replace("(file & line not available)", "").strip()


def last_line(message: str) -> int | None:
    """Return the last line number that a message names."""
    lines: list[str] = _LINE.findall(message)
    return int(lines[-1]) if lines else None


def judge(expected: Answer, actual: Answer) -> Verdict:
    """Compare the answer of Puppet with one of ``puppet-repl batch``."""
    error = actual.get("error")
    if expected.get("error") is not None:
        if error is None:
            return Verdict(COMPILED, shortened(expected["error"]))
        if cleaned(expected["error"]) == cleaned(error["message"]):
            return Verdict(SAME_MESSAGE)
        return Verdict(OTHER_MESSAGE, shortened(error["message"]))
    if error is not None:
        return Verdict(REFUSED, shortened(error["message"]))
    difference = first_difference(expected, actual)
    return Verdict(EQUAL) if difference is None else Verdict(DIFFERS, difference)


def shortened(message: str) -> str:
    """Return what is the same in the messages of one cause."""
    text = _DURING.sub("", cleaned(message))
    text = re.sub(r"/[\w./-]*/", ".../", text.split("\n", 1)[0])
    return re.sub(r"\d+", "N", text)[:110]


def first_difference(expected: Answer, actual: Answer) -> str | None:
    """Return what the first difference of two catalogs is; None if there is none."""
    wanted, found = expected["resources"], actual["resources"]
    for ours, theirs in zip(found, wanted, strict=False):
        if ours != theirs:
            return _resource_difference(theirs, ours)
    if len(wanted) != len(found):
        longer = "missing" if len(wanted) > len(found) else "added"
        return f"resources {longer} at the end"
    return None if expected["edges"] == actual["edges"] else "edges"


def _resource_difference(theirs: dict[str, Any], ours: dict[str, Any]) -> str:
    if (theirs["type"], theirs["title"]) != (ours["type"], ours["title"]):
        return f"another resource than {theirs['type']}"
    for key in {**theirs, **ours}:
        if theirs.get(key) != ours.get(key):
            if key != "parameters":
                return f"{theirs['type']}: {key}"
            left, right = theirs.get(key) or {}, ours.get(key) or {}
            names = [each for each in {**left, **right} if left.get(each) != right.get(each)]
            return f"{theirs['type']}: parameter {names[0] if names else 'order'}"
    return f"{theirs['type']}: order of keys"


# Asking


def compare(
    cases: list[Case], requests: Requests, jobs: int = 1
) -> Iterator[tuple[Case, Answer, Verdict]]:
    """Ask about all cases in ``jobs`` processes; yield each with its answer and the verdict."""

    def part(number: int) -> list[tuple[Case, Answer, Verdict]]:
        done = []
        with Batch() as batch:
            for case in cases[number::jobs]:
                answer = requests.without_paths(batch.ask(requests.request(case)))
                done.append((case, answer, judge(case["answer"], answer)))
        return done

    with ThreadPoolExecutor(jobs) as pool:
        for results in pool.map(part, range(jobs)):
            yield from results


class Summary:
    """Counts verdicts, overall and by module."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.causes: Counter[tuple[str, str]] = Counter()
        self.examples: dict[tuple[str, str], str] = {}
        self.same_line = 0
        self.same_logs = 0

    def add(self, case: Case, answer: Answer, verdict: Verdict) -> None:
        """Count a case."""
        self.counts[verdict.kind] += 1
        if verdict.kind == SAME_MESSAGE:
            line = answer["error"].get("line")
            self.same_line += line == last_line(case["answer"]["error"])
        elif verdict.kind == EQUAL:
            self.same_logs += logs_of(case["answer"]) == logs_of(answer)
        else:
            key = (verdict.kind, verdict.cause)
            self.causes[key] += 1
            self.examples.setdefault(key, case["id"])

    @property
    def compiling(self) -> int:
        """How many cases Puppet compiles."""
        return self.counts[EQUAL] + self.counts[DIFFERS] + self.counts[REFUSED]

    @property
    def share(self) -> float:
        """The percentage of the catalogs that Puppet compiles that are equal here."""
        return 100 * self.counts[EQUAL] / (self.compiling or 1)

    def lines(self, causes: int = 25) -> Iterator[str]:
        """Yield the report."""
        for kind, count in self.counts.most_common():
            yield f"{count:5} {kind}"
        for (kind, cause), count in self.causes.most_common(causes):
            yield f"{count:5}   [{kind}] {cause}   e.g. {self.examples[kind, cause]}"
        total = self.counts.total()
        equal, messages = self.counts[EQUAL], self.counts[SAME_MESSAGE]
        yield f"{equal} of {self.compiling} catalogs equal: {self.share:.1f} %"
        yield f"{equal + messages} of {total} cases answered as by Puppet"
        yield f"of the equal catalogs {self.same_logs} have the same log messages"
        yield f"of the equal refusals {self.same_line} name the same line"


def logs_of(answer: Answer) -> list[list[str]]:
    """Return the log messages of an answer without their places; what is for developers left out.

    Puppet gives the place of a message apart from its text, or in it.
    """
    return [
        [level, cleaned(re.sub(r"\n   \(location: .*", "", text))]
        for level, text in answer.get("logs", ())
        if level not in ("debug", "info")
    ]


def selected(cases: Iterable[Case], only: str | None, every: int = 1) -> list[Case]:
    """Return the cases whose identifier contains ``only``, and of these each ``every``-th."""
    return [case for case in cases if only is None or only in case["id"]][::every]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the arguments."""
    made = argparse.ArgumentParser(prog="python -m tests.corpus.modules")
    made.add_argument("--recording", type=Path, default=RECORDED / "debian.jsonl.gz")
    made.add_argument("--modules", type=Path, help="a directory of modules under their names")
    made.add_argument("--facts", type=Path, default=RECORDED / "facts")
    made.add_argument("--ruby", default="auto", help="auto, sandbox, system, off or a path")
    made.add_argument("--bar", type=float, help="percent of the catalogs (by the recording)")
    made.add_argument("--only", help="cases whose identifier contains this")
    made.add_argument("--every", type=int, default=1, help="each N-th case only")
    made.add_argument("--jobs", type=int, default=1, help="processes")
    made.add_argument("--causes", type=int, default=25, help="how many causes are shown")
    made.add_argument("--differences", type=Path, default=Path("build/modules-differences.jsonl"))
    return made


def main(arguments: list[str]) -> int:
    """Compare, report; 1 below the bar."""
    given = parser().parse_args(arguments)
    modules = given.modules
    if modules is None:
        if not UNPACKED.is_dir():
            print("no modules here: make corpus unpacks Debian's packages")
            return 1
        modules = link_modules(UNPACKED, LINKS)
    cases = selected(read(given.recording), given.only, given.every)
    if not cases:
        print("no such case")
        return 1
    summary = Summary()
    start = time.monotonic()
    given.differences.parent.mkdir(parents=True, exist_ok=True)
    with given.differences.open("w", encoding="utf-8") as differences:
        for case, answer, verdict in compare(
            cases, Requests(modules, given.facts, given.ruby), max(1, given.jobs)
        ):
            summary.add(case, answer, verdict)
            if verdict.cause:
                wanted = case["answer"].get("error")
                got = (answer.get("error") or {}).get("message")
                row = {"id": case["id"], "verdict": verdict.kind, "cause": verdict.cause}
                text = json.dumps({**row, "wanted": wanted, "got": got}, ensure_ascii=False)
                differences.write(text + "\n")
    print("\n".join(summary.lines(given.causes)))
    print(f"{time.monotonic() - start:.0f} s; every difference is in {given.differences}")
    bar = BARS.get(given.recording.name, 0.0) if given.bar is None else given.bar
    if summary.share < bar:
        print(f"the bar is {bar:g} % of the catalogs")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
