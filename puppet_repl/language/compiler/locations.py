"""Locations of errors: from a Python traceback to a node of the Puppet program.

Compiled code carries positions of the Puppet text, so the innermost frame that belongs to a program
has the node that was being evaluated. Nothing is tracked while the program runs.
"""

from __future__ import annotations

import re

from puppet_repl.base.errors import (
    ILLEGAL_SIGNAL,
    INTERRUPTED,
    NO_MEMORY,
    EvaluationIssue,
    Frame,
    Interruption,
    OutOfMemory,
    PuppetError,
    RuntimeFailure,
    Subject,
    is_finished,
)
from puppet_repl.base.memory import NO_ALLOCATION
from puppet_repl.base.recursion import is_too_long
from puppet_repl.base.wording import with_article
from puppet_repl.language.compiler.build import Spans
from puppet_repl.language.runtime.signals import Signal
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.integers import TOO_LONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, TracebackType
    from typing import TypeVar

    from puppet_repl.language.compiler.build import Span
    from puppet_repl.language.compiler.program import CompiledProgram

    Error = TypeVar("Error", bound=PuppetError)

_MAX_FRAMES = 100
# The outermost of these: if calls are too deep, they show the beginning.
_OUTERMOST = 4
# See Unit.name_local.
_LOCAL_NAME = re.compile(r"v(\d*)_(.+)")
# What reads a text before it runs.
_READERS = ("puppet_repl.language.syntax.", "puppet_repl.language.compiler.")
_NOT_EVALUATED = (ast.NamedAccessExpression, ast.KeyedEntry, ast.Program)


class Evaluation:
    """A frame of compiled code: its program, and the node that it was evaluating."""

    __slots__ = ("frame", "node", "program")

    def __init__(self, program: CompiledProgram, frame: FrameType, node: ast.Node | None) -> None:
        self.program = program
        self.frame = frame
        self.node = node

    @property
    def position(self) -> tuple[int, int] | None:
        """Line and column of the node, from 1."""
        if self.node is None:
            return None
        return self.program.source.position(self.node.at)


def nodes_by_span(program: CompiledProgram) -> dict[Span, ast.Node]:
    """Return the nodes of a program by the spans that their code carries.

    If several nodes have the same span the innermost one is taken.
    """
    spans = Spans(program.source)
    return {
        spans.of(node): node for node in program.tree.walk() if not isinstance(node, _NOT_EVALUATED)
    }


def evaluations(traceback: TracebackType | None) -> list[Evaluation]:
    """Return the frames of compiled code in a traceback, outermost first."""
    entered: list[Evaluation] = []
    while traceback is not None:
        frame = traceback.tb_frame
        program: CompiledProgram | None = frame.f_globals.get("__puppet__")
        if program is not None:
            node = program.node_of(frame.f_code, traceback.tb_lasti)
            # A function that is called from another scope calls itself once more in its own.
            if not isinstance(node, ast.FunctionDefinition):
                entered.append(Evaluation(program, frame, node))
        traceback = traceback.tb_next
    return entered


def locate(error: BaseException) -> PuppetError:
    """Return the finished error for whatever left compiled code."""
    if is_finished(error):
        return _with_frames(error)
    if isinstance(error, PuppetError) and error.start is not None:
        return error
    found = evaluations(error.__traceback__)
    if isinstance(error, Signal):
        return _illegal_signal(error, found)
    if isinstance(error, PuppetError) and error.at_caller and len(found) > 1:
        found.pop()
    if isinstance(error, RecursionError):
        while len(found) > 1 and found[-1].node is None:  # a call that had just begun
            found.pop()
    if not found:
        return error if isinstance(error, PuppetError) else internal_error(error)
    innermost = found[-1]
    if isinstance(error, EvaluationIssue):
        node = _blamed(innermost.node, error.blame)
        message = error.prefix + error.message
        code = error.code
    else:
        node = innermost.node
        label = with_article(node.label) if node is not None else "an expression"
        message = f"Evaluation Error: Error while evaluating {label}, {_detail(error)}"
        code = _code(error)
    made = PuppetError(
        message,
        code,
        source=innermost.program.source,
        start=None if node is None else node.at,
        end=None if node is None else node.end,
        frames=frames(found),
        notes=error.notes if isinstance(error, PuppetError) else (),
        subject=_subject(error, innermost),
        culprit=error.culprit if isinstance(error, PuppetError) else None,
    )
    made.__cause__ = None if isinstance(error, PuppetError) else error
    return made


def stopped(error: BaseException, code: str, shown: Source | None = None) -> PuppetError:
    """Return the error of code that was stopped from outside, with the location it had reached.

    If no code was running, that is the file that was read, else the statement whose value was being
    ``shown``, else its file.
    """
    read = _source_read(error.__traceback__)
    return _stopped(PuppetError, error, str(error), code, shown, read)


def interruption(error: BaseException, message: str = "Interrupted.") -> Interruption:
    """Return the location and the calls of code that its user stopped."""
    return _stopped(Interruption, error, message, INTERRUPTED)


def _stopped(
    kind: type[Error],
    error: BaseException,
    message: str,
    code: str,
    shown: Source | None = None,
    read: Source | None = None,
) -> Error:
    found = evaluations(error.__traceback__)
    error.__traceback__ = None
    while found and found[-1].node is None:  # between two expressions
        found.pop()
    if not found:
        last = None if shown is None or read is not None else _last_statement(shown)
        if last is None:
            return kind(message, code, source=read or shown)
        return kind(message, code, source=shown, start=last.at, end=last.end)
    node, source = found[-1].node, found[-1].program.source
    assert node is not None
    return kind(message, code, source=source, start=node.at, end=node.end, frames=frames(found))


def _source_read(traceback: TracebackType | None) -> Source | None:
    """Return the text that was parsed, checked or compiled, None if none was."""
    found = None
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_globals.get("__name__", "").startswith(_READERS):
            known = frame.f_locals
            read = getattr(known.get("program"), "source", known.get("source"))
            found = read if type(read) is Source else found
        traceback = traceback.tb_next
    return found


def _last_statement(source: Source) -> ast.Node | None:
    """Return the statement that gives a text its value, None for a text without statements."""
    try:
        body = parse(source).body
    except PuppetError:
        return None
    if isinstance(body, ast.BlockExpression):
        return body.statements[-1]
    return None if isinstance(body, ast.Nop) else body


def _subject(error: BaseException, innermost: Evaluation) -> Subject | None:
    """Return what an error is about; only the frame knows the local variables in reach."""
    subject = error.subject if isinstance(error, PuppetError) else None
    if subject is None or subject.kind != "variable":
        return subject
    return Subject(
        "variable", subject.name, (*local_variables(innermost.frame), *subject.candidates)
    )


def _with_frames(error: PuppetError) -> PuppetError:
    """Return a finished error, with the frames that it passed since it was finished."""
    error.frames = _limited((*error.frames, *frames(evaluations(error.__traceback__))))
    return error


def _detail(error: BaseException) -> str:
    if isinstance(error, RuntimeFailure):
        return error.message
    if isinstance(error, RecursionError):
        return "stack level too deep"
    if isinstance(error, NO_ALLOCATION):
        return str(error) if isinstance(error, OutOfMemory) else "failed to allocate memory"
    if is_too_long(error):
        return TOO_LONG
    return f"internal error: {type(error).__name__}: {error}"


def _code(error: BaseException) -> str:
    return NO_MEMORY if isinstance(error, NO_ALLOCATION) else "RUNTIME_ERROR"


def internal_error(error: BaseException) -> PuppetError:
    """Return an error for a failure whose position in the program is unknown."""
    made = PuppetError(f"Evaluation Error: {_detail(error)}", _code(error))
    made.__cause__ = error
    return made


def _blamed(node: ast.Node | None, blame: object) -> ast.Node | None:
    """Return the part of a node that is at fault; None for a part without a node of its own.

    As in Puppet that is a key of an array among the keys: ``Array[[Integer, 'a']]``.
    """
    if isinstance(blame, ast.Node):
        return blame
    if node is None or blame is None:
        return node
    if isinstance(blame, str):
        part = getattr(node, blame, None)
        return part if isinstance(part, ast.Node) else node
    if isinstance(blame, tuple):
        field, index = blame
        parts = getattr(node, field, ())
        if isinstance(parts, ast.LiteralList):
            parts = parts.values
        if isinstance(parts, tuple) and parts:
            if index >= len(parts):
                return None
            part = parts[index]
            return part if isinstance(part, ast.Node) else node
    return node


def _illegal_signal(signal: Signal, found: list[Evaluation]) -> PuppetError:
    """break(), next() or return() where nothing catches them."""
    message = f"{signal.name}() from context where this is illegal"
    if not found:
        return PuppetError(message, ILLEGAL_SIGNAL)
    innermost = found[-1]
    made = PuppetError(
        message, ILLEGAL_SIGNAL, source=innermost.program.source, frames=frames(found)
    )
    position = innermost.position
    made.line = position[0] if position is not None else 1
    return made


def _limited(found: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Return the innermost and the outermost of too many calls."""
    if len(found) <= _MAX_FRAMES:
        return found
    *inner, last = found[:-_OUTERMOST][: _MAX_FRAMES - _OUTERMOST]
    hidden = found[len(inner) + 1 : -_OUTERMOST]
    skipped = last.skipped + len(hidden) + sum(each.skipped for each in hidden)
    shown = Frame(last.name, last.file, last.line, last.column, skipped)
    return (*inner, shown, *found[-_OUTERMOST:])


def frames(found: list[Evaluation]) -> tuple[Frame, ...]:
    """Return the calls of functions, lambdas and bodies on the way, innermost first."""
    made: list[Frame] = []
    skipped = 0
    if len(found) > _MAX_FRAMES:
        inner = found[_OUTERMOST - _MAX_FRAMES :]
        skipped = len(found) - _MAX_FRAMES
        found = [*found[:_OUTERMOST], *inner]
    for number, evaluation in enumerate(reversed(found), 1):
        position = evaluation.position
        if position is None:
            continue
        made.append(
            Frame(
                frame_name(evaluation.frame),
                evaluation.program.source.name,
                position[0],
                position[1],
                skipped if number == _MAX_FRAMES - _OUTERMOST else 0,
            )
        )
    return tuple(made)


def local_variables(frame: FrameType) -> dict[str, object]:
    """Return the Puppet variables that are Python locals of a frame, by their Puppet names.

    A lambda may have a variable of the code around it, and one of its own that hides it.
    """
    found: dict[str, tuple[str, object]] = {}
    for local, value in frame.f_locals.items():
        is_local = local[:1] == "v" and value is not UNSET
        if not is_local or (named := _LOCAL_NAME.fullmatch(local)) is None:
            continue
        depth, name = named.groups()
        if name not in found or found[name][0] < depth:
            found[name] = depth, value
    return {name: value for name, (_, value) in found.items()}


def frame_name(frame: FrameType) -> str:
    """Return what a Puppet stack trace calls a frame."""
    name = frame.f_code.co_name
    if name.startswith("f_"):
        return f"function {name[2:]}"
    if name.startswith("lambda_"):
        return "lambda"
    is_body = name.startswith(("class_", "define_", "node_"))
    return name.replace("_", " ", 1) if is_body else "main"
