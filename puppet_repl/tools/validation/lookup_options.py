"""Checks of lookup_options, and which keys they change the values of."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.matching import nearest
from puppet_repl.environment.hiera.options import OPTIONS, problem_of_key
from puppet_repl.language.data.files import DATA_ERROR
from puppet_repl.language.data.merge import merge_of
from puppet_repl.language.syntax.regexp_escapes import RegexpError, UnsupportedRegexpError
from puppet_repl.language.types.data_types import DATA_TYPES
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.model.alias import TypeReferenceType
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from puppet_repl.language.values.protocols import Value
    from puppet_repl.tools.validation.documents import Document, Span

    # Place, whether it is an error, code and message; a name, and which one may have been meant.
    Problem: TypeAlias = tuple[Span, bool, str, str, str, str | None]

RULE = "lookup_options"
OF_KEY = ("merge", "convert_to")
"""The options of a key."""
# Those of a deep merge, which are written inside of merge.
OF_MERGE = ("strategy", "knockout_prefix", "sort_merged_arrays", "merge_hash_arrays")
"""The options of a merge, the last two are Boolean."""
STRATEGIES = ("first", "unique", "hash", "deep")
"""The names of the ways to merge."""


def problems(document: Document, module: str | None) -> Iterator[Problem]:
    """Yield the problems of the options in a data file, which may be one of a module."""
    value = document.value
    options = value.get(OPTIONS) if type(value) is PuppetHash else None
    if options is None or _is_open(options):
        return
    if type(options) is not PuppetHash:
        span = document.span_at((OPTIONS,))
        yield span, True, DATA_ERROR, f"value of {OPTIONS} must be a hash", "", None
        return
    for key, given in options.items():
        span = document.span_at((OPTIONS,), str(key))
        if type(key) is not str or "%{" in key:
            continue
        wrong = None if module is None else problem_of_key(key, module)
        if wrong is not None:
            yield span, True, DATA_ERROR, wrong, "", None
        yield from _of_pattern(key, span)
        if type(given) is PuppetHash:
            yield from _of_options(document, key, given)
        elif not _is_open(given):
            message = f"the options of a key are a hash with {' and '.join(OF_KEY)}: these are not"
            yield span, False, RULE, message, "", None


def _is_open(value: Value) -> bool:
    """Tell whether a value depends on others."""
    return type(value) is str and "%{" in value


def _of_pattern(key: str, span: Span) -> Iterator[Problem]:
    if key.startswith("^"):
        try:
            Regexp(key).check()
        except UnsupportedRegexpError:
            return
        except RegexpError as error:
            yield span, True, error.code, error.message, "", None


def _of_options(document: Document, key: str, given: PuppetHash) -> Iterator[Problem]:
    path = (OPTIONS, key)
    for name in given.keys():
        if name not in OF_KEY:
            near = nearest(str(name), OF_KEY)
            hint = f"did you mean {near}?" if near else f"there are {' and '.join(OF_KEY)}"
            message = f"no option is called {name}: {hint}"
            if name in OF_MERGE:
                message = f"{name} belongs into the hash of merge, beside strategy"
                near = None
            yield document.span_at(path, str(name)), False, RULE, message, str(name), near
    merge = given.get("merge")
    if merge is not None and "%{" not in str(merge):
        try:
            merge_of(merge)
        except PuppetError as error:
            name = merge if type(merge) is str else ""
            near = nearest(name, STRATEGIES)
            span = document.span_at((*path, "merge"))
            yield span, True, error.code, error.message, name, near
    yield from _of_conversion(document, key, given.get("convert_to"))


def _of_conversion(document: Document, key: str, wanted: Value) -> Iterator[Problem]:
    first = wanted[0] if type(wanted) is tuple and wanted else wanted
    if type(first) is not str or "%{" in first:
        return
    span = document.span_at((OPTIONS, key, "convert_to"))
    try:
        made = parse_type(first)
    except PuppetError as error:
        message = (
            f"Invalid data type in {OPTIONS} for key '{key}' could not parse '{first}', "
            f"error: '{error.message}"
        )
        yield span, True, DATA_ERROR, message, "", None
        return
    if isinstance(made, TypeReferenceType) and first.isalnum():
        near = nearest(first, [each.name for each in DATA_TYPES.values()])
        if near is not None:
            message = f"no type is called {first}: did you mean {near}?"
            yield span, False, RULE, message, first, near


class ChangedKeys:
    """The keys whose values are merged or converted, as far as any data file says."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._patterns: list[Regexp] = []
        self.is_unknown = False

    def add(self, value: Value) -> None:
        """Add the lookup_options of a file."""
        if type(value) is not PuppetHash:
            self.is_unknown = self.is_unknown or value is not None
            return
        for key in value.keys():
            if type(key) is not str or "%{" in key:
                self.is_unknown = True
            elif key.startswith("^"):
                self._patterns.append(Regexp(key))
            else:
                self._names.add(key)

    def __contains__(self, key: object) -> bool:
        try:
            return (
                self.is_unknown
                or key in self._names
                or any(each.matches(str(key)) for each in self._patterns)
            )
        except PuppetError:
            return True
