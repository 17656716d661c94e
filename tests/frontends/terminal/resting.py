"""Whether a program has nothing to do: on a busy machine one that is quiet may only be waiting."""

from __future__ import annotations

from pathlib import Path


def is_at_work(process: int) -> bool:
    """Tell whether a thread of a process would run if the machine let it; never without /proc."""
    try:
        threads = list(Path(f"/proc/{process}/task").iterdir())
    except OSError:
        return False
    return any(_state(thread) in ("R", "D") for thread in threads)


def _state(thread: Path) -> str:
    """Return the state of a thread, which follows its name in parentheses."""
    try:
        return (thread / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:  # it has ended
        return ""
