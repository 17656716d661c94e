"""Types and values: new, convert_to, type, assert_type, annotate, unwrap."""

from __future__ import annotations

from puppet_repl.errors import PuppetError, RuntimeFailure
from puppet_repl.functions.registry import Function, by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.closure import Closure
    from puppet_repl.runtime.context import Context

new = Function(
    "new",
    theme="conversion",
    doc="""Make an instance of a type; the same as calling the type.

    What the further arguments mean depends on the type. A single argument that is an instance
    already is answered as it is. The result is checked against the type with its ranges. A
    block gets the new value (not one that was answered as it is), and its result is the result.
    """,
    examples=(
        "new(Integer, '0x10', 16)  # => 16",
        "Integer.new('42')  # => 42",
        "Array({a => 1})  # => [['a', 1]]",
        "String(255, '%#x')  # => '0xff'",
        "Integer.new('5') |$n| { $n + 1 }  # => 6",
    ),
)


@new.dispatch("Type $type, Any *$args, Callable &$block?")
def _new(type_: Any, *args: Any, context: Context, block: Closure | None = None) -> Any:
    from puppet_repl.types.making.new import construct

    made = construct(type_, args, context)
    if block is None or (len(args) == 1 and made is args[0]):
        return made
    return block(made)


convert_to = Function(
    "convert_to",
    theme="conversion",
    doc="""Convert a value to a type: new() with the value in front, good for chains of calls.

    Further arguments go to the constructor; a block gets the converted value.
    """,
    examples=(
        "'42'.convert_to(Integer)  # => 42",
        "255.convert_to(String, '%x')  # => 'ff'",
        "'10'.convert_to(Integer) |$n| { $n * 2 }  # => 20",
    ),
)


@convert_to.dispatch("Any $value, Type $type, Any *$args, Callable[1,1] &$block?")
def _convert_to(
    value: Any, type_: Any, *args: Any, context: Context, block: Closure | None = None
) -> Any:
    from puppet_repl.types.making.new import construct

    made = construct(type_, (value, *args), context)
    return made if block is None else block(made)


type_ = Function(
    "type",
    theme="conversion",
    doc="""Answer the type of a value.

    With 'detailed' (or nothing) in all detail, with 'reduced' as one type for all elements of
    a collection, with 'generalized' without any ranges, sizes and texts.
    """,
    examples=(
        "type(5)  # => Integer[5, 5]",
        "type([1, 'a'])  # => Tuple[Integer[1, 1], String]",
        "type([1, 2], 'reduced')  # => Array[Integer[1, 2], 2, 2]",
        "type([1, 2], 'generalized')  # => Array[Integer]",
    ),
)


@type_.dispatch("Any $value, Enum[detailed] $inference_method?", returns="Type")
def _type_detailed(value: Any, _method: str = "detailed") -> Any:
    from puppet_repl.types.algebra.infer import infer_set

    return infer_set(value)


@type_.dispatch("Any $value, Enum[reduced] $inference_method", returns="Type")
def _type_reduced(value: Any, _method: str) -> Any:
    from puppet_repl.types.algebra.infer import infer

    return infer(value)


@type_.dispatch("Any $value, Enum[generalized] $inference_method", returns="Type")
def _type_generalized(value: Any, _method: str) -> Any:
    from puppet_repl.types.algebra.infer import infer

    return infer(value).generalize()


assert_type = Function(
    "assert_type",
    theme="conversion",
    doc="""Answer a value if it is an instance of a type; otherwise it is an error.

    The type may be given as a text. With a block, that gets the expected and the actual type
    instead of the error, and its result is the result.
    """,
    examples=(
        "assert_type(Integer, 5)  # => 5",
        "assert_type('Integer[1, 10]', 7)  # => 7",
        "assert_type(Integer, 'x') |$expected, $actual| "
        "{ \"${expected}, not ${actual}\" }  # => 'Integer, not String'",
        "assert_type(Integer, 'x')  # error: Evaluation Error: Error while evaluating a "
        "Function Call, assert_type(): expects an Integer value, got String",
    ),
)


@assert_type.dispatch("Type $type, Any $value, Callable[Type, Type] &$block?")
def _assert_type(expected: Any, value: Any, *, block: Closure | None = None) -> Any:
    if expected.accepts_value(value):
        return value
    from puppet_repl.types.algebra.infer import infer_set

    actual = infer_set(value)
    if block is not None:
        return block(expected, actual)
    from puppet_repl.types.text.mismatch import describe_mismatch

    raise RuntimeFailure(describe_mismatch("assert_type():", expected, actual))


@assert_type.dispatch("String $type_string, Any $value, Callable[Type, Type] &$block?")
def _assert_type_text(
    text: str, value: Any, *, context: Context, block: Closure | None = None
) -> Any:
    from puppet_repl.types.making.parse import parse_type

    try:
        expected = parse_type(text, context)
    except PuppetError as error:
        if error.start is not None and not error.message.endswith("end of input"):
            raise
        raise RuntimeFailure(error.message) from None
    return _assert_type(expected, value, block=block)


annotate = Function(
    "annotate",
    theme="conversion",
    doc="""Attach an annotation to a value, or look one up.

    An annotation is an instance of an Object type whose parent is Annotation. With a Hash, a
    new one is attached; with 'clear' it is taken away; with neither, it is looked up (in the
    value, then in its type), and made from the Hash that the block answers where there is none.
    """,
    examples=(
        "type Note = Annotation{attributes => {text => String}}\n"
        "type Point = Object[{attributes => {x => Integer}}]\n"
        "$point = Point(1)\n"
        "$note = annotate(Note, $point, {text => 'origin'})\n"
        "annotate(Note, $point).text  # => 'origin'",
    ),
)


@annotate.dispatch("Type[Annotation] $type, Any $value, Callable[0, 0] &$block?")
def _annotation(annotation: Any, value: Any, *, block: Closure | None = None) -> Any:
    from puppet_repl.types.model.annotation import find_annotation

    return find_annotation(annotation, value, block)


@annotate.dispatch(
    "Type[Annotation] $type, Any $value, "
    "Variant[Enum[clear],Hash[Pcore::MemberName,Any]] $annotation_hash"
)
def _annotate(annotation: Any, value: Any, content: Any) -> Any:
    from puppet_repl.types.model.annotation import set_annotation

    return set_annotation(annotation, value, content)


@annotate.dispatch(
    "Type[Pcore] $type, Any $value, "
    "Hash[Type[Annotation], Hash[Pcore::MemberName,Any]] $annotations"
)
def _annotate_all(_pcore: Any, value: Any, annotations: Any) -> Any:
    from puppet_repl.types.model.annotation import set_annotation

    made = [
        set_annotation(annotation, value, content) for annotation, content in annotations.items()
    ]
    return tuple(made)


unwrap = Function(
    "unwrap",
    theme="conversion",
    doc="""Take a value out of its Sensitive wrapper; other values are answered as they are.

    With a block, that gets the value, and its result is the result: good for keeping the
    secret in a small place.
    """,
    examples=(
        "unwrap(Sensitive('pw'))  # => 'pw'",
        "Sensitive('secret').unwrap |$text| { $text.length }  # => 6",
        "unwrap(5)  # => 5",
    ),
)


@unwrap.dispatch("Sensitive $arg, Callable &$block?")
def _unwrap(sensitive: Any, *, block: Closure | None = None) -> Any:
    return sensitive.value if block is None else block(sensitive.value)


@unwrap.dispatch("Any $arg, Callable &$block?")
def _unwrap_plain(value: Any, *, block: Closure | None = None) -> Any:
    return value if block is None else block(value)


FUNCTIONS = by_name(new, convert_to, type_, assert_type, annotate, unwrap)
