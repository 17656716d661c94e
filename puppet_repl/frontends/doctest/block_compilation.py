"""Compiling the blocks of a document, each for itself, as a node would that had nothing else."""

from __future__ import annotations

import os

from puppet_repl.base.differences import is_warning_of_difference
from puppet_repl.frontends.doctest.findings import FAILED, MISSING, Failure
from puppet_repl.host.host import Host
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.definition_labels import only_defines
from puppet_repl.tools.hints.suggestions import missing_module

__all__ = ["Compiler"]

# How many classes an example may leave out.
_MAX_LEFT_OUT = 3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.environment.modules.modules import Module
    from puppet_repl.frontends.doctest.documents import Block
    from puppet_repl.frontends.doctest.syntax import Parsed


class Compiler:
    """Compiles blocks in sessions like that of a host.

    Code may refer to undeclared resources: an example shows a part of a catalog. ``module`` is the
    module of the document. ``problems`` are the errors of the manifests of the environment,
    ``warnings`` say where Puppet ends in an error.
    """

    def __init__(self, host: Host, module: Module | None = None) -> None:
        self._options = host.session.options.copy()
        self._options.references = "warn"
        self._facts = host.session.facts
        self._shared = host.session.shared
        self._module = module
        self.problems: list[PuppetError] = []
        self.warnings: list[str] = []

    def failure(self, block: Block, name: str, parsed: Parsed) -> tuple[Failure | None, list[str]]:
        """Compile a block that is a program; return its failure or None, and the included classes.

        An example of a defined type may leave out the class of its module: if it does not compile
        without the class, the class is included first.
        """
        included: list[str] = []
        failure = self._compile(block, name, parsed, included)
        while failure is not None and failure.kind != MISSING:
            known = len(included)
            included += [each for each in self._left_out(failure) if each not in included][:1]
            if len(included) == known or known >= _MAX_LEFT_OUT:
                break
            again = self._compile(block, name, parsed, included)
            if again is not None and again.kind != MISSING and not _variable_of(failure):
                break  # the class was not the reason
            failure = again
        return failure, [] if failure is not None else included

    def _log(self, level: str, text: str) -> None:
        if is_warning_of_difference(text):
            self.warnings.append(text)

    def _left_out(self, failure: Failure) -> Iterator[str]:
        """Yield the classes of the module that an example may have left out."""
        own = self._module
        if own is None:
            return
        if os.path.isfile(own.file("manifests", "init.pp")):
            yield own.name
        name = _variable_of(failure)
        if name.split("::")[0] == own.name:
            yield name.rpartition("::")[0]

    def _compile(
        self, block: Block, name: str, parsed: Parsed, included: list[str]
    ) -> Failure | None:
        """Compile a program in a new session, after the classes that are included.

        A block of definitions alone has its classes declared, those that need no parameters, and
        is compiled for the node that its first node block names.
        """
        program = parsed.program
        assert program is not None
        options = self._options.copy()
        if options.node is None:
            options.node = next(_named_nodes(program), None)
        session = Host(options, facts=self._facts, shared=self._shared).session
        session.log = self._log
        try:
            site = session.run_site()
            if site is not None and site.error is not None and not included:
                self.problems.append(site.error)
            error = None
            if included:
                error = session.execute(f"include {', '.join(included)}").error
            if error is None:
                error = session.execute(parsed.source.text, name).error
            classes = ", ".join(_declarable(program)) if only_defines(program) else ""
            if error is None and classes:
                error = session.execute(f"include {classes}", name).error
            if error is None:
                return None
            module = missing_module(session, error.subject)
            kind = FAILED if module is None else MISSING
            return Failure(block, name, error, kind, module or "")
        finally:
            session.close()


def _variable_of(failure: Failure) -> str:
    """Return the name of the variable of a class that is unknown; '' for any other failure."""
    subject = failure.error.subject
    if subject is None or subject.kind != "variable":
        return ""
    name = subject.name.removeprefix("::")
    return name if "::" in name else ""


def _named_nodes(program: ast.Program) -> Iterator[str]:
    """Yield the names of the nodes that a program has blocks for."""
    for definition in program.definitions:
        if isinstance(definition, ast.NodeDefinition):
            for match in definition.matches:
                if isinstance(match, ast.LiteralString):
                    yield match.value


def _declarable(program: ast.Program) -> Iterator[str]:
    """Yield the names of the classes of a program that no parameter has to be given for."""
    for definition in program.definitions:
        if isinstance(definition, ast.HostClassDefinition):
            if all(parameter.value is not None for parameter in definition.parameters):
                yield definition.name
