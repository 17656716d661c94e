"""A fixed number of programs under all relations; make stress runs others."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.differential.grammar import programs
from tests.differential.run import Run

SEED = 40
PROGRAMS = 24
PARTS = 5


@pytest.mark.slow
@pytest.mark.untraced
@pytest.mark.parametrize("part", range(PARTS))
def test_the_same_program_answers_the_same(part: int) -> None:
    run = Run(SEED)
    try:
        for program in islice(programs(SEED), part * PROGRAMS, (part + 1) * PROGRAMS):
            run.add(program)
    finally:
        run.close()
    assert not run.violations
    assert all(run.compared[relation.name] for relation in run.relations)
    assert run.values >= 0.6 * PROGRAMS
