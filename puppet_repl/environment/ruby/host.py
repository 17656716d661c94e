"""What a session has to do with Ruby: it calls functions there, and answers what they ask.

Errors keep their identity on the way: one that began here, passed through Ruby code and comes back
is raised again as it was, with its traceback, which tells the location in Puppet code.
"""

from __future__ import annotations

import json
import os
import re
from functools import partial

from puppet_repl.base.errors import ParseError, PuppetError
from puppet_repl.environment.ruby.changes import Changes, Readers
from puppet_repl.environment.ruby.data_types import DataTypes
from puppet_repl.environment.ruby.engine import EngineBroken, EngineFailure
from puppet_repl.environment.ruby.engines import leave_engine, remedy, take_engine
from puppet_repl.environment.ruby.failures import RubyFailure, RubyParseFailure
from puppet_repl.environment.ruby.functions import CallingFunction, RubyFunction, RubyLegacyFunction
from puppet_repl.environment.ruby.numbers import next_number
from puppet_repl.environment.ruby.order import Applied
from puppet_repl.environment.ruby.questions import QUESTIONS
from puppet_repl.environment.ruby.sandbox.libraries import find
from puppet_repl.environment.ruby.sandbox.scratch import Scratch
from puppet_repl.environment.ruby.templates import Templates
from puppet_repl.environment.ruby.values import Codec
from puppet_repl.environment.ruby.variables import Scopes
from puppet_repl.language.data.files import DATA_ERROR, LOOKUP_ERRORS
from puppet_repl.language.runtime.signals import NoSuchKey, Signal
from puppet_repl.language.syntax.regexp_escapes import RegexpError
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from puppet_repl.base.stamp import Stamp
    from puppet_repl.catalog.json import JsonObject
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.environment.ruby.engine import Engine
    from puppet_repl.environment.ruby.engines import Started
    from puppet_repl.environment.ruby.order import Implied
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

# What reading a line raises that the shim has not written.
_MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError)

_dumps = partial(json.dumps, ensure_ascii=False, separators=(",", ":"), check_circular=False)

# A line of Ruby's backtraces: /path/to/file.rb:12:in `name'
_FRAME = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::|\Z)").match

# A part of the messages of the sandbox when it refuses something; see shim/sandbox.rb.
_SANDBOXED = "Ruby code of modules runs in a sandbox"


class RubyHost:
    """The Ruby of one session, started with the first request.

    ``codec`` encodes values, ``scopes`` numbers the scopes that Ruby code may read. ``scratch`` has
    the files that the code has made in a sandbox. ``has_run_text`` is whether this Ruby has run
    text of the program, not only files: it may have been changed at will, so no other session may
    see it, or what it says of modules. ``applied`` is the catalog whose order is asked for.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.scopes = Scopes(context)
        self.changes = Changes(context)
        self.readers = Readers(context)
        self.templates = Templates(self)
        self.codec = Codec(
            self._parse_type, self._call_block, context.mark_bytes, self.changes.constants
        )
        self.data_types = self.codec.data_types = DataTypes(self)
        self.scratch = Scratch()
        self.has_run_text = False
        self.applied: Applied | None = None
        # Those that have run, by their numbers in this Ruby.
        self.calling_functions: dict[int, CallingFunction] = {}
        self._started: Started | None = None
        self._libraries: list[str] | None = None
        self._generation = 0
        # The first request tells Ruby that another session begins.
        self._has_to_begin = False
        self._depth = 0
        self._errors: dict[int, BaseException] = {}
        # The Ruby traces of errors that are raised in Ruby again, by identity.
        self._traces: dict[int, tuple[PuppetError, list[str]]] = {}

    # The engine

    @property
    def is_running(self) -> bool:
        """Whether Ruby has been started and lives."""
        return self._started is not None and self._started.engine.is_alive

    @property
    def is_current(self) -> bool:
        """Whether the files that Ruby has loaded are as they were."""
        return self._started is None or self.context.look.are_current(self._started.files)

    @property
    def has_engine(self) -> bool:
        """Whether there is a Ruby to run anything; starts it."""
        return self._ready() is not None

    def _ready(self) -> Engine | None:
        started = self._started
        if started is None or not started.engine.is_alive:
            self._libraries = None
            self.codec.expect_another_ruby()
            try:
                started = self._started = take_engine(self.context, self.scratch)
            except EngineFailure as failure:
                failure.name_limit(self.context.options)
                raise
            self._generation += 1
            self.has_run_text = False
            if started is not None:
                self.scratch = started.scratch
                self._has_to_begin = True
        return None if started is None else started.engine

    def library_file(self, name: str) -> str | None:
        """Return the file in a lib directory of a module, or of the environment, by its name."""
        if self._libraries is None:
            self._libraries = [os.path.join(root, "lib") for root in self._roots()]
        reach = self.context.reach
        for directory in self._libraries:
            path = os.path.join(directory, name)
            if (reach is None or reach.allows(path)) and os.path.isfile(path):
                return path
        return None

    def library(self, name: str) -> str | None:
        """Return the directory of the library that has a file, of those that the Ruby lacks."""
        directory = None if self._started is None else self._started.engine.libraries
        return None if directory is None else find(directory, name)

    def _roots(self) -> list[str]:
        environment = self.context.environment
        if environment is None:
            return []
        roots = [module.path for module in environment.modules.values()]
        return roots if environment.directory is None else [*roots, environment.directory]

    @property
    def generation(self) -> int:
        """The number of Rubies that the session has had: each begins without loaded files.

        Starts Ruby if it does not run.
        """
        self._ready()
        return self._generation

    def end(self) -> None:
        """End Ruby; the next request starts it again."""
        if self._started is not None:
            self._started.engine.close()
            self._started = None

    def end_if_worn(self) -> None:
        """End a Ruby that takes much memory, unless a value refers to its objects."""
        started = self._started
        if started is not None and not self._depth and started.engine.is_worn:
            if not self.codec.refers_to_ruby:
                self.end()

    def close(self) -> None:
        """Leave Ruby to other sessions, or end it."""
        if self._started is not None:
            if self._depth or self.has_run_text:
                self.end()
            else:
                leave_engine(self._started, self.context)
                self._started = None

    # Requests

    def request(self, do: str, **fields: Any) -> Any:
        """Return what Ruby replies, not decoded; raise what failed there."""
        engine = self._ready()
        if engine is None:
            raise EngineBroken(f"There is no Ruby to run this; {remedy(self.context)}")
        fields["do"] = do
        if self._has_to_begin:
            fields["begin"] = True
            self._has_to_begin = False
        codec = self.codec
        released = codec.take_released()
        if released:
            fields["f"] = released
        self._depth += 1
        if self.context.body_files is not None:
            self.context.body_files.has_run_ruby = True
        engine.max_seconds = self.context.options.ruby_seconds
        try:
            text = engine.converse(_dumps(fields), self._answer)
            try:
                reply = json.loads(text)
                changed = self._note(reply)
                if "files" in reply:
                    self._note_files(reply["files"])
                failure = self._failure(reply["e"]) if "e" in reply else None
                result = reply["r"] if failure is None else None
            except _MALFORMED:
                raise self._confused() from None
            self._change(changed)
        except EngineFailure as ended:
            ended.name_limit(self.context.options)
            raise
        finally:
            self._depth -= 1
            if not self._depth:
                self._errors.clear()
                self._traces.clear()
                self.scopes.clear()
                self.changes.clear()
                self.readers.clear()
        if failure is not None:
            raise failure
        return result

    def value(self, do: str, **fields: Any) -> Any:
        """Return the value that Ruby replies; raise what failed there."""
        reply = self.request(do, **fields)
        try:
            return self.codec.decode(reply)
        except _MALFORMED:
            raise self._confused() from None

    def _confused(self) -> EngineBroken:
        """End Ruby, whose lines make no sense, and return the error about it."""
        self.end()
        return EngineBroken(
            "The Ruby code has disturbed the conversation between Ruby and puppet-repl; "
            "Ruby is restarted"
        )

    def _note(self, said: dict[str, Any]) -> list[tuple[int, Value]]:
        """Take what Ruby tells with a question or a reply; return the changed values by number."""
        for message in said.get("d", ()):  # held until Ruby asked or replied
            self.context.log("debug", message)
        if "f" in said:
            self.codec.handles.remove(said["f"])
        changed = [(number, self.codec.decode(value)) for number, value in said.get("c", ())]
        if not all(self.changes.is_known(number) for number, _ in changed):
            raise ValueError
        return changed

    def _change(self, changed: list[tuple[int, Value]]) -> None:
        for number, value in changed:
            self.changes.make(number, value)

    def learn_changes(self, *, in_other_calls: bool = False) -> None:
        """Learn which arrays and hashes Ruby code has changed, before code that may read them.

        ``in_other_calls``: not in the call that asks, which has the changed ones itself.
        """
        if self.changes.any_numbered and self._depth > in_other_calls:
            self.request("changes")

    @property
    def files(self) -> dict[str, Stamp | None]:
        """The stamps of the files that Ruby has loaded, taken when it loaded them."""
        return {} if self._started is None else dict(self._started.files)

    def _note_files(self, paths: list[str]) -> None:
        """Keep the stamps of the files that Ruby has loaded."""
        if self._started is not None:
            look, reach = self.context.look, self.context.reach
            for path in paths:
                # Code may name any file, and would notice the new start after it has changed.
                if reach is None or reach.allows(path):
                    self._started.files[path] = look.newest_stamp(path)

    def _answer(self, text: str) -> str:
        """Return the answer to a question of Ruby."""
        try:
            question = json.loads(text)
            self._note(question)
        except _MALFORMED:
            raise self._confused() from None
        codec = self.codec
        try:
            reply = {"r": QUESTIONS[question["ask"]](self, question)}
        except Exception as error:
            reply = {"e": self._describe(error)}
        released = codec.take_released()
        if released:
            reply["f"] = released
        return _dumps(reply)

    # Errors

    def _describe(self, error: Exception) -> dict[str, Any]:
        """Return an error for Ruby, which raises it."""
        number = next_number()
        self._errors[number] = error
        described: dict[str, Any] = {"h": number}
        if id(error) in self._traces:
            described["b"] = self._traces[id(error)][1]
        if isinstance(error, Signal):
            described.update(c=error.name, m=f"{error.name}() from context where this is illegal")
        elif isinstance(error, PuppetError):
            described.update(self._describe_failure(error))
        else:
            described.update(c="other", m=str(error) or type(error).__name__)
        return described

    def _describe_failure(self, error: PuppetError) -> dict[str, str]:
        if type(error) in (PuppetError, ParseError):
            kind = "lookup" if error.code in LOOKUP_ERRORS else "located"
            return {"c": kind, "m": str(error)}
        traceback = error.__traceback__
        located = self.context.locate(error)
        error.__traceback__ = traceback  # locating clears it, and it may have to go on
        if located is not error:
            return {"c": "located", "m": str(located)}
        if isinstance(error, RegexpError):
            return {"c": "regexp", "m": error.message}
        # Messages about wrong arguments begin with the quoted name of the function.
        beginnings = ("'", "Function ", "Unknown function ")
        kind = "argument" if error.message.startswith(beginnings) else "other"
        return {"c": kind, "m": error.message}

    def _failure(self, described: dict[str, Any]) -> BaseException:
        """Return the error that Ruby has reported."""
        original = self._errors.get(described.get("h", 0))
        if original is not None:
            return original
        error = _new_failure(described)
        if not described["p"] and described.get("place") is None:
            error.notes = (*error.notes, *self._location_in_module(described["b"]))
        error.notes = (*error.notes, *self._remedy(described))
        self._traces[id(error)] = (error, described["b"])
        return error

    def _location_in_module(self, backtrace: list[str]) -> tuple[str, ...]:
        """Return a note about the innermost line of a module in a backtrace, if there is any."""
        roots = tuple(root + os.sep for root in self._roots())
        for line in backtrace:
            found = _FRAME(line)
            if found is not None and found["path"].startswith(roots):
                return (f"the Ruby code failed at {found['path']}:{found['line']}",)
        return ()

    def _remedy(self, described: dict[str, Any]) -> tuple[str, ...]:
        """Return a note about the Ruby that could do what the sandbox cannot."""
        if self._started is None or self._started.engine.name != "sandbox":
            return ()
        is_missing = described["c"] == "LoadError"
        is_refused = _SANDBOXED in described["m"]
        if not (is_missing or is_refused) or self.context.options.hermetic:
            return ()
        beginning = "a library that is not in the sandbox: " if is_missing else ""
        return (f"{beginning}'--ruby system' runs the code in the Ruby of this machine",)

    def log_once(self, level: str, key: str, message: str) -> None:
        """Log a message unless one with this key was logged before in the session."""
        if level == "warning":
            self.context.warn_once(key, message)
        else:
            self.context.log(level, message)

    # Functions

    def function(self, name: str, path: str) -> RubyFunction:
        """Return the 4.x function in a file; raise the error of the file."""
        self._ready()
        known = {} if self._started is None else self._started.functions
        if path not in known:
            known[path] = self.request("load", name=name, path=path)
        kind = CallingFunction if known[path]["has_call"] else RubyFunction
        return kind(name, path, known[path], self)

    def legacy_function(self, name: str, path: str) -> RubyLegacyFunction:
        """Return the 3.x function in a file; raise the error of the file."""
        description = self.request("load_legacy", name=name, path=path)
        return RubyLegacyFunction(name, path, description, self)

    def call(
        self,
        number: int,
        dispatch: int | None,
        args: tuple[Value, ...],
        block: Closure | None,
        *,
        wants_scope: bool,
        may_change: bool,
    ) -> Value:
        """Call a 4.x function by its number and that of the signature that fits.

        Without a signature the function's own ``call`` is called. ``may_change`` tells whether it
        may change its arguments in place.
        """
        codec = self.codec
        fields: dict[str, Any] = {"n": number, "d": dispatch, "a": codec.encode(args)}
        if wants_scope:
            fields["s"] = self.scopes.calling()
        numbers = self.changes.numbers_of_arguments(args) if may_change else ()
        if numbers:
            fields["k"] = numbers
        if block is not None:
            fields["b"] = codec.block(block)
        value = self.value("call", **fields)
        if value is UNSET:
            raise NoSuchKey
        return value

    def call_legacy(self, name: str, args: tuple[Value, ...]) -> Value:
        """Call a 3.x function, whose arguments have been converted."""
        codec = self.codec
        scope = self.scopes.calling()
        return self.value("call_legacy", name=name, a=codec.encode_copy(args), s=scope)

    def call_object_method(
        self,
        description: dict[str, Any],
        values: dict[str, Value],
        name: str,
        args: tuple[Value, ...],
    ) -> Value:
        """Call a method of an Object type whose body is Ruby, on an object with these values.

        The description has "attributes", their names, and "methods": name, parameters and body.
        """
        codec = self.codec
        fields = {"v": codec.encode(PuppetHash(values.items())), "a": codec.encode(args)}
        self._ready()
        self.has_run_text = True
        return self.value("object_method", name=name, **{"class": description}, **fields)

    def implied(
        self,
        wanted: Iterable[Resource],
        members: Iterable[Resource],
        find: Callable[[str, str], Resource | None],
        row: Callable[[Resource], JsonObject],
    ) -> list[Implied]:
        """Return what the types of some resources of a catalog imply; see ``Applied``."""
        return Applied(members, find, row).implied(self, wanted)

    def _call_block(self, number: int, args: tuple[Value, ...]) -> Value:
        codec = self.codec
        return self.value("call_block", v=number, a=codec.encode(args))

    def _parse_type(self, text: str) -> Any:
        return parse_type(text, self.context)


def _new_failure(described: dict[str, Any]) -> PuppetError:
    """Return the error for an exception that began in Ruby."""
    message = described["m"]
    place = described.get("place")
    if place is not None:
        file, line, column = place
        error = PuppetError(message, source=None if file is None else Source("", file))
        error.line, error.column = line, column
        return error
    if described["k"] == "as":
        is_of_lookup = described["c"] == "Puppet::DataBinding::LookupError"
        return PuppetError(message, DATA_ERROR) if is_of_lookup else PuppetError(message)
    kind = RubyParseFailure if described["c"] == "Puppet::ParseError" else RubyFailure
    return kind(message, is_puppet_error=described["p"])
