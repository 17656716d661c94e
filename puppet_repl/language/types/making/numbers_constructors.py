"""The constructors of Integer, Float, Numeric and Boolean."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import float_text, is_finite
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.types.making.constructor import Constructor, Way
from puppet_repl.language.types.text.mismatch import value_mismatch
from puppet_repl.language.values.convert import to_number
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.integers import float_of, integer_of
from puppet_repl.language.values.ruby import ruby_quoted
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value

_SIGN = r"\A[+-]?\s*"
_HEX = "(?:0[xX][0-9A-Fa-f]+)"
_BIN = "(?:0[bB][01]+)"
_INTEGER = rf"{_SIGN}(?:(?:\d+)|{_HEX}|{_BIN})\z"
_DECIMAL = r"(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)"
_FLOAT = rf"{_SIGN}(?:{_DECIMAL}|{_HEX}|(?:0[0-7]+)|{_BIN})\z"
_RADIXES = (2, 8, 10, 16)


def _refusal(target: str, value: Value) -> str:
    if type(value) is str:
        return f"The string '{value}' cannot be converted to {target}"
    return f"Value of type {infer(value).generalize()} cannot be converted to {target}"


def _invalid(target: str, text: str) -> RuntimeFailure:
    return RuntimeFailure(f"invalid value for {target}(): {ruby_quoted(text)}")


def _joined(text: str) -> str | None:
    """Remove the blanks between sign and digits; return None for a text without such blanks."""
    match = re.fullmatch(r"([+-])[ \t]+(.*)", text)
    return None if match is None else match[1] + match[2]


def _integer(value: Any, radix: Any = DEFAULT, absolute: bool = False) -> int:
    if type(value) is str:
        result = _integer_of_text(value, radix)
        if result is None:
            joined = _joined(value)
            result = None if joined is None else _integer_of_text(joined, radix)
        if result is None:
            raise _invalid("Integer", value)
    elif type(value) is float:
        if not is_finite(value):
            raise RuntimeFailure(float_text(value))
        result = int(value)
    elif type(value) is int or type(value) is bool:
        result = int(value)
    else:
        result = value.whole_seconds
    return abs(result) if absolute else result


def _integer_of_text(text: str, radix: Any) -> int | None:
    """Read an Integer as Ruby's Integer() does; a prefix has to agree with the radix."""
    match = re.fullmatch(r"\s*([+-]?)(0[xX]|0[bB]|)([0-9A-Fa-f]+)", text)
    if match is None:
        return None
    sign, prefix, digits = match.groups()
    if prefix:
        base = 16 if prefix[1] in "xX" else 2
        if radix == 16 and base == 2:
            # To Ruby the b is a hexadecimal digit then.
            return integer_of(f"{sign}{prefix}{digits}", 16)
        if radix is not DEFAULT and radix != base:
            return None
    elif radix is DEFAULT:
        base = 8 if len(digits) > 1 and digits[0] == "0" else 10
    else:
        base = radix
    try:
        return integer_of(sign + digits, base)
    except ValueError:
        return None


def _check_radix(radix: Value) -> None:
    if radix not in _RADIXES or type(radix) is bool:
        raise RuntimeFailure(f"Illegal radix: {to_text(radix)}, expected 2, 8, 10, 16, or default")


def _refuse_integer(value: Value, radix: Value = DEFAULT, _absolute: Value = None) -> str:
    if radix is not DEFAULT:
        _check_radix(radix)
    return _refusal("Integer", value)


def _refuse_integer_hash(given: PuppetHash) -> str:
    """Return the error text for named arguments: for the value, the radix, or the keys."""
    convertible = NEW_INTEGER.names.lookup_type("Convertible")
    named = NEW_INTEGER.names.lookup_type("NamedArgs")
    assert convertible is not None and named is not None
    if given.has("from") and not convertible.accepts_value(given["from"]):
        return _refuse_integer(given["from"])
    radix = given.get("radix")
    if radix is not None and radix is not DEFAULT:
        _check_radix(radix)
    raise RuntimeFailure(value_mismatch("Integer.new", named, given))


def _integer_named(given: PuppetHash) -> int:
    return _integer(given["from"], given.get("radix") or DEFAULT, bool(given.get("abs")))


def _float(value: Any, absolute: bool = False) -> float:
    if type(value) is str:
        result = _float_of_text(value)
        if result is None:
            joined = _joined(value)
            result = None if joined is None else _float_of_text(joined)
        if result is None:
            raise _invalid("Float", value)
    elif type(value) is int or type(value) is float or type(value) is bool:
        result = float_of(value)
    else:
        result = value.seconds
    return abs(result) if absolute else result


def _float_of_text(text: str) -> float | None:
    """Read a Float as Ruby's Float() does: hexadecimal is known to it, binary only unsigned."""
    if re.fullmatch("0[bB][01]+", text):
        return float_of(integer_of(text, 2))
    if re.fullmatch(r"\s*[+-]?0[xX][0-9A-Fa-f]+", text):
        return float_of(integer_of(text, 16))
    if re.fullmatch(r"\s*[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?", text):
        return float(text)
    return None


def _numeric(value: Any, absolute: bool = False) -> int | float | None:
    result: int | float | None
    if type(value) is str:
        if re.fullmatch("0[bB][01]+", value):
            result = integer_of(value, 2)
        else:
            result = to_number(value)
        if result is None:
            return None
    elif type(value) is int or type(value) is float:
        result = value
    elif type(value) is bool:
        result = int(value)
    else:
        result = value.seconds
    return abs(result) if absolute else result


def _boolean(value: Value) -> bool:
    if type(value) is str:
        return value.lower() in ("true", "yes", "y")
    return bool(value)


NEW_INTEGER = Constructor(
    "new",
    Way(_integer, "Convertible from", "Radix radix?", "Boolean abs?"),
    Way(_integer_named, "NamedArgs hash_args"),
    Way(_refuse_integer_hash, "Hash hash_args", is_refusal=True),
    Way(_refuse_integer, "Any from", "Integer radix?", "Boolean abs?", is_refusal=True),
    aliases={
        "Radix": ("Variant[Default, Integer[2,2], Integer[8,8], Integer[10,10], Integer[16,16]]"),
        "Convertible": f"Variant[Numeric, Boolean, Pattern[/{_INTEGER}/], Timespan, Timestamp]",
        "NamedArgs": (
            "Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]"
        ),
    },
)


def _real(name: str, target: str, make: Any, numbers: str) -> Constructor:
    def named(given: PuppetHash) -> Value:
        return make(given["from"], bool(given.get("abs")))

    def refuse(value: Any, _absolute: Any = None) -> str:
        return _refusal(target, value)

    return Constructor(
        name,
        Way(make, "Convertible from", "Boolean abs?"),
        Way(named, "NamedArgs hash_args"),
        Way(refuse, "Any from", "Boolean abs?", is_refusal=True),
        aliases={
            "Convertible": (
                f"Variant[{numbers}, Boolean, Pattern[/{_FLOAT}/], Timespan, Timestamp]"
            ),
            "NamedArgs": "Struct[{from => Convertible, Optional[abs] => Boolean}]",
        },
    )


def _refuse_boolean(value: Value) -> str:
    return _refusal("Boolean", value)


NEW_FLOAT = _real("new_float", "Float", _float, "Numeric")
NEW_NUMERIC = _real("new_numeric", "Numeric", _numeric, "Integer, Float")
NEW_BOOLEAN = Constructor(
    "new_boolean",
    Way(
        _boolean,
        "Variant[Integer, Float, Boolean, Enum['false','true','yes','no','y','n',true]] from",
    ),
    Way(_refuse_boolean, "Any from", is_refusal=True),
)
