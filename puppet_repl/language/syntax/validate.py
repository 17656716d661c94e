"""What Puppet refuses in a text that is well formed, before any of it is evaluated.

One walk over the tree, outer nodes first and in the order of Puppet's model, so that several
findings come in Puppet's order. Each kind of node has a function that checks it and names the
parts to visit; literals and names have none.
"""

from __future__ import annotations

from puppet_repl.base.errors import ParseError, PuppetError, Report, ValidationErrors
from puppet_repl.base.profiles import DEFAULT_LANGUAGE, PROFILES
from puppet_repl.base.wording import capitalized, with_article
from puppet_repl.language.syntax import ast, issues
from puppet_repl.language.syntax.checks import CHECKS
from puppet_repl.language.syntax.lexer import MAX_NESTING
from puppet_repl.language.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.source import Source

# Puppet limits the warnings that are its own.
_MAX_SHOWN = 10
_DIFFERENCE = "difference"


class Validator:
    """The findings about one program. ``module_file`` is its path below a module directory."""

    __slots__ = ("_parents", "language", "module_file", "pending", "program", "reports", "strict")

    def __init__(
        self, program: ast.Program, language: str, strict: str, module_file: str | None
    ) -> None:
        self.program = program
        self.language = language
        self.strict = strict
        self.module_file = module_file
        self.reports: list[Report] = []
        self.pending: list[ast.Node] = []
        self._parents: dict[int, ast.Node] | None = None

    def walk(self, tasks: bool) -> None:
        """Check every node."""
        table = CHECKS
        if tasks:
            from puppet_repl.language.syntax.task_checks import TASK_CHECKS

            table = TASK_CHECKS
        checks = table.get
        pending = self.pending
        pending.append(self.program.body)
        pop = pending.pop
        while pending:
            node = pop()
            check = checks(type(node))
            if check is not None:
                check(self, node)

    def visit(self, *nodes: ast.Node | None) -> None:
        """Go on with these nodes, in this order."""
        for node in reversed(nodes):
            if node is not None:
                self.pending.append(node)

    def refuse(self, message: str, code: str, node: ast.Node, level: str = "err") -> None:
        """Report a node."""
        source = self.program.source
        start = node.at
        end = node.end if start < node.end else start
        self.reports.append(Report(level, message, code, source, start, end))

    def warn_of_difference(self, name: str, node: ast.Node) -> None:
        """Warn of code that fails in Puppet, by the name of its row."""
        from puppet_repl.base.differences import warning_of

        warning = warning_of(name, PROFILES[self.language])
        if warning:
            self.refuse(warning, "ENDS_IN_ERROR", node, _DIFFERENCE)

    def refuse_part(self, node: ast.Node, feature: str, container: ast.Node) -> None:
        """Report an expression where only certain ones are allowed."""
        self.refuse(
            f"Illegal expression. {capitalized(node.label)} is unacceptable as {feature} in "
            f"{with_article(container.label)}",
            "ILLEGAL_EXPRESSION",
            node,
        )

    def check_source(self, source: Source, *, epp: bool) -> None:
        """Check Puppet code in a heredoc of this program; raise PuppetError for an error."""
        check_source(source, language=self.language, epp=epp)

    def container(self, node: ast.Node) -> ast.Node | None:
        """Return the parent of a node; None for the body of the program.

        Few checks need it, so the parents are found for the first of them.
        """
        parents = self._parents
        if parents is None:
            parents = self._parents = {}
            pending = [self.program.body]
            while pending:
                parent = pending.pop()
                for child in parent.children():
                    parents[id(child)] = parent
                    pending.append(child)
        return parents.get(id(node))


def validate(
    program: ast.Program,
    *,
    language: str = DEFAULT_LANGUAGE,
    strict: str = "error",
    module_file: str | None = None,
    tasks: bool = False,
) -> list[Report]:
    """Check a tree; the warnings to log.

    PuppetError for a single error, ValidationErrors for several. ``language`` is a profile of the
    language by name. ``strict`` is the setting of that name, for duplicate keys. ``module_file``
    ("name/manifests/x.pp") is given for a file that is loaded from a module: then its definitions
    must have the names that belong there.
    ``tasks`` is Puppet's setting for plans.
    """
    validator = Validator(program, language, strict, module_file)
    if module_file is not None:
        from puppet_repl.language.syntax.placement import check_top_constructs

        check_top_constructs(validator, program)
    try:
        validator.walk(tasks)
    except RecursionError:
        raise issues.nested_too_deeply(MAX_NESTING, program.source, 0) from None
    except PuppetError as error:  # a heredoc whose text is wrong in its own language
        error.reports = program.warnings
        raise
    reports = validator.reports
    if not reports:
        return reports
    return _conclude(program, reports)


def check_source(source: Source, *, language: str, epp: bool) -> None:
    """Parse and validate a manifest or a template; raise PuppetError for an error."""
    validate(parse(source, epp=epp), language=language)


def _conclude(program: ast.Program, reports: list[Report]) -> list[Report]:
    errors = [report for report in reports if report.level == "err"]
    found = [report for report in reports if report.level not in ("err", _DIFFERENCE)]
    warnings = [report for report in found if report.level == "warning"][:_MAX_SHOWN]
    deprecations = [report for report in found if report.level == "deprecation"][:_MAX_SHOWN]
    kept = (*warnings, *deprecations)
    shown = [report for report in reports if report.level == _DIFFERENCE or report in kept]
    for report in shown:
        report.level = "warning"
    if not errors:
        return shown
    logged = (*program.warnings, *shown)
    if len(errors) == 1:
        only = errors[0]
        error = ParseError(
            only.message, only.code, source=program.source, start=only.start, end=only.end
        )
        error.reports = logged
        raise error
    message = f"Language validation logged {len(errors)} errors"
    if found:
        message += f", and {len(found)} warnings"
    raise ValidationErrors(f"{message}. Giving up", (*logged, *errors[:_MAX_SHOWN]), program.source)
