"""The scope and the variables of a frame.

Frames are Python's own. Variables of functions and lambdas are in the frames; variables of classes,
defined types and the top scope are in scope objects that the frames refer to.
"""

from __future__ import annotations

import re

from puppet_repl.language.compiler.locations import local_variables
from puppet_repl.language.runtime.scope import Scope, visible_match
from puppet_repl.language.syntax import ast
from puppet_repl.language.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from puppet_repl.language.compiler.program import CompiledProgram
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

# The local of a unit that holds its last match; see Unit.match.
_MATCH = re.compile(r"m\d+")


def is_puppet(frame: FrameType) -> bool:
    """Tell whether a frame runs Puppet code, as opposed to defining it."""
    return "__puppet__" in frame.f_globals and frame.f_code.co_name != "<module>"


def puppet_frames(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of Puppet code from a frame outwards, the innermost first."""
    found = []
    while frame is not None:
        if is_puppet(frame):
            found.append(frame)
        frame = frame.f_back
    return found


def program_of(frame: FrameType) -> CompiledProgram:
    """Return the program whose code a frame of Puppet runs."""
    program: CompiledProgram = frame.f_globals["__puppet__"]
    return program


def is_forwarding(frame: FrameType) -> bool:
    """Tell whether a frame is a function that only calls itself again in its own scope."""
    node = program_of(frame).node_of(frame.f_code, frame.f_lasti)
    return isinstance(node, ast.FunctionDefinition)


def lexical_frames(frame: FrameType) -> list[FrameType]:
    """Return a frame and those around its code in the text, as far as they are running.

    Of a function that calls itself the innermost call counts.
    """
    found = [frame]
    inner, outer = frame, frame.f_back
    while outer is not None:
        if outer.f_globals is inner.f_globals and inner.f_code in outer.f_code.co_consts:
            found.append(outer)
            inner = outer
        outer = outer.f_back
    return found


def scope_of(frame: FrameType, context: Context) -> Scope:
    """Return a scope in which code reads the variables that the code of a frame can read.

    Assignments in that scope do not change the frame.
    """
    around = lexical_frames(frame)
    scopes = [each.f_locals.get("scope") for each in around]
    base = next((scope for scope in scopes if isinstance(scope, Scope)), None)
    values: dict[str, Value] = {}
    for each in reversed(around):
        values.update(local_variables(each))
    scope = (context.top if base is None else base).local(values)
    match = last_match(frame)
    if match is not UNSET:
        scope.match = match
    elif base is not None:
        scope.match = visible_match(base)
    return scope


def last_match(frame: FrameType) -> Any:
    """Return the last match in a frame or around it, or None; UNSET if no frame keeps matches."""
    for each in lexical_frames(frame):
        names = [name for name in each.f_locals if _MATCH.fullmatch(name)]
        if names:
            return each.f_locals[max(names, key=lambda name: int(name[1:]))]
    return UNSET


def match_values(match: re.Match[str] | None) -> dict[str, Value]:
    """Return the match variables by name: ``0`` is all that matches, a group may be undef."""
    if match is None:
        return {}
    return {str(number): match[number] for number in range(match.re.groups + 1)}
