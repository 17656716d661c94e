"""Commands about code: the type of its value, what matches a type, and how long it takes."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from puppet_repl.frontends.commands.isolated_code import aside, evaluate_aside
from puppet_repl.language.syntax.brackets import outside_brackets
from puppet_repl.language.syntax.scan import Scan
from puppet_repl.language.types.algebra.infer import infer_set
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.tools.reports.parts import (
    Cell,
    Code,
    CommandError,
    Failure,
    Message,
    Ran,
    Report,
    Table,
    ValueCell,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session

BENCH_SECONDS = 1.0
MAX_RUNS = 100_000


def wanted_code(call: Call) -> str:
    """Return the argument. Raises CommandError if it is blank."""
    if not call.argument.strip():
        raise CommandError("which code?", None)
    return call.argument


def type_(call: Call) -> Report:
    """``:type EXPR``; tells also which definitions of its type belong to the past."""
    code = wanted_code(call)
    with aside(call) as evaluate:
        outcome = evaluate(code)
        if outcome.error is not None:
            return Report(Failure(outcome.error))
        # Before the end rolls back the types that the code has loaded: they are not of the past.
        lines = call.session.past_definitions(outcome.value)
    past = [Message(line, "dim") for line in lines]
    return Report(Code(_type_text(outcome.value)), *past, wraps=True)


def _type_text(value: Value) -> str:
    if isinstance(value, PuppetType):
        own, expanded = str(value), value.resolved().expanded_text()
        if own.endswith(f" = {expanded}"):
            return own
        if own != expanded:
            return f"{own} = {expanded}"
    return str(infer_set(value))


# Cells; a longer type is above the table, where it takes no room from the reasons.
MAX_HEADING = 24


def match(call: Call, operands: str) -> Report | None:
    """Report on the values that match a type, the first operand; None for any other value."""
    subject, *texts = split_values(operands)
    found = evaluate_aside(call, subject)
    if found.error is not None:
        return Report(Failure(found.error))
    if not isinstance(found.value, PuppetType):
        return None
    rows: list[tuple[Cell | ValueCell, ...]] = []
    for text in texts:
        outcome = evaluate_aside(call, text)
        if outcome.error is not None:
            return Report(Failure(outcome.error))
        value = outcome.value
        if found.value.accepts_value(value):
            rows.append((ValueCell(value), Cell("yes", "ok"), Cell("")))
        else:
            rows.append((ValueCell(value), Cell("no", "bad"), Cell(_mismatch(call, subject, text))))
    wanted = str(found.value)
    if len(wanted) <= MAX_HEADING:
        return Report(Table(("Value", wanted, "Why not"), rows, whole=(2,)))
    return Report(Table(("Value", "Matches", "Why not"), rows, title=wanted, whole=(2,)))


def _mismatch(call: Call, subject: str, text: str) -> str:
    """Return the message of assert_type, which names the part that does not match."""
    outcome = evaluate_aside(call, f"assert_type({subject}, {text})")
    if outcome.error is None:
        return ""
    message = outcome.error.message
    _, found, reason = message.partition("assert_type(): ")
    return reason if found else message


def split_values(text: str) -> Iterator[str]:
    """Split code at the whitespace and commas that are outside of brackets and strings."""
    tokens = Scan(text).tokens
    start: int | None = None
    for index, operator in outside_brackets(token.operator for token in tokens):
        at = tokens[index].start
        separated = at > 0 and text[at - 1].isspace()
        if start is not None and (separated or operator == ","):
            yield text[start:at].strip()
            start = None
        if start is None and operator != ",":
            start = at
    if start is not None:
        yield text[start:].strip()


def time_(call: Call) -> Report:
    """``:time [--repeat] CODE``."""
    text = call.argument[call.command.code_at(call.argument) :]
    if not text.strip():
        raise CommandError("which code?", None)
    if text != call.argument:
        return _repeated(call, text)
    start = perf_counter()
    outcome = call.session.execute(text, record=False)
    seconds = perf_counter() - start
    return Report(Ran(outcome), Message(f"took {duration(seconds)}", "dim"))


def _repeated(call: Call, text: str) -> Report:
    """Time as many runs as fit into a second, compiled once, without logs."""
    session = call.session
    outcome = evaluate_aside(call, text)
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
    """Yield the seconds of each run; the session is rolled back after each."""
    run = session.stopwatch(text)
    deadline = perf_counter() + BENCH_SECONDS
    for _ in range(MAX_RUNS):
        with session.temporarily():
            seconds = run()
        yield seconds
        if perf_counter() > deadline:
            return


def duration(seconds: float) -> str:
    """Return a duration as text, in seconds, milliseconds or microseconds."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.2f} ms"
    return f"{seconds * 1e6:.1f} us"
