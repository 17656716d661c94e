"""Making a program small that breaks a relation."""

from __future__ import annotations

from collections.abc import Callable

from tests.differential.grammar import LEAVES
from tests.differential.programs import Program

__all__ = ["MAX_TRIES", "shrunk"]

MAX_TRIES = 600


def shrunk(program: Program, is_broken: Callable[[Program], bool], tries: int) -> Program:
    """Return a smaller program that still breaks the relation, after at most so many tries."""
    while True:
        for smaller in program.smaller(LEAVES):
            if tries == 0:
                return program
            tries -= 1
            if is_broken(smaller):
                program = smaller
                break
        else:
            return program
