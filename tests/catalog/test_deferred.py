"""Deferred calls with arguments that their functions do not take; see deferred.jsonl."""

from __future__ import annotations

import pytest

from tests.catalog.conftest import Catalogs


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("Deferred('inline_epp', [])", "inline_epp with arguments []"),
        ("Deferred('inline_epp')", "inline_epp with arguments "),
        ("Deferred('inline_epp', [1])", "inline_epp with arguments [1]"),
        ("Deferred('join', ['a', '-'])", 'join with arguments ["a", "-"]'),
        ("Deferred('f', ['a'])", 'f with arguments ["a"]'),
        ("Deferred('f')", "f with arguments "),
    ],
)
def test_the_error_is_puppets(call: str, told: str, catalogs: Catalogs) -> None:
    """Puppet puts the class of Ruby's error before it, which differs between its programs."""
    catalogs.run("function f(Integer $n) >> String { 'x' } define d(String $x) { }")
    message = catalogs.refused(f"d {{ 'a': x => {call} }}")
    assert message.endswith(f", No matching arity found for {told}")
