"""One input is watched: what it raises, how long it takes, how much memory."""

from __future__ import annotations

import resource
import signal
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from tests.fuzz.targets import Flaw, Target

__all__ = ["MAX_MEMORY", "MAX_SECONDS", "Finding", "watched"]

MAX_SECONDS = 5
MAX_MEMORY = 500 << 20
SHOWN_FRAMES = 3
MEMORY_SIZE = Path("/proc/self/statm")


class Finding(NamedTuple):
    """What went wrong with an input: a word for it, and its particulars."""

    kind: str
    detail: str


class Endless(BaseException):
    """An input has used up its time."""


def _stop(signal_number: int, frame: FrameType | None) -> None:
    raise Endless


def watched(target: Target, text: str) -> tuple[Finding | None, bool]:
    """Run an input; return what went wrong, if anything, and whether it was valid.

    An input may take MAX_SECONDS of processor time, and MAX_MEMORY bytes more than were in use
    before it.
    """
    signal.signal(signal.SIGVTALRM, _stop)
    highest = _highest()
    before = _in_use()
    started = time.process_time()
    finding: Finding | None = None
    valid = False
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
        try:
            valid = target(text)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except Flaw as flaw:
        finding = Finding("flaw", str(flaw))
    except Endless as error:
        finding = Finding("endless", _where(error))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        finding = Finding("exception", f"{type(error).__name__}: {error} {_where(error)}"[:500])
    seconds = time.process_time() - started
    if finding is None and seconds > MAX_SECONDS:
        finding = Finding("slow", f"{seconds:.1f} s")
    taken = _highest() - before
    if finding is None and _highest() > highest and taken > MAX_MEMORY:
        finding = Finding("memory", f"{taken >> 20} MB")
    return finding, valid


def _where(error: BaseException) -> str:
    """Return the innermost frames of the project in a traceback, the innermost one first."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if ".py" in frame.filename
    ]
    frames = [frame for frame in frames if "puppet_" in frame.filename][-SHOWN_FRAMES:]
    return " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames))


def _highest() -> int:
    """Return the most memory that the process had at any time, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _in_use() -> int:
    """Return the memory that the process has now, in bytes; its most where that is not known."""
    try:
        return int(MEMORY_SIZE.read_bytes().split()[1]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return _highest()
