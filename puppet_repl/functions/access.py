"""Looking into data: dig, get, getvar, keys, values, and sizes."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.places import place_of_call
from puppet_repl.functions.registry import Function, by_name
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.closure import Closure
    from puppet_repl.runtime.context import Context


class DigFailure(RuntimeFailure):
    """Data that cannot be walked into; get() offers it to its block as an Error value."""

    def __init__(self, message: str, issue_code: str, details: dict[str, Any]) -> None:
        super().__init__(message)
        self.issue_code = issue_code
        self.details = details


dig = Function(
    "dig",
    theme="access",
    doc="""Walk into nested arrays and hashes along a path of indexes and keys.

    The result is undef as soon as something on the way is missing. A value on the way that is
    neither Array nor Hash, or an index of an Array that is no Integer, is an error.
    """,
    examples=(
        "{a => {b => [10, 20]}}.dig('a', 'b', 1)  # => 20",
        "{a => 1}.dig('x', 'y')  # => undef",
        "dig([1, 2, 3], -1)  # => 3",
    ),
)


@dig.dispatch("Optional[Collection] $data, Any *$arg")
def walk(data: Any, *path: Any) -> Any:
    """Answer what is at the end of the path, or None."""
    walked: list[Any] = []
    for key in path:
        if data is None or key is None:
            return None
        if type(data) is not tuple and type(data) is not PuppetHash:
            from puppet_repl.types.algebra.infer import infer

            found = infer(data)
            raise DigFailure(
                "The given data does not contain a Collection at "
                f"{_path_text(walked)}, got '{found}'",
                "EXPECTED_COLLECTION",
                {"walked_path": tuple(walked), "value_type": found},
            )
        walked.append(key)
        if type(data) is PuppetHash:
            data = data.get(key)
            continue
        if type(key) is not int:
            from puppet_repl.types.algebra.infer import infer

            found = infer(key)
            raise DigFailure(
                f"The given data requires an Integer index at {_path_text(walked)}, got '{found}'",
                "EXPECTED_INTEGER_INDEX",
                {"walked_path": tuple(walked), "index_type": found},
            )
        data = data[key] if -len(data) <= key < len(data) else None
    return data


def _path_text(walked: list[Any]) -> str:
    from puppet_repl.values.ruby import ruby_inspect

    return ruby_inspect(tuple(walked))


get = Function(
    "get",
    theme="access",
    doc="""Walk into nested data along a path in one string, such as 'users.0.name'.

    Segments are separated by dots; one that is a number is an index, and one with dots or
    spaces in it stands in quotes. Where the value is missing or undef, the default (undef if
    none is given) is the result. With a block, an error on the way is handed to it as an Error
    value, and its result is the result.
    """,
    examples=(
        "{a => {b => 2}}.get('a.b')  # => 2",
        "get([10, [20]], '1.0')  # => 20",
        "get({'x.y' => 1}, '\"x.y\"')  # => 1",
        "get({a => 1}, 'b', 'none')  # => 'none'",
        "get({a => 'text'}, 'a.b') |$error| { $error.issue_code }  # => 'EXPECTED_COLLECTION'",
    ),
)


@get.dispatch("Any $value, String $dotted_string, Any $default_value?, Callable[1,1] &$block?")
def get_value(
    value: Any,
    dotted: str,
    default: Any = None,
    *,
    context: Context,
    block: Closure | None = None,
) -> Any:
    """Answer what is at the end of the dotted path, or the default."""
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


_SEGMENT = r"""(?:\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)"""


def split_segments(dotted: str) -> tuple[Any, ...] | None:
    """The keys of a dotted path, or None where its syntax is wrong."""
    import re

    if not re.fullmatch(rf"{_SEGMENT}(?:\.{_SEGMENT})*", dotted):
        return None
    segments: list[Any] = []
    for segment in re.findall(_SEGMENT, dotted):
        text = segment.strip()
        if text[:1] in ("'", '"'):
            segments.append(text[1:-1])
        elif re.fullmatch(r"[+-]?[0-9]+", text):
            segments.append(int(text))
        else:
            segments.append(text)
    return tuple(segments)


def error_value(failure: DigFailure) -> Any:
    """The failure as a value of the type Error."""
    from puppet_repl.types.model.builtin_objects import ERROR
    from puppet_repl.types.model.puppet_object import PuppetObject

    values = {
        "msg": failure.message,
        "kind": "SLICE_ERROR",
        "details": PuppetHash(failure.details.items()),
        "issue_code": failure.issue_code,
    }
    return PuppetObject(ERROR, values)


getvar = Function(
    "getvar",
    theme="access",
    doc="""Answer the value of a variable that is named by a string, with a path into it.

    The name has no $; after it a path as for get() may follow. Where the variable does not
    exist, or nothing is found, the default is the result, and never an error.
    """,
    examples=(
        "$port = 80 getvar('port')  # => 80",
        "$h = {a => [1, 2]} getvar('h.a.1')  # => 2",
        "getvar('no_such_variable', 'default')  # => 'default'",
        "getvar('facts.os.nothing', 'unknown')  # => 'unknown'",
    ),
)


@getvar.dispatch(
    r"Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] $get_string, Any $default_value?, "
    "Callable[1,1] &$block?"
)
def _getvar(
    text: str, default: Any = None, *, context: Context, block: Closure | None = None
) -> Any:
    name, dot, path = text.partition(".")
    if not dot and text.endswith("\n"):
        raise RuntimeFailure("First character after var name in get string must be a '.' - got \n")
    if not context.scope.exists(name):
        return default
    return get_value(context.scope.lookup(name), path, default, context=context, block=block)


@getvar.mismatch("String $get_string, Any $default_value?, Callable &$block?")
def _getvar_name(_text: str, _default: Any = None) -> str:
    return "The given string does not start with a valid variable name"


keys = Function(
    "keys",
    theme="access",
    doc="""Make an Array of the keys of a Hash, in their order.""",
    examples=("{a => 1, b => 2}.keys  # => ['a', 'b']",),
)


@keys.dispatch("Hash $hsh", returns="Array")
def _keys(hash_: PuppetHash) -> Any:
    return tuple(hash_.keys())


values = Function(
    "values",
    theme="access",
    doc="""Make an Array of the values of a Hash, in the order of its keys.""",
    examples=("{a => 1, b => [2]}.values  # => [1, [2]]",),
)


@values.dispatch("Hash $hsh", returns="Array")
def _values(hash_: PuppetHash) -> Any:
    return tuple(hash_.values())


length = Function(
    "length",
    theme="access",
    doc="""Count the elements of an Array, entries of a Hash, characters or bytes.

    A String counts in characters (code points), a Binary in bytes.
    """,
    examples=(
        "[1, [2, 3]].length  # => 2",
        "'héllo'.length  # => 5",
        "{a => 1}.length  # => 1",
    ),
)


@length.dispatch("Collection $arg", returns="Integer")
def _length_collection(collection: Any) -> int:
    return len(collection)


@length.dispatch("String $arg", returns="Integer")
def _length_text(text: str) -> int:
    return len(text)


@length.dispatch("Binary $arg", returns="Integer")
def _length_binary(binary: Any) -> int:
    return len(binary)


size = Function(
    "size",
    theme="access",
    doc="""Count the elements of an Array, entries of a Hash, characters or bytes, as length().""",
    examples=("size([1, 2, 3])  # => 3", "'four'.size  # => 4"),
)


@size.dispatch("Variant[Collection, String, Binary] $arg", returns="Integer")
def _size(value: Any) -> int:
    return len(value)


empty = Function(
    "empty",
    theme="access",
    doc="""Tell whether an Array, Hash, String or Binary has nothing in it.

    A String of spaces is not empty. Undef is, and a number never is (with a deprecation
    warning); anything else is refused.
    """,
    examples=(
        "''.empty  # => true",
        "[undef].empty  # => false",
        "empty({})  # => true",
    ),
)


@empty.dispatch("Collection $coll", returns="Boolean")
def _empty_collection(collection: Any) -> bool:
    return len(collection) == 0


@empty.dispatch("Sensitive[String] $str", returns="Boolean")
def _empty_sensitive(text: Any) -> bool:
    return len(text.value) == 0


@empty.dispatch("String $str", returns="Boolean")
def _empty_text(text: str) -> bool:
    return not text


@empty.dispatch("Numeric $num", returns="Boolean")
def _empty_number(_number: float, *, context: Context) -> bool:
    place = place_of_call(context)
    text = f"Calling function empty() with Numeric value is deprecated.{place}"
    context.warn_once(f"empty{place}", text)
    return False


@empty.dispatch("Binary $bin", returns="Boolean")
def _empty_binary(binary: Any) -> bool:
    return len(binary) == 0


@empty.dispatch("Undef $x", returns="Boolean")
def _empty_undef(_undef: None) -> bool:
    return True


FUNCTIONS = by_name(dig, get, getvar, keys, values, length, size, empty)
