"""Compiling a site as a server does: all of its manifests are one program.

First all files are read and their definitions made known, so that their order does not matter;
then the code outside of definitions runs, file by file, and the node block of the node.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.catalog.json import contents_of_rows, rows
from puppet_repl.environment.facts.sample_facts import SampleFacts
from puppet_repl.language.compiler import compiled
from puppet_repl.language.compiler.cache import CachedFile, log_all
from puppet_repl.language.compiler.program import SourceTree, compile_tree
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.session.outcome import Outcome
from puppet_repl.session.top_scope import SERVER_VARIABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from puppet_repl.language.compiler import CompiledProgram
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.session.execution import Execution
    from puppet_repl.session.transaction import Transaction


def run_site(execution: Execution) -> Outcome | None:
    """Compile the manifests of the environment; return the outcome if it fails."""
    is_sample = execution.facts is None or isinstance(execution.facts, SampleFacts)
    has_node = bool(execution.options.node) or not is_sample
    outcome = compile_site(execution, "", None, has_node=has_node)
    return None if outcome.error is None else outcome


def compile_site(execution: Execution, code: str, name: str | None, *, has_node: bool) -> Outcome:
    """Compile ``code`` or the environment's manifests; see ``Session.compile_site``."""
    logs: list[tuple[str, str]] = []
    execution.record.logs = logs
    context = execution.context
    if not context.has_server:
        for known in ("trusted", "server_facts"):  # a server gives others
            context.forget_known(known)
    context.compiles_site = True
    try:
        classification = context.classification
        given = classification.parameters if classification is not None else {}
        if given or not SERVER_VARIABLES.isdisjoint(context.facts or ()):
            context.top_variable("server_facts")  # warns
        sources = _sources(context, code, name)
    except PuppetError as error:
        return Outcome(logs=logs, error=error)
    if not sources:
        if classification is None or not classification.classes:
            return Outcome(logs=logs)
        sources = [Source("")]
    outcome = execution.run(
        lambda _: _compile(sources, context, has_node=has_node), None, name, is_site=True
    )
    outcome.logs[:0] = logs
    return outcome


def finish_catalog(execution: Execution, outcome: Outcome) -> Outcome:
    """Run the catalog's final checks; the returned outcome holds all of its resources.

    An outcome with an error is returned as it is.
    """
    if outcome.error is not None:
        return outcome
    catalog = execution.context.catalog
    written: list[dict[str, Any]] = []

    def work(_: Transaction) -> None:
        catalog.finish()
        written[:] = rows(catalog)

    finished = execution.run(work)
    logs = outcome.logs + finished.logs
    if finished.error is not None:
        return Outcome(logs=logs, error=finished.error)
    made = Outcome(
        *(outcome.value, logs),
        number=outcome.number,
        added=lambda: contents_of_rows(catalog, written),
    )
    made.rows = written
    return made


def _sources(context: Context, code: str, name: str | None) -> list[Source]:
    """Make the environment ready; return the code or its manifests. Raises PuppetError."""
    environment = None if context.options.environment is None else context.environment
    if not code:
        return [] if environment is None else environment.manifests()
    if environment is not None:
        environment.make_ready()  # a server warns of what is wrong with it for any code
    return [Source(code, name)]


def _compile(sources: Iterable[Source], context: Context, *, has_node: bool) -> None:
    """Compile manifests into the catalog of a context. Raises PuppetError.

    Overrides and realizations have to find what they name.
    """
    context.begin_input()
    classification = context.classification
    if classification is not None:
        context.catalog.tag_with(classification.names)
    programs = []
    for source in sources:
        program = _read(source, context)
        program.define_all()
        programs.append(program)
    for program in programs:
        program.evaluate()
    classes = () if classification is None else classification.classes
    context.catalog.end_site(classes, has_node=has_node)


def _read(source: Source, context: Context) -> CompiledProgram:
    """Parse, validate and compile one manifest, if that has not been done."""
    cached = CachedFile(source, context)
    found = cached.find()
    if found is not None:
        log_all(found.logs, context)
        return compiled(found.code, context)
    logs: list[tuple[str, str]] = []
    try:
        program = parse(source)
        logs += [("warning", warning.logged) for warning in program.warnings]
        log_all(logs, context)
        reports = validate(
            program, language=context.options.language, strict=context.options.strict
        )
    except PuppetError as error:
        raise _of_environment(error, context.environment_name) from None
    found_wrong = [(report.level, report.logged) for report in reports]
    log_all(found_wrong, context)
    code = compile_tree(SourceTree(source, program), context)
    cached.keep(code, (*logs, *found_wrong))
    return compiled(code, context)


def _of_environment(error: PuppetError, name: str) -> PuppetError:
    """Return the refusal of a text as that of a manifest of an environment."""
    error.message = f"Could not parse for environment {name}: {error.message}"
    error.args = (error.message,)
    return error
