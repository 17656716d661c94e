"""The validations of stdlib 8 with limits: of numbers, and of the length of texts."""

from __future__ import annotations

from puppet_repl.base.errors import ParseFailure, RuntimeFailure
from puppet_repl.base.float_text import float_text, is_finite
from puppet_repl.language.functions.stdlib.superseded import (
    superseded_function,
    use_validate_legacy,
)
from puppet_repl.language.ruby_library.number import to_float, to_integer
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_class, ruby_inspect, ruby_text
from puppet_repl.language.values.time import Timespan, Timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.values.protocols import Value


class _Range:
    """The limits of numbers: how texts become numbers, and how messages call these."""

    def __init__(
        self, values: tuple[Value, ...], name: str, kind: str, convert: Callable[[Value], float]
    ) -> None:
        self.name = name
        self.kind = kind  # with its article
        self.convert = convert
        self.input = values[0]
        self.most: float | None = None
        self.least: float | None = None
        self._read_limits(values)

    def _number(self, value: Value) -> float | None:
        """Return the number in the text of a value, None for other texts."""
        try:
            return self.convert(ruby_text(value))
        except RuntimeFailure:
            return None

    def _read_limits(self, values: tuple[Value, ...]) -> None:
        if len(values) > 1:
            text = ruby_text(values[1])
            if len(values) == 2 or text:
                self.most = self._number(text)
                if self.most is None:
                    raise self._failure(
                        f"Expected second argument to be unset or {self.kind}, got {text}:String"
                    )
        if len(values) > 2:
            self.least = self._number(values[2])
            if self.least is None:
                given = f"{ruby_text(values[2])}:{ruby_class(values[2])}"
                raise self._failure(
                    f"Expected third argument to be unset or {self.kind}, got {given}"
                )
        if self.most is not None and self.least is not None and self.least > self.most:
            raise self._failure(
                "Expected second argument to be larger than third argument, got"
                f" {ruby_text(self.most)} < {ruby_text(self.least)}"
            )

    def _failure(self, text: str) -> ParseFailure:
        return ParseFailure(f"{self.name}(): {text}")

    def validate(self) -> None:
        """Raise an error unless the first argument, or each element of it, is in the range."""
        value = self.input
        if type(value) is tuple:
            for index, item in enumerate(value):
                number = None if type(item) is PuppetHash else self._number(item)
                if number is None:
                    raise self._failure(
                        f"Expected element at array position {index} to be {self.kind}, got"
                        f" {ruby_class(item)}"
                    )
                self._check(number, value)
            return
        number = None if type(value) is PuppetHash else self._number(value)
        if number is None:
            # stdlib takes the name of the one function for both where the value is a hash.
            name = "validate_integer" if type(value) is PuppetHash else self.name
            raise ParseFailure(
                f"{name}(): Expected first argument to be {self.kind} or Array, got"
                f" {ruby_class(value)}"
            )
        self._check(number, number)

    def _check(self, number: float, shown: Value) -> None:
        text = ruby_inspect(shown)
        if self.most is not None and number > self.most:
            raise self._failure(
                f"Expected {text} to be smaller or equal to {ruby_text(self.most)}, got {text}."
            )
        if self.least is not None and number < self.least:
            raise self._failure(
                f"Expected {text} to be greater or equal to {ruby_text(self.least)}, got {text}."
            )


def _check_count(name: str, values: tuple[Value, ...]) -> None:
    if not 1 <= len(values) <= 3:
        raise ParseFailure(
            f"{name}(): Wrong number of arguments; must be 1, 2 or 3, got {len(values)}"
        )


@superseded_function(
    "validate_integer",
    "Variant[Numeric, String, Array] $number, Any $most?, Any $least?",
    sample="7, 9, 1",
    returns="Undef",
    notice=use_validate_legacy("Stdlib::Compat::Integer", 28),
    warning=use_validate_legacy("Stdlib::Compat::Integer"),
)
def validate_integer(values: tuple[Value, ...]) -> None:
    """Fail unless a value is an Integer, or the text of one, or an array of such, in a range.

    The second argument is the greatest allowed number, the third one the least; an empty second
    one sets no limit.

    @param number the number, or an array of them
    @param most the greatest that is allowed
    @param least the least that is allowed
    """
    _check_count("validate_integer", values)
    _Range(values, "validate_integer", "an Integer", to_integer).validate()


@superseded_function(
    "validate_numeric",
    "Variant[Numeric, String, Array] $number, Any $most?, Any $least?",
    sample="0.5, 1",
    returns="Undef",
    notice=use_validate_legacy("Stdlib::Compat::Numeric", 28),
    warning=use_validate_legacy("Stdlib::Compat::Numeric"),
)
def validate_numeric(values: tuple[Value, ...]) -> None:
    """Fail unless a value is a number, or the text of one, or an array of such, in a range.

    The second argument is the greatest allowed number, the third one the least; an empty second
    one sets no limit.

    @param number the number, or an array of them
    @param most the greatest that is allowed
    @param least the least that is allowed
    """
    _check_count("validate_numeric", values)
    _Range(values, "validate_numeric", "a Numeric", to_float).validate()


def _length(value: Value, least: int, what: str) -> int:
    """Return a limit of a length, converted as by ``Integer(value)``."""
    shown: Value = value
    if type(value) is Timestamp or type(value) is Timespan:
        shown = value.whole_seconds
    elif type(value) is float and not is_finite(value):
        raise RuntimeFailure(float_text(value))
    else:
        try:
            shown = to_integer(value)
        except RuntimeFailure:
            shown = value
    if type(shown) is int and shown >= least:
        return shown
    raise ParseFailure(
        f"validate_slength(): Expected {what} positive Numeric, got"
        f" {ruby_text(shown)}:{ruby_class(shown)}"
    )


@superseded_function(
    "validate_slength",
    "Variant[String, Array[String]] $text, Integer $most, Integer $least?",
    sample="'abc', 5",
    returns="Undef",
    notice=use_validate_legacy("String[]", 28),
    warning=use_validate_legacy("String[]"),
)
def validate_slength(values: tuple[Value, ...]) -> None:
    """Fail unless a text, or each one in an array, has a length up to a limit.

    The third argument is the least length.

    @param text the text, or an array of texts
    @param most the greatest length
    @param least the least length
    """
    if not 2 <= len(values) <= 3:
        raise ParseFailure(
            f"validate_slength(): Wrong number of arguments ({len(values)}; must be 2 or 3)"
        )
    most = _length(values[1], 1, "second argument to be a")
    least = 0
    if len(values) > 2 and values[2] is not None and values[2] is not False:
        least = _length(values[2], 0, "third argument to be unset or a")
    if most < least:
        raise ParseFailure(
            "validate_slength(): Expected second argument to be equal to or larger than third"
            " argument"
        )
    _validate_lengths(values[0], most, least)


def _validate_lengths(value: Value, most: int, least: int) -> None:
    if type(value) is not str and type(value) is not tuple:
        raise ParseFailure(
            "validate_slength(): Expected first argument to be a String or Array, got"
            f" {ruby_class(value)}"
        )
    for index, text in enumerate(value if type(value) is tuple else (value,)):
        if type(text) is not str:
            raise ParseFailure(
                f"validate_slength(): Expected element at array position {index} to be a String,"
                f" got {ruby_class(text)}"
            )
        if not least <= len(text) <= most:
            raise ParseFailure(
                f"validate_slength(): Expected length of {ruby_inspect(value)} to be between"
                f" {least} and {most}, was {len(value)}"
            )
