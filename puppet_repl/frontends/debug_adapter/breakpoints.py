"""Breakpoints as the debug adapter protocol asks for them and describes them."""

from __future__ import annotations

from typing import Any

from puppet_repl.session import Session
from puppet_repl.session.debugging.breakpoints import NO_CODE, Breakpoint
from puppet_repl.session.debugging.statements import StatementLines

Request = dict[str, Any]


def read_breakpoints(
    puppet: Session, lines: StatementLines | str, asked: list[Request]
) -> list[Breakpoint]:
    """Return the breakpoints that are asked for in a text with these lines, in order.

    Instead of the lines there may be the reason why code cannot be stopped in the text.
    """
    return [_at_line(puppet, lines, each) for each in asked]


def _at_line(puppet: Session, lines: StatementLines | str, asked: Request) -> Breakpoint:
    line = asked.get("line")
    wanted = line if type(line) is int else 0
    if isinstance(lines, str):
        breakpoint_ = Breakpoint(None, wanted, lines)
    else:
        breakpoint_ = Breakpoint(lines.stop_for(wanted), wanted, NO_CODE)
    _read_conditions(puppet, breakpoint_, asked)
    return breakpoint_


def read_entry(puppet: Session, asked: Request) -> Breakpoint:
    """Return the breakpoint that is asked for at the beginning of a definition."""
    breakpoint_ = Breakpoint(0, 0)
    _read_conditions(puppet, breakpoint_, asked)
    return breakpoint_


def _read_conditions(puppet: Session, breakpoint_: Breakpoint, asked: Request) -> None:
    breakpoint_.read(
        puppet.expressions.check,
        _text(asked, "condition"),
        _text(asked, "hitCondition"),
        _text(asked, "logMessage"),
    )


def placed(breakpoint_: Breakpoint, path: str) -> Request:
    """Return a breakpoint as the protocol describes it."""
    is_verified = breakpoint_.line is not None
    described = {
        "verified": is_verified,
        "line": breakpoint_.line if is_verified else breakpoint_.wanted,
        "source": {"path": path},
    }
    return described if is_verified else {**described, "message": breakpoint_.problem}


def _text(asked: Request, key: str) -> str:
    value = asked.get(key)
    return value.strip() if isinstance(value, str) else ""
