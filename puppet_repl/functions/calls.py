"""Calls: of blocks (with, then, lest), of functions by name, and out of them (next, return)."""

from __future__ import annotations

from puppet_repl.errors import EvaluationError, RuntimeFailure, Subject
from puppet_repl.functions.registry import Function, by_name
from puppet_repl.runtime.signals import BreakSignal, NextSignal, ReturnSignal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.closure import Closure
    from puppet_repl.runtime.context import Context

with_ = Function(
    "with",
    theme="calls",
    doc="""Call a block with the given arguments and answer its result.

    What the block assigns stays inside it, so this keeps helper variables out of the way.
    Arguments that the block has no parameters for are dropped.
    """,
    examples=(
        "with(2, 3) |$a, $b| { $a * $b }  # => 6",
        "with('x') |$v| { $twice = \"${v}${v}\" $twice }  # => 'xx'",
    ),
)


@with_.dispatch("Any *$arg, Callable &$block")
def _with(*args: Any, block: Closure) -> Any:
    return block(*args)


then = Function(
    "then",
    theme="calls",
    doc="""Call a block with a value, unless the value is undef.

    The result is that of the block, or undef. Good for walking into data that may be missing;
    lest() is its counterpart.
    """,
    examples=(
        "[1, 2].then |$list| { $list[0] }  # => 1",
        "undef.then |$x| { fail('never called') }  # => undef",
    ),
)


@then.dispatch("Any $arg, Callable[1,1] &$block")
def _then(arg: Any, *, block: Closure) -> Any:
    return None if arg is None else block(arg)


lest = Function(
    "lest",
    theme="calls",
    doc="""Answer a value, or the result of a block where the value is undef.

    The block has no parameters. Only undef counts: false and '' are answered as they are.
    """,
    examples=(
        "undef.lest || { 'fallback' }  # => 'fallback'",
        "false.lest || { 'fallback' }  # => false",
    ),
)


@lest.dispatch("Any $arg, Callable[0,0] &$block")
def _lest(arg: Any, *, block: Closure) -> Any:
    return block() if arg is None else arg


_DEFERRED = (
    "Object[{name => 'Deferred', attributes => {"
    "'name' => Pattern[/\\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\\z/], "
    "'arguments' => {type => Optional[Array], value => undef}}}]"
)

call = Function(
    "call",
    theme="calls",
    doc="""Call a function whose name is only known at run time, or resolve a Deferred.

    The first argument is the name; the others, and a block, are passed on. Types cannot be
    called by name. A Deferred whose name begins with $ is a variable, and its arguments are
    the keys to dig into it.
    """,
    examples=(
        "call('join', ['a', 'b'], '-')  # => 'a-b'",
        "call('map', [1, 2]) |$x| { $x * 10 }  # => [10, 20]",
        "call(Deferred('upcase', ['later']))  # => 'LATER'",
    ),
)


@call.dispatch("String $function_name, Any *$arguments, Callable &$block?")
def _call(
    function_name: str, *arguments: Any, context: Context, block: Closure | None = None
) -> Any:
    name = function_name.removeprefix("::")
    if context.lookup_function(name) is None:
        raise RuntimeFailure(
            f"Unknown function '{function_name}'", subject=Subject("function", name)
        )
    return context.call_function(name, arguments, block)


@call.dispatch("Deferred $deferred")
def _call_deferred(deferred: Any, *, context: Context) -> Any:
    from puppet_repl.functions.deferred import resolve_deferred

    return resolve_deferred(deferred, context)


break_ = Function(
    "break",
    theme="calls",
    statement=True,
    doc="""End the innermost iteration that can be ended.

    That is each, map, reduce, slice, step, reverse_each, tree_each, and filter (but not of a
    Hash). What was collected so far is the result; everywhere else break() is an error.
    """,
    examples=("[1, 2, 3].map |$x| { if $x == 3 { break() } $x }  # => [1, 2]",),
)


@break_.dispatch("", returns="Any")
def _break() -> Any:
    raise BreakSignal


next_ = Function(
    "next",
    theme="calls",
    statement=True,
    doc="""End a block or function at once, with the given value or undef.

    In an iteration this goes on to the next element.
    """,
    examples=("[1, 2, 3].map |$x| { if $x == 2 { next('two') } $x }  # => [1, 'two', 3]",),
)


@next_.dispatch("Any $value?")
def _next(value: Any = None) -> Any:
    raise NextSignal(value)


return_ = Function(
    "return",
    theme="calls",
    statement=True,
    doc="""End the function (or class, or define) that is being evaluated.

    Unlike next(), this goes through all blocks on the way. The argument, or undef, is the
    result of the function.
    """,
    examples=(
        "function first_even($list) { $list.each |$x| { if $x % 2 == 0 { return($x) } } undef }\n"
        "first_even([1, 4, 6])  # => 4",
    ),
)


@return_.dispatch("Any $value?")
def _return(value: Any = None) -> Any:
    raise ReturnSignal(value)


import_ = Function(
    "import",
    theme="calls",
    statement=True,
    doc="""Refused: import was taken out of the language.

    A directory of manifests does what it was for.
    """,
    examples=(
        "import('x.pp')  # error: Evaluation Error: Use of 'import' has been discontinued in favor"
        " of a manifest directory. See http://links.puppet.com/puppet-import-deprecation",
    ),
)


@import_.dispatch("Any *$args")
def _import(*_args: Any) -> Any:
    raise EvaluationError(
        "Use of 'import' has been discontinued in favor of a manifest directory. "
        "See http://links.puppet.com/puppet-import-deprecation",
        "DISCONTINUED_IMPORT",
    )


FUNCTIONS = by_name(with_, then, lest, call, break_, next_, return_, import_)
