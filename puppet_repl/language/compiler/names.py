"""The global names that compiled code can use: operators, helpers, the context.

Compiled code sees them as Python's builtins. The dict is shared by all programs of a session, so
that binding a user's function in it reaches all of them. Most names are imported when the first
program that mentions them is compiled, for a short program needs few of them.
"""

from __future__ import annotations

from puppet_repl.base.modules import import_module
from puppet_repl.base.recursion import check_depth
from puppet_repl.language.values.default import DEFAULT, UNSET
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import CodeType
    from typing import Any

    from puppet_repl.language.runtime.context import Context

# The names of Puppet's local variables in compiled code begin with this.
LOCAL_PREFIX = "v_"

PROVIDED_BY: dict[str, tuple[str, ...]] = {
    "runtime.calls": (
        "call_method",
        "call_with_locals",
        "in_top_scope",
        "raise_issue",
    ),
    "runtime.closure": (
        "Closure",
        "reject_early_read",
        "reject_reserved",
        "rest_default",
        "wants_default",
    ),
    "runtime.comparison": (
        "any_option_matches",
        "contains",
        "greater",
        "greater_equal",
        "is_found",
        "is_text_option",
        "less",
        "less_equal",
        "match",
        "not_equals",
        "option_matches",
        "search_string",
    ),
    "runtime.control": (
        "destructure",
        "group",
        "once",
        "unfold",
        "unmatched_selector",
    ),
    "runtime.declarations": (
        "collect",
        "declare",
        "declare_body",
        "declare_titled",
        "override",
        "relate",
        "set_defaults",
    ),
    "runtime.iteration": (
        "all_with1",
        "all_with2",
        "any_with1",
        "any_with2",
        "each_with1",
        "each_with2",
        "filter_with1",
        "filter_with2",
        "map_with1",
        "map_with2",
        "reduce_growing",
        "reduce_with",
    ),
    "runtime.operators": ("overflow",),
    "runtime.rendering": (
        "check_syntax",
        "join_rendered",
        "render",
    ),
    "runtime.scope": (
        "read_qualified",
        "set_match",
        "visible_match",
    ),
    "runtime.signals": (
        "NextSignal",
        "ReturnSignal",
    ),
    "runtime.types": (
        "fits_rest",
        "is_instance",
        "type_named",
        "type_or_reference",
    ),
    "values.compare": ("equals",),
    "values.hash": ("PuppetHash",),
    "values.text": ("join_texts", "to_text"),
}
"""The modules of the names that compiled code mentions; a module is imported when first needed."""

_MODULES_BY_NAME = {name: module for module, names in PROVIDED_BY.items() for name in names}


def _of_statements(name: str) -> Callable[[Context], object]:
    """Return what provides a function of the catalog; code that never runs makes no catalog."""

    def provided(context: Context) -> object:
        def first(*args: object) -> object:
            found = context.names[name] = getattr(context.catalog.statements, name)
            return found(*args)

        return first

    return provided


OF_CONTEXT: dict[str, Callable[[Context], object]] = {
    "access_many": lambda context: context.access.many,
    "access_one": lambda context: context.access.one,
    "add": lambda context: context.arithmetic.add,
    "attribute_hash": _of_statements("attribute_hash"),
    "attribute_value": _of_statements("attribute_value"),
    "divide": lambda context: context.arithmetic.divide,
    "grow": lambda context: context.arithmetic.grow,
    "grow_strings": lambda context: context.arithmetic.grow_strings,
    "hash_of_strings": lambda context: PuppetHash.of_strings,
    "modulo": lambda context: context.arithmetic.modulo,
    "multiply": lambda context: context.arithmetic.multiply,
    "negate": lambda context: context.arithmetic.negate,
    "resource_type_name": _of_statements("resource_type_name"),
    "shift_left": lambda context: context.arithmetic.shift_left,
    "shift_right": lambda context: context.arithmetic.shift_right,
    "subtract": lambda context: context.arithmetic.subtract,
    "titles": _of_statements("titles"),
    "warn_of_collection": _of_statements("warn_of_collection"),
    "warn_of_export": _of_statements("warn_of_export"),
}
"""Names of the values that one session provides."""


def local_name(variable: str) -> str:
    """Return the name that a local variable has in compiled code."""
    return LOCAL_PREFIX + variable


def runtime_names(context: Context) -> dict[str, Any]:
    """Return the names of one session; they are made when its first program is compiled."""
    names = context.names
    if "C" not in names:
        names.update(
            {
                "C": context,
                "T": context.top.variables,
                "TOP": context.top,
                "DEFAULT": DEFAULT,
                "None_": None,
                "UNSET": UNSET,
                # Python's conversion of long integers imports a module with it.
                "__import__": __import__,
                "bool": bool,
                "float": float,
                "int": int,
                "str": str,
                "tuple": tuple,
                "type": type,
                "call_function": context.call_function,
                "check_depth": check_depth,
            }
        )
    return names


def names_in(code: CodeType) -> tuple[str, ...]:
    """Return the names that a code object and the functions in it need to be provided with."""
    names: dict[str, None] = {}
    pending = [code]
    while pending:
        part = pending.pop()
        names.update(dict.fromkeys(part.co_names))
        pending.extend([inner for inner in part.co_consts if type(inner) is type(code)])
    modules = _MODULES_BY_NAME
    return tuple([name for name in names if name in modules or name in OF_CONTEXT])


def provide(names: Iterable[str], context: Context) -> None:
    """Add names that ``names_in`` has found to the names of the session."""
    known = context.names
    for name in names:
        if name not in known:
            module = _MODULES_BY_NAME.get(name)
            if module is None:
                known[name] = OF_CONTEXT[name](context)
            else:
                known[name] = getattr(import_module(f"puppet_repl.language.{module}"), name)
