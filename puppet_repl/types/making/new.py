"""New values from types: ``Integer('42')``, ``new(Hash, $pairs)``.

The result is checked against the type with its ranges. What a type can be made from is in the
modules new_numbers, new_collections, new_times and new_others; the usual calls need none of them.
"""

from __future__ import annotations

from functools import cache

from puppet_repl.errors import PuppetError, RuntimeFailure
from puppet_repl.types.model.base import PuppetType
from puppet_repl.types.text.format import convert, default_text
from puppet_repl.values.default import DEFAULT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.types.making.constructor import Constructor, Signature

# The module that holds the constructor of a kind of type.
_MODULES = {
    "Array": "collections",
    "Binary": "others",
    "Boolean": "numbers",
    "Float": "numbers",
    "Hash": "collections",
    "Integer": "numbers",
    "NotUndef": "others",
    "Numeric": "numbers",
    "Regexp": "others",
    "SemVer": "others",
    "SemVerRange": "others",
    "Sensitive": "others",
    "String": "others",
    "Timespan": "times",
    "Timestamp": "times",
    "URI": "others",
}
_SAME_AS = {"Tuple": "Array", "Struct": "Hash"}


def construct(target: PuppetType, args: tuple[Any, ...], context: Any = None) -> Any:
    """Make an instance of a type; a single argument that is one already is answered as it is.

    Raises RuntimeFailure with Puppet's words.
    """
    accepts = target.predicate()
    if len(args) == 1 and target.kind != "Init" and accepts(args[0]):
        return args[0]
    value = _make(target, args, context)
    if not accepts(value):
        from puppet_repl.types.text.mismatch import value_mismatch

        subject = f"Converted value from {target}.new()"
        raise RuntimeFailure(value_mismatch(subject, target, value))
    return value


def _make(target: PuppetType, args: tuple[Any, ...], context: Any) -> Any:
    target = target.resolved()
    kind = target.kind
    if kind == "String":
        if len(args) == 1:
            return default_text(args[0])
        if len(args) == 2 and (args[1] is DEFAULT or (type(args[1]) is str and args[1])):
            return convert(*args)
    elif kind == "Integer" and len(args) == 1 and type(args[0]) is str:
        text = args[0]
        if text.isascii() and text.isdigit() and text[0] != "0":
            return int(text)
    own = getattr(target, "construct", None)
    if own is not None:
        return own(args, context)
    if kind == "Type":
        return _make_type(args, context)
    inner = getattr(target, "type", None)
    if kind == "Optional" or (kind == "NotUndef" and inner is not None):
        if isinstance(inner, PuppetType):
            return _make(inner, args, context)
        raise _not_supported(target)
    constructor = constructor_of(kind)
    if constructor is None:
        raise _not_supported(target)
    return constructor.construct(args)


def _not_supported(target: PuppetType) -> RuntimeFailure:
    return RuntimeFailure(f"Creation of new instance of type '{target}' is not supported")


@cache
def constructor_of(kind: str) -> Constructor | None:
    """Answer the constructor of a kind of type, or None."""
    kind = _SAME_AS.get(kind, kind)
    where = _MODULES.get(kind)
    if where is None:
        return None
    if where == "numbers":
        from puppet_repl.types.making.numbers_constructors import CONSTRUCTORS
    elif where == "collections":
        from puppet_repl.types.making.collections_constructors import CONSTRUCTORS
    elif where == "times":
        from puppet_repl.types.making.times_constructors import CONSTRUCTORS
    else:
        from puppet_repl.types.making.others_constructors import CONSTRUCTORS
    return CONSTRUCTORS[kind]


def constructor_signatures(target: PuppetType) -> list[Signature] | None:
    """Answer what the constructor of a type takes; None where a type has no constructor."""
    if target.kind == "Type":
        return _type_constructor().signatures
    constructor = constructor_of(target.kind)
    return None if constructor is None else constructor.signatures


@cache
def _type_constructor() -> Constructor:
    from puppet_repl.types.making.constructor import Constructor, Way

    return Constructor("new_type", Way(str, "String[1] type_string"))


def _make_type(args: tuple[Any, ...], context: Any) -> Any:
    """Read a type from its text; the types of the program are not known in it."""
    text = _type_constructor().construct(args)
    from puppet_repl.types.making.parse import parse_detached

    try:
        return parse_detached(text)
    except PuppetError as error:
        if error.source is not None and error.line is None:
            raise RuntimeFailure(error.message) from None
        raise
