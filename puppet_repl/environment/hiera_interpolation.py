"""``%{...}`` in data and in hiera.yaml: variables, and other keys of the data."""

from __future__ import annotations

import re

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.access import split_segments
from puppet_repl.functions.data_files import lookup_error
from puppet_repl.values.default import UNSET
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.environment.hiera import Search
    from puppet_repl.runtime.context import Context

_EXPRESSION = re.compile(r"%\{([^}]*)\}")
_METHOD = re.compile(r"""(\w+)\((?:"([^"]+)"|'([^']+)')\)""")
_NOTHING = frozenset(("", "::", '""', "''", '"::"', "'::'"))


def interpolate(value: Any, search: Search, *, methods: bool) -> Any:
    """A value with all expressions in its texts replaced; ``methods`` allows ``lookup('key')``."""
    kind = type(value)
    if kind is str:
        return _text(value, search, methods) if "%{" in value else value
    if kind is tuple:
        return tuple([interpolate(item, search, methods=methods) for item in value])
    if kind is PuppetHash:
        return PuppetHash(
            [
                (
                    interpolate(key, search, methods=methods),
                    interpolate(item, search, methods=methods),
                )
                for key, item in value.items()
            ]
        )
    return value


def _text(text: str, search: Search, methods: bool) -> Any:
    pieces: list[str] = []
    done = 0
    for found in _EXPRESSION.finditer(text):
        pieces.append(text[done : found.start()])
        done = found.end()
        expression = found.group(1).strip()
        if expression in _NOTHING:
            continue
        method, key = _parts(expression, methods)
        if method == "alias":
            if text != found.group():
                raise lookup_error(
                    "'alias' interpolation is only permitted if the expression is equal to "
                    "the entire string"
                )
            return search.nested(key)
        value = _value(method, key, text, search, methods)
        with search.guarded(f"scope:{key}" if method == "scope" else key):
            value = interpolate(value, search, methods=methods)
        pieces.append(to_text(value))
    pieces.append(text[done:])
    return "".join(pieces)


def _parts(expression: str, methods: bool) -> tuple[str, str]:
    found = _METHOD.fullmatch(expression)
    if found is None:
        return "scope", expression
    if not methods:
        raise lookup_error("Interpolation using method syntax is not allowed in this context")
    return found.group(1), found.group(2) or found.group(3)


def _value(method: str, key: str, text: str, search: Search, methods: bool) -> Any:
    if method == "scope":
        return variable(key, text, search, required=methods)
    if method == "literal":
        return key
    if method in ("lookup", "hiera"):
        return search.nested(key)
    raise lookup_error(f"Unknown interpolation method '{method}'")


def variable(key: str, text: str, search: Search, *, required: bool = False) -> Any:
    """The value of a variable, with a path into it; None where there is none.

    In data a variable is ``required`` under strict variables; in hiera.yaml Puppet goes on.
    """
    segments: tuple[Any, ...] = (key,)
    if any(sign in key for sign in "'\"."):
        split = split_segments(key)
        if split is None:
            raise lookup_error(f"Syntax error in string: {text}")
        segments = split
    name = str(segments[0]).removeprefix("::")
    if name in search.variables:
        value = search.variables[name]
    elif search.scope.exists(name):
        value = search.scope.lookup(name)
    else:
        _report_unknown(str(segments[0]), search.context, required)
        return None
    found = dig(key, segments[1:], value)
    return None if found is UNSET else found


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


def dig(key: str, segments: tuple[Any, ...], value: Any) -> Any:
    """Follow the segments of a dotted key; UNSET where something on the way is missing."""
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
            from puppet_repl.values.ruby import ruby_class

            raise lookup_error(
                f"Data Provider type mismatch: Got {ruby_class(value)} when a hash-like object "
                f"was expected to access value using '{segment}' from key '{key}'"
            )
    return value
