"""The rules of r10k for the entries of a Puppetfile, in its words."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.environment.modules.puppetfile import REFS
from puppet_repl.language.values.semver import SemVer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.environment.modules.puppetfile import ModuleEntry, Value

LATEST = "latest"
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
# Ruby makes one string of two that nothing separates.
_ADJACENT = re.compile(r"""((['"])[^'"\\#]*\2)[\s\\]*(['"])[^'"\\#]*\3""")


class Problem(NamedTuple):
    """A rule that an entry breaks: the name of the rule, the message, and the value with the error.

    r10k refuses the Puppetfile because of an error, and ignores an option without effect.
    """

    code: str
    message: str
    value: Value
    is_error: bool


def problems_of(entry: ModuleEntry, directory: str) -> Iterator[Problem]:
    """Yield the problems of an entry; ``directory`` is that of the Puppetfile.

    Values that Ruby code computes have none.
    """
    error = _arguments_error(entry)
    if error is not None:
        yield error
        return
    kind = entry.kind
    if kind is None:
        if entry.is_whole and "type" not in entry.options:
            message = (
                f"Module {entry.name.text} doesn't have an implementation."
                " (Are you using the right arguments?)"
            )
            yield Problem("puppetfile_module", message, entry.name, is_error=True)
        return
    if kind == "forge":
        yield from _forge_errors(entry)
    elif kind == "git" and entry.is_whole:
        if not any(option in entry.options for option in (*REFS, "default_branch")):
            message = "no branch, tag, commit or ref: r10k has to know a default_ref"
            yield Problem("puppetfile_ref", message, entry.name, is_error=False)
    yield from _option_problems(entry, kind)
    yield from _path_errors(entry, directory)


def _arguments_error(entry: ModuleEntry) -> Problem | None:
    """Return the error of the name of an entry, or of the number of its arguments."""
    name = entry.name
    adjacent = _ADJACENT.match(name.text) if name.kind == "code" else None
    if adjacent is not None:
        message = f"a comma is missing after {adjacent[1]}"
    elif entry.arguments > 2:
        message = f"wrong number of arguments (given {entry.arguments}, expected 1..2)"
    elif name.string is not None and not _NAME.fullmatch(name.string):
        title = name.string.replace("/", "-")
        message = f"Module name ({title}) must match either 'modulename' or 'owner/modulename'"
    else:
        return None
    return Problem("puppetfile_module", message, name, is_error=True)


def _forge_errors(entry: ModuleEntry) -> Iterator[Problem]:
    name = entry.name
    if name.string is not None and not re.search(r"[-/]", name.string):
        message = f"Forge module names must match 'owner/modulename', instead got {name.text}"
        yield Problem("puppetfile_module", message, name, is_error=True)
    version = entry.forge_version
    if version is None or version.kind == "code" or version.is_nil:
        return
    if version.kind == "symbol" and version.text == LATEST:
        return
    try:
        SemVer.parse(version.text)
    except RuntimeFailure:
        message = f"Module version {version.text} is not a valid Forge module version"
        yield Problem("puppetfile_version", message, version, is_error=True)


def _option_problems(entry: ModuleEntry, kind: str) -> Iterator[Problem]:
    options = entry.options
    known = _OPTIONS.get(kind)
    for name, value in options.items():
        if known is not None and name not in known and name not in _OF_ALL:
            message = f"R10K::Module::{_CLASSES[kind]} cannot handle option '{name}'"
            yield Problem("puppetfile_option", message, value, is_error=kind == "tarball")
    for group in _SAME.get(kind, ()):
        both = [name for name in options if name in group]
        if len(both) > 1:
            message = (
                f"R10K::Module::{_CLASSES[kind]} parameters '{both[0]}' and '{both[1]}'"
                " conflict. Specify one or the other, but not both"
            )
            yield Problem("puppetfile_option", message, options[both[1]], is_error=False)


def _path_errors(entry: ModuleEntry, directory: str) -> Iterator[Problem]:
    place = entry.options.get("install_path")
    if place is None or place.string is None:
        return
    base = os.path.abspath(directory)
    path = os.path.normpath(os.path.join(base, place.string))
    if not path.startswith(base):
        message = (
            f"Puppetfile cannot manage content '{entry.name.text}' outside of containing"
            f" environment: {path} is not within {base}"
        )
        yield Problem("puppetfile_path", message, place, is_error=True)
