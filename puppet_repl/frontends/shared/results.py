"""Render the result of an input: its value and type, declared resources, its error."""

from __future__ import annotations

import re

from puppet_repl.base.errors import NO_TIME, TimeLimitExceeded
from puppet_repl.base.wording import counted, listed
from puppet_repl.language.compiler.locations import interruption, stopped
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.model.resource import CatalogEntryType
from puppet_repl.language.types.text.inferred import inferred
from puppet_repl.language.values.protocols import Holder, RuntimeValue
from puppet_repl.session import NOTHING
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import Fragment, lines
from puppet_repl.tools.rendering.highlight import highlight
from puppet_repl.tools.rendering.values import MAX_LINES, opened, render_value
from puppet_repl.tools.rendering.width import crop, display_width
from puppet_repl.tools.reports.resources import referred_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import PuppetError
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Outcome, Session

# The type of a longer array or hash is not inferred for every result.
MAX_TYPED = 2000
MAX_RESOURCES = 20
# A value shown in part fits the screen, with the brackets, hint and type around it.
MIN_LINES = 8
_AROUND = 10
# From so many rows on a value has all lines that one may have.
ROWS = MAX_LINES + _AROUND


def render_outcome(
    session: Session,
    outcome: Outcome,
    label: str,
    width: int,
    *,
    show_type: bool,
    rows: int = ROWS,
) -> list[Fragment]:
    """Return the result of an input for a screen of ``rows``; empty if there is none."""
    if outcome.error is not None:
        return render_error(outcome.error, label, width)
    if outcome.value is NOTHING or outcome.value is None:
        return []
    value = opened(outcome.value)
    resources = declared_code(session, value)
    if resources is not None:
        fragments = highlight(resources)
        if value is outcome.value:
            return fragments
    else:
        max_lines = min(max(rows - _AROUND, MIN_LINES), MAX_LINES)
        fragments = render_value(value, width, full=False, max_lines=max_lines)
    if show_type or value is not outcome.value:
        text = type_of(outcome.value)
        fragments = _with_type(fragments, text, width) if text else fragments
    return fragments


def stop_error(
    stop: KeyboardInterrupt,
    message: str = "Interrupted.",
    shown: tuple[str, str | None] | None = None,
) -> PuppetError:
    """Return where the code was that its user, or a limit of time, has stopped.

    ``message`` is told of an interrupt. ``shown`` are text and name of the input whose value was
    being shown, which is where its time was up.
    """
    if isinstance(stop, TimeLimitExceeded):
        return stopped(stop, NO_TIME, None if shown is None else Source(*shown))
    return interruption(stop, message)


def input_since(session: Session, count: int) -> tuple[str, str] | None:
    """Return text and name of the last input of a session that had ``count`` before, or None."""
    if session.count <= count or not session.inputs:
        return None
    number, text, _ = session.inputs[-1]
    return text, f"In[{number}]"


def type_of(value: Value) -> str:
    """Return the type of a value without ranges, '' for a large value.

    A collector, which has a type of Ruby only, is named as Puppet names it.
    """
    if isinstance(value, RuntimeValue) and isinstance(value, Holder):
        return value.puppet_text()
    type_ = inferred(value, MAX_TYPED)
    if type_ is None:
        return ""
    return re.sub(r"\bString\[[\d, ]+\]", "String", str(type_.generalize()))


def _with_type(fragments: list[Fragment], text: str, width: int) -> list[Fragment]:
    """Add the type after the value where it fits, else on a separate line."""
    rows = list(lines(fragments))
    last = sum(display_width(piece) for _, piece in rows[-1])
    if len(rows) == 1 and last + display_width(text) + 2 <= width:
        return [*fragments, ("dim", f"  {text}")]
    return [*fragments, ("dim", f"\n{crop(text, width)}")]


def _count(value: Value) -> int:
    return len(value) if type(value) is tuple else 1


def declared_code(session: Session, value: Value) -> str | None:
    """Return the code of the resources that a value refers to; None unless it is references."""
    count = _count(value)
    if not 0 < count <= MAX_RESOURCES:
        return None
    declarations, found = referred_code(session, value, count)
    return "\n".join(declarations) if found == count else None


def is_reference(value: Value) -> bool:
    """Tell whether a value is a reference to a class or resource, or an array of them."""
    values = value if type(value) is tuple else (value,)
    return bool(values) and all(isinstance(each, CatalogEntryType) for each in values)


def declares(session: Session) -> bool:
    """Tell whether the last input has declared anything."""
    return bool(_declared_last(session))


def _declared_last(session: Session) -> list[Resource]:
    """Return the resources and classes that the last input has declared."""
    if not session.has_catalog:
        return []
    state = session.catalog.state
    return [each for each in state.fresh if each.input == state.input and each.type != "Node"]


def declared_line(session: Session, value: Value, *, pointer: str = "") -> str | None:
    """Return what the last input has declared; None if its value shows all of that.

    ``pointer`` follows the number of resources: which command lists them.
    """
    new = _declared_last(session)
    classes = [each for each in new if each.is_class]
    count = len(new) - len(classes)
    if not classes:
        if not count or (count <= _count(value) and declared_code(session, value) is not None):
            return None
        return f"declared {counted(count, 'resource')}{pointer}"
    others = len(classes) - 1
    parts = [classes[0].ref]
    if others:
        parts.append(f"{counted(others, 'more class', 'more classes')}")
    parts.append(counted(count, "resource") if count else "no resources")
    return f"declared {listed(parts)}{pointer if count else ''}"
