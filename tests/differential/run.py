"""Compare what the same program answers when it is run in other ways, or rewritten.

``python -m tests.differential.run [SECONDS] [--seed N]`` runs new programs for some time,
``--inputs N`` a fixed number of them. A violation is printed with the program, made small, and kept
in build/differential; the exit status is 1 then.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from tests.differential.front_ends import FRONT_ENDS, OTHER_PYTHON
from tests.differential.grammar import programs
from tests.differential.programs import Program
from tests.differential.relations import RELATIONS, Relation, Trial, Violation, violation
from tests.differential.shrinking import MAX_TRIES, shrunk
from tests.differential.workshop import Workshop, has_other_python

__all__ = ["Run"]

ALL = (*RELATIONS, *FRONT_ENDS)
OUTPUT = Path(__file__).parent.parent.parent / "build" / "differential" / "violations.txt"


class Run:
    """Programs under relations, and the count of all; violations are added to a file."""

    def __init__(
        self,
        seed: int,
        relations: Sequence[Relation] = ALL,
        *,
        tries: int = MAX_TRIES,
        output: Path | None = None,
    ) -> None:
        self.seed = seed
        self.relations = relations
        self.programs = self.values = 0
        self.compared: Counter[str] = Counter()
        self.violations: list[Violation] = []
        self._workshop = Workshop()
        self._tries = tries
        self._output = output

    def close(self) -> None:
        """End what was started."""
        self._workshop.close()

    def add(self, program: Program) -> None:
        """Try a program under each relation."""
        seed = f"{self.seed}-{self.programs}"
        trial = Trial(program, self._workshop, seed)
        self.programs += 1
        self.values += trial.base.has_value
        for relation in self.relations:
            count, broken = self._tried(relation, program, seed, trial)
            self.compared[relation.name] += count
            if broken is not None:
                self._report(relation, broken, seed)

    def _tried(
        self, relation: Relation, program: Program, seed: str, trial: Trial | None = None
    ) -> tuple[int, Violation | None]:
        if trial is None:
            trial = Trial(program, self._workshop, seed)
        trial.begin(relation.name)
        try:
            return violation(relation, trial)
        except Exception as error:
            return 0, Violation(relation.name, program, f"{type(error).__name__}: {error}")

    def _report(self, relation: Relation, broken: Violation, seed: str) -> None:
        def is_broken(program: Program) -> bool:
            return self._tried(relation, program, seed)[1] is not None

        program = shrunk(broken.program, is_broken, self._tries)
        found = self._tried(relation, program, seed)[1] or broken
        self.violations.append(found)
        text = (
            f"--- {relation.name}, program {self.programs - 1} of seed {self.seed}\n"
            f"{found.program.text}--- differs:\n{found.difference}\n"
        )
        print(text, flush=True)
        if self._output is not None:
            self._output.parent.mkdir(parents=True, exist_ok=True)
            with open(self._output, "a", encoding="utf-8") as file:
                file.write(text)

    def report(self, seconds: float) -> str:
        """Return what was done, with a line for each relation."""
        broken = Counter(each.relation for each in self.violations)
        rows = [
            f"{name:24} {self.compared[name]:8} comparisons {broken[name]:4} violations"
            for name in (relation.name for relation in self.relations)
        ]
        rows.append(
            f"{self.programs} programs, {self.values / max(self.programs, 1):.0%} run to a value, "
            f"{self.compared.total()} comparisons, {len(self.violations)} violations, "
            f"{self.programs / seconds:.1f} programs a second"
        )
        return "\n".join(rows)


def run(
    chosen: Iterable[Program], seed: int, relations: Sequence[Relation], seconds: float | None
) -> int:
    """Try programs, for some seconds if they are given; return the exit status."""
    started = time.monotonic()
    work = Run(seed, relations, output=OUTPUT)
    try:
        for program in chosen:
            work.add(program)
            if seconds is not None and time.monotonic() - started >= seconds:
                break
    finally:
        work.close()
    print(work.report(time.monotonic() - started), flush=True)
    return int(bool(work.violations))


def main() -> int:
    """Run what the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.run")
    parser.add_argument("seconds", metavar="SECONDS", type=float, nargs="?", default=60.0)
    parser.add_argument("--inputs", type=int, help="a fixed number of programs instead of SECONDS")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers")
    parser.add_argument("--relation", action="append", help="only this one; may be repeated")
    options = parser.parse_args()
    rows = (*ALL, OTHER_PYTHON) if has_other_python() else ALL
    relations = [row for row in rows if row.name in (options.relation or [row.name])]
    chosen = programs(options.seed)
    if options.inputs is not None:
        return run(islice(chosen, options.inputs), options.seed, relations, None)
    return run(chosen, options.seed, relations, options.seconds)


if __name__ == "__main__":
    sys.exit(main())
