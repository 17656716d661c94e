"""Puppetfile: errors and warnings of r10k, in its words."""

from __future__ import annotations

import os
import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.environment.modules.puppetfile import REFS, read_puppetfile
from puppet_repl.environment.reference.ruby.tokens import RubyError
from puppet_repl.language.values.semver import SemVer
from puppet_repl.tools.validation.ruby_files import syntax_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.modules.puppetfile import ModuleEntry, Puppetfile, Value
    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

_OPTIONS = {
    "forge": ("source", "version"),
    "git": (*REFS, "default_branch", "default_branch_override", "git", "source"),
    "svn": ("password", "rev", "revision", "source", "svn", "username", "version"),
    "tarball": ("checksum", "overrides", "source", "version"),
}
_OF_ALL = ("exclude_spec", "install_path", "type")
_SAME = {"git": (REFS, ("git", "source")), "svn": (("rev", "revision", "version"),)}
_CLASSES = {"forge": "Forge", "git": "Git", "svn": "SVN", "tarball": "Tarball"}
_NAME = re.compile(r"(?:\w+[-/])?\w+", re.ASCII)
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
            self._check_module(module)
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
        known: set[str] = set()
        for module in content.modules:
            name = module.short_name
            if name is None or not module.is_certain:
                continue
            if name in known:
                message = (
                    "Puppetfiles cannot contain duplicate module names. Remove the duplicates of"
                    f" the following modules: {name}"
                )
                self.error("puppetfile_duplicate", message, module.name)
            known.add(name)

    def _check_module(self, module: ModuleEntry) -> None:
        name, kind = module.name, module.kind
        if module.arguments > 2:
            message = f"wrong number of arguments (given {module.arguments}, expected 1..2)"
            self.error("puppetfile_module", message, name)
            return
        if name.string is not None and not _NAME.fullmatch(name.string):
            title = name.string.replace("/", "-")
            message = f"Module name ({title}) must match either 'modulename' or 'owner/modulename'"
            self.error("puppetfile_module", message, name)
            return
        if kind is None:
            if module.is_whole and "type" not in module.options:
                message = (
                    f"Module {name.text} doesn't have an implementation."
                    " (Are you using the right arguments?)"
                )
                self.error("puppetfile_module", message, name)
            return
        if kind == "forge":
            self._check_forge(module)
        elif kind == "git" and module.is_whole:
            if not any(option in module.options for option in (*REFS, "default_branch")):
                message = "no branch, tag, commit or ref: r10k has to know a default_ref"
                self.advise("puppetfile_ref", message, name)
        self._check_options(module, kind)
        self._check_path(module)

    def _check_forge(self, module: ModuleEntry) -> None:
        name = module.name
        if name.string is not None and not re.search(r"[-/]", name.string):
            message = f"Forge module names must match 'owner/modulename', instead got {name.text}"
            self.error("puppetfile_module", message, name)
        version = module.forge_version
        if version is None or version.kind == "code" or version.text in ("latest", "nil"):
            return
        try:
            SemVer.parse(version.text)
        except RuntimeFailure:
            message = f"Module version {version.text} is not a valid Forge module version"
            self.error("puppetfile_version", message, version)

    def _check_options(self, module: ModuleEntry, kind: str) -> None:
        options = module.options
        known = _OPTIONS.get(kind)
        for name, value in options.items():
            if known is None or name in known or name in _OF_ALL:
                continue
            tell = self.error if kind == "tarball" else self.advise
            message = f"R10K::Module::{_CLASSES[kind]} cannot handle option '{name}'"
            tell("puppetfile_option", message, value)
        for group in _SAME.get(kind, ()):
            both = [name for name in options if name in group]
            if len(both) > 1:
                message = (
                    f"R10K::Module::{_CLASSES[kind]} parameters '{both[0]}' and '{both[1]}'"
                    " conflict. Specify one or the other, but not both"
                )
                self.advise("puppetfile_option", message, options[both[1]])

    def _check_path(self, module: ModuleEntry) -> None:
        place = module.options.get("install_path")
        if place is None or place.string is None:
            return
        base = os.path.abspath(self.directory)
        path = os.path.normpath(os.path.join(base, place.string))
        if not path.startswith(base):
            message = (
                f"Puppetfile cannot manage content '{module.name.text}' outside of containing"
                f" environment: {path} is not within {base}"
            )
            self.error("puppetfile_path", message, place)
