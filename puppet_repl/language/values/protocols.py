"""The protocols of values: every member by which one part of the interpreter uses a value.

undef, Booleans, numbers, strings, arrays and hashes are native (the package lists them): code
checks their exact type. A value of any other kind is a PuppetValue. Its class derives from the
protocols that it obeys, so ``isinstance`` tells which operations a value has. Native values obey no
protocol::

    if isinstance(value, Comparable):
        order = value.puppet_compare(other)

The base classes carry the defaults; members that a class must define raise NotImplementedError.
tests/language/values/test_protocols.py holds every class to the protocols that it derives from.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Hashable, Iterable
    from typing import TypeAlias

    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.callable import CallableType
    from puppet_repl.language.values.hash import PuppetHash

    # Any Puppet value. The class decides which operations it has: narrow it first.
    Value: TypeAlias = object
    # A part of bytes, by an index or by start and length.
    Slice: TypeAlias = Callable[[bytes, tuple[Value, ...]], bytes]


class Identity:
    """A key that only the very same object has."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is Identity and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class PuppetValue:
    """A value that is not native. Unless its class says otherwise, only its identity counts."""

    __slots__ = ()

    data_type = ""
    """The data type of such values, where their class alone decides it: ``SemVer``."""

    literal_is_string = False
    """Whether the value is written as a string inside the brackets of a type."""

    @property
    def puppet_label(self) -> str:
        """The word for such a value in messages."""
        return "Object"

    @property
    def ruby_class(self) -> str:
        """The class in the reference implementation, which some messages name."""
        return type(self).__name__

    def puppet_text(self) -> str:
        """Return the text that interpolation puts into a string; for Python it is ``str()``."""
        return repr(self)

    def __str__(self) -> str:
        return self.puppet_text()

    def puppet_program(self) -> str:
        """Return program text that evaluates to the value (the format ``%p``)."""
        return self.puppet_text()

    def puppet_literal(self) -> str:
        """Return the text inside the brackets of a type and inside an object's attributes."""
        return self.puppet_text()

    def puppet_plain(self) -> str:
        """Return the text of the format ``%s``."""
        return self.puppet_text()

    def ruby_text(self) -> str:
        """Return what Ruby's ``to_s`` returns."""
        return self.puppet_text()

    def ruby_inspect(self) -> str:
        """Return what Ruby's ``inspect`` returns."""
        return self.puppet_text()

    def ruby_array(self) -> tuple[Value, ...] | None:
        """Return what Ruby's ``to_a`` returns; None for a value that lacks it."""
        return None

    def puppet_equals(self, other: Value) -> bool:
        """Tell whether Puppet's ``==`` holds."""
        return self is other

    def puppet_key(self) -> Hashable:
        """Return a key, equal for two values of the class exactly if Ruby's ``eql?`` holds."""
        return Identity(self)


class Comparable(PuppetValue):
    """A value that ``< <= > >=`` can put in order."""

    __slots__ = ()

    compares_with_numbers = False
    """Whether numbers can be compared with it: ``1 < value``."""

    def puppet_compare(self, other: Value) -> int:
        """Return a number below, at or above zero; raise NotComparableError without an order."""
        raise NotImplementedError


class Operand(PuppetValue):
    """A value with operators of its own."""

    __slots__ = ()

    def puppet_arithmetic(self, operator: str, other: Value) -> Value:
        """Return the result of an operator, NotImplemented where the class does not have it."""
        raise NotImplementedError


class NumberLike(Operand):
    """A value that counts as a number in Ruby, and so is accepted where a number is needed."""

    __slots__ = ()

    def puppet_negate(self) -> Value:
        """Return ``-value``."""
        raise NotImplementedError


class Indexable(PuppetValue):
    """A value that may have ``value[keys]``."""

    __slots__ = ()

    def puppet_access(self, keys: tuple[Value, ...], part: Slice) -> Value:
        """Return the value at the keys; ``part`` takes a part of bytes by Puppet's rules."""
        raise NotImplementedError


class Container(PuppetValue):
    """A value that may be the right operand of ``in``."""

    __slots__ = ()

    def puppet_includes(self, value: Value) -> bool:
        """Tell whether a value is in this one."""
        raise NotImplementedError


class Matcher(PuppetValue):
    """A value that, as an option of a ``case``, also fits values that differ from it."""

    __slots__ = ()

    def puppet_matches(self, value: Value) -> bool:
        """Tell whether the option fits a value."""
        raise NotImplementedError


class ValueRange(Matcher, Container):
    """A set of values described by its limits; it may also be the right operand of ``=~``."""

    __slots__ = ()

    def puppet_matches(self, value: Value) -> bool:
        """Tell whether a value belongs to the range."""
        return self.puppet_includes(value)


class Pattern(PuppetValue):
    """A value that is searched for in strings: a regular expression."""

    __slots__ = ()

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the leftmost match from a position on, None without one."""
        raise NotImplementedError


class Elements(PuppetValue):
    """A value that can be iterated over."""

    __slots__ = ()

    def puppet_elements(self) -> Iterable[Value] | None:
        """Return the elements; None for a value of the class that cannot be iterated."""
        raise NotImplementedError


class Holder(PuppetValue):
    """A value whose text does not show its content; the content is shown instead."""

    __slots__ = ()

    def held(self, most: int) -> tuple[Value, ...] | None:
        """Return the values held, None for more than ``most``; the value does not change."""
        raise NotImplementedError


class Members(PuppetValue):
    """A value with attributes or functions that ``value.name`` refers to."""

    __slots__ = ()

    def has_member(self, name: str) -> bool:
        """Tell whether there is a member of that name."""
        raise NotImplementedError

    def call_member(self, name: str, args: tuple[Value, ...], block: Value = None) -> Value:
        """Return the value of an attribute, or what a function returns."""
        raise NotImplementedError


class Typed(PuppetValue):
    """A value that knows its type; those of all others are inferred from class and content."""

    __slots__ = ()

    @property
    def puppet_type(self) -> PuppetType:
        """The inferred type."""
        raise NotImplementedError


class Instance(Typed):
    """An instance of an Object type."""

    __slots__ = ()

    @property
    def object_name(self) -> str:
        """The name of the type, as the text of the instance shows it."""
        raise NotImplementedError

    def init_hash(self) -> PuppetHash:
        """Return the attributes that make an equal instance; those with defaults are left out."""
        raise NotImplementedError


def is_deferred(value: object) -> bool:
    """Tell whether a value is a call that the agent makes when it applies the catalog."""
    return isinstance(value, Instance) and value.object_name == "Deferred"


class RuntimeValue(PuppetValue):
    """A value that only has a Runtime type: as program text it is a string in quotes."""

    __slots__ = ()

    def puppet_program(self) -> str:
        """Return the text as a string."""
        raise NotImplementedError


class CallableValue(PuppetValue):
    """A value that can be called: a lambda or a function."""

    __slots__ = ()

    def signature(self) -> CallableType:
        """Return the Callable type."""
        raise NotImplementedError
