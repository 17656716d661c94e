"""Functions of stdlib that read facts: fact, os_version_gte."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.declaring import stdlib_function
from puppet_repl.language.ruby_library.number import to_integer
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import no_method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

# The segments of a path: whatever is between dots, or between double quotes.
_SEGMENT = re.compile(r'([^."]+)|"([^"]+)"')


def networking_fact(context: Context, key: str) -> Value:
    """Return Ruby's ``facts['networking'][key]``; raise its error where a level is missing."""
    facts = context.top.lookup("facts")
    networking = facts.get("networking") if type(facts) is PuppetHash else None
    if type(networking) is not PuppetHash:
        raise no_method("[]", networking)
    return networking.get(key)


@stdlib_function(
    "fact",
    "String $fact_name",
    examples=(
        "fact('os.family')  # => 'Debian'",
        "fact('no.such.fact')  # => undef",
        "fact('kernel.x')  # warning: fact request for kernel.x returning nil: "
        "'kernel' is not a collection; cannot walk to 'x'",
    ),
)
def fact(fact_name: str, *, context: Context) -> Value:
    """Return the value of a fact by its path, such as 'os.family' or 'mountpoints."/".size'.

    Segments are keys of hashes and indexes of arrays; one that contains a dot is in double quotes.
    The result is undef if the fact is missing; a path through a value without elements also gives a
    warning.

    @param fact_name the path of the fact
    @return [Any] the value, or undef for a missing fact
    """
    value: Value = context.top.lookup("facts")
    walked: list[str] = []
    for found in _SEGMENT.finditer(fact_name):
        if value is None:
            return None
        segment = found[1] or found[2]
        if type(value) is PuppetHash:
            value = value.get(segment)
        elif type(value) is tuple:
            value = _element(value, segment, fact_name, walked, context)
        else:
            reason = f"is not a collection; cannot walk to '{segment}'"
            _warn(fact_name, walked, reason, context)
            value = None
        walked.append(segment)
    return value


def _element(
    array: tuple[Value, ...], segment: str, fact_name: str, walked: list[str], context: Context
) -> Value:
    try:
        index = to_integer(segment)
    except RuntimeFailure:
        _warn(fact_name, walked, f"is an array; cannot index to '{segment}'", context)
        return None
    return array[index] if -len(array) <= index < len(array) else None


def _warn(fact_name: str, walked: list[str], reason: str, context: Context) -> None:
    path = ".".join([f'"{segment}"' if "." in segment else segment for segment in walked])
    context.log("warning", f"fact request for {fact_name} returning nil: '{path}' {reason}")


@stdlib_function(
    "os_version_gte",
    "String[1] $os, String[1] $version",
    returns="Boolean",
    examples=("os_version_gte('Debian', '8')  # => true",),
    versions=(8,),
)
def os_version_gte_8(os: str, version: str, *, context: Context) -> Value:
    """Tell whether the node runs an operating system in a version, or in a later one.

    The version is compared with the major one; both come from legacy facts.

    @param os the name of the operating system
    @param version the version
    """
    facts = context.top.lookup("facts")
    if _part(facts, "operatingsystem") != os:
        return False
    return _is_at_least(_part(facts, "operatingsystemmajrelease"), version, context)


@stdlib_function(
    "stdlib::os_version_gte",
    "String[1] $os, String[1] $version",
    returns="Boolean",
    examples=("stdlib::os_version_gte('Debian', '8')  # => true",),
    versions=(9,),
)
def os_version_gte(os: str, version: str, *, context: Context) -> Value:
    """Tell whether the node runs an operating system in a version, or in a later one.

    The version is compared with the major one.

    @param os the name of the operating system
    @param version the version
    """
    about = _part(context.top.lookup("facts"), "os")
    if _part(about, "name") != os:
        return False
    return _is_at_least(_part(_part(about, "release"), "major"), version, context)


def _part(container: Value, key: str) -> Value:
    """Return the result of Ruby's ``container[key]``."""
    if type(container) is PuppetHash:
        return container.get(key)
    if type(container) is str:
        return key if key in container else None
    raise no_method("[]", container)


def _is_at_least(actual: Value, version: str, context: Context) -> bool:
    if type(actual) is not str:
        raise no_method("scan", actual)
    order: int = context.call_function("versioncmp", (actual, version))
    return order >= 0
