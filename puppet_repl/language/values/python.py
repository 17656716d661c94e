"""Conversion of Puppet's values to Python's, and back.

A list of Python's stands for an Array, a dict for a Hash, ``bytes`` for a Binary, an aware
``datetime`` for a Timestamp, a ``timedelta`` for a Timespan. Values without a Python class are
unchanged: a Sensitive, types and references, regular expressions, versions, objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from os import PathLike, fspath
from re import Pattern

from puppet_repl.base.float_text import MAX_INTEGER, MIN_INTEGER
from puppet_repl.base.recursion import deep_calls
from puppet_repl.base.wording import with_article
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.extent import MAX_PARTS, extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import MAX_ELEMENTS
from puppet_repl.language.values.protocols import Holder, PuppetValue
from puppet_repl.language.values.python_patterns import ruby_regexp
from puppet_repl.language.values.time import Timespan, Timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.language.values.protocols import Value

    Converters: TypeAlias = Mapping[type, Callable[[Any], object]]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NANOSECONDS = 1000  # in a microsecond, the smallest part of Python's times
_NATIVE = frozenset((str, int, float, bool, type(None)))


def to_python(value: Value, convert: Converters | None = None) -> Any:
    """Return a value with Python's own classes, at any depth.

    An Array is a list and a Hash a dict, a Binary ``bytes``, a Timestamp a ``datetime`` in UTC and
    a Timespan a ``timedelta``; these have microseconds, and smaller fractions are cut off. An
    Iterator is the list of its elements. Other values are unchanged: strings, numbers, ``None`` for
    undef, a Sensitive, which shows nothing until a program asks for its ``value``, and values
    without a Python class, whose ``str()`` is Puppet's text.

    A key that is an Array becomes a tuple; a key that is a Hash is unchanged. A Hash with keys that
    are equal in Python, like 1 and 1.0, remains a PuppetHash, and a time out of Python's range a
    Timestamp or Timespan.

    ``convert`` has functions by class for other conversions: ``{Sensitive: str}`` replaces secrets
    by Puppet's text, ``{Sensitive: lambda secret: secret.value}`` unwraps them; the results of
    these functions are converted further. Raises ValueError for a value whose parts are too many to
    be copied.
    """
    if extent(value) > MAX_PARTS:
        raise ValueError(f"the value has more than {MAX_PARTS} parts, which are too many to copy")
    with deep_calls:
        return _converted(value, convert or {})


def _converted(value: Any, convert: Converters) -> Any:
    kind = type(value)
    if kind in _NATIVE and kind not in convert:
        return value
    for each in kind.__mro__ if convert else ():
        if each in convert:
            made = convert[each](value)
            return made if type(made) is kind else _converted(made, convert)
    if kind is tuple:
        return [_converted(item, convert) for item in value]
    if kind is PuppetHash:
        return _dict(value, convert)
    if kind is Binary:
        return value.data
    if kind is Timestamp or kind is Timespan:
        return _time(value)
    if isinstance(value, Holder):
        held = value.held(MAX_ELEMENTS)
        return value if held is None else _converted(held, convert)
    return value


def _dict(value: PuppetHash, convert: Converters) -> Mapping[Any, Any]:
    """Return a dict, or a PuppetHash where Python would mix up the keys."""
    made = {key: _converted(item, convert) for key, item in value.items()}
    if len(made) == len(value):
        return made
    return PuppetHash([(key, _converted(item, convert)) for key, item in value.items()])


def _time(value: Timestamp | Timespan) -> object:
    """Return a moment or a length of time in Python's class, itself where that has no word."""
    try:
        length = timedelta(microseconds=_towards_zero(value.ns))
        return length if type(value) is Timespan else _EPOCH + length
    except OverflowError:
        return value


def _towards_zero(nanoseconds: int) -> int:
    whole = abs(nanoseconds) // _NANOSECONDS
    return whole if nanoseconds >= 0 else -whole


def from_python(value: Any) -> Value:
    """Return the Puppet value that a value of Python stands for; see ``to_python``.

    Mappings are Hashes, lists and tuples Arrays, paths Strings, patterns of ``re`` Regexps, whose
    classes of characters are Ruby's; values of Puppet stay. Raises TypeError for what Puppet has
    nothing for: a set, an object of a class of its own, a time without a zone; OverflowError for an
    integer of more than 64 bits; ValueError for what contains itself.
    """
    try:
        return _puppet_value(value)
    except RecursionError:
        if _contains_itself(value):
            kind = type(value).__name__
            raise ValueError(f"Puppet has no value for a {kind} that contains itself") from None
        raise


def _contains_itself(value: Any) -> bool:
    around: set[int] = set()
    steps = [(value, False)]
    while steps:
        each, is_left = steps.pop()
        if is_left:
            around.remove(id(each))
        elif isinstance(each, (Mapping, list, tuple)):
            if id(each) in around:
                return True
            around.add(id(each))
            parts = each.values() if isinstance(each, Mapping) else each
            steps += [(each, True), *((part, False) for part in parts)]
    return False


def _puppet_value(value: Any) -> Value:
    if type(value) in _NATIVE or isinstance(value, (PuppetHash, PuppetValue)):
        if type(value) is int and not MIN_INTEGER <= value <= MAX_INTEGER:
            raise OverflowError(f"an Integer of Puppet has 64 bits, which is too few for {value}")
        is_secret = getattr(value, "data_type", None) == "Sensitive"
        return type(value)(_puppet_value(value.value)) if is_secret else value
    if isinstance(value, Mapping):
        return PuppetHash(
            [(_puppet_value(key), _puppet_value(item)) for key, item in value.items()]
        )
    if isinstance(value, (list, tuple)):
        return tuple([_puppet_value(item) for item in value])
    if isinstance(value, bytes):
        return Binary(value)
    if isinstance(value, timedelta):
        return Timespan(value // timedelta(microseconds=1) * _NANOSECONDS)
    if isinstance(value, datetime) and value.tzinfo is not None:
        return Timestamp((value - _EPOCH) // timedelta(microseconds=1) * _NANOSECONDS)
    if isinstance(value, str):
        return str.__str__(value)  # of an enumeration with strings, too
    for native in (int, float):
        if isinstance(value, native):
            return _puppet_value(native(value))
    if isinstance(value, PathLike):
        return _puppet_value(fspath(value))
    if isinstance(value, Pattern) and isinstance(value.pattern, str):
        return ruby_regexp(value)
    raise TypeError(f"Puppet has no value for {value!r}, {with_article(type(value).__name__)}")
