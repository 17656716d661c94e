"""What a session works on, and how: each piece of work is done wholly or not at all."""

from __future__ import annotations

from puppet_repl.base.errors import (
    InputEnded,
    PuppetError,
    TimeLimitExceeded,
    ValidationErrors,
)
from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.memory import keep_reserve
from puppet_repl.base.recursion import NO_CONTEXT, deep_calls
from puppet_repl.language.compiler import compile_program
from puppet_repl.language.runtime.context import Context
from puppet_repl.language.runtime.shared import Shared
from puppet_repl.language.syntax.ast import Nop
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.language.values.default import UNSET
from puppet_repl.session.outcome import Outcome
from puppet_repl.session.top_scope import attach
from puppet_repl.session.transaction import FailedCatalog, Record, Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from puppet_repl.base.deadline import Limit
    from puppet_repl.base.errors import Report
    from puppet_repl.base.reach import Reach
    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.exports import ExportStore
    from puppet_repl.catalog.storeconfigs import Storeconfigs
    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.failed_interpolations import FailedInterpolations
    from puppet_repl.language.runtime.options import Options
    from puppet_repl.language.syntax.ast import Program
    from puppet_repl.language.values.protocols import Value

    Log = Callable[[str, str], None]
    Mark: TypeAlias = tuple[Any, ...]


class KeepingFailure:
    """A context in which the frames of the last input are kept, whatever fails."""

    __slots__ = ("_before", "_context")

    def __init__(self, context: Context) -> None:
        self._context = context

    def __enter__(self) -> None:
        context = self._context
        self._before = context.failure, context.keeps_failures
        context.failure, context.keeps_failures = None, False

    def __exit__(self, *_: object) -> None:
        self._context.failure, self._context.keeps_failures = self._before


class Execution:
    """The context of a session, the record of its inputs, and how work is done on them.

    The arguments are those of ``Session``; ``add_hint`` is called with the error of work that has
    failed, ``on_break`` by ``debug::break()``. A reset replaces ``context``.
    """

    def __init__(
        self,
        options: Options,
        *,
        facts: Mapping[str, object] | None,
        log: Log | None,
        shared: Shared | None,
        exports: ExportStore | None,
        reach: Reach | None,
        add_hint: Callable[[PuppetError], None],
    ) -> None:
        self.options = options
        self.log = log
        self.on_break: Callable[[], bool] | None = None
        self._keeps_failures = False
        self.failed: FailedCatalog | None = None
        self.reach: Reach | None = None
        if options.hermetic:
            from puppet_repl.environment.modules.hermetic import hermetic_facts, reach_of

            self.reach = reach_of(options) if reach is None else reach
            facts = hermetic_facts() if facts is None else facts
        self.facts = facts
        self._exports = exports
        self._storeconfigs: Storeconfigs | None = None
        self.record = Record()
        self._add_hint = add_hint
        # With a text, which tells users how to see them all, warnings of failed interpolations are
        # logged as one at the end of the work. The record has them all.
        self.request: str | None = None
        self._failed: FailedInterpolations | None = None
        keep_reserve()
        self.shared = shared if shared is not None else Shared()
        self.context = self.new_context()

    @property
    def storeconfigs(self) -> Storeconfigs:
        """The exported and collected resources; created at the first access."""
        if self._storeconfigs is None:
            from puppet_repl.catalog.storeconfigs import Storeconfigs

            self._storeconfigs = Storeconfigs(self.options, self._exports)
        return self._storeconfigs

    def _find_exports(self) -> ExportStore | None:
        return self.storeconfigs.store()

    def new_context(self) -> Context:
        """Return a context in which nothing has happened, for the facts and options of now."""
        facts = None
        if self.facts is not None or _has_legacy_facts(self.options):
            facts = _facts_of_node(self.facts, self.options)
        context = Context(self.options, facts, self.add_message)
        context.shared = self.shared
        context.reach = self.reach
        context.note = self._note
        context.end_messages = self._end_messages
        context.stop_here = self._stop_here
        context.keeps_failures = self._keeps_failures
        context.find_builtin = _find_builtin
        context.find_added = _find_added
        if self.options.functions:
            # Most sessions are given none.
            from puppet_repl.language.functions.given import GivenFunction

            for name, function in self.options.functions.items():
                context.given[name] = GivenFunction(name, function)
        context.make_catalog = _make_catalog
        context.find_exports = self._find_exports
        attach(context)
        of_the_node = context.top_variable

        def top_variable(name: str) -> Value:
            if name[:1] == "_" and name[1:].isdigit():
                return self.record.results.get(int(name[1:]), UNSET)
            return of_the_node(name)

        context.top_variable = top_variable
        return context

    def mark(self) -> Mark:
        """Return the state of the session, for ``return_to``."""
        context, options = self.context, self.options
        return (
            context,
            context.mark(),
            self.record.mark(),
            self.facts,
            options.node,
            options.trusted,
        )

    def return_to(self, mark: Mark) -> None:
        """Return to a mark, earlier or later; call it again after an interrupt."""
        self.context, state, record, self.facts, self.options.node, self.options.trusted = mark
        self.context.return_to(state)
        self.record.return_to(record)

    def add_message(self, level: str, text: str) -> None:
        """Add a log message to those of the current input, and pass it on."""
        self.record.logs.append((level, text))
        if self.log is None:
            return
        if level == "warning" and self.request is not None and self._is_counted(text, self.request):
            return
        self.log(level, text)

    def _is_counted(self, text: str, request: str) -> bool:
        # Few inputs warn.
        from puppet_repl.language.runtime.failed_interpolations import FailedInterpolations

        if self._failed is None:
            self._failed = FailedInterpolations(request)
        return self._failed.counts(text)

    def _end_messages(self) -> None:
        """Log one warning for those that were counted."""
        text = None if self._failed is None else self._failed.take()
        self._failed = None
        if text is not None and self.log is not None:
            self.log("warning", text)

    def keep_failures(self) -> None:
        """Let contexts keep the frames of their last error."""
        self._keeps_failures = self.context.keeps_failures = True

    def keep_failed_catalog(self) -> None:
        """Keep the catalog of the last failure, for ``look_at_failed``."""
        if self.failed is None:
            self.failed = FailedCatalog()

    def _stop_here(self) -> bool:
        return self.on_break is not None and self.on_break()

    def _note(self, text: str) -> None:
        if self.log is not None:
            self.log(NOTE, text)

    def run(
        self,
        work: Callable[[Transaction], None],
        text: str | None = None,
        name: str | None = None,
        *,
        is_site: bool = False,
    ) -> Outcome:
        """Return the outcome of work that is done wholly or not at all.

        ``text`` is that of an input which is recorded, ``name`` what the outcome is called.
        """
        failed = None if text is None and not is_site else self.failed
        transaction = self.transaction(text, name, failed)
        if text is not None:
            self.context.failure = None
        try:
            with deep_calls, transaction, self.deadline():
                work(transaction)
            transaction.outcome.name = name
            return transaction.outcome
        except BaseException as error:
            try:
                self._keep_interrupted(error)
            finally:
                transaction.roll_back()
            if not isinstance(error, TimeLimitExceeded):
                raise
            transaction.stop(error)  # the time was up while the transaction ended
            return transaction.outcome

    def _keep_interrupted(self, error: BaseException) -> None:
        """Keep the frames of code that the user has interrupted, as those of code that fails."""
        if isinstance(error, KeyboardInterrupt) and not isinstance(error, InputEnded):
            from puppet_repl.language.compiler.failures import keep_failure

            keep_failure(error, error)

    def transaction(
        self,
        text: str | None = None,
        name: str | None = None,
        failed: FailedCatalog | None = None,
    ) -> Transaction:
        """Return the transaction of one input, None for one that is not recorded."""
        return Transaction(
            self.context, self.record, text, self._add_hint, self.before_keeping, name, failed
        )

    def before_keeping(self) -> None:
        """Store exported resources before a change of the session is kept."""
        if self._storeconfigs is not None:
            self._storeconfigs.keep_at_change(self.context)

    def deadline(self) -> Limit:
        """Return a context manager that limits the time of an input by ``max_seconds``."""
        if self.options.max_seconds is None:
            return NO_CONTEXT
        from puppet_repl.base.deadline import time_limit

        return time_limit(self.options.max_seconds, self.options.spelt("max_seconds"))

    def evaluate(self, transaction: Transaction, text: str, name: str | None) -> None:
        """Begin an input and evaluate its text; its value is that of the transaction."""
        program = self._parse(Source(text, name))
        compiled = compile_program(program, self.context)
        self.context.begin_input()
        value: Value = compiled.run()
        only_defined = type(program.body) is Nop
        if program.definitions:
            from puppet_repl.language.syntax.definition_labels import (
                definition_labels,
                only_defines,
            )

            transaction.defined = definition_labels(program.definitions)
            only_defined = only_defines(program)
        if not only_defined:
            transaction.value = value

    def _parse(self, source: Source) -> Program:
        """Return the tree of a text; what Puppet warns about in it is logged, if it fails too."""
        try:
            program = parse(source)
            language, strict = self.options.language, self.options.strict
            found = validate(program, language=language, strict=strict)
            reports = (*program.warnings, *found)
        except ValidationErrors:
            raise  # they hold the warnings
        except PuppetError as error:
            self._log_reports(error.reports)
            raise
        self._log_reports(reports)
        return program

    def _log_reports(self, reports: tuple[Report, ...]) -> None:
        for report in reports:
            self.add_message(report.level, report.logged)


def _facts_of_node(facts: Mapping[str, object] | None, options: Options) -> dict[str, Any]:
    """Return facts, or those of this machine, as the agent of the node sends them."""
    from puppet_repl.environment.facts.sample_facts import facts_of_node

    if facts is None:
        from puppet_repl.environment.facts.facts import machine_facts

        facts = machine_facts()
    found = facts_of_node(facts, options.node, options.profile)
    if not _has_legacy_facts(options):
        return found
    # Only Puppet's setting of that name asks for them.
    from puppet_repl.environment.facts.legacy_facts import legacy_facts

    return {**legacy_facts(found), **found}


def _has_legacy_facts(options: Options) -> bool:
    return options.puppet_settings.get("include_legacy_facts") is True


def _find_builtin(name: str) -> Function | None:
    from puppet_repl.language.functions.registry import find

    return find(name)


def _find_added(name: str) -> Function | None:
    from puppet_repl.language.functions.registry import find_added

    return find_added(name)


def _make_catalog(context: Context) -> Catalog:
    from puppet_repl.catalog.catalog import Catalog

    return Catalog(context)
