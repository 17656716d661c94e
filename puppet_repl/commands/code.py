"""Commands about a piece of code: its value's type, its tree, its tokens, its time."""

from __future__ import annotations

from collections.abc import Iterator

from puppet_repl.commands.results import (
    Cell,
    Code,
    CommandError,
    Failure,
    Message,
    Ran,
    Report,
    Shown,
    Table,
    Value,
)
from puppet_repl.errors import PuppetError
from puppet_repl.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.commands import Call
    from puppet_repl.session import Outcome, Session
    from puppet_repl.syntax.ast import Node

BENCH_SECONDS = 1.0


def wanted_code(call: Call) -> str:
    """The argument, which has to be there."""
    if not call.argument.strip():
        raise CommandError("which code?", None)
    return call.argument


def evaluate_aside(session: Session, text: str) -> Outcome:
    """Evaluate code and leave the session as it was."""
    state = session.context.snapshot()
    try:
        return session.execute(text, record=False)
    finally:
        session.context.restore(state)


def type_(call: Call) -> Report:
    """``:type EXPR``."""
    from puppet_repl.types.model.base import PuppetType

    outcome = evaluate_aside(call.session, wanted_code(call))
    if outcome.error is not None:
        return Report(Failure(outcome.error))
    value = outcome.value
    if isinstance(value, PuppetType):
        own, expanded = str(value), value.resolved().expanded_text()
        if own.endswith(f" = {expanded}"):
            return Report(Code(own))
        if own != expanded:
            return Report(Code(f"{own} = {expanded}"))
    from puppet_repl.types.algebra.infer import infer_set

    return Report(Code(str(infer_set(value))))


def match(call: Call) -> Report:
    """``:match TYPE VALUE...``."""
    pieces = list(split_values(call.argument))
    if len(pieces) < 2:
        raise CommandError("which type, and which values?", "for example :match Integer[1, 5] 3 9")
    subject, *texts = pieces
    found = evaluate_aside(call.session, subject)
    if found.error is not None:
        return Report(Failure(found.error))
    from puppet_repl.types.model.base import PuppetType

    if not isinstance(found.value, PuppetType):
        raise CommandError(f"{subject} is no type", "the type comes first, then the values")
    rows: list[tuple[Cell | Value, ...]] = []
    for text in texts:
        outcome = evaluate_aside(call.session, text)
        if outcome.error is not None:
            return Report(Failure(outcome.error))
        value = outcome.value
        if found.value.accepts_value(value):
            rows.append((Value(value), Cell("yes", "ok"), Cell("")))
        else:
            rows.append((Value(value), Cell("no", "bad"), Cell(_mismatch(call, subject, text))))
    return Report(Table(("Value", str(found.value), "Why not"), rows))


def _mismatch(call: Call, subject: str, text: str) -> str:
    """What assert_type says, which names the part that does not fit."""
    outcome = evaluate_aside(call.session, f"assert_type({subject}, {text})")
    if outcome.error is None:
        return ""
    message = outcome.error.message
    _, found, reason = message.partition("assert_type(): ")
    return reason if found else message


def split_values(text: str) -> Iterator[str]:
    """Cut code at the blanks and commas that are outside of brackets and strings."""
    from puppet_repl.completion.scan import Scan

    depth = 0
    start: int | None = None
    for token in Scan(text).tokens:
        is_operator = token.kind == "operator"
        separated = token.start > 0 and text[token.start - 1].isspace()
        if depth == 0 and start is not None and (separated or token.text == ","):
            yield text[start : token.start].strip()
            start = None
        if is_operator and token.text == "," and depth == 0:
            continue
        if start is None:
            start = token.start
        if is_operator and token.text in "([{":
            depth += 1
        elif is_operator and token.text in ")]}":
            depth -= 1
    if start is not None:
        yield text[start:].strip()


def tree(call: Call) -> Report:
    """``:ast CODE``."""
    from puppet_repl.syntax.parser import parse

    try:
        program = parse(Source(wanted_code(call)))
    except PuppetError as error:
        return Report(Failure(error))
    return Report(Code("\n".join(tree_lines(program.body)), "text"))


def tree_lines(node: Node, margin: str = "", label: str = "") -> Iterator[str]:
    """A syntax tree, a node a line, with the values of its leaves."""
    from puppet_repl.syntax.ast import Node as AnyNode

    leaves: list[str] = []
    inner: list[tuple[str, AnyNode]] = []
    for field in node.fields:
        value = getattr(node, field)
        if isinstance(value, AnyNode):
            inner.append((field, value))
        elif type(value) is tuple and any(isinstance(item, AnyNode) for item in value):
            inner.extend((field, item) for item in value if isinstance(item, AnyNode))
        elif value not in (None, ()):
            leaves.append(f"{field}={value!r}")
    head = f"{label}: " if label else ""
    shown = type(node).__name__ + (f" {' '.join(leaves)}" if leaves else "")
    yield f"{margin}{head}{shown}"
    if len(margin) > 200:
        yield f"{margin}  ..."
        return
    for field, child in inner:
        yield from tree_lines(child, margin + "  ", field)


def tokens(call: Call) -> Report:
    """``:tokens CODE``."""
    from puppet_repl.syntax.lexer import Lexer

    source = Source(wanted_code(call))
    lexer = Lexer(source)
    lexer.run()
    rows = []
    for kind, start, end in zip(lexer.kinds, lexer.starts, lexer.ends, strict=True):
        if kind in ("END", "ERROR"):
            continue
        line, column = source.position(start)
        text = source.text[start:end]
        rows.append((Cell(kind, "type"), Cell(text, "string"), Cell(f"{line}:{column}", "dim")))
    report = Report(Table(("Token", "Text", "At"), rows, empty="no tokens"))
    if lexer.error is not None:
        report.parts.append(Failure(lexer.error))
    return report


def show(call: Call) -> Report:
    """``:show python CODE``."""
    words = call.argument.split(None, 1)
    if not words or words[0] != "python":
        raise CommandError("show what?", "for example :show python 1 + 2")
    if len(words) == 1:
        raise CommandError("which code?", "for example :show python 1 + 2")
    from puppet_repl.compiler import python_text
    from puppet_repl.syntax.parser import parse

    try:
        text = python_text(parse(Source(words[1])), call.session.context)
    except PuppetError as error:
        return Report(Failure(error))
    return Report(Code(text, "python"))


def time_(call: Call) -> Report:
    """``:time CODE``."""
    from time import perf_counter

    text = wanted_code(call)
    start = perf_counter()
    outcome = call.session.execute(text, record=False)
    seconds = perf_counter() - start
    return Report(Ran(outcome), Message(f"took {duration(seconds)}", "dim"))


def bench(call: Call) -> Report:
    """``:bench CODE``: as many runs as fit into a second, compiled once, logs held back."""
    text = wanted_code(call)
    session = call.session
    outcome = evaluate_aside(session, text)
    if outcome.error is not None:
        return Report(Failure(outcome.error))
    log, session.log = session.log, None
    try:
        times = sorted(_times(session, text))
    finally:
        session.log = log
    middle = duration(times[len(times) // 2])
    return Report(
        Message(f"{len(times)} runs, each {middle} (median), {duration(times[0])} (best)")
    )


def _times(session: Session, text: str) -> Iterator[float]:
    """The seconds of each run; the session is put back behind every one."""
    from time import perf_counter

    from puppet_repl.compiler import compile_program
    from puppet_repl.syntax.parser import parse

    context = session.context
    compiled = compile_program(parse(Source(text)), context)
    deadline = perf_counter() + BENCH_SECONDS
    for _ in range(100_000):
        state = context.snapshot()
        try:
            context.begin_input()
            start = perf_counter()
            compiled.run()
            context.end_input()
            end = perf_counter()
        finally:
            context.restore(state)
        yield end - start
        if end > deadline:
            return


def duration(seconds: float) -> str:
    """A time in the unit that reads best."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.2f} ms"
    return f"{seconds * 1e6:.1f} us"


def epp(call: Call) -> Report:
    """``:epp TEMPLATE``."""
    if not call.argument:
        raise CommandError("which template?", "for example :epp Hello <%= $facts['kernel'] %>")
    outcome = call.session.render_epp(call.argument)
    if outcome.error is not None:
        return Report(Failure(outcome.error))
    return Report(Shown(outcome.value, full=True))
