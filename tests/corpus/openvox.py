"""Ask a tree of OpenVox, or of Puppet, about the recorded cases: does it answer as Puppet 8.11?

``python -m tests.corpus.openvox [--language NAME] [--save FILE] [FILE...]`` needs Ruby; PUPPET_LIB
names the lib directory of the tree. Of each program it compares what the tree answers with what
Puppet 8.11 did, and with what is answered here by that profile of the language. The files are those
of tests/conformance by name; without names, all that need no stdlib and no Ruby of modules. For the
others, STDLIBS names a directory with VERSION/stdlib.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from puppet_repl.base.profiles import DEFAULT_LANGUAGE, LANGUAGES
from tests.conformance.judge import COMPARED, differences
from tests.conformance.run import listed
from tests.corpus.referee import Comparison, ask, usable
from tests.recorded import Case, suite

FILES = ("specification", "functions", "parse", "evaluate", "catalog", "nodes", "epp", "random")
EXPECTED = (*COMPARED, "logs", "error", "internal")


def cases(names: Iterable[str]) -> Iterator[Case]:
    """Yield the recorded cases of files that the referee can be asked about."""
    for name in names:
        yield from (case for case in suite(name) if "environment_files" not in case)


class TreeComparison(Comparison):
    """What a comparison with a tree has found: ``changed`` are the answers unlike Puppet 8.11's.

    ``changed_here`` counts those of them that are answered here as by the tree.
    """

    def __init__(self, language: str, save: Path | None = None) -> None:
        super().__init__(save)
        self.language = language
        self.changed = 0
        self.changed_here = 0

    def run(self, requests: Iterable[Case]) -> None:
        """Ask about recorded cases, compare, and print what is answered otherwise here."""
        recorded = {case["id"]: case for case in requests}
        asked = [
            {**{key: case[key] for key in case if key not in EXPECTED}, "language": self.language}
            for case in recorded.values()
        ]
        with tempfile.TemporaryDirectory(prefix="puppet-repl-corpus-") as directory:
            for request, answer in ask(asked):
                if usable(answer):
                    self._note(recorded[request["id"]], request, answer, Path(directory))

    def _note(self, case: Case, request: Case, answer: Case, directory: Path) -> None:
        same = self.same
        self._compare(request, answer, directory)
        if differences(case, answer):
            self.changed += 1
            self.changed_here += self.same - same

    def report(self) -> str:
        """Return both shares, and what differs here from the tree."""
        as_puppet = self.total - self.changed
        on_purpose = [
            row for row in self.differences if row.request["id"] in listed("divergent.txt")
        ]
        lines = [
            super().report(),
            f"{len(on_purpose)} of the {len(self.differences)} differences are on purpose"
            " (tests/conformance/divergent.txt)",
            f"{as_puppet} of {self.total} are answered by the tree as by Puppet 8.11"
            f" ({as_puppet / max(self.total, 1):.2%})",
            f"{self.changed_here} of the other {self.changed} are answered here as by the tree"
            f" (--language {self.language})",
        ]
        return "\n".join(lines)


def main() -> int:
    """Compare; fail where less than 99.5 % agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--language", choices=LANGUAGES, default=DEFAULT_LANGUAGE)
    parser.add_argument("--save", type=Path, help="append the answers of the tree to a file")
    arguments = parser.parse_args()
    comparison = TreeComparison(arguments.language, arguments.save)
    comparison.run(cases(arguments.files or FILES))
    print(comparison.report())
    return 0 if comparison.agrees() else 1


if __name__ == "__main__":
    sys.exit(main())
