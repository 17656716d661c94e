"""Completion of hiera.yaml, and of the options of keys in data (``lookup_options``).

The text before the cursor is read by lines and brackets: while somebody types it is seldom YAML.
"""

from __future__ import annotations

import re

from puppet_repl.environment.hiera.config_problems import (
    ALL_FUNCTIONS,
    CONFIG_KEYS,
    FILE_FUNCTIONS,
    FUNCTIONS,
    LEVEL_KEYS,
)
from puppet_repl.environment.hiera.locations import LOCATIONS
from puppet_repl.environment.hiera.options import OPTIONS
from puppet_repl.language.functions.index import THEMES
from puppet_repl.tools.completion.model import Completion
from puppet_repl.tools.inspection.documentation import Documentation
from puppet_repl.tools.validation.hiera_config import OF_EYAML
from puppet_repl.tools.validation.hiera_layout import EYAML
from puppet_repl.tools.validation.lookup_options import OF_KEY, OF_MERGE, STRATEGIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.session.symbols import SessionSymbols
    from puppet_repl.tools.editing.data_completion import Cursor

_BRACKET = re.compile(
    r"""(?:(?P<key>(?<![\w:])[\w:]+|'[^'\n]*'|"[^"\n]*")[ \t]*:[ \t]+)?(?P<open>\{)|(?P<close>\})"""
    r"""|'[^'\n]*'|"[^"\n]*\""""
)
_VALUE = re.compile(r"""(["']?)(?<!\w)(?P<key>\w+)\1:[ \t]+(?P<quote>["']?)(?P<word>[\w:]*)\Z""")
_NAME = re.compile(r"""[ \t]*(?P<quote>["']?)(?P<word>\w*)\Z""")
_GIVEN = re.compile(r"""(?:^|[{,])[ \t]*(?:-[ \t]+)?["']?(\w+)["']?:(?=\s|\Z)""")
_DASH = re.compile(r"([ \t]*-[ \t]+)(?=\S|\Z)")
# Those of Hiera 3 and 4 are not offered: nobody begins with them.
_LEVEL_KEYS = tuple([key for key in LEVEL_KEYS if not key.startswith(("hiera3", "v4"))])
# A level has at most one key of each.
_EXCLUSIVE = (LOCATIONS, ALL_FUNCTIONS)
_TEXTS = {
    "version": "5, the version of the format.",
    "defaults": "For all levels that do not say otherwise.",
    "hierarchy": "The levels, the first one counts most.",
    "plan_hierarchy": "The levels for lookups in plans, outside of `apply`.",
    "default_hierarchy": "Levels of a module for keys that no other level has.",
    "name": "The name of the level, in explanations.",
    "datadir": "The directory of the files, `data` by default.",
    "options": "Options for the function of the level.",
    "data_hash": "The function that returns all data of a file.",
    "lookup_key": "The function that returns the value of a key.",
    "data_dig": "The function that returns the value of a key with dots.",
    "path": "A file below datadir.",
    "paths": "Files below datadir, the first one counts most.",
    "glob": "A pattern of files below datadir.",
    "globs": "Patterns of files below datadir.",
    "uri": "An address for the function.",
    "uris": "Addresses for the function.",
    "mapped_paths": "A variable with a list, a name for its elements, a path with that name.",
    "merge": "How the values of several levels are put together.",
    "convert_to": "The data type that a value is converted to.",
    "strategy": "The merge strategy.",
    "knockout_prefix": "The prefix of an element that removes others.",
    "sort_merged_arrays": "Whether merged arrays are sorted.",
    "merge_hash_arrays": "Whether hashes in arrays are merged.",
    "first": "The value of the first level that has one.",
    "unique": "One array of all values, without duplicates.",
    "hash": "One hash; of the values of a key the first counts.",
    "deep": "One hash; hashes and arrays in it are merged, too.",
}


def complete_settings(
    known: SessionSymbols, cursor: Cursor, *, is_hiera: bool
) -> tuple[str, list[Completion]] | None:
    """Return the word before the cursor, and its candidates in a hiera.yaml or in options of keys.

    Return None if the cursor is in no options of a key, and in no hiera.yaml.
    """
    path, rest, given = _place(cursor)
    if not is_hiera and (path[:1] != [OPTIONS] or len(path) < 2):
        return None
    keys = _keys(path) if is_hiera else _keys_of_options(path)
    value = _VALUE.search(rest)
    if value is not None:
        if value["key"] not in keys:
            return value["word"], []
        return value["word"], [*_values(known, value["key"], quoted=bool(value["quote"]))]
    name = _NAME.fullmatch(rest)
    if name is None:
        return "", []
    ends = "" if name["quote"] or re.match(r"\w*[\"']?:", cursor.after) else ": "
    excluded = {each for group in _EXCLUSIVE if not given.isdisjoint(group) for each in group}
    names = [key for key in keys if key not in given | (excluded if is_hiera else set())]
    return name["word"], [
        Completion(f"{key}{ends}", "key", label=key, detail=_TEXTS.get(key, ""), weight=order)
        for order, key in enumerate(names)
    ]


def document_setting(cursor: Cursor, *, is_hiera: bool) -> Documentation | None:
    """Return what the key or the merge strategy after the cursor means, None for other words."""
    found = re.match(r"\w+", cursor.after)
    path, rest, _ = _place(cursor)
    if found is None or (not is_hiera and (path[:1] != [OPTIONS] or len(path) < 2)):
        return None
    keys = _keys(path) if is_hiera else _keys_of_options(path)
    value = _VALUE.search(rest)
    is_key = value is None and _NAME.fullmatch(rest) is not None and found[0] in keys
    is_strategy = value is not None and value["key"] in ("merge", "strategy")
    if not is_key and not (is_strategy and found[0] in STRATEGIES):
        return None
    return Documentation(found[0], "keyword", _TEXTS.get(found[0], ""))


def _place(cursor: Cursor) -> tuple[list[str], str, set[str]]:
    """Return the keys around the cursor, the text of its entry, and the other keys beside it."""
    line = cursor.before
    start = 0
    opened: list[tuple[str, int]] = []
    for found in _BRACKET.finditer(line):
        if found["open"]:
            opened.append(((found["key"] or "").strip("'\""), found.end()))
        elif found["close"] and opened:
            opened.pop()
    dash = _DASH.match(line)
    indent = dash.end() if dash is not None else len(line) - len(line.lstrip())
    path = cursor.parents(indent)
    if opened:
        start = opened[-1][1]
        inner = line[start:] + cursor.after.partition("}")[0]
        keys = [key for key, _ in opened if key]
        return [*path, *keys], line[start:].rpartition(",")[2], {*_GIVEN.findall(inner)}
    return path, line[indent:], {*_beside(cursor, indent, is_first=dash is not None)}


def _beside(cursor: Cursor, indent: int, *, is_first: bool) -> Iterator[str]:
    """Yield the keys of the other lines of the mapping that the line of the cursor is in."""
    for lines in ((() if is_first else reversed(cursor.above)), cursor.below):
        for line in lines:
            dash = _DASH.match(line)
            column = dash.end() if dash is not None else len(line) - len(line.lstrip())
            is_other = column < indent or (dash is not None and lines is cursor.below)
            if line.strip() and is_other:
                break
            if column == indent:
                yield from _GIVEN.findall(line.lstrip())
            if dash is not None and column == indent:
                break


def _keys(path: list[str]) -> tuple[str, ...]:
    """Return the keys that a mapping of a hiera.yaml may have."""
    if not path:
        return CONFIG_KEYS
    if path == ["defaults"]:
        return ("datadir", *FUNCTIONS, "options")
    if path[-1] == "options" and len(path) == 2:
        return OF_EYAML
    return _LEVEL_KEYS if len(path) == 1 and path[0] in CONFIG_KEYS[2:] else ()


def _keys_of_options(path: list[str]) -> tuple[str, ...]:
    """Return the keys that the options of a key, or those of its merge, may have."""
    if len(path) == 2:
        return OF_KEY
    return OF_MERGE if len(path) == 3 and path[2] == "merge" else ()


def _values(known: SessionSymbols, key: str, *, quoted: bool) -> Iterator[Completion]:
    if key in FUNCTIONS:
        usual = {"data_hash": FILE_FUNCTIONS, "lookup_key": (EYAML,)}.get(key, ())
        for order, name in enumerate(usual):
            yield Completion(name, "function", weight=order - 10)
        others = {*THEMES, *known.stdlib_function_names()}
        for name in known.function_names():
            if name not in others:
                yield Completion(name, "function")
    elif key in ("merge", "strategy"):
        for order, name in enumerate(STRATEGIES):
            yield Completion(name, "value", detail=_TEXTS.get(name, ""), weight=order)
    elif key == "convert_to":
        for name in known.type_names():
            yield Completion(name, "type")
    elif key == "version":
        yield Completion("5", "value", detail=_TEXTS[key])
    elif key in OF_MERGE[2:] and not quoted:
        yield Completion("true", "value", detail=_TEXTS[key])
        yield Completion("false", "value", detail=_TEXTS[key], weight=1)
