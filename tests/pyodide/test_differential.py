"""Programs in another Python, in WebAssembly: the whole answers are those of this one."""

from __future__ import annotations

from itertools import islice

from tests.differential.front_ends import OTHER_PYTHON
from tests.differential.grammar import programs
from tests.differential.run import Run

SEED = 41
PROGRAMS = 200


def test_another_python_answers_the_same() -> None:
    run = Run(SEED, [OTHER_PYTHON])
    try:
        for program in islice(programs(SEED), PROGRAMS):
            run.add(program)
    finally:
        run.close()
    assert not run.violations
    assert run.compared.total() == PROGRAMS
    assert run.values >= 0.6 * PROGRAMS
