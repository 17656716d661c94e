"""The debugger of a program in an editor: what a notebook's debugger has not."""

from __future__ import annotations

import os
import re

from puppet_repl.base.errors import InputEnded, PuppetError
from puppet_repl.base.recursion import deep_calls
from puppet_repl.catalog.puppet_code import attributes_of, reference
from puppet_repl.frontends.commands.catalog import declared_in
from puppet_repl.frontends.debug_adapter.arguments import DebugError, get
from puppet_repl.frontends.debug_adapter.breakpoints import placed, read_entry
from puppet_repl.frontends.debug_adapter.debugger import Debugger
from puppet_repl.frontends.debug_adapter.rows import Group, entries_of, parts_of, text_of
from puppet_repl.frontends.shared.frame_completion import with_variables
from puppet_repl.host.command_syntax import is_command
from puppet_repl.language.syntax.parser import parse
from puppet_repl.session.debugging.frames import (
    frame_matches,
    frame_variables,
    lexical_frames,
    shown_name,
    tree_of,
)
from puppet_repl.session.debugging.places import NamePlace, is_name
from puppet_repl.session.debugging.stack import names_in_reach
from puppet_repl.tools.editing.positions import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.frontends.debug_adapter.arguments import Message
    from puppet_repl.frontends.debug_adapter.debugger import Pending
    from puppet_repl.frontends.debug_adapter.file_sources import FileSources
    from puppet_repl.frontends.debug_adapter.rows import Entry
    from puppet_repl.frontends.shared.interrupts import Interrupts
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.session import Session
    from puppet_repl.session.debugging.breakpoints import Breakpoint
    from puppet_repl.session.debugging.tracer import Step, Stop
    from puppet_repl.tools.completion.model import Completion

HOVER = "hover"
_WORD = re.compile(r"\w+(::\w+)*")
NOT_KNOWN = "no class, defined type or function of this name is known yet"
_IMMUTABLE = "the variables of Puppet cannot be changed"
_KINDS = {
    "attribute": "property",
    "class": "class",
    "function": "function",
    "file": "file",
    "key": "property",
    "keyword": "keyword",
    "resource type": "class",
    "type": "class",
    "value": "value",
    "variable": "variable",
}
"""The words of the protocol for kinds of candidates."""


class ProgramDebugger(Debugger):
    """The debugger of a program; its ``end`` ends also code that is stopped."""

    sources: FileSources

    def __init__(
        self,
        puppet: Session,
        sources: FileSources,
        interrupts: Interrupts,
        send_event: Callable[[Message, bool], None],
        print_line: Callable[[str, str], None],
        program: Source | None,
    ) -> None:
        super().__init__(puppet, sources, interrupts, send_event, print_line)
        self._defined = {} if program is None else _definitions(program)
        self.is_ending = False
        # The reason of the next stop by a step that nobody has asked for as one.
        self._instead_of_step = ""
        self._numbers: dict[Breakpoint, int] = {}
        self.requests |= {
            "breakpointLocations": self._breakpoint_locations,
            "completions": self._completions,
            "loadedSources": self._loaded_sources,
            "setExpression": _refuse,
            "setFunctionBreakpoints": self._set_function_breakpoints,
            "setVariable": _refuse,
        }

    def begin(self, *, stops_on_entry: bool) -> None:
        """Note that the program begins."""
        self.tracer.begin("in" if stops_on_entry else "")
        self._instead_of_step = "entry" if stops_on_entry else ""

    def take_breakpoints(self, earlier: ProgramDebugger) -> None:
        """Take over the breakpoints of a program that this one replaces."""
        self.tracer.breakpoints.by_path = earlier.tracer.breakpoints.by_path
        self.tracer.breakpoints.entries = earlier.tracer.breakpoints.entries
        self.tracer.filters = earlier.tracer.filters
        self._numbers = earlier._numbers

    # In the thread of the code

    def wait(self, frames: list[FrameType], stop: Stop) -> tuple[Step, FrameType]:
        """Wait in stopped code until a request resumes it; return how, and the first frame."""
        if stop.reason == "step" and self._instead_of_step:
            stop.reason = self._instead_of_step
        elif stop.at and set(stop.at) <= set(self.tracer.breakpoints.entries.values()):
            stop.reason = "function breakpoint"
        self._instead_of_step = ""
        while not self.is_ending:
            try:
                step = super().wait(frames, stop)
            except KeyboardInterrupt:
                # One that came too late for the expression that it was for ends nothing.
                if self.is_ending:
                    raise
                self._interrupts.settle()
                continue
            if not self.is_ending:
                return step
        raise InputEnded

    def stopped_body(self, stop: Stop) -> Message:
        """Return the body of the event that says why the code has stopped."""
        body = super().stopped_body(stop)
        hit = [self._numbers[each] for each in stop.at if each in self._numbers]
        if hit:
            body["hitBreakpointIds"] = hit
        return body

    # Breakpoints

    def described(self, breakpoint_: Breakpoint, path: str) -> Message:
        """Return a breakpoint as the protocol describes it, with its number."""
        number = self._numbers.setdefault(breakpoint_, len(self._numbers) + 1)
        return {"id": number, **placed(breakpoint_, path)}

    def set_breakpoints(self, arguments: Message) -> Message:
        """Set the breakpoints of a file."""
        path = get(get(arguments, "source", {}), "path", "")
        if path:
            self.sources.know(path)
        body = super().set_breakpoints(arguments)
        self._interrupts.call(self.tracer.join)
        return body

    def set_exception_breakpoints(self, arguments: Message) -> Message:
        """Set which errors the program is stopped at."""
        body = super().set_exception_breakpoints(arguments)
        self._interrupts.call(self.tracer.join)
        return body

    def _set_function_breakpoints(self, arguments: Message) -> Message:
        entries: dict[str, Breakpoint] = {}
        answered = []
        asked: list[Any] = get(arguments, "breakpoints", [])
        for each in asked:
            if not isinstance(each, dict):
                raise DebugError("'breakpoints' has to be a list of objects")
            name = get(each, "name", "").strip().removeprefix("::")
            breakpoint_ = read_entry(self.puppet, each)
            if not is_name(name):
                breakpoint_.refuse(f"'{name}' is not the name of a class, type or function")
            number = self._numbers.setdefault(breakpoint_, len(self._numbers) + 1)
            answer: Message = {"id": number, "verified": False}
            if breakpoint_.problem:
                answer["message"] = breakpoint_.problem
            else:
                entries.update(dict.fromkeys(NamePlace(name).entries, breakpoint_))
                answer |= self._definition(name) or {"message": NOT_KNOWN}
            answered.append(answer)
        self.tracer.breakpoints.entries = entries
        self._interrupts.call(self.tracer.join)
        return {"breakpoints": answered}

    def _definition(self, name: str) -> Message | None:
        """Return where a definition in Puppet's language is, None if it is not known yet."""
        found = self.known.in_module_file(name) or self._defined.get(name)
        if found is None:
            return None
        source, definition = found
        line = source.position(definition.start)[0]
        return {"verified": True, "line": line, "source": self.source_at(source)}

    def _breakpoint_locations(self, arguments: Message) -> Message:
        path = get(get(arguments, "source", {}), "path", "")
        first = get(arguments, "line", 0)
        last = get(arguments, "endLine", first)
        lines = self.sources.lines(path)
        if isinstance(lines, str):
            raise DebugError(lines)
        found = [line for line in sorted(lines.starts) if first <= line <= last]
        return {"breakpoints": [{"line": line} for line in found]}

    def pause(self, arguments: Message) -> Message:
        """Stop at the next statement."""
        if self.code.frames:
            return {}
        self._instead_of_step = "pause"
        return super().pause(arguments)

    def end(self) -> None:
        """End the program, also where it is stopped; any thread may call this."""
        self.is_ending = True
        self.code.resume("")
        self._interrupts.interrupt()

    def interrupt_expression(self) -> None:
        """End the expression that is evaluated."""
        if self.code.frames:
            self._interrupts.interrupt()

    # Sources

    def source_of(self, frame: FrameType) -> Message:
        """Return the text whose code a frame runs, as the protocol describes it."""
        path = self.sources.path_of(frame)
        if path:
            return {"name": os.path.basename(path), "path": path}
        return self.source_at(tree_of(frame).source)

    def source_at(self, source: Source) -> Message:
        """Return a text as the protocol describes it."""
        name = source.name or "code"
        if os.path.isabs(name):
            path = self.sources.shown(name)
            return {"name": os.path.basename(path), "path": path}
        return {"name": name, "sourceReference": self.sources.number_of(source)}

    def source(self, arguments: Message) -> Message:
        """Return a text: of a file, or code that is in no file."""
        source: Message = get(arguments, "source", {})
        number = get(source, "sourceReference", 0) or get(arguments, "sourceReference", 0)
        if not number:
            return super().source(arguments)
        if not 0 < number <= len(self.sources.typed):
            raise DebugError(f"there is no source {number}")
        return {"content": self.sources.typed[number - 1].text, "mimeType": "text/x-puppet"}

    def _loaded_sources(self, _: Message) -> Message:
        paths = sorted(self.sources.run.values())
        return {"sources": [{"name": os.path.basename(path), "path": path} for path in paths]}

    # Variables

    def scopes_of(self, frame: FrameType) -> list[tuple[str, list[Entry] | Group]]:
        """Return names and entries of the scopes that are shown for a frame.

        These are the scope of the code, those of the code around it, the top scope, the facts and
        the resources that are declared so far.
        """
        given = self.puppet.names.given_variables()
        found: list[tuple[str, list[Entry] | Group]] = []
        values = dict(self.known.variables())
        matches = self.puppet.names.match_variables()
        for each in lexical_frames(frame):
            name = shown_name(each)
            if name == "main":
                values |= frame_variables(each)
                matches = {**matches, **frame_matches(each)}
                continue
            entries = entries_of(frame_variables(each), given, frame_matches(each))
            found.append((name if found else f"Local: {name}", entries))
        values.pop("facts", None)
        top = entries_of(values, given, matches)
        found.append(("Top scope", [*top, *self.class_entries()]))
        # Facts of this machine may have to be collected first.
        found.append(("Facts", Group(lambda: parts_of(self.known.facts(), "$facts"))))
        found.append(("Resources", Group(self._resources)))
        return found

    def _resources(self) -> list[Entry]:
        return [(reference(each), self._resource(each), "") for each in declared_in(self.puppet)]

    def _resource(self, resource: Resource) -> Group:
        attributes: list[Entry] = [(name, value, "") for name, value in attributes_of(resource)]
        state = "exported " if resource.exported else "virtual " if resource.virtual else ""
        shown = ", ".join(f"{name} => {text_of(value)}" for name, value, _ in attributes[:5])
        more = ", ..." if len(attributes) > 5 else ""
        return Group(attributes, f"{state}{{{shown}{more}}}")

    # Expressions

    def evaluate(self, arguments: Message) -> Message | Pending:
        """Return the value of an expression in a stopped frame, which changes nothing.

        Editors ask for the word under the pointer, which may lack the sign of a variable.
        """
        text = get(arguments, "expression", "")
        if arguments.get("context") == HOVER and _WORD.fullmatch(text) and self.code.frames:
            has_frame = arguments.get("frameId") is not None
            names = names_in_reach(self.frame_in(arguments)) if has_frame else set()
            if text not in {*names, *self.known.variable_names(), *self.known.class_variables()}:
                raise DebugError(f"there is no variable ${text}")
            arguments = {**arguments, "expression": f"${text}"}
        return super().evaluate(arguments)

    def _completions(self, arguments: Message) -> Message:
        text = get(arguments, "text", "")
        frame = self.frame_in(arguments) if arguments.get("frameId") is not None else None
        lines = Lines(text)
        line = max(get(arguments, "line", 1) - 1, 0)
        cursor = lines.offset(line, max(get(arguments, "column", 1) - 1, 0), "utf-16")
        if is_command(text):
            return {"targets": []}
        found = self.puppet.complete(text, cursor)
        names = set() if frame is None else names_in_reach(frame)
        found = with_variables(names, text, cursor, found)
        start = lines.position(found.start, "utf-16")[1] + 1
        length = len(text[found.start : found.end].encode("utf-16-le")) // 2
        return {"targets": [self._target(each, start, length) for each in found.items]}

    def _target(self, item: Completion, start: int, length: int) -> Message:
        target = {"label": item.text, "start": start, "length": length}
        if item.kind in _KINDS:
            target["type"] = _KINDS[item.kind]
        return target


def _definitions(source: Source) -> dict[str, tuple[Source, Any]]:
    """Return what a manifest defines, by name; a wrong one defines nothing."""
    try:
        with deep_calls:
            found = parse(source).definitions
    except PuppetError:
        return {}
    return {each.name: (source, each) for each in found if hasattr(each, "name")}


def _refuse(_: Message) -> Message:
    raise DebugError(_IMMUTABLE)
