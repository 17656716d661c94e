"""Public API of the interpreter: a session runs inputs one after the other on one state.

Every input is a layer over the earlier ones: inside one input Puppet's rules hold strictly, a later
input may bind a name again. An input that fails leaves the state as it was before it.
"""

from __future__ import annotations

import os
from _collections_abc import Callable, Mapping  # see values.hash

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.recursion import deep_calls
from puppet_repl.base.wording import counted
from puppet_repl.language.compiler import compile_program
from puppet_repl.language.runtime.context import Context
from puppet_repl.language.runtime.options import DEFAULT_STDLIB, Options
from puppet_repl.language.runtime.shared import Shared
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.values.default import UNSET
from puppet_repl.session.execution import Execution, KeepingFailure
from puppet_repl.session.outcome import NOTHING, Nothing, Outcome
from puppet_repl.session.transaction import Temporarily, Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self, TypeAlias, TypeVar

    from puppet_repl.base.deadline import Limit
    from puppet_repl.base.reach import Reach
    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.content import CatalogContent
    from puppet_repl.catalog.exports import ExportStore
    from puppet_repl.catalog.origins import Origin
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.storeconfigs import Storeconfigs
    from puppet_repl.environment.hiera.data_keys import DataKeys
    from puppet_repl.environment.hiera.explanation import Explanation
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.language.syntax.completeness import Complete, Incomplete, Invalid
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session.debugging.expressions import Expressions
    from puppet_repl.session.known_names import KnownNames
    from puppet_repl.tools.completion.model import Completions
    from puppet_repl.tools.inspection.documentation import Documentation

    FactSource: TypeAlias = "Mapping[str, object] | str | os.PathLike[str]"
    Seen = TypeVar("Seen")


__all__ = ["DEFAULT_STDLIB", "NOTHING", "Nothing", "Options", "Outcome", "Session", "Shared"]

Log = Callable[[str, str], None]


def _facts_in(facts: FactSource) -> Mapping[str, object]:
    """Return facts, or those of a bundled set or of a file. Raises FactsError."""
    if isinstance(facts, Mapping):
        return facts
    if isinstance(facts, (str, os.PathLike)):
        from puppet_repl.environment.facts.facts import load_facts

        return load_facts(os.fspath(facts))
    raise TypeError(f"facts are a mapping, the name of a set, or a file, not {facts!r}")


class Session:
    """The interpreter and its state, for one user; ``with Session() as session:`` closes it.

    ``log`` is called with level and text of each message, immediately; what the session itself has
    to say about an input has the level NOTE and is in no outcome. ``facts`` are the facts of
    the node: a JSON-like mapping, the name of a bundled set, or a file; by default those of this
    machine, collected on first access, or in a hermetic session a bundled set. ``reach`` is what a
    hermetic session may read, by default what its options name.
    Sessions that are given the same ``shared`` list directories once. ``exports`` is what other
    nodes export.

    The attribute ``marks`` has catalogs to compare with, by name, the last one set comes last; they
    outlive a reset. The attribute ``prelude`` is text and path of the user's start-up file, which
    ``run_prelude`` runs. Front ends with a history set ``earlier_inputs``: it yields number and
    text of typed inputs, the newest first, as History.newest_numbered does.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        facts: FactSource | None = None,
        log: Log | None = None,
        shared: Shared | None = None,
        exports: ExportStore | None = None,
        reach: Reach | None = None,
    ) -> None:
        if not isinstance(options, Options | None):
            kind = type(options).__name__
            raise TypeError(f"a Session takes Options(...), not a {kind}: {options!r}")
        self.options = options if options is not None else Options()
        given = None if facts is None else _facts_in(facts)
        self.marks: dict[str, CatalogContent] = {}
        self.prelude: tuple[str, str] | None = None
        self.earlier_inputs: Callable[[], Iterator[tuple[int, str]]] | None = None
        self._names: KnownNames | None = None
        self._data_keys: DataKeys | None = None
        self._execution = Execution(
            self.options,
            facts=given,
            log=log,
            shared=shared,
            exports=exports,
            reach=reach,
            add_hint=self.add_hint,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Session with {counted(len(self.inputs), 'input')}: {self.options!r}>"

    @property
    def _context(self) -> Context:
        return self._execution.context

    @property
    def storeconfigs(self) -> Storeconfigs:
        """What the session exports to other nodes and collects from them."""
        return self._execution.storeconfigs

    @property
    def log(self) -> Log | None:
        """The function that is called with each message, or None; it can be set."""
        return self._execution.log

    @log.setter
    def log(self, log: Log | None) -> None:
        self._execution.log = log

    def count_failed_interpolations(self, request: str | None) -> None:
        """Pass warnings of failed interpolations in hiera.yaml to ``log`` as one for each input.

        ``request`` says how the user gets to see them all; None passes them on as they are.
        Outcomes have them all in any case.
        """
        self._execution.request = request

    @property
    def has_commands(self) -> bool:
        """Whether its user has a prompt or a notebook: hints name commands there."""
        return self.options.spelling == "setting"

    @property
    def on_break(self) -> Callable[[], bool] | None:
        """The function that ``debug::break()`` calls, in the thread of the code; it can be set.

        It returns False if nobody could look at the stopped code.
        """
        return self._execution.on_break

    @on_break.setter
    def on_break(self, on_break: Callable[[], bool] | None) -> None:
        self._execution.on_break = on_break

    # The five verbs

    def execute(
        self,
        text: str,
        name: str | None = None,
        *,
        record: bool = True,
        complete: bool = True,
        is_last: bool = False,
    ) -> Outcome:
        """Run one input; never raises for what a user typed.

        Without ``record`` the input has no number and leaves ``$_`` alone, as commands need it.
        Without ``complete`` what Puppet defers to the end of a compilation (bodies of defines,
        collectors, checks of the catalog) stays deferred. After the input that ``is_last`` nothing
        can be declared, so the resources that it overrides, realizes or refers to have to be in the
        catalog. A KeyboardInterrupt passes through, after the state has been rolled back; an input
        that takes longer than the option ``max_seconds`` fails.
        """

        def work(transaction: Transaction) -> None:
            self._execution.evaluate(transaction, text, name)
            if complete:
                self._context.end_input(is_last=is_last)

        if record:
            return self._execution.run(work, text, name)
        with KeepingFailure(self._context):
            return self._execution.run(work, None, name)

    def check(self, text: str) -> Complete | Incomplete | Invalid:
        """Tell whether ``text`` is complete, needs more lines (and how indented), or is wrong."""
        from puppet_repl.language.syntax.completeness import check

        with deep_calls:
            return check(text)

    def complete(self, text: str, cursor: int) -> Completions:
        """Return the completions at the cursor. Nothing is evaluated."""
        from puppet_repl.tools.editing import complete

        with deep_calls:
            return complete(self, text, cursor)

    def inspect(self, text: str, cursor: int) -> Documentation | None:
        """Return the documentation of the name at the cursor. Nothing is evaluated."""
        from puppet_repl.tools.editing import inspect

        with deep_calls:
            return inspect(self, text, cursor)

    def reset(self) -> None:
        """Forget everything but the settings, and what nodes have exported."""
        self._begin_anew()

    def close(self) -> None:
        """End the Ruby that the session has started."""
        self._context.close()

    # Further ways to run code

    def run_site(self) -> Outcome | None:
        """Compile the manifests of the environment for the node; return the outcome if it fails.

        The classes that a classifier gives the node follow them. One of their node blocks has to
        apply to the node if it was chosen: by the option, or by facts that come from a node.
        """
        if not self.options.runs_site:
            return None
        from puppet_repl.session.site import run_site

        return run_site(self._execution)

    def run_prelude(self) -> Outcome | None:
        """Run the user's start-up code, unrecorded; return the outcome if it fails.

        It is run after the site, at the start and after each reset.
        """
        if self.prelude is None:
            return None
        outcome = self.execute(*self.prelude, record=False)
        return None if outcome.error is None else outcome

    def compile_site(
        self, code: str = "", name: str | None = None, *, has_node: bool = True
    ) -> Outcome:
        """Compile as a server does: ``code`` or, where it is empty, the environment's manifests.

        ``name`` is the file that the code is from. If there are node blocks, one of them has to
        apply; unless the session ``has_node`` it is only noted that none does. Nothing may have
        been run before. ``finish_catalog`` makes the catalog of the outcome.
        """
        from puppet_repl.session.site import compile_site

        return compile_site(self._execution, code, name, has_node=has_node)

    def render_epp(
        self,
        text: str,
        params: Mapping[str, object] | None = None,
        *,
        name: str | None = None,
        complete: bool = True,
    ) -> Outcome:
        """Render ``text`` as an EPP template with parameters from a mapping.

        ``name`` is what errors call the template; ``complete`` is that of ``execute``.
        """
        from puppet_repl.session.templates import render_epp

        return render_epp(self._execution, text, params, name=name, complete=complete)

    def render_erb(
        self,
        text: str,
        params: Mapping[str, object] | None = None,
        *,
        path: str | None = None,
    ) -> Outcome:
        """Render ``text``, or the file of a ``path``, as an ERB template, by the session's Ruby.

        It sees the parameters as variables: ``@port``.
        """
        from puppet_repl.session.templates import render_erb

        return render_erb(self._execution, text, params or {}, path=path)

    def assign(self, name: str, value: Value) -> Outcome:
        """Bind a variable of the top scope as an input does, without recording one."""

        def work(_: Transaction) -> None:
            self._context.begin_input()
            self._context.top.assign(name, value)

        outcome = self._execution.run(work)
        if outcome.error is None:
            self._execution.record.keep_assigned(name, value)
        return outcome

    def finish_catalog(self, outcome: Outcome) -> Outcome:
        """Run the catalog's final checks; the returned outcome holds all of its resources.

        An outcome with an error is returned as it is.
        """
        from puppet_repl.session.site import finish_catalog

        return finish_catalog(self._execution, outcome)

    def lookup(
        self,
        key: str | tuple[str, ...],
        *,
        merge: object = None,
        type: str | None = None,
        default: object = UNSET,
    ) -> Outcome:
        """Return the value of a key in the data, or of the first of several keys that has a value.

        It is looked up as by the function lookup(). ``merge`` is the name of a strategy or a
        mapping with it and its options, ``type`` the text of the type that the value must have.
        The session does not change.
        """
        from puppet_repl.session.lookups import lookup

        chosen = {"merge": merge, "type": type, "default": default}
        return lookup(self._execution, key, chosen)

    def explain(
        self,
        key: str | tuple[str, ...],
        *,
        merge: object = None,
        type: str | None = None,
        default: object = UNSET,
        options_only: bool = False,
    ) -> tuple[Outcome, Explanation]:
        """Look a key up as ``lookup`` does; return also an explanation.

        With ``options_only`` only the lookup_options for the key are looked up.
        """
        from puppet_repl.session.lookups import explain

        chosen = {"merge": merge, "type": type, "default": default}
        return explain(self._execution, key, chosen, options_only=options_only)

    def origins(self, resources: Iterable[Resource]) -> dict[Resource, dict[str, list[Origin]]]:
        """Return where the attributes of resources of the catalog come from, by name.

        Those of each are listed from the source of the value to the statement that set it. Data are
        looked up again, without a message.
        """
        from puppet_repl.session.origins import origins

        return origins(self._execution, resources)

    @property
    def data_keys(self) -> DataKeys:
        """The keys in the data files that count for the node; no code runs to find them."""
        if self._data_keys is None or not self._data_keys.belongs_to(self._context):
            from puppet_repl.environment.hiera.data_keys import DataKeys

            self._data_keys = DataKeys(self._context)
        return self._data_keys

    def keep_failures(self) -> None:
        """Keep the frames of the last error until the next input, for ``expressions``."""
        self._execution.keep_failures()

    @property
    def expressions(self) -> Expressions:
        """The expressions of a debugger, with the frames of the last error."""
        from puppet_repl.session.debugging.expressions import Expressions

        return Expressions(self._execution)

    def deadline(self) -> Limit:
        """Return a context that limits the time of an input by the option ``max_seconds``.

        The methods that run code enter one; a front end enters one before, for the display as well.
        TimeLimitExceeded leaves it where the time is up outside of these methods.
        """
        return self._execution.deadline()

    def temporarily(self) -> Temporarily:
        """Return a context manager that undoes all changes of inputs at the end of its block."""
        return Temporarily(self._context)

    def stopwatch(self, text: str) -> Callable[[], float]:
        """Compile an input; return a function that runs it and returns the seconds that it took.

        Both raise PuppetError.
        """
        from time import perf_counter

        context = self._context
        with deep_calls:
            compiled = compile_program(parse(Source(text)), context)

        def run() -> float:
            with deep_calls:
                context.begin_input()
                start = perf_counter()
                compiled.run()
                context.end_input()
                return perf_counter() - start

        return run

    # Going back

    def undo(self, inputs: int = 1) -> list[str]:
        """Undo the last changes, of inputs and ``forget``; return their texts, the last one first.

        Inputs that changed nothing do not count; they are dropped together with the change before.
        """
        from puppet_repl.session.undo import undo

        return undo(self._execution, inputs)

    def redo(self) -> list[str]:
        """Undo the last ``undo``; return the texts of the changes, none if there was no undo.

        Any change since then makes that impossible. Inputs since then that changed nothing are
        dropped.
        """
        from puppet_repl.session.undo import redo

        return redo(self._execution)

    def look_back(self, look: Callable[[], Seen]) -> Seen:
        """Call ``look`` on the state before the last input, which must exist; return its result."""
        from puppet_repl.session.undo import look_back

        return look_back(self._execution, look)

    def keep_failed_catalog(self) -> None:
        """Keep the catalog of the last input or site that fails, until the next one succeeds."""
        self._execution.keep_failed_catalog()

    def look_at_failed(self, look: Callable[[], Seen]) -> Seen | None:
        """Call ``look`` on the state that the last failed input, or site, had come to.

        Return its result, None if that declared no resources, or ``keep_failed_catalog`` was not
        called. An input that succeeds drops the state.
        """
        from puppet_repl.session.undo import look_at_failed

        return look_at_failed(self._execution, look)

    def replace_inputs(self, count: int, text: str, name: str | None = None) -> Outcome:
        """Run one input in place of the last ``count``, which must exist, as ``execute`` does.

        If it fails or is interrupted, they are kept.
        """
        from puppet_repl.session.undo import replace_inputs

        def run() -> Outcome:
            return self.execute(text, name)

        return replace_inputs(self._execution, count, run)

    @property
    def ends_in_input(self) -> bool:
        """Whether the last change was an input, which can be continued."""
        return self._execution.record.ends_in_input

    def forget(self, name: str) -> bool:
        """Forget one name of the inputs (``$x``, a function, type or class); False if unknown.

        A definition of a module is loaded again when it is needed.
        """
        from puppet_repl.session.undo import forget

        return forget(self._execution, name)

    def use_facts(self, facts: FactSource | None) -> None:
        """Replace the facts of the node and reset the session. Raises FactsError.

        None stands for the facts of a session that is given none.
        """
        given = None if facts is None else _facts_in(facts)

        def change() -> None:
            self._execution.facts = given

        self._begin_anew(change)

    def use_node(self, name: str) -> None:
        """Choose the node and reset the session."""

        def change() -> None:
            self.options.name_node(name)

        self._begin_anew(change)

    def use_trusted(self, extensions: Mapping[str, object]) -> None:
        """Replace the extensions of the node's certificate and reset the session."""

        def change() -> None:
            self.options.trusted = dict(extensions)

        self._begin_anew(change)

    def _begin_anew(self, change: Callable[[], None] | None = None) -> None:
        from puppet_repl.session.undo import begin_anew

        begin_anew(self._execution, change)

    @property
    def inputs(self) -> list[tuple[int, str, Outcome]]:
        """Number, text and outcome of the inputs that succeeded and are recorded."""
        return self._execution.record.inputs

    @property
    def between_inputs(self) -> list[tuple[int, str, Value]]:
        """The changes by ``assign`` and ``forget``, in order.

        Each is the number of inputs before it, the variable (``$x``) and its value, or the
        forgotten name and UNSET.
        """
        return self._execution.record.between

    # What the session has

    @property
    def count(self) -> int:
        """The number of the last recorded input."""
        return self._execution.record.count

    def number_next(self, number: int) -> None:
        """Set the number of the next recorded input, for front ends that count themselves."""
        self._execution.record.count = number - 1

    @property
    def names(self) -> KnownNames:
        """The names that the session knows; a reset replaces the object."""
        names = self._names
        if names is None or not names.belong_to(self._context):
            from puppet_repl.session.known_names import KnownNames

            names = self._names = KnownNames(self._context)
        return names

    @property
    def shared(self) -> Shared:
        """The caches that the session shares with others."""
        return self._execution.shared

    @property
    def facts(self) -> Mapping[str, object] | None:
        """The facts that the session was given, None for those of this machine."""
        return self._execution.facts

    @property
    def reach(self) -> Reach | None:
        """The files that a hermetic session may read, fixed at its start; None for others."""
        return self._execution.reach

    @property
    def environment(self) -> Environment | None:
        """The modules and the data that the session may load, None without any."""
        return self._context.environment

    @property
    def has_catalog(self) -> bool:
        """Whether the catalog exists, which is created on first use."""
        return self._context.has_catalog

    @property
    def catalog(self) -> Catalog:
        """The catalog that the inputs build."""
        return self._context.catalog

    # What nodes export

    def keep_exports(self) -> ExportStore | None:
        """Store the resources that the catalog exports, for later nodes; return the store.

        Without the option ``storeconfigs`` there is no store; without a catalog nothing is stored.
        """
        return self.storeconfigs.keep(self._context)

    def clear_exports(self, certname: str | None = None) -> int:
        """Drop the exported resources of a node, or of all nodes; return their number.

        Those of the current catalog are stored again after inputs have changed them.
        """
        return self.storeconfigs.clear(self._context, certname)

    def warn(self, text: str) -> None:
        """Log a warning as if the current input had."""
        self._execution.add_message("warning", text)

    # Values as text

    def past_definitions(self, value: Value) -> list[str]:
        """Return a line for each replaced definition that a value's type still refers to.

        For a type it is about the type itself.
        """
        from puppet_repl.session.descriptions import past_definitions

        return past_definitions(self._context, value)

    def describe(self, value: Value) -> dict[str, str | None]:
        """Return program text, plain text and inferred type of a value, as in ``batch`` replies.

        Iterators do not advance. Bytes that are not UTF-8 have no plain text.
        """
        from puppet_repl.session.descriptions import describe

        return describe(value)

    def type_text(self, value: Value) -> str:
        """Return the inferred type of a value as text; of a very large one Array or Hash."""
        from puppet_repl.session.descriptions import type_text

        return type_text(value)

    def add_hint(self, error: PuppetError) -> None:
        """Add a note about the probable name to an error, and the part of the text to underline."""
        from puppet_repl.session.symbols import SessionSymbols
        from puppet_repl.tools.hints.error_range import focus_of
        from puppet_repl.tools.hints.suggestions import hint_for

        error.focus = focus_of(error)
        inner = error.__cause__ or error.__context__
        if isinstance(inner, PuppetError):
            inner.focus = focus_of(inner)
        hint = hint_for(SessionSymbols(self), error)
        if hint is not None:
            error.notes = (*error.notes, hint)
