"""Assertions about a catalog; their messages describe the actual resources."""

from __future__ import annotations

import os
import re
from difflib import SequenceMatcher, unified_diff
from typing import Any

from puppet_repl.base.wording import counted, shortened, some_of
from puppet_repl.frontends.api.resource import MissingError, Resource
from puppet_repl.language.values.python import from_python, to_python
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from puppet_repl.frontends.api.catalog import Catalog, Key

_MAX_TITLES = 8
_MAX_ORDER = 12
_MAX_VALUE = 200
_MAX_LINES = 30


def assert_contains(
    catalog: Catalog, key: Key, attributes: Mapping[str, object], *, is_all: bool = False
) -> Resource:
    """Return a resource of a catalog; raise AssertionError if it is missing or differs.

    It also differs by other attributes than its naming one if the expected ones are all.
    """
    __tracebackhide__ = True
    try:
        resource = catalog[key]
    except MissingError as error:
        raise AssertionError(f"{error}{_others(catalog, key)}") from None
    problems = list(differences(resource, attributes))
    if is_all:
        known = {resource.namevar, *map(str.lower, attributes)}
        problems += [
            f"{name}: not expected, but set to {_shown(value)}"
            for name, value in resource.items()
            if name not in known
        ]
    if problems:
        told = "".join(f"\n  {problem}" for problem in problems)
        raise AssertionError(f"{resource.ref}{_place(resource)} is not as expected{told}")
    return resource


def assert_count(catalog: Catalog, wanted: int, type: str | None) -> None:
    """Raise AssertionError unless a catalog has this number of resources; classes are none."""
    __tracebackhide__ = True
    found = catalog.resources(type)
    if type is None:
        found = [each for each in found if not each.is_class]
    if len(found) != wanted:
        refs = some_of([each.ref for each in found], _MAX_TITLES) if found else "none"
        of_type = "" if type is None else f" of the type {type}"
        raise AssertionError(
            f"expected {counted(wanted, 'resource')}{of_type}, but found {len(found)}: {refs}"
        )


def assert_lacks(catalog: Catalog, key: Key) -> None:
    """Raise AssertionError if a catalog has a resource."""
    __tracebackhide__ = True
    found = catalog.get(key)
    if found is not None:
        raise AssertionError(f"the catalog has {found!r}{_place(found)}")


def assert_before(catalog: Catalog, first: Key, second: Key) -> None:
    """Raise AssertionError unless a resource is done before another one begins."""
    __tracebackhide__ = True
    one, other = _both(catalog, first, second)
    if catalog.before(one, other):
        return
    told = f"{one.ref} does not come before {other.ref}"
    if catalog.before(other, one):
        told += ": it comes after it"
    raise AssertionError(told + _stated(catalog, one, other))


def assert_notifies(catalog: Catalog, first: Key, second: Key) -> None:
    """Raise AssertionError unless a change of a resource refreshes another one."""
    __tracebackhide__ = True
    one, other = _both(catalog, first, second)
    if catalog.notifies(one, other):
        return
    told = f"{one.ref} does not notify {other.ref}"
    if catalog.notifies(other, one):
        told += ": it is notified by it"
    elif catalog.before(one, other):
        told += ": it only comes before it"
    raise AssertionError(told + _stated(catalog, one, other))


def _place(resource: Resource) -> str:
    """Return where a resource is declared, by a path that is short below the working directory."""
    if not resource.file:
        return ""
    path = os.path.abspath(resource.file).removeprefix(os.path.join(os.getcwd(), ""))
    return f" ({path}:{resource.line})"


def _both(catalog: Catalog, first: Key, second: Key) -> tuple[Resource, Resource]:
    __tracebackhide__ = True
    return assert_contains(catalog, first, {}), assert_contains(catalog, second, {})


def differences(resource: Resource, expected: Mapping[str, object]) -> Iterator[str]:
    """Yield the differences of attributes from the expected values, a line each."""
    for name, wanted in expected.items():
        value = resource.get(name)
        if name == resource.namevar and value is None and wanted is not None:
            value = resource.name  # the catalog leaves out what the title says
        if value is None and name not in resource and wanted is not None:
            known = some_of(list(resource), _MAX_TITLES) or "nothing"
            yield f"{name}: {_expected(wanted)}, but it is not set (set: {known})"
        elif not _holds(wanted, value):
            if isinstance(value, Sensitive) and wanted is not None:
                yield f"{name}: {_of_secret(wanted)}"
                continue
            if isinstance(wanted, str) and isinstance(value, str) and "\n" in wanted + value:
                yield f"{name}: the text differs (- expected, + there)" + _compared(wanted, value)
                continue
            yield f"{name}: {_expected(wanted)}, but it is {_shown(value)}"


def _holds(wanted: object, value: Any) -> bool:
    """Tell whether a value is as expected: equal, matching a pattern, or accepted by a function.

    A Sensitive equals no plain value, as in rspec-puppet: else a test would still pass where a
    secret is no longer one.
    """
    if isinstance(wanted, Sensitive):
        if not isinstance(value, Sensitive):
            return False
        inner: object = wanted.value
        if isinstance(inner, re.Pattern) or callable(inner):
            return _holds(inner, to_python(value.value))
        return value == from_python(wanted)
    if isinstance(wanted, re.Pattern):
        return isinstance(value, str) and wanted.search(value) is not None
    if callable(wanted):
        is_secret = isinstance(value, Sensitive)
        return bool(wanted(Sensitive(to_python(value.value)) if is_secret else value))
    return bool(value == wanted)


def _of_secret(wanted: object) -> str:
    """Return the problem of a Sensitive value, without the value and the expected one."""
    if isinstance(wanted, Sensitive):
        return "the Sensitive has another value than the expected one"
    if callable(wanted):
        return f"{_expected(wanted)}, which is given the Sensitive: its value is the secret"
    return "it is Sensitive, so expect puppet_repl.Sensitive(...) around the value"


def _expected(wanted: object) -> str:
    if isinstance(wanted, re.Pattern):
        return f"expected a match of {wanted.pattern!r}"
    if callable(wanted):
        return f"expected what {getattr(wanted, '__name__', wanted)} accepts"
    return "expected not to be set" if wanted is None else f"expected {_shown(wanted)}"


def _shown(value: object) -> str:
    return shortened(repr(value), _MAX_VALUE)


def _compared(wanted: str, value: str) -> str:
    """Return the lines that differ in two texts, with those around them."""
    lines = list(unified_diff(wanted.split("\n"), value.split("\n"), n=2, lineterm=""))[2:]
    if len(lines) > _MAX_LINES:
        lines[_MAX_LINES:] = [f"... and {len(lines) - _MAX_LINES} more lines"]
    return "".join(f"\n    {line}" for line in lines)


def _others(catalog: Catalog, key: Key) -> str:
    """Return the other resources of the type of a missing resource, as text."""
    if isinstance(key, Resource):
        name, title = key.type, key.title
    elif isinstance(key, tuple):
        name, title = key
    else:
        name, _, title = key.removesuffix("]").partition("[")
    titles = [each.title for each in catalog.resources(name)]
    titles.sort(key=lambda each: -SequenceMatcher(None, title, each).quick_ratio())
    if not titles:
        return f"\n  it has no resource of the type {name}"
    return f"\n  of this type it has {some_of(titles, _MAX_TITLES)}"


def _stated(catalog: Catalog, *resources: Resource) -> str:
    """Return the relationships that a catalog states about resources, a line each."""
    refs = {each.ref for each in resources}
    lines = [
        f"\n  {edge.source} {_ARROWS[edge.kind]} {edge.target}"
        for edge in catalog.edges
        if refs & {edge.source, edge.target} and edge.source != "Class[main]"
    ]
    if len(lines) > _MAX_ORDER:
        lines[_MAX_ORDER:] = [f"\n  and {len(lines) - _MAX_ORDER} more"]
    return "".join(lines)


_ARROWS = {"before": "->", "notify": "~>", "contains": "contains", "implied": "..>"}
