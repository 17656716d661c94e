"""The order that types imply: ``autorequire`` and the like of the types that Puppet brings along.

An agent adds these relationships to those that code states. A row of the table says what resources
of a type come after or before, which resources those are, and the attribute that names them.
"""

from __future__ import annotations

import re

from puppet_repl.catalog.resource_types import NativeType
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final, Literal, TypeAlias

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.language.values.protocols import Value

    Kind: TypeAlias = Literal["require", "subscribe", "before", "notify"]
    Members: TypeAlias = Iterable[Resource]
    Namer: TypeAlias = Callable[[Value, Members], Iterable[str]]

_NUMBER = re.compile(r"^[0-9]+$", re.MULTILINE)
_PATH = re.compile(r"^(?:[a-zA-Z]:[\\/]|/)[^ \t\r\n\f\v]+", re.MULTILINE)
_QUOTED = re.compile(r'^"([^"]+)"', re.MULTILINE)


# How the value of an attribute names resources


def _each(value: Value, _: Members) -> Iterator[str]:
    """Yield all texts of a value."""
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, str):
            yield item


def _name(value: Value, _: Members) -> Iterator[str]:
    """Yield the first text of a value unless it is a number."""
    first = value[0] if isinstance(value, tuple) and value else value
    if isinstance(first, str) and not _NUMBER.search(first):
        yield first


def _absolute(value: Value, members: Members) -> Iterator[str]:
    """Yield an absolute path."""
    return (each for each in _each(value, members) if _PATH.match(each))


def _above(value: Value, members: Members) -> Iterator[str]:
    """Yield the directories above a path, the nearest first."""
    for path in _each(value, members):
        rest = re.sub("//+", "/", path.rstrip("/"))
        while "/" in rest:
            rest = rest[: rest.rindex("/")]
            yield rest if rest[-1:] not in ("", ":") else f"{rest}/"


def _nearest(value: Value, members: Members) -> Iterator[str]:
    """Yield the directories above a path; only the first of them in the catalog counts."""
    return _above(value, members)


def _below(value: Value, members: Members) -> Iterator[str]:
    """Yield the files of the catalog that are below a directory."""
    for path in _each(value, members):
        for member in members:
            if member.type == "File":
                for file in _each(attribute(member, "path"), members):
                    if file.startswith(f"{path}/") and file != f"{path}/":
                        yield file


def _groups(value: Value, members: Members) -> Iterator[str]:
    """Yield groups by their names, or by the gid of a group in the catalog."""
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, str) and not _NUMBER.search(item):
            yield item
        elif isinstance(item, (str, int)):
            for member in members:
                gid = attribute(member, "gid") if member.type == "Group" else None
                if gid is not None and str(gid) == str(item):
                    yield member.title
                    break


def _first_word(value: Value, members: Members) -> Iterator[str]:
    """Yield the files that begin a line of a command; an array has the command first."""
    yield from _paths((value[0],) if isinstance(value, tuple) and value else value, members)
    for text in _each(value[:1] if isinstance(value, tuple) else value, members):
        yield from _QUOTED.findall(text)


def _paths(value: Value, members: Members) -> Iterator[str]:
    """Yield the files that begin a line of a command, or of each of several commands."""
    for item in value if isinstance(value, tuple) else (value,):
        for text in _each(item[0] if isinstance(item, tuple) and item else item, members):
            yield from _PATH.findall(text)


def _pool(value: Value, members: Members) -> Iterator[str]:
    """Yield the pool of a ZFS file system."""
    return (each.split("/")[0] for each in _each(value, members))


def _file_systems(value: Value, members: Members) -> Iterator[str]:
    """Yield the ZFS file systems above another one."""
    for name in _each(value, members):
        parts = name.split("/")
        yield from ("/".join(parts[:count]) for count in range(2, len(parts)))


_TABLE: Final[tuple[tuple[str, Kind, str, str, Namer], ...]] = (
    # type, the relationship that it implies, the type of the others, attribute, how it names them
    ("cron", "require", "user", "user", _each),
    ("exec", "require", "file", "cwd", _each),
    ("exec", "require", "file", "command", _first_word),
    ("exec", "require", "file", "onlyif", _paths),
    ("exec", "require", "file", "unless", _paths),
    ("exec", "require", "user", "user", _name),
    ("file", "require", "file", "path", _nearest),
    ("file", "require", "file", "target", _each),
    ("file", "require", "user", "owner", _name),
    ("file", "require", "group", "group", _name),
    ("mount", "require", "mount", "name", _above),
    ("mount", "before", "file", "name", _below),
    ("package", "require", "file", "responsefile", _each),
    ("package", "require", "file", "adminfile", _each),
    ("package", "require", "file", "source", _absolute),
    ("selmodule", "require", "file", "selmodulepath", _each),
    ("ssh_authorized_key", "require", "user", "user", _each),
    ("user", "require", "group", "gid", _groups),
    ("user", "require", "group", "groups", _each),
    ("user", "require", "user", "roles", _each),
    ("zfs", "require", "zpool", "name", _pool),
    ("zfs", "require", "zfs", "name", _file_systems),
)
_TYPES = frozenset(row[0] for row in _TABLE)


def implied(
    member: Resource, members: Members, find: Callable[[str, str], Resource | None]
) -> Iterator[tuple[Kind, Resource]]:
    """Yield the relationships that the type of a resource implies, with the other resources.

    ``members`` are the resources of the catalog, ``find`` finds one by its type and its title.
    """
    own = member.type.lower()
    for of_type, kind, type_name, name, namer in _TABLE if own in _TYPES else ():
        if of_type != own:
            continue
        for title in namer(attribute(member, name), members):
            other = find(type_name, title)
            if other is not None:
                yield kind, other
                if namer is _nearest:
                    break


def attribute(member: Resource, name: str) -> Value:
    """Return the value of an attribute, which the title may give; a secret is unwrapped."""
    value = member.value(name)
    if value is None and isinstance(member.definition, NativeType):
        value = member.definition.title_values(member.title).get(name)
    return value.value if isinstance(value, Sensitive) else value
