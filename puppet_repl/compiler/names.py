"""The global names that compiled code can use: operators, helpers, the context."""

from __future__ import annotations

from puppet_repl.runtime import iteration
from puppet_repl.runtime.calls import call_method, call_with_locals, in_top_scope, raise_issue
from puppet_repl.runtime.closure import (
    Closure,
    reject_early_read,
    reject_reserved,
    rest_default,
    wants_default,
)
from puppet_repl.runtime.comparison import (
    any_option_matches,
    contains,
    greater,
    greater_equal,
    is_found,
    is_text_option,
    less,
    less_equal,
    match,
    not_equals,
    option_matches,
    search_string,
)
from puppet_repl.runtime.control import (
    destructure,
    group,
    once,
    unfold,
    unmatched_selector,
)
from puppet_repl.runtime.operators import overflow
from puppet_repl.runtime.rendering import check_syntax, join_rendered, render
from puppet_repl.runtime.scope import read_qualified
from puppet_repl.runtime.signals import NextSignal, ReturnSignal
from puppet_repl.runtime.types import fits_rest, is_instance, type_named, type_or_reference
from puppet_repl.values.compare import equals
from puppet_repl.values.default import DEFAULT, UNSET
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.context import Context

_ITERATION = (
    "each_with1",
    "each_with2",
    "map_with1",
    "map_with2",
    "filter_with1",
    "filter_with2",
    "reduce_with",
    "any_with1",
    "any_with2",
    "all_with1",
    "all_with2",
)


def runtime_names(context: Context) -> dict[str, Any]:
    """The names of one session, made when its first program is compiled.

    Compiled code sees them as Python's builtins, so the dict is shared by all programs of the
    session, and binding a user's function in it reaches all of them.
    """
    names = context.names
    if "C" in names:
        return names
    arithmetic = context.arithmetic
    names.update(
        {
            "C": context,
            "T": context.top.variables,
            "TOP": context.top,
            "type": type,
            "int": int,
            "str": str,
            "bool": bool,
            "float": float,
            "tuple": tuple,
            "None_": None,
            "UNSET": UNSET,
            "DEFAULT": DEFAULT,
            "PuppetHash": PuppetHash,
            "hash_of_strings": PuppetHash.of_strings,
            "Closure": Closure,
            "NextSignal": NextSignal,
            "ReturnSignal": ReturnSignal,
            "add": arithmetic.add,
            "subtract": arithmetic.subtract,
            "multiply": arithmetic.multiply,
            "divide": arithmetic.divide,
            "modulo": arithmetic.modulo,
            "shift_left": arithmetic.shift_left,
            "shift_right": arithmetic.shift_right,
            "negate": arithmetic.negate,
            "access_one": context.access.one,
            "access_many": context.access.many,
            "call_function": context.call_function,
        }
    )
    for helper in (
        any_option_matches,
        call_method,
        call_with_locals,
        check_syntax,
        contains,
        destructure,
        equals,
        fits_rest,
        greater,
        greater_equal,
        group,
        in_top_scope,
        is_found,
        is_instance,
        is_text_option,
        join_rendered,
        less,
        less_equal,
        match,
        not_equals,
        once,
        option_matches,
        overflow,
        raise_issue,
        read_qualified,
        reject_early_read,
        reject_reserved,
        render,
        rest_default,
        search_string,
        to_text,
        type_named,
        type_or_reference,
        unfold,
        unmatched_selector,
        wants_default,
    ):
        names[helper.__name__] = helper
    for helper_name in _ITERATION:
        names[helper_name] = getattr(iteration, helper_name)
    return names
