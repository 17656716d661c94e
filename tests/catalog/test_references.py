"""References without names or titles, stages, and break() in bodies, as Puppet answers."""

from __future__ import annotations

import pytest

from puppet_repl.session import Session


@pytest.mark.parametrize("name", ["break", "next", "return"])
def test_signals_in_defaults_are_errors(name: str) -> None:
    """Puppet fails inside with the name of a class of its own."""
    error = Session().execute(f"define d($a = {name}()) {{ }}\nd {{ 'x': }}").error
    assert error is not None
    assert error.message.endswith(f"{name}() from context where this is illegal")
    assert error.line == 1
