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

from puppet_repl.base.differences import DIFFERENCES, is_warning_of_difference
from tests.conformance.judge import Case, recorded_form, request_of
from tests.recorded import answer_here, read
from tests.recordings import READ_BY_TESTS, TESTS, known_differences, missing, relative


class Answered(NamedTuple):
    """A case with Puppet's error, and the warning that its answer here comes with, or ''."""

    file: str
    case: Case
    warning: str


# Programs of which some end in an error, by the module that says which of them differ.
ABOUT_DIFFERENCES = ("docs/differences.jsonl", "language/types/compared_aliases.jsonl")


def errors(*, that_differ: bool) -> Iterator[tuple[str, Case]]:
    """Yield the recorded errors with the names of their files: all, or those known to differ."""
    for path in sorted(TESTS.rglob("*.jsonl*")):
        name = relative(path)
        if name in READ_BY_TESTS and name not in ABOUT_DIFFERENCES:
            continue
        for number, case in enumerate(read(path), 1):
            message = _message(case)
            if message is None or "ruby" in case or missing(case) is not None:
                continue
            differs = "divergence" in case or name in ABOUT_DIFFERENCES
            if differs or case.get("id") in known_differences() or not that_differ:
                yield name, {"id": f"line {number}", **case, "error": {"message": message}}


def _message(case: Case) -> str | None:
    """Return the message of Puppet's error, None for a case without one."""
    if "row" in case:
        return case.get("puppet") if "code" in case and DIFFERENCES[case["row"]].fails else None
    error = case.get("error")
    return error["message"] if isinstance(error, dict) else error


def answered(cases: Iterable[tuple[str, Case]]) -> Iterator[Answered]:
    """Yield the cases of Puppet's errors that get an answer here."""
    with tempfile.TemporaryDirectory(prefix="puppet-repl-answered-") as directory:
        for file, case in cases:
            request = request_of(case, Path(directory))
            reply = recorded_form(request, answer_here(request))
            if "error" not in reply:
                logged = (text for _, text in reply.get("logs", ()))
                texts = [text for text in logged if is_warning_of_difference(text)]
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
