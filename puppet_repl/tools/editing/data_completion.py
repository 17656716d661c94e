"""Completion in data files: keys, classes, values of parameters, names in ``%{...}``.

The text before the cursor is read by lines: while somebody types it is seldom YAML.
"""

from __future__ import annotations

import re

from puppet_repl.base.fuzzy_search import ranked
from puppet_repl.base.yaml_data import YamlError, read_yaml
from puppet_repl.environment.hiera.options import OPTIONS
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.headings import declared_parameters
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session.symbols import GIVEN_VARIABLES
from puppet_repl.tools.completion.details import explain
from puppet_repl.tools.completion.model import (
    MAX_COMPLETIONS,
    MAX_EXPLAINED,
    Completion,
    Completions,
)
from puppet_repl.tools.completion.sources import data_keys
from puppet_repl.tools.completion.type_words import parameter_words
from puppet_repl.tools.editing.hiera_completion import complete_settings
from puppet_repl.tools.inspection.values_in_data import values_in_data
from puppet_repl.tools.validation.data_parameters import CLASSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from puppet_repl.session.symbols import SessionSymbols
    from puppet_repl.tools.editing.resource_data import ResourceData

_LOOKUP = re.compile(r"""\b(?:alias|hiera|lookup)\(\\?["']([\w:]*)\Z""")
_VARIABLE = re.compile(r"""\s*(?:::)?([\w.]*)\Z""")
_KEY = re.compile(r"""(?P<indent>[ \t]*)(?P<quote>["']?)(?P<word>[\w:]*)\Z""")
_JSON_KEY = re.compile(r"""(?:^|[{,])\s*(?P<quote>")(?P<word>[\w:]*)\Z""")
_ITEM = re.compile(r"""(?P<indent>[ \t]*)-[ \t]+(?P<quote>["']?)(?P<word>[\w:.-]*)\Z""")
_VALUE = re.compile(
    r"""(["']?)(?<![\w:])(?P<key>[\w:]+)\1[ \t]*:[ \t]+(?P<quote>["']?)(?P<word>[\w.-]*)\Z"""
)
_ABOVE = re.compile(r"""([ \t]*)(["']?)([^\s"'#:-][^"'#]*?)\2:(?:\s|\Z)""")


class Cursor:
    """The line before the cursor, the lines above and below, and the text after it on its line."""

    def __init__(self, text: str, offset: int, *, is_json: bool) -> None:
        start = text.rfind("\n", 0, offset) + 1
        self.before = text[start:offset]
        self.above = text[:start].splitlines()
        self.after, _, below = text[offset:].partition("\n")
        self.below = below.splitlines()
        self.is_json = is_json

    def parents(self, indent: int) -> list[str]:
        """Return the keys that a line with an indent is below, the outermost first."""
        found: list[str] = []
        for line in reversed(self.above):
            key = _ABOVE.match(line)
            if key is not None and len(key[1]) < indent:
                found.append(key[3])
                indent = len(key[1])
            if indent == 0:
                break
        return found[::-1]

    def list_of(self, indent: int) -> str:
        """Return the key whose value the list of a line is, which may have the same indent."""
        return next(reversed(self.parents(indent + 1)), "")


def complete_data(
    known: SessionSymbols,
    text: str,
    offset: int,
    given: Collection[str],
    types_of: Callable[[str], Iterable[ResourceData]] = lambda _: (),
    *,
    module: str | None = None,
    is_json: bool = False,
    is_hiera: bool = False,
) -> Completions:
    """Return completions at an offset of a data file, which has the ``given`` keys already.

    It may also be a hiera.yaml. Data of a ``module`` have only keys that begin with its name.
    ``types_of`` returns the resources whose attributes the value of a key has.
    """
    cursor = Cursor(text, offset, is_json=is_json)
    word, items = _found(known, cursor, given, module, is_hiera=is_hiera)
    if not items and not is_json and not is_hiera:
        word, items = _attributes(known, cursor, types_of)
    found = ranked(items, word.lower())[:MAX_COMPLETIONS]
    explain(known, found[:MAX_EXPLAINED])
    return Completions(offset - len(word), offset, found)


def _found(
    known: SessionSymbols,
    cursor: Cursor,
    given: Collection[str],
    module: str | None,
    *,
    is_hiera: bool,
) -> tuple[str, list[Completion]]:
    """Return the word before the cursor, and its candidates."""
    before = cursor.before
    inside = before.rpartition("%{")
    if inside[1] and "}" not in inside[2]:
        return _in_expression(known, inside[2])
    settings = None if cursor.is_json else complete_settings(known, cursor, is_hiera=is_hiera)
    if settings is not None:
        return settings
    value = _VALUE.search(before) if cursor.is_json else _VALUE.match(before)
    if value is not None:
        quote = value["quote"]
        words = _values(known, value["key"], quoted=bool(quote), is_json=cursor.is_json)
        return value["word"], [*words]
    item = _ITEM.match(before)
    if item is not None:
        key = cursor.list_of(len(item["indent"]))
        if key == CLASSES:
            return item["word"], [Completion(name, "class") for name in known.class_names()]
        words = _values(known, key, quoted=bool(item["quote"]), is_item=True)
        return item["word"], [*words]
    entry = _JSON_KEY.search(before) if cursor.is_json else _KEY.match(before)
    if entry is None:
        return "", []
    parents = [] if cursor.is_json else cursor.parents(len(entry["indent"]))
    word = entry["word"]
    ends = "" if entry["quote"] or re.match(r"[\w:]*[\"']?:", cursor.after) else ": "
    if parents == [OPTIONS] or not parents:
        taken = given if not parents else ()
        keys = _keys(known, word, taken, ends, is_top=not parents)
        return word, [key for key in keys if module is None or _may_be_in(module, key)]
    return word, []


def _may_be_in(module: str, key: Completion) -> bool:
    """Tell whether the data of a module may have a key, or one of the parameters of a class."""
    return key.text.startswith(f"{module}::") or key.label == OPTIONS


def _attributes(
    known: SessionSymbols, cursor: Cursor, types_of: Callable[[str], Iterable[ResourceData]]
) -> tuple[str, list[Completion]]:
    """Return the word before the cursor, and attributes or values of resources below a key."""
    key, value = _KEY.match(cursor.before), _VALUE.search(cursor.before)
    indent = cursor.before[: len(cursor.before) - len(cursor.before.lstrip())]
    parents = cursor.parents(len(indent))
    named = parents[0] if parents and (key or value) else ""
    types = [each.type_name for each in types_of(named) if each.depth == len(parents)]
    if value is not None:
        words = [
            item
            for name in types
            for item in _values(known, f"{name}::{value['key']}", quoted=bool(value["quote"]))
        ]
        return value["word"], words
    ends = "" if key is None or key["quote"] or re.match(r"\w*[\"']?:", cursor.after) else ": "
    names = {f"{name}.{each}": each for name in types for each in known.attributes(name, "")}
    items = [
        Completion(f"{label}{ends}", "attribute", label=label, name=name, detail=name)
        for name, label in names.items()
    ]
    return "" if key is None else key["word"], items


def _keys(
    known: SessionSymbols, word: str, given: Collection[str], ends: str, *, is_top: bool
) -> Iterator[Completion]:
    """Yield keys: parameters of the class that the word begins with, classes, keys of others."""
    names = known.class_names()
    seen = set(given)
    for owner in dict.fromkeys((word.removesuffix("::"), word.rpartition("::")[0])):
        for name, detail in _parameters(known, owner):
            key = f"{owner}::{name}"
            if key not in seen:
                seen.add(key)
                yield Completion(f"{key}{ends}", "data key", label=key, name=key, detail=detail)
    for key in (OPTIONS, CLASSES) if is_top else ():
        if key not in seen:
            yield Completion(f"{key}{ends}", "data key", label=key, name=key, weight=1)
    for item in data_keys(known):
        if item.text not in seen:
            label = item.text
            seen.add(label)
            yield Completion(
                f"{label}{ends}", "data key", label=label, name=label, detail=item.detail, weight=1
            )
    for name in names:
        yield Completion(f"{name}::", "class", label=name, name=name, weight=2)


def _parameters(known: SessionSymbols, owner: str) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a class, with type and default."""
    found = known.in_module_file(owner) if owner else None
    if found is None or not isinstance(found[1], ast.HostClassDefinition):
        return
    in_data = values_in_data(known, owner)
    for name, (kind, declared) in declared_parameters(found[0], found[1].start).items():
        shown = " ".join((kind or "Any").split())
        default = declared or in_data.get(name, "")
        yield name, f"{shown} = {' '.join(default.split())}" if default else shown


def _values(
    known: SessionSymbols, key: str, *, quoted: bool, is_json: bool = False, is_item: bool = False
) -> Iterator[Completion]:
    """Yield the words that the type of a parameter, or of the items of its arrays, names."""
    owner, _, name = key.rpartition("::")
    for word, is_text in parameter_words(known, owner, name, is_item=is_item):
        if not is_text or quoted:
            text = word
        elif is_json:
            text = f'"{word}"'
        else:
            text = word if _is_plain(word) else "'" + word.replace("'", "''") + "'"
        if is_text or not quoted:
            yield Completion(text, "value", label=word, detail=f"of {key}")


def _is_plain(word: str) -> bool:
    """Tell whether YAML reads a word without quotes as a string with this text."""
    try:
        return bool(read_yaml(word) == word)
    except YamlError:
        return False


def _in_expression(known: SessionSymbols, inner: str) -> tuple[str, list[Completion]]:
    """Return candidates in ``%{...}``: keys of lookups, variables and keys of their values."""
    call = _LOOKUP.search(inner)
    if call is not None:
        return call[1], [*data_keys(known)]
    variable = _VARIABLE.match(inner)
    if variable is None:
        return "", []
    path, dot, word = variable[1].rpartition(".")
    if not dot:
        names = [*GIVEN_VARIABLES, "lookup('", "alias('", "literal('"]
        return word, [Completion(name, "variable", name=f"${name}") for name in names]
    _, value = known.variable(tuple(path.split(".")))
    keys = [key for key in value.keys() if type(key) is str] if type(value) is PuppetHash else []
    below = "".join(f"[{key!r}]" for key in path.split(".")[1:])
    start = f"${path.partition('.')[0]}{below}"
    return word, [Completion(key, "key", name=f"{start}[{key!r}]") for key in keys]
