"""The operator ``[]`` on arrays, strings, hashes, types, references and objects."""

from __future__ import annotations

from puppet_repl.base.float_text import MAX_INTEGER
from puppet_repl.language.runtime import issues
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.convert import to_number
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.integers import check_long
from puppet_repl.language.values.issues import operator_not_applicable
from puppet_repl.language.values.labels import value_label
from puppet_repl.language.values.protocols import Indexable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


class Access:
    """The operator ``[]`` of one session."""

    __slots__ = ("_context",)

    def __init__(self, context: Context) -> None:
        self._context = context

    def one(self, left: Any, key: Any) -> Value:
        """Evaluate ``left[key]``."""
        kind = type(left)
        if kind is PuppetHash:
            return left.get(key)
        if kind is tuple and type(key) is int:
            size = len(left)
            if -size <= key < size:
                return left[key]
            check_long(key)
            return None
        if type(key) is str and isinstance(left, PuppetType):
            reference = left.entitled(key)
            if reference is not None:
                return reference
        return self.many(left, (key,))

    def many(self, left: Any, keys: tuple[Any, ...]) -> Value:
        """Evaluate ``left[key, ...]``."""
        kind = type(left)
        if kind is tuple:
            return self._from_array(left, flatten(keys))
        if kind is PuppetHash:
            return _from_hash(left, keys)
        if kind is str:
            if len(keys) == 2:
                start, count = keys
                if (
                    type(start) is int is type(count)
                    and 0 <= start <= MAX_INTEGER
                    and 0 <= count <= MAX_INTEGER
                ):
                    return left[start : start + count]
            return self._from_string(left, flatten(keys))
        if isinstance(left, PuppetType):
            return self._context.access_type(left, keys)
        if isinstance(left, Indexable):
            return left.puppet_access(flatten(keys), self._from_string)
        raise operator_not_applicable("[]", value_label(left))

    def _from_array(self, left: tuple[Any, ...], keys: tuple[Any, ...]) -> Value:
        if not 1 <= len(keys) <= 2:
            raise issues.array_slice_arity(len(keys))
        numbers = [self._context.arithmetic.numeric(key, ("keys", i)) for i, key in enumerate(keys)]
        for index, number in enumerate(numbers):
            if type(number) is not int:
                raise issues.slice_key_type(
                    "Array", issues.key_type_name(number), "Integer", ("keys", index)
                )
            check_long(number)
        size = len(left)
        if len(numbers) == 1:
            number = numbers[0]
            return left[number] if -size <= number < size else None
        start, count = _slice(size, numbers[0], numbers[1])
        if count < 0 or start > size:
            return ()
        part = left[start : start + count]
        # A slice of a fact is new, also a slice of the whole, for which Python returns the fact.
        return (*left,) if part is left else part

    def _from_string(self, left: Any, keys: tuple[Any, ...]) -> Any:
        """Return a part of a str or of bytes."""
        if not 1 <= len(keys) <= 2:
            raise issues.string_slice_arity(len(keys))
        empty = left[:0]
        numbers: list[Any] = []
        for index, key in enumerate(keys):
            number = to_number(key)
            if type(number) is not int:
                actual = issues.key_type_name(key if number is None else number)
                raise issues.string_slice_key_type(actual, ("keys", index))
            numbers.append(check_long(number))
        size = len(left)
        if len(numbers) == 1:
            start = numbers[0] + size if numbers[0] < 0 else numbers[0]
            return empty if start < 0 else left[start : start + 1]
        start, count = _slice(size, numbers[0], numbers[1])
        return empty if count < 0 else left[start : start + count]


def _slice(size: int, start: int, count: int) -> tuple[int, int]:
    """Return start and length of a slice; negative numbers count from the end."""
    if start < 0:
        start += size
    if count < 0:
        count = size - start + count + 1
    if start < 0:
        count += start
        start = 0
    return start, count


def _from_hash(left: PuppetHash, keys: tuple[Any, ...]) -> Value:
    if len(keys) == 1:
        return left.get(keys[0])
    found = [left.get(key) for key in keys]
    return tuple([value for value in found if value is not None])
