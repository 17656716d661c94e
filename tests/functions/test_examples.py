"""Every documented example does what its documentation says.

An example is a program, two spaces, and what becomes of it: ``# => value`` (as program text),
``# level: message`` for what it logs first, or ``# error: message``.
"""

from __future__ import annotations

import pytest

from puppet_repl.functions.index import THEMES
from puppet_repl.functions.registry import find
from puppet_repl.session import Options, Session

EXAMPLES = [
    pytest.param(example, id=f"{name}-{number}")
    for name in sorted(THEMES)
    for number, example in enumerate(getattr(find(name), "examples", ()))
]

FACTS = {"networking": {"fqdn": "node.example.com"}, "os": {"family": "Debian"}}


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: str) -> None:
    program, _, claim = example.rpartition("  # ")
    assert program and claim
    outcome = Session(Options(), facts=FACTS).execute(program)
    kind, _, expected = claim.partition(" ")
    if kind == "error:":
        assert outcome.error is not None
        assert outcome.error.message == expected
        return
    assert outcome.error is None, outcome.error
    if kind == "=>":
        from puppet_repl.types.text.format import program_text

        assert program_text(outcome.value) == expected
        return
    logged = [(level, message) for level, message in outcome.logs]
    assert logged[:1] == [(kind.removesuffix(":"), expected)]
