"""The variables that a debugger lists: rows of the protocol, some of which unfold into more.

Those of the program come first. What Puppet provides and what the session adds (``$_``, ``$_3``) is
folded into one row, so that it hides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from puppet_repl.tools.inspection.containers import hash_items, is_container
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.values import short_text

Row = dict[str, Any]
# Name, value (or a Group) and the expression for it.
Entry = tuple[str, Any, str]
NOT_EXPANDABLE = 0
# Characters of a value in the list; its parts can be unfolded.
MAX_VALUE = 1000
# Parts in one list; longer lists are grouped.
MAX_PARTS = 1000
SPECIAL = "special variables"
# Bound in the scope of every class and defined type.
_OF_BODIES = ("module_name", "caller_module_name")


class Group:
    """Entries after a row that is not a value; a function makes them when they are asked for."""

    __slots__ = ("_entries", "text")

    def __init__(self, entries: list[Entry] | Callable[[], list[Entry]], text: str = "") -> None:
        self._entries = entries
        self.text = text

    @property
    def entries(self) -> list[Entry]:
        """The entries."""
        if callable(self._entries):
            self._entries = self._entries()
        return self._entries


def text_of(value: object) -> str:
    """Return a value as one line, cut where it is too long."""
    return plain(short_text(value, MAX_VALUE))


def entries_of(
    values: Mapping[str, Any], given: set[str], matches: Mapping[str, Any]
) -> list[Entry]:
    """Return the variables of a scope in the order in which they are listed.

    ``given`` are those that no code has assigned, ``matches`` the match variables.
    """
    own: list[Entry] = []
    special: list[Entry] = []
    for name in sorted(values):
        is_special = name in given or name in _OF_BODIES or name == "_" or name[:2] == "__"
        is_result = name[:1] == "_" and name[1:].isdigit()
        entry = name, values[name], f"${name}"
        if name == "facts":
            continue
        (special if is_special or is_result else own).append(entry)
    matched = [(name, value, f"${name}") for name, value in matches.items()]
    listed = [*own, *matched]
    if "facts" in values:
        listed.append(("facts", values["facts"], "$facts"))
    if special:
        names = ", ".join(expression for _, _, expression in special)
        listed.append((SPECIAL, Group(special, names), ""))
    return listed


def parts_of(value: object, path: str) -> list[Entry]:
    """Return the parts of a value; ``path`` is the expression for it."""
    if isinstance(value, Group):
        return value.entries
    if type(value) is tuple:
        parts = [(str(index), item, f"{path}[{index}]") for index, item in enumerate(value)]
    else:
        texts = [(text_of(key), item) for key, item in hash_items(value) or []]
        parts = [(key, item, f"{path}[{key}]") for key, item in texts]
    return parts


def _grouped(entries: list[Entry]) -> list[Entry]:
    """Return entries, or groups of them where a list would be too long to be looked at."""
    size = MAX_PARTS
    while len(entries) > MAX_PARTS * size:
        size *= MAX_PARTS
    if len(entries) <= MAX_PARTS:
        return entries
    groups: list[Entry] = []
    for start in range(0, len(entries), size):
        part = entries[start : start + size]
        name = f"[{start}..{start + len(part) - 1}]"
        groups.append((name, Group(part, f"{len(part)} entries"), ""))
    return groups


class VariableRows:
    """What the rows that were sent unfold into, by reference, until the next stop."""

    def __init__(self, type_text: Callable[[Any], str]) -> None:
        self._type_text = type_text
        self._expandable: list[tuple[Any, str]] = []

    def clear(self) -> None:
        """Forget the references: front ends ask for new ones."""
        self._expandable.clear()

    def reference(self, entries: list[Entry] | Group) -> int:
        """Return a reference to entries."""
        return self._keep(entries if isinstance(entries, Group) else Group(entries), "")

    def _keep(self, value: object, path: str) -> int:
        self._expandable.append((value, path))
        return len(self._expandable)

    def rows(self, entries: list[Entry]) -> list[Row]:
        """Return the rows for entries."""
        return [self.row(*entry) for entry in _grouped(entries)]

    def unfold(
        self, reference: int, kind: str = "", start: int = 0, count: int | None = None
    ) -> list[Row]:
        """Return the rows that a row unfolds into, none for an unknown one.

        ``kind`` is 'indexed' or 'named' if only parts with numbers or names are wanted.
        """
        if not 0 < reference <= len(self._expandable):
            return []
        value, path = self._expandable[reference - 1]
        is_indexed = type(value) is tuple
        if kind and (kind == "indexed") != is_indexed:
            return []
        parts = parts_of(value, path)
        if not start and not count:
            return self.rows(parts)
        return [self.row(*part) for part in parts[start : start + count if count else None]]

    def row(self, name: str, value: Any, path: str) -> Row:
        """Return the row of one entry."""
        if isinstance(value, Group):
            reference = self._keep(value, path) if value.entries else NOT_EXPANDABLE
            return {"name": name, "value": value.text, "variablesReference": reference}
        row = {
            "name": name,
            "value": text_of(value),
            "evaluateName": path,
            "variablesReference": NOT_EXPANDABLE,
        }
        if is_container(value):
            row["variablesReference"] = self._keep(value, path)
            row["indexedVariables" if type(value) is tuple else "namedVariables"] = len(value)
            # JupyterLab's tree shows the type in place of the value where there is one.
            row["type"] = self._type_text(value)
        return row
