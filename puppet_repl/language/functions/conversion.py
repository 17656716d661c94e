"""Conversions between types and values: new, convert_to, type, assert_type, annotate, unwrap."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.language.functions.registry import function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.hash import PuppetHash
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.language.values.sensitive import Sensitive


# An import in a function takes longer than most conversions, also if the module is there.
_construct: Callable[..., Value] | None = None


def _import_construct() -> Callable[..., Value]:
    global _construct
    from puppet_repl.language.types.making.new import construct

    _construct = construct
    return construct


@function(
    "new",
    "Type $type, Any *$args, Callable &$block?",
    examples=(
        "new(Integer, '0x10', 16)  # => 16",
        "Integer.new('42')  # => 42",
        "Array({a => 1})  # => [['a', 1]]",
        "String(255, '%#x')  # => '0xff'",
        "Integer.new('5') |$n| { $n + 1 }  # => 6",
    ),
)
def new(type_: PuppetType, *args: Value, context: Context, block: Closure | None = None) -> Value:
    """Create an instance of a type; the same as calling the type.

    The meaning of the further arguments depends on the type. A single argument that is already an
    instance is returned unchanged. The result has to be in the ranges of the type. A block is
    called with a newly created value; its result is then the result.

    @param type the type of the new value
    @param args the arguments of its constructor
    @param block called with the new value
    @return [Any] an instance of the type, or the result of the block
    """
    instance = (_construct or _import_construct())(type_, args, context)
    if block is None or (len(args) == 1 and instance is args[0]):
        return instance
    return block(instance)


@function(
    "convert_to",
    "Any $value, Type $type, Any *$args, Callable[1,1] &$block?",
    examples=(
        "'42'.convert_to(Integer)  # => 42",
        "255.convert_to(String, '%x')  # => 'ff'",
        "'10'.convert_to(Integer) |$n| { $n * 2 }  # => 20",
    ),
)
def convert_to(
    value: Value, type_: PuppetType, *args: Value, context: Context, block: Closure | None = None
) -> Value:
    """Convert a value to a type, like new() with the value as first argument.

    Further arguments are passed to the constructor; a block is called with the converted value.

    @param value the value to convert
    @param type the type of the result
    @param args further arguments of the constructor
    @param block called with the converted value
    @return [Any] the new value, or the result of the block
    """
    construct = _construct or _import_construct()
    converted = construct(type_, (value, *args), context)
    return converted if block is None else block(converted)


@function(
    "type",
    "Any $value, Enum[detailed] $inference_method?",
    returns="Type",
    examples=(
        "type(5)  # => Integer[5, 5]",
        "type([1, 'a'])  # => Tuple[Integer[1, 1], String]",
        "type([1, 2], 'reduced')  # => Array[Integer[1, 2], 2, 2]",
        "type([1, 2], 'generalized')  # => Array[Integer]",
    ),
)
def type_(value: Value, _method: str = "detailed") -> PuppetType:
    """Return the type of a value.

    'detailed' (the default) tells everything about the value, 'reduced' finds one type for all
    elements of a collection, 'generalized' omits ranges, sizes and strings.

    @param value the value
    @param inference_method 'detailed', 'reduced' or 'generalized'
    """
    from puppet_repl.language.types.algebra.infer import infer_set

    return infer_set(value)


@type_.dispatch("Any $value, Enum[reduced] $inference_method", returns="Type")
def _type_reduced(value: Value, _method: str) -> PuppetType:
    from puppet_repl.language.types.algebra.infer import infer

    return infer(value)


@type_.dispatch("Any $value, Enum[generalized] $inference_method", returns="Type")
def _type_generalized(value: Value, _method: str) -> PuppetType:
    from puppet_repl.language.types.algebra.infer import infer

    return infer(value).generalize()


@function(
    "assert_type",
    "Type $type, Any $value, Callable[Type, Type] &$block?",
    examples=(
        "assert_type(Integer, 5)  # => 5",
        "assert_type('Integer[1, 10]', 7)  # => 7",
        "assert_type(Integer, 'x') |$expected, $actual| "
        "{ \"${expected}, not ${actual}\" }  # => 'Integer, not String'",
        "assert_type(Integer, 'x')  # error: Evaluation Error: Error while evaluating a "
        "Function Call, assert_type(): expects an Integer value, got String",
    ),
)
def assert_type(expected: PuppetType, value: Value, *, block: Closure | None = None) -> Value:
    """Return a value if it is an instance of a type, and raise an error otherwise.

    The type may be given as a string. Instead of the error, a block is called with the expected
    and the actual type; its result is then the result.

    @param type the type that is expected
    @param value the value that is tested
    @param block called with the expected and the actual type where the value is not of the type
    @param type_string that type as text
    @return [Any] the value, or the result of the block
    """
    return _asserted(expected, value, block)


def _asserted(expected: PuppetType, value: Value, block: Closure | None) -> Value:
    if expected.accepts_value(value):
        return value
    from puppet_repl.language.types.algebra.infer import infer_set

    actual = infer_set(value)
    if block is not None:
        return block(expected, actual)
    from puppet_repl.language.types.text.mismatch import describe_mismatch

    raise RuntimeFailure(describe_mismatch("assert_type():", expected, actual))


@assert_type.dispatch("String $type_string, Any $value, Callable[Type, Type] &$block?")
def _assert_type_text(
    text: str, value: Value, *, context: Context, block: Closure | None = None
) -> Value:
    try:
        from puppet_repl.language.types.making.parse import parse_type

        expected = parse_type(text, context)
    except PuppetError as error:
        if error.start is not None and not error.message.endswith("end of input"):
            raise
        raise RuntimeFailure(error.message) from None
    return _asserted(expected, value, block)


@function(
    "annotate",
    "Type[Annotation] $type, Any $value, Callable[0, 0] &$block?",
    examples=(
        "type Note = Annotation{attributes => {text => String}}\n"
        "type Point = Object[{attributes => {x => Integer}}]\n"
        "$point = Point(1)\n"
        "$note = annotate(Note, $point, {text => 'origin'})\n"
        "annotate(Note, $point).text  # => 'origin'",
    ),
)
def annotate(
    annotation: PuppetType, value: Value, *, context: Context, block: Closure | None = None
) -> Value:
    """Attach an annotation to a value, or return the attached one.

    An annotation is an instance of an Object type whose parent is Annotation. A Hash attaches a new
    one, 'clear' removes it. With neither, it is looked up in the value, then in its type; a missing
    annotation is created from the Hash that the block returns.

    @param type the type of the annotation, or Pcore where several are given
    @param value the value that has the annotation
    @param block returns the attributes of a new annotation
    @param annotation_hash the attributes of the annotation, or 'clear'
    @param annotations the attributes of several annotations, by their types
    @return [Any] the annotation, or the value where one was attached or removed
    """
    from puppet_repl.language.types.making.annotation import find_annotation

    return find_annotation(annotation, value, context, block)


@annotate.dispatch(
    "Type[Annotation] $type, Any $value, "
    "Variant[Enum[clear],Hash[Pcore::MemberName,Any]] $annotation_hash"
)
def _annotate(
    annotation: PuppetType, value: Value, content: str | PuppetHash, *, context: Context
) -> Value:
    from puppet_repl.language.types.making.annotation import set_annotation

    return set_annotation(annotation, value, content, context)


@annotate.dispatch(
    "Type[Pcore] $type, Any $value, "
    "Hash[Type[Annotation], Hash[Pcore::MemberName,Any]] $annotations"
)
def _annotate_all(
    _pcore: PuppetType, value: Value, annotations: PuppetHash, *, context: Context
) -> Value:
    from puppet_repl.language.types.making.annotation import set_annotation

    for annotation, content in annotations.items():
        set_annotation(annotation, value, content, context)
    return value


@function(
    "unwrap",
    "Sensitive $arg, Callable &$block?",
    examples=(
        "unwrap(Sensitive('pw'))  # => 'pw'",
        "Sensitive('secret').unwrap |$text| { $text.length }  # => 6",
        "unwrap(5)  # => 5",
    ),
)
def unwrap(sensitive: Sensitive, *, block: Closure | None = None) -> Value:
    """Return the value inside a Sensitive; other values are returned unchanged.

    A block is called with the value, and its result is the result: this keeps the secret in a
    small part of the program.

    @param arg the Sensitive, or any other value
    @param block called with the value
    @return [Any] the value, or the result of the block
    """
    return sensitive.value if block is None else block(sensitive.value)


@unwrap.dispatch("Any $arg, Callable &$block?")
def _unwrap_plain(value: Value, *, block: Closure | None = None) -> Value:
    return value if block is None else block(value)
