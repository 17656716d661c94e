"""Run the recorded cases: python -m tests.conformance.run [--process] [-v] [--readme] [FILE...].

A FILE is one of FILES, or the path of another recording.

With --process the requests of a file go to one ``puppet-repl batch``, and what that process uses is
shown: resident memory, open files and threads after its first answer and after its last one.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.frontends.cli.batch import Batch, Usage
from tests.readme import table, write_section
from tests.recorded import CONFORMANCE, Case, check, read, suite

# Cases that need the Ruby of modules.
RUBY_FILES = ("erb", "ruby")
FILES = (
    "specification",
    "functions",
    "parse",
    "evaluate",
    "catalog",
    "nodes",
    "epp",
    "random",
    "probes",
    "stdlib",
    "stdlib8",
    *RUBY_FILES,
)


def listed(name: str) -> dict[str, str]:
    """Return the ids listed in pending.txt or divergent.txt, with their reasons."""
    path = CONFORMANCE / name
    rows: dict[str, str] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line.strip() and not line.startswith("#"):
                case, _, reason = line.partition("  ")
                rows[case.strip()] = reason.strip()
    return rows


class Process(NamedTuple):
    """What the process that answered a file used, and what it left."""

    first: Usage
    last: Usage
    starts: int
    left: list[str]

    def text(self) -> str:
        """Return it as one line."""
        pairs = zip(("MB", "files", "threads"), self.first, self.last, strict=True)
        parts = [f"{first:.0f} to {last:.0f} {what}" for what, first, last in pairs]
        if self.starts > 1:
            parts.append(f"started {self.starts} times")
        if self.left:
            parts.append(f"left {len(self.left)} temporary files: {', '.join(self.left[:3])}")
        return ", ".join(parts)


class Run:
    """The cases of a file with their differences; what the process used, after the last one."""

    def __init__(self, name: str, select: str = "", is_process: bool = False) -> None:
        self.name = name
        self.process: Process | None = None
        self._select = select
        self._is_process = is_process

    def __iter__(self) -> Iterator[tuple[Case, list[str]]]:
        with tempfile.TemporaryDirectory(prefix="puppet-repl-cases-") as name:
            directory = Path(name)
            if not self._is_process:
                yield from self._answers(directory, None)
                return
            temporary = directory / "temporary"
            temporary.mkdir()
            with Batch(temporary=temporary) as batch:
                first = batch.usage()
                yield from self._answers(directory / "cases", batch)
                last = batch.usage()
            left = sorted(path.name for path in temporary.iterdir())
            self.process = Process(first, last, batch.starts, left)

    def _answers(self, directory: Path, batch: Batch | None) -> Iterator[tuple[Case, list[str]]]:
        for case in read(Path(self.name)) if ".jsonl" in self.name else suite(self.name):
            if self._select in case["id"]:
                yield case, check(case, directory, batch.ask if batch else None)


def run_file(name: str, options: argparse.Namespace) -> tuple[int, int]:
    """Run a file, show what was asked for, and return how many cases it has and how many pass."""
    passed = total = shown = 0
    start = time.monotonic()
    run = Run(name, options.k, options.process)
    for case, lines in run:
        total += 1
        passed += not lines
        if lines and options.ids:
            print(case["id"])
        elif lines and options.verbose and shown < options.n:
            shown += 1
            print(f"-- {case['id']}\n{case['code']}")
            for line in lines:
                print(f"   {line}"[:1500])
    if total and not options.ids:
        seconds = time.monotonic() - start
        used = f"  {run.process.text()}" if run.process else ""
        share = 100 * passed / total
        print(f"{name:15} {passed:5} of {total:5}  {share:6.2f} %  {seconds:5.1f} s{used}")
    return total, passed


def readme_table(counts: dict[str, tuple[int, int]]) -> str:
    """Return the table of README.md: cases and identical answers per file."""
    rows = []
    for name, (total, passed) in counts.items():
        share = "100 %" if passed == total else f"{100 * passed / total:.2f} %"
        rows.append((name, str(total), str(passed), share))
    return table(("file", "cases", "identical", "share"), rows)


def main() -> int:
    """Print the share that passes per file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help=f"of {', '.join(FILES)} (default: all), or a path")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what fails")
    parser.add_argument("-k", default="", metavar="TEXT", help="only ids that contain TEXT")
    parser.add_argument("-n", type=int, default=20, help="failures to show per file")
    parser.add_argument("--ids", action="store_true", help="print only the ids that fail")
    parser.add_argument("--process", action="store_true", help="ask one puppet-repl batch a file")
    parser.add_argument("--readme", action="store_true", help="write the table of README.md")
    options = parser.parse_args()
    if options.readme and (options.files or options.k):
        parser.error("--readme needs a run of all cases")
    # A run that is ended removes the files of its cases all the same.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    counts = {name: run_file(name, options) for name in options.files or FILES}
    if options.readme:
        write_section("conformance", readme_table(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
