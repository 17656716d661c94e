"""The declaration of functions of stdlib, which exist in some of its versions only.

    @stdlib_function("stdlib::merge", "Hash *$hashes", versions=(9,))
    @stdlib_legacy_function("any2array", "Any *$values")

The arguments are those of the decorators for built-in functions; ``versions`` are the major
versions of the module that have the function so. One that differs between versions is declared
twice.
"""

from __future__ import annotations

import re

from puppet_repl.language.functions.registry import (
    Function,
    FunctionTable,
    LegacyFunction,
    theme_of,
)
from puppet_repl.language.functions.stdlib.index import THEMES_8, THEMES_9

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from puppet_repl.language.functions.signatures import Implementation

    Release = tuple[int, int]

PACKAGE = "puppet_repl.language.functions.stdlib"
# The functions by the major version of the module.
TABLES = {8: FunctionTable(PACKAGE, THEMES_8), 9: FunctionTable(PACKAGE, THEMES_9)}


# What a minor version 8.N has changed: N and the function, by name.
_REVISED_IN_8: dict[str, tuple[int, Function]] = {}

# The releases that the functions of each major version are of.
_BUILT_IN: dict[int, Release] = {8: (8, 5), 9: (9, 7)}
_LATER: Release = (99, 0)

# Functions that other releases have otherwise, by name: from the first release on, and before the
# second. Ruby runs the file of such a release. The files of the public releases 8.0.0 to 9.8.0 of
# puppetlabs-stdlib were compared, and what Puppet 8.11 answers with them.
_DIFFERING: Mapping[str, tuple[Release, Release]] = {
    "deprecation": ((9, 0), (9, 2)),
    "fqdn_rotate": ((9, 0), (9, 4)),
    "merge": ((9, 0), (9, 3)),
    "os_version_gte": ((8, 0), (8, 1)),
    "parsejson": ((8, 0), (8, 5)),
    "shell_escape": ((8, 0), (8, 2)),
    "stdlib::fqdn_rand_string": ((9, 0), (9, 1)),
    "stdlib::to_json": ((9, 8), _LATER),
    "stdlib::to_json_pretty": ((9, 8), _LATER),
    "stdlib::to_toml": ((9, 8), _LATER),
    "stdlib::to_yaml": ((9, 8), _LATER),
    "time": ((9, 0), (9, 5)),
    "to_python": ((8, 0), (8, 2)),
    "to_ruby": ((8, 0), (8, 2)),
    "to_yaml": ((8, 0), (8, 2)),
    "uriescape": ((8, 0), (8, 1)),
}


def release_of(version: str | None) -> Release:
    """Return the numbers of a version; missing ones are those of the built-in release."""
    major, _, rest = (version or "").partition(".")
    minor = rest.partition(".")[0]
    number = int(major) if major.isdecimal() else max(_BUILT_IN)
    if major.isdecimal() and minor.isdecimal():
        return number, int(minor)
    return _BUILT_IN.get(number, (number, 0))


def is_of_another_release(version: str | None, name: str) -> bool:
    """Tell whether a release of stdlib has another function of a name than the built-in one."""
    if name not in _DIFFERING:
        return False
    since, before = _DIFFERING[name]
    return since <= release_of(version) < before


def table_of(version: str | None) -> FunctionTable:
    """Return the functions of a version of stdlib: of 8 for version 8 and older, else of 9."""
    return TABLES[8 if release_of(version) < (9, 0) else 9]


def function_of(version: str | None, name: str) -> Function | None:
    """Return a function as a version of stdlib has it, or None."""
    found = table_of(version).find(name)
    if name in _REVISED_IN_8:
        since, revised = _REVISED_IN_8[name]
        if (8, since) <= release_of(version) < (9, 0):
            return revised
    return found


def revised_function(
    name: str, signature: str, *, returns: str = "Any", since: int
) -> Callable[[Implementation], Function]:
    """Declare what a function of stdlib 8 is since the minor version ``since``."""

    def declare(implementation: Implementation) -> Function:
        declared = Function(name, theme=theme_of(implementation), doc=implementation.__doc__ or "")
        declared.dispatch(signature, returns)(implementation)
        _REVISED_IN_8[name] = since, declared
        return declared

    return declare


def stdlib_function(
    name: str,
    signature: str,
    *,
    returns: str = "Any",
    examples: tuple[str, ...] = (),
    aliases: Mapping[str, str] | None = None,
    versions: tuple[int, ...] = (8, 9),
) -> Callable[[Implementation], Function]:
    """Declare a function of stdlib, whose first signature the decorated callable implements."""

    def declare(implementation: Implementation) -> Function:
        declared = Function(
            name,
            theme=theme_of(implementation),
            doc=implementation.__doc__ or "",
            examples=examples,
            aliases=aliases,
        )
        return _added(declared, signature, returns, implementation, versions)

    return declare


def stdlib_legacy_function(
    name: str,
    signature: str,
    *,
    returns: str = "Any",
    examples: tuple[str, ...] = (),
    keeps_references: bool = False,
    counts: bool = True,
    versions: tuple[int, ...] = (8, 9),
) -> Callable[[Implementation], Function]:
    """Declare a function of stdlib of the older kind, implemented by the decorated callable.

    ``counts`` is False where the Ruby function declares no ``arity``: the signature is then for
    the documentation only, and the callable gets any number of arguments.
    """

    def declare(implementation: Implementation) -> Function:
        declared = LegacyFunction(
            name,
            theme=theme_of(implementation),
            doc=implementation.__doc__ or "",
            examples=examples,
            keeps_references=keeps_references,
            counts=counts,
        )
        return _added(declared, signature, returns, implementation, versions)

    return declare


class MovedFunction:
    """A function of stdlib 8 that is called ``stdlib::NAME`` in stdlib 9: both of them."""

    __slots__ = ("functions",)

    def __init__(self, functions: tuple[Function, ...]) -> None:
        self.functions = functions

    def dispatch(
        self, signature: str, returns: str = "Any"
    ) -> Callable[[Implementation], Implementation]:
        """Declare one more signature, as Function.dispatch does."""

        def declare(implementation: Implementation) -> Implementation:
            for each in self.functions:
                each.dispatch(signature, returns)(implementation)
            return implementation

        return declare


def moved_function(
    name: str,
    signature: str,
    *,
    returns: str = "Any",
    examples: tuple[str, ...] = (),
) -> Callable[[Implementation], MovedFunction]:
    """Declare a function that is ``name`` in stdlib 8 and ``stdlib::name`` in stdlib 9.

    The examples are written with the shorter name.
    """
    called = re.compile(rf"\b{name}\b(?=\()")

    def declare(implementation: Implementation) -> MovedFunction:
        old = stdlib_function(name, signature, returns=returns, examples=examples, versions=(8,))
        new = stdlib_function(
            f"stdlib::{name}",
            signature,
            returns=returns,
            examples=tuple([called.sub(f"stdlib::{name}", example) for example in examples]),
            versions=(9,),
        )
        return MovedFunction((old(implementation), new(implementation)))

    return declare


def _added(
    declared: Function,
    signature: str,
    returns: str,
    implementation: Implementation,
    versions: tuple[int, ...],
) -> Function:
    declared.dispatch(signature, returns)(implementation)
    for version in versions:
        TABLES[version].add(declared)
    return declared
