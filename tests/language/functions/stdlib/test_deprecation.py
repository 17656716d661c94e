"""The environment variable of stdlib's deprecations, and its older function."""

from __future__ import annotations

import pytest

from puppet_repl.language.functions.stdlib.deprecation import deprecate_legacy
from puppet_repl.language.runtime.context import Context
from puppet_repl.session import Options, Session

CODE = "deprecation('k', 'gone', false)"


@pytest.mark.parametrize(("value", "count"), [("false", 0), ("true", 1), (None, 1)])
def test_variable_silences_warnings(
    value: str | None, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is None:
        monkeypatch.delenv("STDLIB_LOG_DEPRECATIONS", raising=False)
    else:
        monkeypatch.setenv("STDLIB_LOG_DEPRECATIONS", value)
    assert len(Session(Options(stdlib="9")).execute(CODE).logs) == count


@pytest.mark.parametrize(("value", "count"), [("false", 0), ("true", 1), (None, 0)])
def test_older_function_warns_only_on_request(
    value: str | None, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is None:
        monkeypatch.delenv("STDLIB_LOG_DEPRECATIONS", raising=False)
    else:
        monkeypatch.setenv("STDLIB_LOG_DEPRECATIONS", value)
    logged: list[tuple[str, str]] = []
    context = Context(Options(), log=lambda level, text: logged.append((level, text)))
    deprecate_legacy(context, "k", "gone")
    assert logged == [("warning", "deprecation. k. gone")] * count
