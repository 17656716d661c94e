"""Which Ruby the tests run: the sandbox if it is installed, else the Ruby of the system."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from puppet_repl.environment.ruby import engines
from puppet_repl.session import Session

MISSING = engines.missing()
ENGINE = "system" if MISSING else "sandbox"
"""The value of the option ``ruby`` for tests that pass with either engine."""

_NO_SYSTEM = shutil.which("ruby") is None

needs_sandbox = pytest.mark.skipif(MISSING is not None, reason=MISSING or "")
needs_system = pytest.mark.skipif(_NO_SYSTEM, reason="there is no ruby on the PATH")
needs_ruby = pytest.mark.skipif(
    MISSING is not None and _NO_SYSTEM, reason=f"{MISSING}; there is no ruby on the PATH either"
)


def value(session: Session, code: str) -> Any:
    """Return the value of code that does not fail."""
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error
    return outcome.value
