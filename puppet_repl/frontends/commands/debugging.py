"""Commands that stop code and look at it: breakpoints, steps, frames and their variables."""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.wording import counted
from puppet_repl.frontends.commands.names import kind_name, matching
from puppet_repl.frontends.commands.state import number_of
from puppet_repl.language.compiler.failures import MAX_FRAMES, OUTERMOST
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session.debugging.places import NamePlace, PlaceError, read_place
from puppet_repl.session.debugging.stack import Stack, failed_stack
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.reports.parts import (
    Cell,
    CommandError,
    Excerpt,
    Logged,
    Message,
    Ran,
    Report,
    Table,
    ValueCell,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call, Command, Runner
    from puppet_repl.host.host import Host
    from puppet_repl.session.debugging.debugger import Debugger
    from puppet_repl.session.debugging.tracer import Step
    from puppet_repl.tools.reports.parts import Part

# Lines above and below the one that is marked.
CONTEXT = 2
MORE_CONTEXT = 5
# The word that deletes breakpoints and watched expressions.
DELETE = "--delete"
_CONDITION = re.compile(r"\s+if\s+")
_KINDS = {
    ast.FunctionDefinition: "function",
    ast.HostClassDefinition: "class",
    ast.ResourceTypeDefinition: "defined type",
}
_NOTHING_STOPPED = "no code is stopped"
_TO_STOP = ":break NAME or debug::break() stops it"


def _debugger(call: Call) -> Debugger:
    """Return the debugger of a front end that can stop. Raises CommandError."""
    if call.host.look is None:
        raise CommandError(
            "code cannot be stopped here",
            "start puppet-repl with a prompt; a notebook has the debugger of JupyterLab",
        )
    return call.host.debugger


def while_stopped(command: Command, runner: Runner) -> Runner:
    """Return what runs a command while code is stopped."""
    if command.name == "vars":
        return _vars
    return _refuse if command.when_stopped == "waits" else runner


def _refuse(call: Call) -> Report:
    raise CommandError(
        f":{call.command.name} has to wait until the code that is stopped has ended",
        ":continue goes on, :quit ends the input",
    )


def _vars(call: Call) -> Report:
    """``:vars [PATTERN]`` while code is stopped."""
    return variables(_stack(call), call, call.argument)


def _stack(call: Call) -> Stack:
    """Return the frames to look at. Raises CommandError."""
    stack = call.host.stopped_stack or failed_stack(call.session)
    if stack is None:
        raise CommandError("no code is stopped, and the last input did not fail in one", _TO_STOP)
    return stack


# Breakpoints


def break_(call: Call) -> Report:
    """``:break [PLACE [if COND]|--delete N|all]``: list the breakpoints, set or delete some."""
    debugger = _debugger(call)
    if not call.argument:
        return Report(_breakpoints(debugger))
    word, _, which = call.argument.partition(" ")
    if word == DELETE:
        return _delete(debugger, which.strip())
    place_text, *conditions = _CONDITION.split(call.argument, 1)
    stack = call.host.stopped_stack
    running = [] if stack is None else [stack.level.source, *(e.source for e in stack.levels)]
    try:
        place = read_place(call.session, place_text.strip(), running)
        kind = _kind_of(call, place.name) if isinstance(place, NamePlace) else ""
        placed = debugger.add(place, conditions[0].strip() if conditions else "")
    except PlaceError as error:
        raise CommandError(str(error), "") from None
    told = f"breakpoint {placed.number} at {kind}{placed.text}"
    report = Report(Message(told))
    if isinstance(place, NamePlace) and not kind:
        text = f"{place.name} is not known yet; code stops when something of that name is entered"
        report.parts.append(Message(text, "dim"))
    return report


def _kind_of(call: Call, name: str) -> str:
    """Return what a name stands for, '' for one that is not known yet. Raises CommandError."""
    known = SessionSymbols(call.session)
    if name in known.user_functions():
        return "function "
    if name in known.defines():
        return "defined type "
    if name in known.definitions():
        return "class "
    found = known.in_module_file(name)
    if found is not None:
        return f"{_KINDS[type(found[1])]} "
    if name in known.function_names():
        raise CommandError(f"{name} is not written in Puppet", "only Puppet code can be stopped")
    return ""


def _breakpoints(debugger: Debugger) -> Table:
    rows = [
        (str(each.number), Cell(each.text, "function"), each.stops.condition)
        for each in debugger.placed
    ]
    return Table(("", "Place", "If"), rows, empty="no breakpoints; :break NAME sets one")


def _delete(debugger: Debugger, which: str) -> Report:
    if which == "all":
        count = len(debugger.placed)
        for each in list(debugger.placed):
            debugger.delete(each)
        return Report(Message(f"{count} deleted", "dim"))
    number = number_of(which, "the number of a breakpoint")
    placed = next((each for each in debugger.placed if each.number == number), None)
    if placed is None:
        raise CommandError(f"there is no breakpoint {number}", ":break lists them")
    debugger.delete(placed)
    return Report(Message(f"breakpoint {number} at {placed.text} deleted", "dim"))


# Going on


def _resume(call: Call, step: Step) -> Report:
    debugger = _debugger(call)
    if debugger.stack is None:
        raise CommandError(_NOTHING_STOPPED, _TO_STOP)
    debugger.resume(step)
    return Report()


def continue_(call: Call) -> Report:
    """``:continue``."""
    return _resume(call, "")


def step(call: Call) -> Report:
    """``:step``."""
    return _resume(call, "in")


def next_(call: Call) -> Report:
    """``:next``."""
    return _resume(call, "over")


def out(call: Call) -> Report:
    """``:out``."""
    return _resume(call, "out")


# Looking


def where(call: Call) -> Report:
    """``:where``: the frames, the innermost first."""
    stack = _stack(call)
    rows: list[tuple[str | Cell, ...]] = []
    number = 0
    while number < len(stack.levels):
        last = _last_alike(stack, number)
        numbers = str(number + 1) if last == number else f"{number + 1}-{last + 1}"
        mark = "=>" if number <= stack.selected <= last else ""
        level = stack.levels[number]
        rows.append((Cell(mark, "caret"), numbers, Cell(level.name, "function"), level.place))
        number = last + 1
    report = Report(Table(("", "", "In", "At"), rows, whole=(3,)))
    if stack.skipped:
        above = MAX_FRAMES - OUTERMOST
        text = f"{counted(stack.skipped, 'call')} between {above} and {above + 1} left out"
        report.parts.append(Message(text, "dim"))
    return report


def _last_alike(stack: Stack, number: int) -> int:
    """Return the last of the frames from one on that are at the same place, as in recursion."""
    first = stack.levels[number]
    while number + 1 < len(stack.levels):
        level = stack.levels[number + 1]
        if (level.name, level.place) != (first.name, first.place):
            break
        number += 1
    return number


def frame(call: Call) -> Report:
    """``:frame [N|up [N]|down [N]|EXPR]``."""
    stack = _stack(call)
    word, _, rest = call.argument.partition(" ")
    if word in ("up", "down"):
        count = number_of(rest.strip(), "a number of frames") if rest.strip() else 1
        return _select(stack, stack.selected + (count if word == "up" else -count))
    if call.argument.isdecimal():
        number = number_of(call.argument, "the number of a frame")
        if number > len(stack.levels):
            raise CommandError(f"there is no frame {number}", ":where lists them")
        return _select(stack, number - 1)
    if call.argument:
        return evaluate(stack, call.host, call.argument)
    shown = variables(stack, call, "")
    return Report(_heading(stack), _excerpt(stack, MORE_CONTEXT), *shown.parts)


def _select(stack: Stack, number: int) -> Report:
    if number < 0:
        raise CommandError("this is the innermost frame", ":where lists them")
    if number >= len(stack.levels):
        raise CommandError("this is the outermost frame", ":where lists them")
    stack.select(number)
    return Report(_heading(stack), _excerpt(stack, CONTEXT))


def _heading(stack: Stack) -> Message:
    level = stack.level
    return Message(f"frame {stack.selected + 1}: {level.name}, {level.place}")


def _excerpt(stack: Stack, context: int) -> Excerpt:
    return Excerpt(stack.level.source, stack.level.line, context)


def variables(stack: Stack, call: Call, pattern: str) -> Report:
    """Return the variables of the selected frame whose names match, as ``:vars`` lists them."""
    found = stack.variables()
    given = {*call.session.names.given_variables(), "module_name", "caller_module_name"}
    shown = {
        name: value
        for name, value in sorted(found.items())
        if pattern or not (name in given or name == "_" or name[1:].isdigit())
    }
    shown |= stack.matches()
    rows = [
        (Cell(f"${name}", "variable"), Cell(kind_name(value), "type"), ValueCell(value))
        for name, value in shown.items()
        if name in set(matching(shown, pattern))
    ]
    empty = f"no variable matches '{pattern}'" if pattern else "no variables here"
    return Report(Table(("Name", "Type", "Value"), rows, empty=empty))


def evaluate(stack: Stack, host: Host, text: str) -> Report:
    """Return the report of an expression in the selected frame."""
    outcome = stack.evaluate(text)
    parts: list[Part] = [
        Logged(level, message) for level, message in outcome.logs if host.settings.shows(level)
    ]
    report = Report(*parts, Ran(outcome))
    if outcome.error is None and _binds(text):
        told = "bound for this line only: the code goes on with its own variables"
        report.parts.append(Message(told, "dim"))
    return report


def _binds(text: str) -> bool:
    """Tell whether an expression, which has run, binds a variable."""
    return any(
        isinstance(node, ast.AssignmentExpression) for node in parse(Source(text)).body.walk()
    )


# Watched expressions


def display(call: Call) -> Report:
    """``:display [EXPR|--delete N|all]``: list what each stop shows, or change that."""
    debugger = _debugger(call)
    text = call.argument.strip()
    if text.startswith(DELETE):
        return _undisplay(debugger, text[len(DELETE) :].strip())
    if text:
        _check(call, text)
        debugger.watches.append(text)
    stack = call.host.stopped_stack
    if stack is not None and debugger.watches:
        return Report(watched(debugger, stack))
    rows = [(str(number), each) for number, each in enumerate(debugger.watches, 1)]
    return Report(Table(("", "Watched"), rows, empty="nothing is watched; :display EXPR"))


def _check(call: Call, text: str) -> None:
    try:
        call.session.expressions.check(text)
    except PuppetError as error:
        raise CommandError(str(error), "") from None


def _undisplay(debugger: Debugger, which: str) -> Report:
    if which == "all":
        debugger.watches.clear()
        return Report()
    number = number_of(which, "the number of a watched expression")
    if number > len(debugger.watches):
        raise CommandError(f"there is no watched expression {number}", ":display lists them")
    del debugger.watches[number - 1]
    return Report()


def watched(debugger: Debugger, stack: Stack) -> Table:
    """Return the watched expressions with their values in the selected frame."""
    rows = []
    for number, text in enumerate(debugger.watches, 1):
        outcome = stack.evaluate(text)
        error = outcome.error
        value = ValueCell(outcome.value) if error is None else Cell(_brief(error), "dim")
        rows.append((str(number), Cell(text, "variable"), value))
    return Table(("", "Watched", "Value"), rows)


def _brief(error: PuppetError) -> str:
    return f"({error.message.removeprefix('Evaluation Error: ').rstrip('.')})"


# The view of stopped code


def stop_report(debugger: Debugger) -> Report:
    """Return where code has stopped and why, and the lines around."""
    stack, stop = debugger.stack, debugger.stop
    assert stack is not None and stop is not None
    level = stack.level
    text = f"stopped in {level.name}, {level.place}"
    if debugger.reached is not None:
        text += f" (breakpoint {debugger.reached.number})"
    report = Report(Message(text, "warning"))
    if stop.text:
        report.parts.append(Message(stop.text, "error"))
    report.parts.append(_excerpt(stack, CONTEXT))
    return report
