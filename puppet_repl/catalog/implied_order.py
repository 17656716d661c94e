"""The order that types imply: ``autorequire`` and the like of the types that Puppet brings along.

An agent adds these relationships to those that code states. A row of the table says what resources
of a type come after or before, which resources those are, and the attribute that names them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice

from puppet_repl.catalog.json import is_real
from puppet_repl.catalog.resource_types import NativeType
from puppet_repl.language.syntax.regexp_escapes import RegexpError
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final, Literal, TypeAlias

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.language.values.protocols import Value

    Kind: TypeAlias = Literal["require", "before"]
    Namer: TypeAlias = Callable[[Value, "Others"], Iterable[str]]

_NUMBER = re.compile(r"^[0-9]+$", re.MULTILINE)
_GID = re.compile(r"\s*-?[0-9]+\s*")
_PATH = re.compile(r"^(?:[a-zA-Z]:[\\/]|/)[^ \t\r\n\f\v]+", re.MULTILINE)
_QUOTED = re.compile(r'^"([^"]+)"', re.MULTILINE)
# Any other text as "ensure" of a file is the target of a link, a relative path too.
# What means itself in a regular expression.
_PLAIN = re.compile(r"[\w/ ,:=@%~-]*")
_STATES = frozenset(("absent", "directory", "false", "file", "link", "present"))


# How the value of an attribute names resources


def _each(value: Value, _: Others) -> Iterator[str]:
    """Yield all texts of a value."""
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, str):
            yield item


def _name(value: Value, _: Others) -> Iterator[str]:
    """Yield the first text of a value unless it is a number."""
    first = value[0] if isinstance(value, tuple) and value else value
    if isinstance(first, str) and not _NUMBER.search(first):
        yield first


def _absolute(value: Value, others: Others) -> Iterator[str]:
    """Yield an absolute path."""
    return (each for each in _each(value, others) if _PATH.match(each))


def _above(value: Value, others: Others) -> Iterator[str]:
    """Yield the directories above a path, the nearest first."""
    for path in _each(value, others):
        rest = re.sub("//+", "/", path.rstrip("/"))
        while "/" in rest:
            rest = rest[: rest.rindex("/")]
            yield rest if rest[-1:] not in ("", ":") else f"{rest}/"


def _nearest(value: Value, others: Others) -> Iterator[str]:
    """Yield the nearest directory above a path that is in the catalog."""
    return islice((each for each in _above(value, others) if others.find("file", each)), 1)


def _below(value: Value, others: Others) -> Iterator[str]:
    """Yield the files of the catalog that are below a directory."""
    for path in _each(value, others):
        yield from others.below(path)


def _linked(value: Value, others: Others) -> list[str]:
    """Return the target of a link that ``ensure`` gives: the last text that names no state."""
    return [each for each in _each(value, others) if each not in _STATES][-1:]


def _groups(value: Value, others: Others) -> Iterator[str]:
    """Yield groups by their names, or by the gid of a group in the catalog."""
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, str) and not _NUMBER.search(item):
            yield item
        elif isinstance(item, (str, int)):
            group = others.groups.get(_gid(item))
            if group is not None:
                yield group


def _gid(value: Value) -> float | None:
    """Return the number of a group; an agent reads text as Ruby, where a zero begins octal."""
    if isinstance(value, str):
        if _GID.fullmatch(value) is None:
            return None
        try:
            return int(value, 8 if value.strip().lstrip("-")[0] == "0" else 10)
        except ValueError:
            return None
    return value if type(value) is int or type(value) is float else None


def _first_word(value: Value, others: Others) -> Iterator[str]:
    """Yield the files that begin a line of a command; an array has the command first."""
    yield from _paths((value[0],) if isinstance(value, tuple) and value else value, others)
    for text in _each(value[:1] if isinstance(value, tuple) else value, others):
        yield from _QUOTED.findall(text)


def _paths(value: Value, others: Others) -> Iterator[str]:
    """Yield the files that begin a line of a command, or of each of several commands."""
    for item in value if isinstance(value, tuple) else (value,):
        for text in _each(item[0] if isinstance(item, tuple) and item else item, others):
            yield from _PATH.findall(text)


def _pool(value: Value, others: Others) -> Iterator[str]:
    """Yield the pool of a ZFS file system."""
    return (each.split("/")[0] for each in _each(value, others))


def _file_systems(value: Value, others: Others) -> Iterator[str]:
    """Yield the ZFS file systems above another one."""
    for name in _each(value, others):
        parts = name.split("/")
        yield from ("/".join(parts[:count]) for count in range(2, len(parts)))


_NAMES: Final = frozenset(("command", "name", "path"))
_TABLE: Final[dict[str, tuple[tuple[Kind, str, str, Namer, str], ...]]] = {
    # type: the relationship that it implies, the type of the others, the attribute, how it names
    # them, and the attribute that counts instead if it is given
    "cron": (("require", "user", "user", _each, ""),),
    "exec": (
        ("require", "file", "cwd", _each, ""),
        ("require", "file", "command", _first_word, ""),
        ("require", "file", "onlyif", _paths, ""),
        ("require", "file", "unless", _paths, ""),
        ("require", "user", "user", _name, ""),
    ),
    "file": (
        ("require", "file", "path", _nearest, ""),
        ("require", "file", "target", _each, ""),
        ("require", "file", "ensure", _linked, "target"),
        ("require", "user", "owner", _name, ""),
        ("require", "group", "group", _name, ""),
    ),
    "mount": (
        ("require", "mount", "name", _above, ""),
        ("before", "file", "name", _below, ""),
    ),
    "package": (
        ("require", "file", "responsefile", _each, ""),
        ("require", "file", "adminfile", _each, ""),
        ("require", "file", "source", _absolute, ""),
    ),
    "selmodule": (("require", "file", "selmodulepath", _each, ""),),
    "ssh_authorized_key": (("require", "user", "user", _each, ""),),
    "user": (
        ("require", "group", "gid", _groups, ""),
        ("require", "group", "groups", _each, ""),
    ),
    "zfs": (
        ("require", "zpool", "name", _pool, ""),
        ("require", "zfs", "name", _file_systems, ""),
    ),
}


class Others:
    """The resources of a catalog as the rows of the table look for them, each index built once.

    ``groups`` has the title of the first group with each gid.
    """

    def __init__(self, members: Iterable[Resource], resources: Resources) -> None:
        self._resources = resources
        self._found: dict[tuple[str, str], Resource | None] = {}
        self._paths: dict[tuple[str, str], Resource] = {}
        self.groups: dict[float | None, str] = {}
        for member in members:
            if member.type in ("File", "Mount"):
                self._paths[member.type.lower(), _path(member)] = member
            elif member.type == "Group":
                gid = attribute(member, "gid")
                number = _gid(gid[0] if isinstance(gid, tuple) and gid else gid)
                if number is not None:
                    self.groups.setdefault(number, member.title)
        files = (path for type_name, path in self._paths if type_name == "file")
        self._places = sorted((path, place) for place, path in enumerate(files))

    def below(self, path: str) -> list[str]:
        """Return the paths of the files below a directory, in the order of the catalog."""
        directory = path.rstrip("/") or path
        if not _PLAIN.fullmatch(directory):
            return self._matching(directory)
        # In the order of characters a zero comes after a slash.
        first, end = (bisect_left(self._places, (f"{directory}{each}",)) for each in "/0")
        return [file for file, _ in sorted(self._places[first:end], key=lambda each: each[1])]

    def _matching(self, directory: str) -> list[str]:
        """Return the files below a directory by its name as a regular expression, as an agent."""
        try:
            inside = Regexp(f"^{directory}/.")
        except RegexpError:
            return []
        places = sorted(self._places, key=lambda each: each[1])
        return [file for file, _ in places if inside.search(file)]

    def find(self, type_name: str, title: str) -> Resource | None:
        """Return a resource by its title or alias; a file or a mount also by its path."""
        key = type_name, title
        if key not in self._found:
            found = self._resources.find(type_name, title)
            if found is None:
                found = self._paths.get((type_name, title.rstrip("/") or title[:1]))
            self._found[key] = found if found is not None and is_real(found) else None
        return self._found[key]

    def of_core_type(self, member: Resource) -> Iterator[tuple[Kind, Resource]]:
        """Yield the relationships that a type of Puppet implies, in the order of an agent."""
        for kind, type_name, name, namer, instead in _TABLE.get(member.type.lower(), ()):
            # Most resources have few of these, and only the title gives one to others.
            if name not in member.parameters and name not in _NAMES:
                continue
            value = attribute(member, name)
            if value is None or (instead and attribute(member, instead) is not None):
                continue
            for title in namer(value, self):
                other = self.find(type_name, title)
                if other is not None:
                    yield kind, other


def _path(member: Resource) -> str:
    """Return the path of a file or a mount as an agent writes it, without a slash at the end."""
    path = attribute(member, "path" if member.type == "File" else "name")
    return path.rstrip("/") or path[:1] if type(path) is str else ""


def attribute(member: Resource, name: str) -> Value:
    """Return the value of an attribute, which the title may give; a secret is unwrapped."""
    value = member.value(name)
    definition = member.definition
    if value is None and isinstance(definition, NativeType) and name in definition.namevars:
        value = definition.title_values(member.title).get(name)
    return value.value if isinstance(value, Sensitive) else value
