"""``%{...}`` in data and in hiera.yaml: variables, and other keys of the data."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.sharing import once
from puppet_repl.language.data.dotted_keys import split_segments
from puppet_repl.language.data.files import INTERPOLATION, lookup_error
from puppet_repl.language.runtime.call_location import NO_LOCATION
from puppet_repl.language.runtime.failed_interpolations import warning_of
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_class, ruby_text
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from typing import Protocol, Self

    from puppet_repl.environment.hiera.config import Reads
    from puppet_repl.environment.hiera.explanation import Event, Explainer
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value

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

        @property
        def overrides(self) -> PuppetHash:
            """Values that come before all variables."""

        @property
        def defaults(self) -> PuppetHash:
            """Values for missing variables."""

        @property
        def explainer(self) -> Explainer | None:
            """The explainer of the lookup, if any."""

        @property
        def requires(self) -> bool:
            """Whether an unknown variable is an error, even in hiera.yaml."""

        def strict(self) -> AbstractContextManager[None]:
            """Return a context in which it is."""

        def guarded(self, name: str) -> AbstractContextManager[None]:
            """Return a context in which looking up ``name`` again is an error."""

        def nested(self, key: str) -> Value:
            """Return the value of another key, UNSET if there is none."""


EXPRESSION = re.compile(r"%\{([^}]*)\}")
"""One expression; between its braces may be anything."""
METHOD = re.compile(r"""(\w+)\((?:"([^"]+)"|'([^']+)')\)""")
"""A method with its argument between quotes of either kind; anything else is a variable."""
LOOKING_UP = ("alias", "hiera", "lookup")
"""The methods whose argument is another key."""
NOTHING = frozenset(("", "::", '""', "''", '"::"', "'::'"))
"""The expressions that stand for no text."""
METHODS_REFUSED = "Interpolation using method syntax is not allowed in this context"
ALIAS_IN_TEXT = (
    "'alias' interpolation is only permitted if the expression is equal to the entire string"
)


def interpolate(value: Value, lookup: Lookup, *, methods: bool) -> Value:
    """Return a value with all expressions in its strings replaced.

    ``methods`` allows ``lookup('key')`` and its like.
    """

    def replaced(part: Value) -> Value:
        if type(part) is str:
            return _interpolate_string(part, lookup, methods) if "%{" in part else part
        if type(part) is tuple or type(part) is PuppetHash:
            return once(inside, part, len(part))
        return part

    def inside(part: tuple[Value, ...] | PuppetHash) -> Value:
        if isinstance(part, PuppetHash):
            return PuppetHash([(replaced(key), replaced(item)) for key, item in part.items()])
        return tuple([replaced(item) for item in part])

    return replaced(value)


def interpolate_string(text: str, lookup: Lookup) -> str:
    """Return a string of hiera.yaml with all expressions replaced."""
    return to_text(interpolate(text, lookup, methods=False))


def _interpolate_string(text: str, lookup: Lookup, methods: bool) -> Value:
    explainer = lookup.explainer
    if explainer is None:
        return _interpolated(text, lookup, methods, None)
    with explainer.step("interpolation", text) as step:
        return _interpolated(text, lookup, methods, step.empty)


def _interpolated(text: str, lookup: Lookup, methods: bool, empty: list[str] | None) -> Value:
    """Return a string with its expressions replaced; add those without a value to ``empty``."""
    pieces: list[str] = []
    done = 0
    for match in EXPRESSION.finditer(text):
        pieces.append(text[done : match.start()])
        done = match.end()
        expression = match.group(1).strip()
        if expression in NOTHING:
            continue
        method, key = _parts(expression, methods)
        if method == "alias":
            if text != match.group():
                raise lookup_error(ALIAS_IN_TEXT, INTERPOLATION)
            return _alias(key, expression, lookup, empty)
        value = _value(method, key, text, lookup, methods)
        with lookup.guarded(f"scope:{key}" if method == "scope" else key):
            value = interpolate(value, lookup, methods=methods)
        piece = "" if value is None else ruby_text(value)
        if empty is not None and not piece:
            empty.append(expression)
        pieces.append(piece)
    pieces.append(text[done:])
    return "".join(pieces)


def _alias(key: str, expression: str, lookup: Lookup, empty: list[str] | None) -> Value:
    value = lookup.nested(key)
    if value is not UNSET:
        return value
    if empty is not None:
        empty.append(expression)
    return ""


def empty_expressions(text: str, lookup: Lookup) -> list[str]:
    """Return the expressions in a string of hiera.yaml that have no value, or an empty one."""
    empty = []
    for match in EXPRESSION.finditer(text):
        expression = match.group(1).strip()
        if expression not in NOTHING and not _has_value(expression, lookup):
            empty.append(expression)
    return empty


def _has_value(expression: str, lookup: Lookup) -> bool:
    if METHOD.fullmatch(expression) is not None:
        return True
    segments = split_segments(expression) or (expression,)
    name = str(segments[0]).removeprefix("::")
    if name in lookup.variables:
        return True
    if not lookup.scope.exists(name):
        return False
    return dig(expression, segments[1:], lookup.scope.lookup(name)) not in (UNSET, None, "")


def _parts(expression: str, methods: bool) -> tuple[str, str]:
    call = METHOD.fullmatch(expression)
    if call is None:
        return "scope", expression
    if not methods:
        raise lookup_error(METHODS_REFUSED, INTERPOLATION)
    return call.group(1), call.group(2) or call.group(3)


def _value(method: str, key: str, text: str, lookup: Lookup, methods: bool) -> Value:
    if method == "scope":
        return variable(key, text, lookup, required=methods or lookup.requires)
    if method == "literal":
        return key
    if method in ("lookup", "hiera"):
        value = lookup.nested(key)
        return "" if value is UNSET else value
    raise lookup_error(f"Unknown interpolation method '{method}'", INTERPOLATION)


def variable(key: str, text: str, lookup: Lookup, *, required: bool = False) -> Value:
    """Return the value of a variable, or of a path into it; None if there is none.

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
    root = str(segments[0])
    explainer = lookup.explainer
    if explainer is None:
        value = _root(root, lookup, required)
    else:
        with explainer.step("scope", "Global Scope"):
            value = _root(root, lookup, required)
    if value is UNSET or value is None:
        return None
    part = dig(key, segments[1:], value, explainer)
    return None if part is UNSET else part


def _root(root: str, lookup: Lookup, required: bool) -> Value:
    """Return the value of a variable, UNSET if there is none."""
    event: Event = "found"
    name = root.removeprefix("::")
    if lookup.overrides.has(root):
        event, value = "in overrides", lookup.overrides[root]
    elif name in lookup.variables:
        value = lookup.variables[name]
    elif lookup.scope.exists(name):
        value = lookup.scope.lookup(name)
    elif lookup.defaults.has(root):
        event, value = "in defaults", lookup.defaults[root]
    else:
        _report_unknown(root, lookup.context, required)
        return UNSET
    if lookup.explainer is not None:
        lookup.explainer.end(event, root, value)
    return value


def _report_unknown(name: str, context: Context, required: bool) -> None:
    options = context.options
    if not options.strict_variables or options.strict == "off":
        return
    reason = _reason(name, context)
    if options.strict == "error" and required:
        raise RuntimeFailure(f"Undefined variable '{name}'; {reason}")
    text = f"Undefined variable '{name}'; {reason}"
    if options.strict == "error":
        text = warning_of(name, reason)
    context.warn_once(f"hiera interpolation {name}", text + NO_LOCATION)


def _reason(name: str, context: Context) -> str:
    """Return why the variable of a class is unknown, '' for others."""
    class_name = name.removeprefix("::").rpartition("::")[0]
    catalog = context.catalog
    if not class_name or catalog.bodies.class_scope(class_name) is not None:
        return ""
    if catalog.definitions.find_class(class_name) is None:
        return f"class {class_name} could not be found"
    return f"class {class_name} has not been evaluated"


def dig(
    key: str, segments: tuple[Value, ...], value: Value, explainer: Explainer | None = None
) -> Value:
    """Return the part of a value that the segments of a dotted key lead to, or UNSET."""
    if explainer is None or not segments:
        for segment in segments:
            value = _item(key, segment, value)
            if value is UNSET:
                return UNSET
        return value
    with explainer.step("sub key", ".".join(map(str, segments))):
        for segment in segments:
            with explainer.step("segment", str(segment)):
                value = _item(key, segment, value)
                explainer.end("not found" if value is UNSET else "found", str(segment), value)
                if value is UNSET:
                    return UNSET
    return value


def _item(key: str, segment: Value, value: Value) -> Value:
    if value is None:
        return UNSET
    if type(value) is tuple and type(segment) is int:
        return value[segment] if 0 <= segment < len(value) else UNSET
    if type(value) is PuppetHash:
        return value[segment] if value.has(segment) else UNSET
    raise lookup_error(
        f"Data Provider type mismatch: Got {ruby_class(value)} when a hash-like object "
        f"was expected to access value using '{segment}' from key '{key}'"
    )
