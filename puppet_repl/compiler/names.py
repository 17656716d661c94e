"""The global names that compiled code can use: operators, helpers, the context.

Compiled code sees them as Python's builtins. The dict is shared by all programs of a session, so
that binding a user's function in it reaches all of them. Most names are imported when the first
program that mentions them is compiled, for a short program needs few of them.
"""

from __future__ import annotations

from puppet_repl.values.default import DEFAULT, UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

    from puppet_repl.runtime.context import Context

# The names of Puppet's local variables in compiled code begin with this.
LOCAL_PREFIX = "v_"

_MODULES: dict[str, str] = {
    "runtime.calls": "call_method call_with_locals in_top_scope raise_issue",
    "runtime.closure": "Closure reject_early_read reject_reserved rest_default wants_default",
    "runtime.comparison": (
        "any_option_matches contains greater greater_equal is_found is_text_option less "
        "less_equal match not_equals option_matches search_string"
    ),
    "runtime.control": "destructure group once unfold unmatched_selector",
    "runtime.iteration": (
        "all_with1 all_with2 any_with1 any_with2 each_with1 each_with2 filter_with1 "
        "filter_with2 map_with1 map_with2 reduce_with"
    ),
    "runtime.operators": "overflow",
    "runtime.rendering": "check_syntax join_rendered render",
    "runtime.scope": "read_qualified set_match visible_match",
    "runtime.signals": "NextSignal ReturnSignal",
    "runtime.types": "fits_rest is_instance type_named type_or_reference",
    "values.compare": "equals",
    "values.hash": "PuppetHash",
    "values.text": "to_text",
}

_OPERATORS = frozenset(
    ("add", "divide", "modulo", "multiply", "negate", "shift_left", "shift_right", "subtract")
)
"""Methods of the session's Arithmetic."""


def local_name(variable: str) -> str:
    """Return the name that a local variable has in compiled code."""
    return LOCAL_PREFIX + variable


def runtime_names(context: Context) -> dict[str, Any]:
    """The names of one session, made when its first program is compiled."""
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
                "bool": bool,
                "float": float,
                "int": int,
                "str": str,
                "tuple": tuple,
                "type": type,
                "call_function": context.call_function,
            }
        )
    return names


def provide(code: CodeType, context: Context) -> None:
    """Add the names that a code object mentions to those of the session."""
    names = context.names
    homes: dict[str, str] = {}
    pending = [code]
    while pending:
        one = pending.pop()
        for name in one.co_names:
            if name not in names:
                homes = homes or _homes()
                _add(name, homes, context)
        pending.extend([inner for inner in one.co_consts if type(inner) is type(code)])


def _homes() -> dict[str, str]:
    return {name: module for module, listed in _MODULES.items() for name in listed.split()}


def _add(name: str, homes: dict[str, str], context: Context) -> None:
    names = context.names
    home = homes.get(name)
    if home is not None:
        from importlib import import_module

        names[name] = getattr(import_module(f"puppet_repl.{home}"), name)
    elif name in _OPERATORS:
        names[name] = getattr(context.arithmetic, name)
    elif name == "hash_of_strings":
        from puppet_repl.values.hash import PuppetHash

        names[name] = PuppetHash.of_strings
    elif name == "access_one":
        names[name] = context.access.one
    elif name == "access_many":
        names[name] = context.access.many
