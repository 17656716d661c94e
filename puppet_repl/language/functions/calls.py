"""Calls of blocks and of functions by name, and their early ends: with, call, next, return..."""

from __future__ import annotations

from puppet_repl.base.errors import EvaluationIssue, RuntimeFailure, Subject
from puppet_repl.language.functions.registry import function
from puppet_repl.language.runtime.signals import BreakSignal, NextSignal, ReturnSignal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.making.puppet_object import PuppetObject
    from puppet_repl.language.values.protocols import Value


@function(
    "with",
    "Any *$arg, Callable &$block",
    examples=(
        "with(2, 3) |$a, $b| { $a * $b }  # => 6",
        "with('x') |$v| { $twice = \"${v}${v}\" $twice }  # => 'xx'",
    ),
)
def with_(*args: Value, block: Closure) -> Value:
    """Call a block with the given arguments and return its result.

    Variables that the block assigns are local to it, so this keeps helper variables out of the
    scope around it. Arguments without a parameter in the block are dropped.

    @param arg the arguments of the block
    @param block called with the arguments
    @return [Any] the result of the block
    """
    return block(*args)


@function(
    "then",
    "Any $arg, Callable[1,1] &$block",
    examples=(
        "[1, 2].then |$list| { $list[0] }  # => 1",
        "undef.then |$x| { fail('never called') }  # => undef",
    ),
)
def then(arg: Value, *, block: Closure) -> Value:
    """Call a block with a value, unless the value is undef.

    The result is that of the block, or undef. Use it to access data that may be missing; lest()
    is its counterpart.

    @param arg the value
    @param block called with the value unless that is undef
    @return [Any] the result of the block, or undef
    """
    return None if arg is None else block(arg)


@function(
    "lest",
    "Any $arg, Callable[0,0] &$block",
    examples=(
        "undef.lest || { 'fallback' }  # => 'fallback'",
        "false.lest || { 'fallback' }  # => false",
    ),
)
def lest(arg: Value, *, block: Closure) -> Value:
    """Return a value, or the result of a block if the value is undef.

    The block has no parameters. Only undef is replaced: false and '' are returned unchanged.

    @param arg the value
    @param block called without arguments where the value is undef
    @return [Any] the value, or the result of the block
    """
    return block() if arg is None else arg


_DEFERRED = (
    "Object[{name => 'Deferred', attributes => {"
    "'name' => Pattern[/\\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\\z/], "
    "'arguments' => {type => Optional[Array], value => undef}}}]"
)


@function(
    "call",
    "String $function_name, Any *$arguments, Callable &$block?",
    examples=(
        "call('join', ['a', 'b'], '-')  # => 'a-b'",
        "call('map', [1, 2]) |$x| { $x * 10 }  # => [10, 20]",
        "call(Deferred('upcase', ['later']))  # => 'LATER'",
    ),
)
def call(
    function_name: str, *arguments: Value, context: Context, block: Closure | None = None
) -> Value:
    """Call a function whose name is only known at run time, or resolve a Deferred.

    The first argument is the name; the others, and a block, are passed on. Types cannot be called
    by name. A Deferred whose name begins with $ stands for a variable, and its arguments are a path
    of keys and indexes into its value.

    @param function_name the name of the function
    @param arguments the arguments of the function
    @param block the block of the function
    @param deferred the Deferred to resolve
    @return [Any] the result of the function, or the value of the Deferred
    """
    name = function_name.removeprefix("::")
    function = context.function_seen_from(None, name)
    if function is None:
        raise RuntimeFailure(
            f"Unknown function '{function_name}'", subject=Subject("function", name)
        )
    return function.call(context, arguments, block)


@call.dispatch("Deferred $deferred")
def _call_deferred(deferred: PuppetObject, *, context: Context) -> Value:
    from puppet_repl.language.functions.deferred import resolve_deferred

    return resolve_deferred(deferred, context)


@function(
    "break",
    "",
    returns="Any",
    examples=("[1, 2, 3].map |$x| { if $x == 3 { break() } $x }  # => [1, 2]",),
)
def break_() -> NoReturn:
    """End the innermost iteration that can be ended early.

    These are each, map, reduce, slice, step, reverse_each, tree_each, and filter (except of a
    Hash). The iteration returns the results that it has collected; elsewhere break() is an error.

    @return [Undef] nothing: the call does not return
    """
    raise BreakSignal


@function(
    "next",
    "Any $value?",
    examples=("[1, 2, 3].map |$x| { if $x == 2 { next('two') } $x }  # => [1, 'two', 3]",),
)
def next_(value: Value = None) -> NoReturn:
    """End the call of a block or function at once, with the given value or undef as its result.

    An iteration goes on with its next element.

    @param value the result of the block or function (undef)
    @return [Undef] nothing: the call does not return
    """
    raise NextSignal(value)


@function(
    "return",
    "Any $value?",
    examples=(
        "function first_even($list) { $list.each |$x| { if $x % 2 == 0 { return($x) } } undef }\n"
        "first_even([1, 4, 6])  # => 4",
    ),
)
def return_(value: Value = None) -> NoReturn:
    """End the function, class or defined type that is being evaluated.

    Unlike next(), this ends all blocks around the call too. The argument, or undef, is the
    result of the function.

    @param value the result of the function (undef)
    @return [Undef] nothing: the call does not return
    """
    raise ReturnSignal(value)


@function(
    "import",
    "Any *$args",
    examples=(
        "import('x.pp')  # error: Evaluation Error: Use of 'import' has been discontinued in favor"
        " of a manifest directory. See http://links.puppet.com/puppet-import-deprecation",
    ),
)
def import_(*_args: Value) -> NoReturn:
    """Raise an error: import was removed from the language.

    Use a directory of manifests instead.

    @param args the names of the manifests
    @return [Undef] nothing: the call is an error
    """
    raise EvaluationIssue(
        "Use of 'import' has been discontinued in favor of a manifest directory. "
        "See http://links.puppet.com/puppet-import-deprecation",
        "DISCONTINUED_IMPORT",
    )
