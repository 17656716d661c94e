"""Puppetfile: errors and warnings of r10k, in its words."""

from __future__ import annotations

import os

from puppet_repl.environment.modules.puppetfile import read_puppetfile
from puppet_repl.environment.modules.puppetfile_rules import problems_of
from puppet_repl.environment.reference.ruby.tokens import RubyError
from puppet_repl.tools.validation.ruby_files import syntax_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.modules.puppetfile import Puppetfile, Value
    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

# Functions of Ruby itself, and declarations of librarian-puppet.
_OF_RUBY = frozenset(
    (
        *("abort", "autoload", "at_exit", "catch", "define_method", "define_singleton_method"),
        *("eval", "exit", "extend", "fail", "format", "freeze", "instance_eval", "lambda", "load"),
        *("loop", "p", "pp", "print", "printf", "proc", "public_send", "putc", "puts", "raise"),
        *("require", "require_relative", "send", "sleep", "sprintf", "srand", "system", "throw"),
        *("trap", "warn", "instance_variable_set"),
    )
)
_OF_LIBRARIAN = ("metadata", "modulefile")
_LIBRARIAN_OPTIONS = ("github_tarball", "path")


def check(file: File) -> list[Diagnostic]:
    """Return the findings in a Puppetfile."""
    refused = list(syntax_errors(file, file.text, "ruby_syntax"))
    if refused:
        return refused
    try:
        content = read_puppetfile(file.text)
    except RubyError:
        return []  # Ruby's own parser knows better
    return _Check(file).all(content)


class _Check:
    """The findings in one file."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.directory = os.path.dirname(file.path or "")
        self.found: list[Diagnostic] = []

    def all(self, content: Puppetfile) -> list[Diagnostic]:
        """Return all findings; those that are r10k's only if no other tool reads the file."""
        self._check_duplicates(content)
        others = [each for each in content.others if each.text not in _OF_RUBY]
        is_of_librarian = any(each.text in _OF_LIBRARIAN for each in others) or any(
            name in module.options for module in content.modules for name in _LIBRARIAN_OPTIONS
        )
        if is_of_librarian or self._has_lock():
            return self.found
        for other in others:
            if other.text[:1].islower():
                message = f"unrecognized declaration '{other.text}'"
                self.error("puppetfile_declaration", message, other)
        for module in content.modules:
            for problem in problems_of(module, self.directory):
                tell = self.error if problem.is_error else self.advise
                tell(problem.code, problem.message, problem.value)
        return self.found

    def _has_lock(self) -> bool:
        """Tell whether librarian-puppet has left its file."""
        path, reach = f"{self.file.path}.lock", self.file.workspace.reach
        return (reach is None or reach.allows(path)) and os.path.exists(path)

    def error(self, code: str, message: str, value: Value) -> None:
        """Add an error about something that is written."""
        place = *self.file.at(value.start), *self.file.at(value.end)
        self.found.append(self.file.error(code, message, *place))

    def advise(self, code: str, message: str, value: Value) -> None:
        """Add a warning."""
        place = *self.file.at(value.start), *self.file.at(value.end)
        self.found += self.file.advice(code, message, *place)

    def _check_duplicates(self, content: Puppetfile) -> None:
        for name, entries in content.duplicates.items():
            message = (
                "Puppetfiles cannot contain duplicate module names. Remove the duplicates of"
                f" the following modules: {name}"
            )
            for entry in entries[1:]:
                self.error("puppetfile_duplicate", message, entry.name)
