"""Breakpoints as the debug adapter protocol asks for them and describes them."""

from __future__ import annotations

from typing import Any

from puppet_kernel.cell_magics import CellMagicError
from puppet_kernel.cell_parts import code_parts
from puppet_kernel.sources import Sources
from puppet_repl.base.errors import PuppetError
from puppet_repl.session import Session
from puppet_repl.session.debugging.breakpoints import NO_CODE, Breakpoint
from puppet_repl.session.debugging.statements import StatementLines, statement_lines

Request = dict[str, Any]


def read_breakpoints(
    puppet: Session, sources: Sources, path: str, asked: list[Request]
) -> list[Breakpoint]:
    """Return the breakpoints that are asked for in the code at a path, in order."""
    lines = _lines(puppet, sources, path)
    return [_read(puppet, lines, each) for each in asked]


def _read(puppet: Session, lines: StatementLines | str, asked: Request) -> Breakpoint:
    line = asked.get("line")
    wanted = line if type(line) is int else 0
    if isinstance(lines, str):
        breakpoint_ = Breakpoint(None, wanted, lines)
    else:
        breakpoint_ = Breakpoint(lines.stop_for(wanted), wanted, NO_CODE)
    breakpoint_.read(
        puppet.expressions.check,
        _text(asked, "condition"),
        _text(asked, "hitCondition"),
        _text(asked, "logMessage"),
    )
    return breakpoint_


def _lines(puppet: Session, sources: Sources, path: str) -> StatementLines | str:
    """Return the lines of a path, or why code cannot be stopped there."""
    text = sources.text(path)
    if text is None:
        return f"the session does not load {path}"
    try:
        if not sources.is_cell(path):
            return statement_lines(text)
        parts = code_parts(puppet, text)
        return statement_lines(text, *parts) if parts else NO_CODE
    except (CellMagicError, PuppetError) as error:
        return str(error)


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
