"""The check of manifests and EPP templates, with the warnings of probable mistakes."""

from __future__ import annotations

from functools import partial

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.profiles import PROFILES
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.advice.fixing import fixed
from puppet_repl.tools.advice.walk import advise
from puppet_repl.tools.inspection.findings import warnings_of
from puppet_repl.tools.validation import arguments, module_files, parameters, references
from puppet_repl.tools.validation.comments import misspelt_in
from puppet_repl.tools.validation.placement import is_plan, misplaced, module_file, redefined
from puppet_repl.tools.validation.surroundings import History, Surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    from puppet_repl.base.errors import Report
    from puppet_repl.tools.advice.model import Check, Context
    from puppet_repl.tools.validation.diagnostic import Finding
    from puppet_repl.tools.validation.file import Choices, File

    SurroundedCheck: TypeAlias = Callable[[Surroundings, Context, ast.Node], None]

# The checks that need the other files of a module or control repository, by the kind of node.
_CHECKS: dict[type[ast.Node], tuple[SurroundedCheck, ...]] = {
    ast.AccessExpression: (references.class_reference,),
    ast.CallMethodExpression: (
        references.method,
        arguments.method,
        module_files.method,
        parameters.of_template,
    ),
    ast.CallNamedFunctionExpression: (
        references.call,
        arguments.call,
        module_files.call,
        parameters.of_template,
    ),
    ast.CollectExpression: (parameters.given,),
    ast.HostClassDefinition: (references.parent,),
    ast.Parameter: (parameters.default,),
    ast.QualifiedReference: (references.reference,),
    ast.ResourceDefaultsExpression: (parameters.given,),
    ast.ResourceExpression: (references.resource, parameters.given, module_files.sources),
    ast.ResourceOverrideExpression: (parameters.given, module_files.sources),
    ast.VariableExpression: (references.variable,),
}


def check(file: File) -> Iterator[Finding]:
    """Yield the findings in a manifest or template; raise PuppetError if it cannot be parsed."""
    files, choices = file.workspace.files, file.options
    known = None if file.path is None or choices.tasks else files.take(file.path)
    program = _parsed(file.source, choices) if known is None else known
    try:
        _, reports = checked(file.source, choices, program, module_file(file))
    except PuppetError as error:
        file.workspace.add_hint(error)
        yield error
        yield from _advice_beside(file, program, error)
        return
    if file.path is not None and known is None:
        files.add(file.path, program)
    yield from reports
    found = misplaced(file, program)
    if found is not None:
        yield found
    twice = None if is_plan(file.path) else redefined(program)
    if twice is not None:
        yield twice
    if choices.advice:
        yield from advise(program, checks=_repository_checks(file, program))
        yield from misspelt_in(file, program)


def _advice_beside(file: File, program: ast.Program, error: PuppetError) -> Iterator[Finding]:
    """Yield the warnings about a program that is refused, without those about the same code."""
    if not file.options.advice:
        return
    errors: list[PuppetError | Report] = [each for each in error.reports if each.level == "err"]
    spans = [(each.start, each.end) for each in (errors or [error])]
    try:
        found = advise(program, checks=_repository_checks(file, program))
    except RecursionError:  # the error is the same
        return
    for each in found:
        if not any(
            start is not None and each.start < max(end or 0, start + 1) and start < each.end
            for start, end in spans
        ):
            yield each
    yield from misspelt_in(file, program)


def fix(file: File, *, asked: bool = False) -> Counter[str]:
    """Fix a manifest or template: the file has the new text afterwards, on the disk the old one.

    Return how many findings are gone, by rule; with ``asked`` rules whose fix is on request count,
    too. Raises PuppetError for a text that is refused.
    """

    def find(text: str) -> list[Report]:
        source = Source(text, file.path)
        program, reports = checked(source, file.options, module_file=module_file(file))
        checks = _repository_checks(file, program, History())
        advice = advise(program, checks=checks, with_style=True)
        wanted = [each for each in advice if each.rule not in file.options.ignore]
        return [*reports, *wanted]

    text, counts = fixed(file.text, find, asked=asked)
    if counts:
        if file.path is not None:
            file.workspace.files.take(file.path)
        file.source = Source(text, file.path)
    return counts


def _repository_checks(
    file: File, program: ast.Program, history: History | None = None
) -> Mapping[type[ast.Node], tuple[Check, ...]]:
    """Return the checks of the nodes of a file.

    There are none for a file of no module or environment, and for one of a module that another
    one of the same name hides.
    """
    root, workspace = file.root, file.workspace
    if root is None or (root.kind == "module" and not root.name):
        return {}
    index, module = workspace.index(root), workspace.module(root)
    if module is not None and index.modules.get(module.name) is not module:
        return {}
    around = Surroundings(
        index,
        module,
        file.inside,
        program,
        workspace.history(root) if history is None else history,
        profile=PROFILES[file.options.language],
        is_alone=workspace.is_alone(root),
    )
    return {
        kind: tuple([partial(check, around) for check in checks])
        for kind, checks in _CHECKS.items()
    }


def _parsed(source: Source, choices: Choices) -> ast.Program:
    tasks = choices.tasks or is_plan(source.name)
    return parse(source, epp=(source.name or "").endswith(".epp"), tasks=tasks)


def checked(
    source: Source,
    choices: Choices,
    program: ast.Program | None = None,
    module_file: str | None = None,
) -> tuple[ast.Program, list[Report]]:
    """Return the tree of a text and Puppet's warnings about it; there may be a tree already.

    Plans are allowed in files of plans, and with ``tasks`` everywhere. Raises PuppetError for a
    text that is refused.
    """
    tasks = choices.tasks or is_plan(source.name)
    if program is None:
        program = _parsed(source, choices)
    reports = warnings_of(
        program,
        language=choices.language,
        strict=choices.strict,
        tasks=tasks,
        module_file=module_file,
    )
    return program, reports
