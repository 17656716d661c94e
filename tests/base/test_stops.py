"""One message for each kind of error of Python that can end an input."""

from __future__ import annotations

import sys
import weakref

import pytest

from puppet_repl.base.defect import print_traceback
from puppet_repl.base.errors import TimeLimitExceeded
from puppet_repl.base.stops import stop_code, stop_message


@pytest.mark.parametrize(
    ("error", "message", "code"),
    [
        (MemoryError(), "Memory limit exceeded (see --max-memory)", "NO_MEMORY"),
        (SystemError("no memory"), "Memory limit exceeded (see --max-memory)", "NO_MEMORY"),
        (TimeLimitExceeded(), "Time limit exceeded (see --max-seconds)", "NO_TIME"),
        (RecursionError("too deep"), "The value is nested too deeply", "RUNTIME_ERROR"),
    ],
    ids=lambda part: type(part).__name__,
)
def test_limits(
    error: BaseException,
    message: str,
    code: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PUPPET_REPL_DEBUG", "1")
    assert (stop_message(error), stop_code(error)) == (message, code)
    print_traceback(error)
    assert capsys.readouterr() == ("", "")


def test_anything_else_is_a_defect() -> None:
    error = LookupError("lost")
    assert stop_message(error).startswith("this is a defect of puppet-repl: LookupError: lost")
    assert stop_code(error) == "INTERNAL"


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="objects live until collected")
@pytest.mark.parametrize("kind", [MemoryError, RecursionError])
def test_what_a_limit_has_stopped_is_freed(kind: type[Exception]) -> None:
    class Large:
        pass

    alive: list[weakref.ref[Large]] = []

    def fail() -> None:
        large = Large()
        alive.append(weakref.ref(large))
        raise kind

    try:
        fail()
    except kind as error:
        assert alive[0]() is not None
        stop_message(error)
        assert alive[0]() is None
