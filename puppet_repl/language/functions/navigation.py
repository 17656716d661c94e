"""Navigation in nested data by a path: dig, get, getvar."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.data.dotted_keys import split_segments
from puppet_repl.language.functions.registry import function
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.integers import check_long
from puppet_repl.language.values.ruby import ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value


class DigFailure(RuntimeFailure):
    """A path that leads through a value without elements; get() passes it to its block."""

    def __init__(self, message: str, issue_code: str, details: dict[str, Value]) -> None:
        super().__init__(message)
        self.issue_code = issue_code
        self.details = details


@function(
    "dig",
    "Optional[Collection] $data, Any *$arg",
    examples=(
        "{a => {b => [10, 20]}}.dig('a', 'b', 1)  # => 20",
        "{a => 1}.dig('x', 'y')  # => undef",
        "dig([1, 2, 3], -1)  # => 3",
    ),
)
def dig(data: Value, *path: Value) -> Value:
    """Return the value at a path of indexes and keys in nested arrays and hashes.

    The result is undef if any part of the path is missing. A value on the path that is neither an
    Array nor a Hash is an error. An index of an Array must be an Integer.

    @param data the Array or Hash to begin with
    @param arg the indexes and keys, from the outside in
    @return [Any] the value, or undef where a part of the path is missing
    """
    walked: list[Value] = []
    for key in path:
        if data is None or key is None:
            return None
        if type(data) is not tuple and type(data) is not PuppetHash:
            actual = _type_of(data)
            raise DigFailure(
                "The given data does not contain a Collection at "
                f"{_path_text(walked)}, got '{actual}'",
                "EXPECTED_COLLECTION",
                {"walked_path": tuple(walked), "value_type": actual},
            )
        walked.append(key)
        if type(data) is PuppetHash:
            data = data.get(key)
            continue
        if type(key) is not int:
            actual = _type_of(key)
            raise DigFailure(
                f"The given data requires an Integer index at {_path_text(walked)}, got '{actual}'",
                "EXPECTED_INTEGER_INDEX",
                {"walked_path": tuple(walked), "index_type": actual},
            )
        check_long(key)
        data = data[key] if -len(data) <= key < len(data) else None
    return data


def _type_of(value: Value) -> PuppetType:
    from puppet_repl.language.types.algebra.infer import infer

    return infer(value)


def _path_text(walked: list[Value]) -> str:
    return ruby_inspect(tuple(walked))


@function(
    "get",
    "Any $value, String $dotted_string, Any $default_value?, Callable[1,1] &$block?",
    examples=(
        "{a => {b => 2}}.get('a.b')  # => 2",
        "get([10, [20]], '1.0')  # => 20",
        "get({'x.y' => 1}, '\"x.y\"')  # => 1",
        "get({a => 1}, 'b', 'none')  # => 'none'",
        "get({a => 'text'}, 'a.b') |$error| { $error.issue_code }  # => 'EXPECTED_COLLECTION'",
    ),
)
def get(
    value: Value,
    dotted: str,
    default: Value = None,
    *,
    context: Context,
    block: Closure | None = None,
) -> Value:
    """Return the value at a dotted path in nested data, such as 'users.0.name'.

    Segments are separated by dots. A segment that is a number is an index; a segment that
    contains dots or spaces has to be quoted. If the value is missing or undef, the result is the
    default (undef unless given). A block is called with an Error value if the path leads through
    a value that is not a collection; its result is then the result.

    @param value the Array or Hash to begin with
    @param dotted_string the path, as 'users.0.name'
    @param default_value the result where there is no such value (undef)
    @param block called with the error where the path leads through something that has no parts
    @return [Any] the value, or the default
    """
    return _value_at(value, dotted, default, context, block)


def _value_at(
    value: Value, dotted: str, default: Value, context: Context, block: Closure | None
) -> Value:
    if value is None:
        return default
    if not dotted:
        return value
    segments = split_segments(dotted)
    if segments is None:
        raise RuntimeFailure("Syntax error in dotted-navigation string")
    try:
        result = dig.call(context, (value, *segments))
    except DigFailure as failure:
        if block is None:
            raise
        return block(error_value(failure))
    return default if result is None else result


def error_value(failure: DigFailure) -> Value:
    """Return the failure as a value of the type Error."""
    values = {
        "msg": failure.message,
        "kind": "SLICE_ERROR",
        "details": PuppetHash(failure.details.items()),
        "issue_code": failure.issue_code,
    }
    from puppet_repl.language.types.making.builtin_objects import ERROR
    from puppet_repl.language.types.making.puppet_object import PuppetObject

    return PuppetObject(ERROR, values)


@function(
    "getvar",
    r"Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] $get_string, Any $default_value?, "
    "Callable[1,1] &$block?",
    examples=(
        "$port = 80 getvar('port')  # => 80",
        "$h = {a => [1, 2]} getvar('h.a.1')  # => 2",
        "getvar('no_such_variable', 'default')  # => 'default'",
        "getvar('facts.os.nothing', 'unknown')  # => 'unknown'",
    ),
)
def getvar(
    text: str, default: Value = None, *, context: Context, block: Closure | None = None
) -> Value:
    """Return the value of the variable that a string names.

    The name is written without $; a path as for get() may follow it after a dot. If the variable or
    the value at the path does not exist, the result is the default (undef unless given).

    @param get_string the name of the variable, and a path in it after a dot
    @param default_value the result where there is no such value (undef)
    @param block called with the error where the path leads through something that has no parts
    @return [Any] the value, or the default
    """
    name, dot, path = text.partition(".")
    if not dot and text.endswith("\n"):
        raise RuntimeFailure("First character after var name in get string must be a '.' - got \n")
    if not context.scope.exists(name):
        return default
    return _value_at(context.scope.lookup(name), path, default, context, block)


@getvar.mismatch("String $get_string, Any $default_value?, Callable &$block?")
def _getvar_name(_text: str, _default: Value = None) -> str:
    return "The given string does not start with a valid variable name"
