"""What a Puppetfile asks for: a module, where it comes from, and the directory that gets it."""

from __future__ import annotations

import os
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.wording import listed, why_unusable
from puppet_repl.environment.modules.puppetfile import NAME, read_puppetfile
from puppet_repl.environment.modules.puppetfile_rules import problems_of
from puppet_repl.environment.reference.ruby.tokens import RubyError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from puppet_repl.environment.modules.puppetfile import ModuleEntry, Value

FORGE = "https://forgeapi.puppet.com"
# Earlier and other names of the public Forge, most of them without its API.
_PUBLIC = ("forge.puppet.com", "forge.puppetlabs.com", "forgeapi.puppetlabs.com")
CONTROL_BRANCH = "control_branch"
# No option of git, no pattern, and no second half of a refspec.
_REF = re.compile(r"[\w.][\w./@#=+,%-]*", re.ASCII)
# The user and the password of an address; someone may have written a slash into the password.
_CREDENTIALS = re.compile(r"([\w+.-]*:?//)(?:[^/?#\s]*@|[^/?#@:\s]*:(?!\d*[/?#])[^@]*@)")


class ModuleError(Exception):
    """A module cannot be installed; the message says why."""


class PuppetfileError(Exception):
    """The Puppetfile cannot be used at all; the message says why."""


class Wanted(NamedTuple):
    """A module that can be installed.

    ``name`` is that of its directory, ``title`` has the author, too. ``kind`` is forge, git or
    tarball. ``version`` is what the file says: a version, ``latest``, a ref, a checksum, or
    nothing. ``fallback`` is the ref for a repository without this one. ``place`` is the directory
    that gets the module; without ``keeps_spec`` its directory spec is left out.
    """

    name: str
    title: str
    kind: str
    source: str
    version: str
    fallback: str
    place: str
    keeps_spec: bool

    @property
    def spec(self) -> str:
        """What becomes of the directory spec."""
        return "kept" if self.keeps_spec else "left out"

    @property
    def shown_source(self) -> str:
        """The source without user and password."""
        return without_credentials(self.source)


class Refused(NamedTuple):
    """A module that cannot be installed, the reason, and the line of its entry."""

    name: str
    reason: str
    line: int

    @property
    def text(self) -> str:
        """The name, the reason and the location."""
        return f"{self.name}: {self.reason} (file: {NAME}, line: {self.line})"


class Asked(NamedTuple):
    """What a Puppetfile asks for; ``local`` are the names of modules in the repository itself."""

    wanted: list[Wanted]
    refused: list[Refused]
    local: list[str]


def without_credentials(text: str) -> str:
    """Return a text without users and passwords in its addresses, which need not be valid.

    A token can be either of them. The user of an address of SSH has its key elsewhere, and stays.
    """

    def shown(found: re.Match[str]) -> str:
        scheme, given = found[1], found[0].removeprefix(found[1])
        user = given.rstrip("@").partition(":")[0]
        return f"{scheme}{user}@" if "ssh" in scheme and user else scheme

    return _CREDENTIALS.sub(shown, text)


def is_of_git(part: str) -> bool:
    """Tell whether a part of a path is ``.git``, as some file system or other reads it.

    Git gives its files there to programs, and runs some of them.
    """
    # Capital letters, further characters that nobody sees, and what Windows leaves out.
    seen = "".join(letter for letter in part if letter.isprintable())
    return seen.partition(":")[0].rstrip(". ").casefold() in (".git", "git~1")


def forge_address(text: str) -> str:
    """Return the address of the API for what a ``forge`` statement or a user calls a Forge.

    Raises PuppetfileError for anything else than an address.
    """
    whole = text if "://" in text else f"https://{text}"
    try:
        parts = urlsplit(whole)
        host = parts.hostname if parts.scheme in ("http", "https") else None
        _ = parts.port  # raises ValueError, too
    except ValueError:
        host = None
    if not host:
        raise PuppetfileError(f"'{without_credentials(whole)}' is not the address of a Forge")
    return FORGE if host in _PUBLIC else whole.rstrip("/")


def read_wanted(directory: str, forge: str | None, branch_of: Callable[[str], str | None]) -> Asked:
    """Return what the Puppetfile of a directory asks for; raise PuppetfileError.

    ``forge`` replaces the Forge that the file names. ``branch_of`` finds the branch of the control
    repository in a directory, for entries that follow it.
    """
    path = os.path.join(directory, NAME)
    try:
        content = read_puppetfile(read_text(path))
    except FileNotFoundError:
        raise PuppetfileError(f"{directory} has no {NAME}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PuppetfileError(f"{path}: {why_unusable(error)}") from None
    except RubyError as error:
        raise PuppetfileError(f"{path} is not Ruby: {error} (line: {error.line})") from None
    named = content.forge.string if forge is None and content.forge is not None else forge
    reader = _Reader(directory, FORGE if named is None else forge_address(named), branch_of)
    asked = Asked([], [], [])
    duplicates = content.duplicates
    lines: dict[str, int] = {}
    for entry in content.modules:
        name, short, line = entry.name.text, entry.short_name, entry.name.line
        if short in duplicates and entry.is_certain:
            if entry is duplicates[short][0]:
                found = listed([str(each.name.line) for each in duplicates[short]])
                reason = f"{short} is there more than once, in lines {found}"
                asked.refused.append(Refused(name, reason, line))
            continue
        try:
            wanted = reader.read(entry)
        except ModuleError as error:
            asked.refused.append(Refused(name, str(error), line))
            continue
        if wanted is None:
            asked.local.append(name)
        else:
            lines[wanted.title] = line
            asked.wanted.append(wanted)
    _refuse_nested(asked, lines)
    asked.refused.sort(key=lambda each: each.line)
    return asked


def _refuse_nested(asked: Asked, lines: dict[str, int]) -> None:
    """Refuse modules of which one gets a directory inside of the other's."""
    places = [(os.path.join(each.place, "").casefold(), each) for each in asked.wanted]
    for place, inner in places:
        for around, outer in places:
            if outer is not inner and place.startswith(around):
                for module in (outer, inner):
                    if module in asked.wanted:
                        asked.wanted.remove(module)
                        other = inner if module is outer else outer
                        reason = f"its directory {module.place} and that of {other.title}"
                        reason = f"{reason} are one inside of the other"
                        asked.refused.append(Refused(module.title, reason, lines[module.title]))


class _Reader:
    """What makes modules of entries."""

    def __init__(self, directory: str, forge: str, branch_of: Callable[[str], str | None]) -> None:
        self._directory = os.path.realpath(directory)
        self._forge = forge
        self._branch_of = branch_of

    def read(self, entry: ModuleEntry) -> Wanted | None:
        """Return the module of an entry, None for a local one; raise ModuleError."""
        for problem in problems_of(entry, self._directory):
            if problem.is_error:
                raise ModuleError(problem.message)
        name = entry.short_name
        if name is None or not entry.is_whole or any(self._code_in(entry)):
            raise ModuleError("it is not installed, because Ruby code computes its entry")
        if not entry.is_certain:
            raise ModuleError("it is not installed, because Ruby code decides about its entry")
        if entry.kind == "local":
            return None
        title = entry.name.text.replace("/", "-")
        place = self._place(entry, name)
        excluded = entry.options.get("exclude_spec")
        keeps = excluded is None or excluded.text in ("false", "nil")
        if entry.kind == "forge":
            version = self._forge_version(entry)
            return Wanted(name, title, "forge", self._forge, version, "", place, keeps)
        if entry.kind == "git":
            source = self._source(entry, "git")
            ref, fallback = self._refs(entry)
            return Wanted(name, title, "git", source, ref, fallback, place, keeps)
        if entry.kind == "tarball":
            source = self._source(entry, "source")
            given = entry.options.get("checksum", entry.options.get("version"))
            checksum = "" if given is None else given.text.lower()
            return Wanted(name, title, "tarball", source, checksum, "", place, keeps)
        what = "its kind is unknown" if entry.kind is None else f"it is from {entry.kind}"
        raise ModuleError(f"not installed: {what} (known are the Forge, git and tarball)")

    @staticmethod
    def _code_in(entry: ModuleEntry) -> Iterator[bool]:
        values: list[Value | None] = [entry.version, entry.moduledir, *entry.options.values()]
        for value in values:
            yield value is not None and value.kind == "code"

    def _place(self, entry: ModuleEntry, name: str) -> str:
        """Return the directory of a module; raise ModuleError for one outside."""
        base = self._directory
        parent = os.path.realpath(os.path.join(base, entry.directory or ""))
        if parent != base and not parent.startswith(os.path.join(base, "")):
            raise ModuleError(f"its directory {parent} is outside of {base}")
        if any(is_of_git(part) for part in os.path.relpath(parent, base).split(os.sep)):
            raise ModuleError(f"its directory {parent} is one of git's own")
        return os.path.join(parent, name)

    @staticmethod
    def _forge_version(entry: ModuleEntry) -> str:
        """Return the version of a module of the Forge, ``latest``, or nothing."""
        version = entry.forge_version
        return "" if version is None or version.is_nil else version.text

    def _source(self, entry: ModuleEntry, option: str) -> str:
        value = entry.options.get(option, entry.options.get("source"))
        if value is None or value.string is None or value.text.startswith("-"):
            raise ModuleError("its entry names no address")
        return value.text

    def _refs(self, entry: ModuleEntry) -> tuple[str, str]:
        """Return the ref of a repository and the one to take without it; HEAD if none is named."""
        fallbacks = [
            entry.options[name].text
            for name in ("default_branch_override", "default_branch")
            if name in entry.options
        ]
        fallback = fallbacks[0] if fallbacks else ""
        ref = "" if entry.ref is None else entry.ref.text
        if ref == CONTROL_BRANCH and entry.ref is not None and entry.ref.kind == "symbol":
            ref = self._branch_of(self._directory) or fallback
        for each in (ref, fallback):
            if each and not _REF.fullmatch(each):
                raise ModuleError(f"'{each}' is not the name of a branch, tag or commit")
        return ref or fallback or "HEAD", fallback
