"""``%{...}`` in data and in hiera.yaml: variables, and other keys of the data."""

from __future__ import annotations

import re

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.data_files import lookup_error
from puppet_repl.functions.dotted_keys import split_segments
from puppet_repl.values.default import UNSET
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.ruby import ruby_class
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from typing import Protocol, Self

    from puppet_repl.environment.hiera_config import Reads
    from puppet_repl.runtime.context import Context
    from puppet_repl.runtime.scope import Scope
    from puppet_repl.values.protocols import Value

    class Lookup(Protocol):
        """What an interpolation needs: variables, and the values of other keys."""

        @property
        def context(self) -> Context: ...
        @property
        def scope(self) -> Scope: ...
        @property
        def variables(self) -> Mapping[str, Value]:
            """Variables that come before those of the scope."""

        def with_variable(self, name: str, value: Value) -> Self:
            """Return the same lookup with one more variable."""

        @property
        def reads(self) -> Reads | None:
            """What notes the variables that are read, if anything does."""

        def noting(self, reads: Reads) -> AbstractContextManager[None]:
            """Return a context in which the variables that are read are noted."""

        def guarded(self, name: str) -> AbstractContextManager[None]:
            """Return a context in which looking up ``name`` again is an error."""

        def nested(self, key: str) -> Value:
            """Return the value of another key, the empty string where there is none."""


_EXPRESSION = re.compile(r"%\{([^}]*)\}")
_METHOD = re.compile(r"""(\w+)\((?:"([^"]+)"|'([^']+)')\)""")
_NOTHING = frozenset(("", "::", '""', "''", '"::"', "'::'"))


def interpolate(value: Value, lookup: Lookup, *, methods: bool) -> Value:
    """Return a value with all expressions in its strings replaced.

    ``methods`` allows ``lookup('key')`` and its like.
    """
    if type(value) is str:
        return _interpolate_string(value, lookup, methods) if "%{" in value else value
    if type(value) is tuple:
        return tuple([interpolate(item, lookup, methods=methods) for item in value])
    if type(value) is PuppetHash:
        return PuppetHash(
            [
                (
                    interpolate(key, lookup, methods=methods),
                    interpolate(item, lookup, methods=methods),
                )
                for key, item in value.items()
            ]
        )
    return value


def interpolate_string(text: str, lookup: Lookup) -> str:
    """Return a string of hiera.yaml with all expressions replaced."""
    return to_text(interpolate(text, lookup, methods=False))


def _interpolate_string(text: str, lookup: Lookup, methods: bool) -> Value:
    pieces: list[str] = []
    done = 0
    for match in _EXPRESSION.finditer(text):
        pieces.append(text[done : match.start()])
        done = match.end()
        expression = match.group(1).strip()
        if expression in _NOTHING:
            continue
        method, key = _parts(expression, methods)
        if method == "alias":
            if text != match.group():
                raise lookup_error(
                    "'alias' interpolation is only permitted if the expression is equal to "
                    "the entire string"
                )
            return lookup.nested(key)
        value = _value(method, key, text, lookup, methods)
        with lookup.guarded(f"scope:{key}" if method == "scope" else key):
            value = interpolate(value, lookup, methods=methods)
        pieces.append(to_text(value))
    pieces.append(text[done:])
    return "".join(pieces)


def _parts(expression: str, methods: bool) -> tuple[str, str]:
    call = _METHOD.fullmatch(expression)
    if call is None:
        return "scope", expression
    if not methods:
        raise lookup_error("Interpolation using method syntax is not allowed in this context")
    return call.group(1), call.group(2) or call.group(3)


def _value(method: str, key: str, text: str, lookup: Lookup, methods: bool) -> Value:
    if method == "scope":
        return variable(key, text, lookup, required=methods)
    if method == "literal":
        return key
    if method in ("lookup", "hiera"):
        return lookup.nested(key)
    raise lookup_error(f"Unknown interpolation method '{method}'")


def variable(key: str, text: str, lookup: Lookup, *, required: bool = False) -> Value:
    """Return the value of a variable, or of a path into it; None where there is none.

    In data a variable is ``required`` under strict variables; in hiera.yaml Puppet goes on.
    """
    value = _variable(key, text, lookup, required=required)
    if lookup.reads is not None and key.partition(".")[0] not in lookup.variables:
        lookup.reads.note(key, value)
    return value


def _variable(key: str, text: str, lookup: Lookup, *, required: bool) -> Value:
    segments: tuple[Value, ...] = (key,)
    if any(sign in key for sign in "'\"."):
        split = split_segments(key)
        if split is None:
            raise lookup_error(f"Syntax error in string: {text}")
        segments = split
    name = str(segments[0]).removeprefix("::")
    if name in lookup.variables:
        value = lookup.variables[name]
    elif lookup.scope.exists(name):
        value = lookup.scope.lookup(name)
    else:
        _report_unknown(str(segments[0]), lookup.context, required)
        return None
    part = dig(key, segments[1:], value)
    return None if part is UNSET else part


def _report_unknown(name: str, context: Context, required: bool) -> None:
    if not context.options.strict_variables:
        return
    if required:
        raise RuntimeFailure(f"Undefined variable '{name}'; ")
    context.warn_once(
        f"hiera interpolation {name}",
        f"Interpolation failed with '{name}', but compilation continuing; "
        "\n   (file & line not available)",
    )


def dig(key: str, segments: tuple[Value, ...], value: Value) -> Value:
    """Return the part of a value that the segments of a dotted key lead to, or UNSET."""
    for segment in segments:
        if value is None:
            return UNSET
        if type(value) is tuple and type(segment) is int:
            if not 0 <= segment < len(value):
                return UNSET
            value = value[segment]
        elif type(value) is PuppetHash:
            if not value.has(segment):
                return UNSET
            value = value[segment]
        else:
            raise lookup_error(
                f"Data Provider type mismatch: Got {ruby_class(value)} when a hash-like object "
                f"was expected to access value using '{segment}' from key '{key}'"
            )
    return value
