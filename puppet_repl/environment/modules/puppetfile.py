"""Puppetfile: the modules that r10k installs, read without running it.

A Puppetfile is Ruby: literals are read, any other code is kept as text.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from puppet_repl.base.file_reading import read_text
from puppet_repl.environment.reference.ruby.comments import parse_ruby
from puppet_repl.environment.reference.ruby.literals import literal_text
from puppet_repl.environment.reference.ruby.tokens import RubyError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.base.reach import Reach
    from puppet_repl.environment.reference.ruby.nodes import Node

    ValueKind: TypeAlias = Literal["string", "symbol", "number", "constant", "code"]

NAME = "Puppetfile"
MODULEDIR = "modules"
"""The directory of modules of a file that names none."""
DECLARATIONS = ("exclusion", "forge", "mod", "moduledir")
REFS = ("branch", "commit", "ref", "tag", "version")
"""Options for the branch, tag or commit of a git repository; the last of them counts."""
_CONSTANTS = ("false", "nil", "true")


class Value(NamedTuple):
    """A value in the file: ``text`` is the text of a literal, for ``code`` the code itself.

    ``start`` and ``end`` are offsets.
    """

    kind: ValueKind
    text: str
    start: int
    end: int
    line: int

    @property
    def string(self) -> str | None:
        """The text of a string, None for anything else."""
        return self.text if self.kind == "string" else None

    @property
    def is_nil(self) -> bool:
        """Whether it is ``nil``."""
        return self.kind == "constant" and self.text == "nil"


class ModuleEntry(NamedTuple):
    """One ``mod``.

    ``version`` is its second argument if that is not a hash; ``options`` are the pairs of the hash
    by name. ``is_whole`` tells whether all options are known, ``is_certain`` whether it is declared
    in any case: not within a condition or a block. ``moduledir`` is the directory that was set
    last. ``arguments`` is how many there are.
    """

    name: Value
    version: Value | None
    options: dict[str, Value]
    is_whole: bool
    is_certain: bool
    moduledir: Value | None
    arguments: int

    @property
    def short_name(self) -> str | None:
        """The name without the author, which is that of the directory; None for code."""
        text = self.name.string
        return None if text is None else text.replace("/", "-").rpartition("-")[2]

    @property
    def kind(self) -> str | None:
        """The kind of its source, as r10k decides; None if r10k knows none, and for code."""
        options = self.options
        named = options.get("type")
        if named is not None and named.kind == "code":
            return None
        word = "" if named is None else named.text
        for kind in ("git", "svn"):
            if kind in options or word == kind:
                return kind
        local = options.get("local")
        if (local is not None and local.text not in ("false", "nil")) or word == "local":
            return "local"
        if not options and self.is_whole:
            return "forge"
        return word if word in ("forge", "tarball") else None

    @property
    def directory(self) -> str | None:
        """The directory that gets the module, as it is written; None for code."""
        place = self.options.get("install_path", self.moduledir)
        return MODULEDIR if place is None else place.string

    @property
    def forge_version(self) -> Value | None:
        """The version of a module of the Forge; None for none, where r10k takes the latest."""
        return self.options.get("version", self.version)

    @property
    def ref(self) -> Value | None:
        """The branch, tag or commit of a git repository; None for no such option."""
        return next((self.options[name] for name in reversed(self.options) if name in REFS), None)

    @property
    def text(self) -> str:
        """The module with what the file says about its version: ``puppetlabs-ntp 9.0.0``."""
        kind = self.kind
        name = self.name.text.replace("/", "-")
        if kind != "forge":
            ref = self.ref if kind == "git" else None
            return f"{name} ({kind})" if ref is None else f"{name} ({kind}, {ref.text})"
        version = self.forge_version
        return name if version is None or version.kind == "code" else f"{name} {version.text}"


class Puppetfile(NamedTuple):
    """The content of a Puppetfile. ``others`` are statements that call something else."""

    modules: list[ModuleEntry]
    others: list[Value]
    forge: Value | None
    moduledir: Value | None

    @property
    def duplicates(self) -> dict[str, list[ModuleEntry]]:
        """The entries of modules that are declared more than once, by short name."""
        found: dict[str, list[ModuleEntry]] = {}
        for entry in self.modules:
            if entry.short_name is not None and entry.is_certain:
                found.setdefault(entry.short_name, []).append(entry)
        return {name: entries for name, entries in found.items() if len(entries) > 1}


def read_puppetfile(text: str) -> Puppetfile:
    """Return what a Puppetfile declares; raise RubyError for a text that is not Ruby."""
    root = parse_ruby(text)
    certain = {id(node) for node in root.parts}
    defined = {node.name for node in root.walk() if node.kind == "def"}
    modules: list[ModuleEntry] = []
    others: list[Value] = []
    settings: dict[str, Value] = {}
    for node in root.walk():
        if node.kind != "call" or node.receiver is not None:
            continue
        arguments = node.arguments
        if node.name == "mod" and arguments:
            moduledir = settings.get("moduledir")
            modules.append(_entry(text, node, moduledir, is_certain=id(node) in certain))
        elif node.name in ("forge", "moduledir") and arguments:
            settings[node.name] = _value(text, arguments[0])
        elif node.name not in (*DECLARATIONS, *defined) and arguments and id(node) in certain:
            others.append(Value("code", node.name, node.start, node.end, node.line))
    return Puppetfile(modules, others, settings.get("forge"), settings.get("moduledir"))


def module_names(text: str) -> set[str]:
    """Return the short names of the modules of a Puppetfile; none for a text that is not Ruby."""
    try:
        content = read_puppetfile(text)
    except RubyError:
        return set()
    return {entry.short_name for entry in content.modules if entry.short_name is not None}


def entry_of_missing(directory: str, name: str, reach: Reach | None = None) -> ModuleEntry | None:
    """Return what the Puppetfile of an environment says about a module that is not installed.

    ``name`` is short. Returns None for other modules, and for those whose directory exists.
    """
    path = os.path.join(directory, NAME)
    try:
        if reach is not None:
            reach.check(path)
        content = read_puppetfile(read_text(path, errors="replace"))
    except (OSError, RubyError):
        return None
    for entry in content.modules:
        if entry.short_name == name:
            place = os.path.join(directory, entry.directory or "", name)
            is_there = (reach is None or reach.allows(place)) and os.path.isdir(place)
            return None if is_there else entry
    return None


def _entry(text: str, node: Node, moduledir: Value | None, *, is_certain: bool) -> ModuleEntry:
    name, *rest = node.arguments
    last = rest[-1] if rest else None
    version: Value | None = None
    options: dict[str, Value] = {}
    is_whole = True
    if last is not None and last.kind in ("list", "hash"):
        options = dict(_pairs(text, last))
        is_whole = all(part.kind == "pair" and len(part.parts) == 2 for part in last.parts)
    if rest and (rest[0] is not last or not options):
        version = _value(text, rest[0])
        is_whole = is_whole and version.kind != "code"
    count = len(node.arguments)
    return ModuleEntry(_value(text, name), version, options, is_whole, is_certain, moduledir, count)


def _pairs(text: str, node: Node) -> Iterator[tuple[str, Value]]:
    for part in node.parts:
        if part.kind == "pair" and len(part.parts) == 2:
            key = part.parts[0]
            yield literal_text(key, text) or text[key.start : key.end], _value(text, part.parts[1])


def _value(text: str, node: Node) -> Value:
    token = node.token
    written = text[node.start : node.end]
    kind: ValueKind = "code"
    if node.kind == "literal" and token is not None and "#{" not in written:
        if token.kind in ("string", "symbol", "quoted symbol"):
            kind = "string" if token.kind == "string" else "symbol"
            written = literal_text(node, text) or ""
        elif token.kind == "number":
            kind = "number"
    elif written in _CONSTANTS:
        kind = "constant"
    return Value(kind, written, node.start, node.end, node.line)
