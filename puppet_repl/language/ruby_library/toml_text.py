"""TOML as stdlib writes it: Ruby's texts of values, under sorted keys."""

from __future__ import annotations

import re

from puppet_repl.language.ruby_library.ordering import natural_sort
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import no_method, ruby_inspect, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

# In Ruby's notation: one line of a key decides.
_BARE = Regexp(r"^[a-zA-Z0-9_-]*$")
_INTERPOLATION = re.compile(r"\\(#[$@{])")


def toml_text(data: Value) -> str:
    """Return a hash as TOML."""
    lines: list[str] = []
    _write_table(data, (), lines)
    return "".join(lines)


def _write_table(table: Value, path: tuple[str, ...], lines: list[str]) -> None:
    entries = _entries(table)
    is_plain = [not _is_table(value) and not _is_table_array(value) for _, value in entries]
    if path and (any(is_plain) or not entries):
        lines.append(f"[{'.'.join(path)}]\n")
    _write_entries(entries, path, lines)


def _write_entries(
    entries: list[tuple[str, Value]], path: tuple[str, ...], lines: list[str]
) -> None:
    """Write the simple values first, then the tables, then the arrays of tables."""
    for key, value in entries:
        if not _is_table(value) and not _is_table_array(value):
            lines.append(f"{key} = {_value_text(value)}\n")
    for key, value in entries:
        if _is_table(value):
            _write_table(value, (*path, key), lines)
    for key, value in entries:
        if isinstance(value, tuple) and _is_table_array(value):
            for table in value:
                lines.append(f"[[{'.'.join((*path, key))}]]\n")
                _write_entries(_entries(table), (*path, key), lines)


def _entries(table: Value) -> list[tuple[str, Value]]:
    """Return the keys as they are written, in order, with their values."""
    if type(table) is not PuppetHash:
        raise no_method("keys", table)
    return [(_key_text(key), table[key]) for key in natural_sort(tuple(table.keys()))]


def _is_table(value: Value) -> bool:
    return type(value) is PuppetHash


def _is_table_array(value: Value) -> bool:
    return type(value) is tuple and len(value) > 0 and type(value[0]) is PuppetHash


def _key_text(key: Value) -> str:
    text = ruby_text(key)
    if _BARE.matches(text):
        return text
    if type(key) is not str:
        raise no_method("gsub", key)
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'


def _value_text(value: Value) -> str:
    if type(value) is str:
        return _INTERPOLATION.sub(r"\1", ruby_inspect(value))
    text = ruby_inspect(value)
    return ruby_inspect(text) if type(value) is Regexp else text
