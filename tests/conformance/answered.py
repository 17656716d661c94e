"""The recorded programs that Puppet ends in an error of, and that get an answer here.

``python -m tests.conformance.answered`` asks about every recorded error again and prints them, with
Puppet's message and the warning that is given here. A program without a warning ends it with 1.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from puppet_repl.base.differences import ENDS_IN_ERROR
from tests.conformance.judge import Case, recorded_form, request_of
from tests.recorded import answer_here, read
from tests.recordings import READ_BY_TESTS, TESTS, known_differences, missing, relative


class Answered(NamedTuple):
    """A case with Puppet's error, and the warning that its answer here comes with, or ''."""

    file: str
    case: Case
    warning: str


def errors(*, that_differ: bool) -> Iterator[tuple[str, Case]]:
    """Yield the recorded errors with the names of their files: all, or those known to differ."""
    for path in sorted(TESTS.rglob("*.jsonl*")):
        if relative(path) in READ_BY_TESTS:
            continue
        for case in read(path):
            differs = "divergence" in case or case.get("id") in known_differences()
            if "error" in case and "id" in case and missing(case) is None and "ruby" not in case:
                if differs or not that_differ:
                    yield relative(path), case


def answered(cases: Iterable[tuple[str, Case]]) -> Iterator[Answered]:
    """Yield the cases of Puppet's errors that get an answer here."""
    with tempfile.TemporaryDirectory(prefix="puppet-repl-answered-") as directory:
        for file, case in cases:
            request = request_of(case, Path(directory))
            reply = recorded_form(request, answer_here(request))
            if "error" not in reply:
                texts = [text for _, text in reply.get("logs", ()) if ENDS_IN_ERROR in text]
                yield Answered(file, case, texts[0] if texts else "")


def main() -> int:
    """Print the list, and how many there are of each kind."""
    kinds: Counter[str] = Counter()
    for file, case, warning in answered(errors(that_differ=False)):
        kinds[warning] += 1
        code = case["code"].strip().rpartition("\n")[2]
        print(f"{file} {case['id']}: {code}\n    {case['error']['message']}\n    {warning}")
    for warning, count in kinds.most_common():
        print(f"{count:5} {warning or 'WITHOUT A WARNING'}")
    return 1 if "" in kinds else 0


if __name__ == "__main__":
    sys.exit(main())
