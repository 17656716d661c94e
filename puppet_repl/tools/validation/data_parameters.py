"""Checks of the data for parameters of classes: whether the class has them, and their types."""

from __future__ import annotations

import os
import re

from puppet_repl.base.matching import nearest
from puppet_repl.language.types.algebra.infer import infer_set
from puppet_repl.language.types.model.alias import TypeAliasType
from puppet_repl.language.types.model.base import UndefType
from puppet_repl.language.types.model.collection import (
    ArrayType,
    CollectionType,
    HashType,
    StructType,
    TupleType,
)
from puppet_repl.language.types.model.scalar import STRING, BooleanType, EnumType, NumericType
from puppet_repl.language.types.model.wrapper import (
    NotUndefType,
    OptionalType,
    SensitiveType,
    VariantType,
)
from puppet_repl.language.types.text.mismatch import describe
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.tools.validation.hiera_layout import FUNCTION_OF
from puppet_repl.tools.validation.module_index import read_within
from puppet_repl.tools.validation.patterns import Pattern
from puppet_repl.tools.validation.surroundings import hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from typing import TypeAlias

    from puppet_repl.base.reach import Reach
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.text.mismatches import Mismatch
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.tools.validation.definitions import Definition
    from puppet_repl.tools.validation.documents import Document, Span
    from puppet_repl.tools.validation.index import Index

    # Place, whether it is an error, code and message; a name, and which one may have been meant.
    Problem: TypeAlias = tuple[Span, bool, str, str, str, str | None]

WRONG_TYPE = "parameter_type"
UNKNOWN = "unknown_parameter"
UNKNOWN_CLASS = "unknown_class"
CLASSES = "classes"
"""The key of classes to include, by custom: ``lookup('classes').include``."""
_CLASS = re.compile(r"[a-z]\w*(?:::[a-z]\w*)*", re.ASCII)
KEY = re.compile(r"((?:[a-z]\w*)(?:::[a-z]\w*)*)::([a-z_]\w*)", re.ASCII)
"""The key of a parameter: the name of its class and its own."""
# Types that have no texts among their instances.
_NO_TEXTS = (
    ArrayType,
    BooleanType,
    CollectionType,
    HashType,
    NumericType,
    SensitiveType,
    StructType,
    TupleType,
    UndefType,
)
_CODE = (".epp", ".erb", ".pp", ".rb")
# A text in code that begins with the colons of a name, or with an expression.
_LOOKUP = re.compile(
    r"""\b(?:lookup|hiera(?:_array|_hash|_include)?)\b[\s(]*(?:\[\s*)?["']((?:[^"'\\\n]|\\.)*)["']"""
)
_PART = re.compile(r"\$(?:\{[^}]*\}|[a-z_][\w:]*)|#\{[^}]*\}|<%.*?%>")
_SKIPPED = (".git", ".hg", ".svn", "fixtures")
# Aliases may name each other without end.
_MAX_ALIASES = 20


def problems(
    document: Document,
    keys: Iterable[str],
    index: Index,
    changed: Container[str],
    mentions: Mentions,
) -> Iterator[Problem]:
    """Yield those ``keys`` that name no parameter of their class, and values its type refuses.

    Classes that their module does not have are among the findings, also those to be included. Of
    the keys in ``changed`` the values are merged or converted before a class has them. A key that
    code ``mentions`` is looked up there, and need not be a parameter.
    """
    value = document.value
    if type(value) is not PuppetHash:
        return
    places = document.places()
    for name in keys:
        key_span, value_span = places[name]
        parts = KEY.fullmatch(name)
        if name == CLASSES:
            yield from _unknown_classes(document, index)
        if parts is None:
            continue
        definition = index.find("class", parts[1])
        if definition is None:
            if index.lacks_class(parts[1]) and not mentions.has(name, parts[1]):
                message, near = _no_class(index, parts[1], ", and no code looks up the key")
                yield key_span, False, UNKNOWN_CLASS, message, parts[1], near
            continue
        parameter = definition.parameter(parts[2])
        if parameter is None:
            if _lacks(index, definition, parts[2]) and not mentions.has(name, parts[1]):
                message, near = _unknown(definition, parts[2])
                yield key_span, False, UNKNOWN, message, name, near
            continue
        if parameter.type_expr is None or name in changed:
            continue
        wanted = index.type_of(parameter.type_expr, definition.source)
        if wanted is None:
            continue
        found = mismatches(wanted, value[name], parts[2])
        if found:
            message = f"Class[{_title(definition)}]:" + texts_of_mismatches(found)
            given = value[name] if type(value[name]) is str else ""
            near = nearest(given, texts_of_type(wanted))
            place = _place(document, name, found, value_span)
            yield place, False, WRONG_TYPE, message, given, near


def _unknown_classes(document: Document, index: Index) -> Iterator[Problem]:
    """Yield the names in the list of classes of which their modules have no class."""
    value = document.value_of(CLASSES)
    for number, name in enumerate(value if type(value) is tuple else ()):
        plain = name.removeprefix("::") if type(name) is str else ""
        if _CLASS.fullmatch(plain) and index.lacks_class(plain):
            span = document.span_at((CLASSES, number))
            message, near = _no_class(index, plain)
            yield span, False, UNKNOWN_CLASS, message, plain, near


def _no_class(index: Index, name: str, end: str = "") -> tuple[str, str | None]:
    """Return the message about a class that does not exist, and the class that may be meant.

    The message has an end before its hint.
    """
    if index.find("define", name) is not None:
        return f"{name} is a defined type, no class{end}", None
    words = f"the module {name.partition('::')[0]} has no class {name}{end}"
    near = index.near(name, "class")
    return words + hint(near), near


def _lacks(index: Index, definition: Definition, parameter: str) -> bool:
    """Tell whether a class has no such parameter, nor a class of that name, for sure."""
    module = index.owner(definition.name)
    return module is not None and module.is_whole and parameter not in ("name", "title")


def _unknown(definition: Definition, parameter: str) -> tuple[str, str | None]:
    """Return the message about a parameter that does not exist, and the key that may be meant."""
    near = nearest(parameter, [each.name for each in definition.parameters], likeness=0.7)
    meant = None if near is None else f"{definition.name}::{near}"
    instead = "" if meant is None else f": did you mean {meant}?"
    words = f"the class {definition.name} has no parameter {parameter}"
    return f"{words}, and no code looks up the key{instead}", meant


def _title(definition: Definition) -> str:
    return "::".join(part.capitalize() for part in definition.name.split("::"))


def mismatches(wanted: PuppetType, value: Value, name: str) -> list[Mismatch]:
    """Return the mismatches of a value, none if interpolation may change it."""
    path = (("parameter", name),)
    if value is None or not is_plain(value):
        return []
    if type(value) is str and ("%{" in value or "ENC[" in value):
        if value.startswith("%{alias(") or may_be_text(wanted):
            return []
        return describe(wanted, STRING, path)
    if wanted.accepts_value(value) or has_expressions(value):
        return []
    return describe(wanted, infer_set(value), path)


def texts_of_mismatches(found: list[Mismatch]) -> str:
    """Return the text of one mismatch, or of several on lines of their own."""
    if len(found) == 1:
        return found[0].format()
    return "\n ".join(["", *[one.format() for one in found]])


def _place(document: Document, name: str, found: list[Mismatch], span: Span) -> Span:
    """Return the place of the one part that is wrong, else that of the whole value."""
    if len(found) > 1 or document.root is None:
        return span
    steps = [key for kind, key in found[0].path[1:] if kind in ("value", "index")]
    place = document.span_at((name, *steps))
    return span if place == (0, 0) else place


def is_plain(value: Value) -> bool:
    """Tell whether a value consists of data alone, without symbols of Ruby."""
    if type(value) is tuple:
        return all(map(is_plain, value))
    if type(value) is PuppetHash:
        return all(is_plain(key) and is_plain(item) for key, item in value.items())
    return value is None or type(value) in (str, int, float, bool)


def has_expressions(value: Value) -> bool:
    """Tell whether texts in a value are interpolated, or decrypted."""
    if type(value) is tuple:
        return any(map(has_expressions, value))
    if type(value) is PuppetHash:
        return any(has_expressions(key) or has_expressions(item) for key, item in value.items())
    return type(value) is str and ("%{" in value or "ENC[" in value)


def may_be_text(wanted: PuppetType, aliases: int = 0) -> bool:
    """Tell whether some text may be an instance of a type."""
    if isinstance(wanted, TypeAliasType):
        return aliases > _MAX_ALIASES or may_be_text(wanted.target(), aliases + 1)
    if isinstance(wanted, OptionalType | NotUndefType):
        return wanted.type is None or may_be_text(wanted.type, aliases)
    if isinstance(wanted, VariantType):
        return not wanted.types or any(may_be_text(each, aliases) for each in wanted.types)
    return not isinstance(wanted, _NO_TEXTS)


def texts_of_type(wanted: PuppetType) -> tuple[str, ...]:
    """Return the texts of an Enum, which may be optional or an alias; () of other types."""
    for _ in range(_MAX_ALIASES):
        if isinstance(wanted, TypeAliasType):
            wanted = wanted.target()
        elif isinstance(wanted, OptionalType | NotUndefType) and wanted.type is not None:
            wanted = wanted.type
    return wanted.values if isinstance(wanted, EnumType) else ()


class Mentions:
    """What the files below some directories mention; they are read when the first key is asked."""

    def __init__(self, directories: Iterable[str], reach: Reach | None = None) -> None:
        self._directories = tuple(directories)
        self._reach = reach
        self._code: str | None = None
        self._data = ""
        self._looked_up: list[Pattern] = []

    def has(self, key: str, class_name: str) -> bool:
        """Tell whether a key may be looked up: by its name, or by a text with expressions in it."""
        if self._code is None:
            self._read()
        assert self._code is not None
        in_data = rf"""[("'\[,\s]{re.escape(key)}["']?\s*\)"""
        return (
            key in self._code
            or (key in self._data and re.search(in_data, self._data) is not None)
            or f"{class_name}::$" in self._code
            or f"{class_name}::#" in self._code
            or any(each.matches(key) for each in self._looked_up)
        )

    def _read(self) -> None:
        code: list[str] = []
        data: list[str] = []
        seen: set[str] = set()
        for directory in self._directories:
            # A directory of a module may be a link to another place.
            for where, directories, names in os.walk(os.path.realpath(directory)):
                directories[:] = [name for name in directories if name not in _SKIPPED]
                is_hidden = self._reach is not None and not self._reach.allows(where)
                if where in seen or is_hidden:
                    directories.clear()
                    continue
                seen.add(where)
                for name in names:
                    ending = os.path.splitext(name)[1]
                    if ending in _CODE:
                        code.append(read_within(os.path.join(where, name), self._reach))
                    elif ending in FUNCTION_OF:
                        text = read_within(os.path.join(where, name), self._reach)
                        data += [line for line in text.split("\n") if "%{" in line]
        self._code = "\n".join(code)
        self._data = "\n".join(data)
        for text in {found[1] for found in _LOOKUP.finditer(self._code)}:
            parts = _PART.split(text)
            if len(parts) > 1:
                self._looked_up.append(Pattern.of_parts(parts))
