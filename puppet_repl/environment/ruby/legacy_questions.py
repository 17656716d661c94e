"""Questions about ``function_NAME([...])``: the functions that Ruby code can call on a scope."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.registry import LegacyFunction, count_failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.environment.ruby.host import RubyHost

    Question: TypeAlias = dict[str, Any]
    Answer: TypeAlias = Callable[[RubyHost, Question], Any]

_IN_BOTH_KINDS = frozenset(
    (
        "alert",
        "contain",
        "crit",
        "debug",
        "emerg",
        "err",
        "include",
        "info",
        "notice",
        "require",
        "scanf",
        "versioncmp",
        "warning",
    )
)
"""Functions of Puppet that are of both kinds."""

_DEPRECATED = frozenset(("contain", "include", "require"))

_REFUSING = {
    "assert_type": -3,
    "binary_file": 1,
    "break": 0,
    "defined": -2,
    "dig": -1,
    "each": -3,
    "epp": -2,
    "filter": -3,
    "find_file": -2,
    "hiera": -2,
    "hiera_array": -2,
    "hiera_hash": -2,
    "hiera_include": -2,
    "inline_epp": -2,
    "lest": -2,
    "lookup": -2,
    "map": -3,
    "match": 2,
    "new": -1,
    "next": -2,
    "reduce": -3,
    "regsubst": -4,
    "return": -2,
    "reverse_each": -1,
    "slice": -3,
    "split": 2,
    "step": -1,
    "strftime": -3,
    "then": -2,
    "type": -1,
    "with": -1,
}
"""Those whose 3.x kind only says that it is gone, with Ruby's arity: -n is at least n - 1."""


def _legacy_file(host: RubyHost, question: Question) -> str | bool:
    """Return the file of a 3.x function; True for a built-in one, False if there is none."""
    name = question["name"]
    if name in _IN_BOTH_KINDS or name in _REFUSING:
        return True
    environment = host.context.environment
    if isinstance(host.context.find_builtin(name), LegacyFunction):
        return True
    if environment is None:
        return False
    if environment.native_function(name) is not None:
        return True
    path: str | None = environment.legacy_file(name)
    return path if path is not None else False


def _call_legacy(host: RubyHost, question: Question) -> Any:
    """Call a 3.x function that is built in."""
    name, args = question["name"], question["args"]
    if name in _REFUSING:
        raise _refusal(name, len(args))
    if name in _DEPRECATED:
        host.log_once(
            "warning",
            f"deprecations 3xfunction#{name}",
            f"Calling function_{name} via the Scope class is deprecated. "
            "Use Scope#call_function instead\n   (file & line not available)",
        )
    context, codec = host.context, host.codec
    environment = context.environment
    native = None if environment is None else environment.native_legacy_function(name)
    host.learn_changes()
    outer = context.scope
    context.scope = host.scopes.get(question["scope"])
    try:
        values = codec.decode_all(args)
        if native is not None:
            result = native.run(values, context)
        else:
            result = context.call_function(name, values)
    finally:
        context.scope = outer
    return None if name in _DEPRECATED else codec.encode(result)


def _refusal(name: str, count: int) -> RuntimeFailure:
    arity = _REFUSING[name]
    least = arity if arity >= 0 else -arity - 1
    return count_failure(name, count, least, None if arity < 0 else least) or RuntimeFailure(
        f"{name}() can only be called using the 4.x function API. See Scope#call_function"
    )


LEGACY_QUESTIONS: dict[str, Answer] = {"call_legacy": _call_legacy, "legacy_file": _legacy_file}
