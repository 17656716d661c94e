"""Every documented example does what its documentation says.

An example is a program, two spaces, and what becomes of it: ``# => value`` (as program text),
``# level: message`` for what it logs first, or ``# error: message``.
"""

from __future__ import annotations

import pytest

from puppet_repl.language.functions.registry import BUILTINS
from puppet_repl.language.functions.stdlib.declaring import TABLES
from puppet_repl.session import Options, Session

ALL_TABLES = {"off": BUILTINS, **{str(version): table for version, table in TABLES.items()}}
EXAMPLES = [
    pytest.param(stdlib, example, id=f"{stdlib}-{name}-{number}")
    for stdlib, table in ALL_TABLES.items()
    for name in table.names()
    for number, example in enumerate(getattr(table.find(name), "examples", ()))
]

FACTS = {
    "networking": {"fqdn": "node.example.com", "interfaces": {"lo": {"ip": "127.0.0.1"}}},
    "os": {"family": "Debian", "name": "Debian", "release": {"major": "9"}},
    "kernel": "Linux",
    "operatingsystem": "Debian",
    "operatingsystemmajrelease": "9",
}


@pytest.mark.parametrize(("stdlib", "example"), EXAMPLES)
def test_example(stdlib: str, example: str) -> None:
    program, _, claim = example.rpartition("  # ")
    assert program and claim
    outcome = Session(Options(stdlib=stdlib), facts=FACTS).execute(program)
    kind, _, expected = claim.partition(" ")
    if kind == "error:":
        assert outcome.error is not None
        assert outcome.error.message == expected
        return
    assert outcome.error is None, outcome.error
    if kind == "=>":
        from puppet_repl.language.types.text.format import program_text

        assert program_text(outcome.value) == expected
        return
    logged = [(level, message) for level, message in outcome.logs]
    assert logged[:1] == [(kind.removesuffix(":"), expected)]
