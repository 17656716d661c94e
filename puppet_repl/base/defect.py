"""The text that front ends show for a defect of this project."""

from __future__ import annotations

import os
import sys

from puppet_repl.base.errors import TimeLimitExceeded
from puppet_repl.base.memory import NO_ALLOCATION
from puppet_repl.base.safe_text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

DEBUG = "PUPPET_REPL_DEBUG"
"""The environment variable with which tracebacks of defects are printed."""
_MAX_LENGTH = 200
# The labels of links in the metadata of a package, best first.
_LABELS = ("issues", "bug tracker", "source", "homepage")


def defect_line(error: BaseException) -> str:
    """Return the line to show for an error of this program itself.

    It has the error, its place in the program, and how to report it.
    """
    return f"this is a defect of puppet-repl: {_what(error)}{_where(error)}; {_advice()}"


def is_defect(error: BaseException) -> bool:
    """Tell whether an error is not a limit of memory, depth or time that an input has met."""
    return not isinstance(error, (RecursionError, TimeLimitExceeded, *NO_ALLOCATION))


def print_traceback(error: BaseException) -> None:
    """Print the traceback of a defect to standard error if PUPPET_REPL_DEBUG is set."""
    if os.environ.get(DEBUG) and is_defect(error):
        import traceback

        traceback.print_exception(error, file=sys.stderr)


def _what(error: BaseException) -> str:
    try:
        text = visible(" ".join(str(error).split()))
    except Exception:  # an error may be broken too, and this is the last place that can say so
        text = "its message cannot be shown"
    if len(text) > _MAX_LENGTH:
        text = text[: _MAX_LENGTH - 3] + "..."
    kind = type(error).__name__
    return f"{kind}: {text}" if text else kind


def _where(error: BaseException) -> str:
    innermost: TracebackType | None = error.__traceback__
    if innermost is None:
        return ""
    while innermost.tb_next is not None:
        innermost = innermost.tb_next
    name = os.path.basename(innermost.tb_frame.f_code.co_filename)
    return f" ({name}:{innermost.tb_lineno})"


def _advice() -> str:
    link = _link()
    report = f"report it at {link}" if link else "report it to the project"
    if os.environ.get(DEBUG):
        return f"please {report}, with the traceback and what you entered"
    return f"please {report} ({DEBUG}=1 shows the traceback)"


def _link() -> str | None:
    """Return the address for reports of defects, None if it is unknown."""
    try:
        from importlib.metadata import metadata

        links = metadata("puppet-repl").get_all("Project-URL") or ()
    except (ImportError, OSError):  # the package is not installed, or cannot be read; or a browser
        return None
    by_label = {}
    for link in links:
        label, _, address = link.partition(",")
        by_label[label.strip().lower()] = address.strip()
    return next((by_label[label] for label in _LABELS if by_label.get(label)), None)
