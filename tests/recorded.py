"""Cases recorded from Puppet, in JSON lines: reading them, asking about them, comparing."""

from __future__ import annotations

import gzip
import json
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from puppet_repl.frontends.cli.batch import answer
from tests.conformance.judge import Case, differences, recorded_form, request_of

__all__ = ["CONFORMANCE", "Case", "answer_here", "check", "lines", "read", "suite", "text_and_type"]

CONFORMANCE = Path(__file__).parent / "conformance"
MAX_SECONDS = 60
Ask = Callable[[Case], Case]


def lines(text: str) -> list[Case]:
    """Return the objects of a text that has one a line."""
    # Not splitlines(): strings hold U+2028 and the like.
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def read(path: Path) -> list[Case]:
    """Return the cases of a file, compressed or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        return lines(stream.read())


def suite(name: str) -> list[Case]:
    """Return the cases of a file of tests/conformance by its name without the extension."""
    return read(CONFORMANCE / f"{name}.jsonl")


def check(case: Case, directory: Path, ask: Ask | None = None, **settings: Any) -> list[str]:
    """Return in what the answer to a case differs from Puppet's, a line each.

    The files of the case are written below ``directory``. ``ask`` answers the request, in this
    process if it is not given. ``settings`` are further keys of the request.
    """
    request = {**request_of(case, directory), **settings}
    return differences(case, recorded_form(request, (ask or answer_here)(request)))


class TooSlow(BaseException):
    """A request took longer than MAX_SECONDS."""


def _alarm(*_: object) -> None:
    raise TooSlow


def answer_here(request: Case) -> Case:
    """Answer a request in this process; what Python raises becomes an error with its traceback."""
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, _alarm)
        signal.alarm(MAX_SECONDS)
    try:
        return answer(request)
    except Exception:
        return {"error": {"code": "INTERNAL", "message": traceback.format_exc(limit=-4)}}
    except TooSlow:
        return {"error": {"code": "INTERNAL", "message": f"no answer in {MAX_SECONDS} s"}}
    finally:
        if sys.platform != "win32":
            signal.alarm(0)


def text_and_type(code: str) -> Case:
    """Run a program in a session of its own; return text and type of its value, or its error."""
    from puppet_repl.session import Session

    session = Session()
    outcome = session.execute(code)
    if outcome.error is not None:
        error = outcome.error
        return {"error": error.message, "line": error.line, "column": error.column}
    described = session.describe(outcome.value)
    return {"str": described["str"], "type": described["type"]}
