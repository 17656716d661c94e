"""``== != < <= > >=``, ``=~ !~`` and ``in``.

Matching functions return the match object (or None), so that compiled code can keep it for
``$0 .. $n``; without a pattern they return a Boolean.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.sharing import once_for_both
from puppet_repl.language.runtime import issues
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.values.compare import NotComparableError, compare, equals, fold
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.labels import value_label
from puppet_repl.language.values.protocols import Container, Matcher, Pattern, ValueRange
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import no_conversion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value


def not_equals(left: Value, right: Value) -> bool:
    """Evaluate ``left != right``."""
    return not equals(left, right)


def less(left: Value, right: Value) -> bool:
    """Evaluate ``left < right``; for types: right accepts left and differs from it."""
    if isinstance(left, PuppetType):
        return _fits(left, "<", right) and not equals(left, right)
    return _compare(left, "<", right) < 0


def less_equal(left: Value, right: Value) -> bool:
    """Evaluate ``left <= right``."""
    if isinstance(left, PuppetType):
        return _fits(left, "<=", right)
    return _compare(left, "<=", right) <= 0


def greater(left: Value, right: Value) -> bool:
    """Evaluate ``left > right``."""
    if isinstance(left, PuppetType):
        return _fits(left, ">", right) and not equals(left, right)
    return _compare(left, ">", right) > 0


def greater_equal(left: Value, right: Value) -> bool:
    """Evaluate ``left >= right``."""
    if isinstance(left, PuppetType):
        return _fits(left, ">=", right)
    return _compare(left, ">=", right) >= 0


def _fits(left: PuppetType, operator: str, right: Value) -> bool:
    if not isinstance(right, PuppetType):
        return False
    try:
        return right.accepts_type(left) if operator[0] == "<" else left.accepts_type(right)
    except RuntimeFailure as failure:
        raise _impossible(left, operator, right, failure) from None


def _compare(left: Value, operator: str, right: Value) -> int:
    try:
        return compare(left, right)
    except NotComparableError as error:
        raise _impossible(left, operator, right, error) from None


def _impossible(left: Value, operator: str, right: Value, cause: Exception) -> PuppetError:
    labels = value_label(left), value_label(right)
    return issues.comparison_not_possible(labels[0], operator, labels[1], str(cause))


def match(left: Any, right: Any) -> Value:
    """Evaluate ``left =~ right``: a Boolean, or what the pattern found (None: nothing)."""
    if isinstance(right, PuppetType):
        return right.predicate()(left)
    if isinstance(right, ValueRange):
        return right.puppet_includes(left)
    pattern = right if isinstance(right, Pattern) else _pattern(right)
    if type(left) is not str:
        raise issues.match_not_string(value_label(left))
    return pattern.search(left)


def search_string(left: Any, regexp: Any) -> Value:
    """Evaluate ``left =~ /.../``: return the match, or None."""
    if type(left) is not str:
        raise issues.match_not_string(value_label(left))
    return regexp.search(left)


def _pattern(value: Value) -> Pattern:
    """Return the regular expression that a string holds."""
    if type(value) is not str:
        raise issues.match_not_regexp(no_conversion(value, "String").message)
    regexp = Regexp(value)
    try:
        regexp.check()
    except PuppetError as error:
        raise issues.match_not_regexp(error.message) from None
    return regexp


def is_found(found: Value) -> bool:
    """Tell whether a result of match, contains or option_matches counts as true."""
    return found is not None and found is not False


def contains(left: Any, right: Any) -> Value:
    """Evaluate ``left in right``: a Boolean, or what a pattern on the left found."""
    kind = type(right)
    if kind is PuppetHash:
        right = tuple(right.keys())
        kind = tuple
    if kind is tuple:
        return _array_contains(left, right)
    if kind is str:
        if type(left) is str:
            return left.lower() in right.lower()
        return left.search(right) if isinstance(left, Pattern) else False
    return right.puppet_includes(left) if isinstance(right, Container) else False


def _array_contains(left: Any, right: tuple[Any, ...]) -> Value:
    if type(left) is str or (isinstance(left, Matcher) and not isinstance(left, Container)):
        for option in right:
            found = option_matches(left, option)
            if found is not None and found is not False:
                return found
        return False
    if isinstance(left, PuppetType):
        accepts = left.predicate()
        return any(accepts(element) for element in right)
    if not isinstance(left, Pattern):
        return any(equals(element, left) for element in right)
    for element in right:
        if type(element) is str:
            found = left.search(element)
            if found is not None:
                return found
    return None


def option_matches(value: Any, option: Any) -> Value:
    """Tell whether an option of a case or selector fits: a Boolean, or its pattern's match."""
    kind = type(option)
    if kind is str:
        return type(value) is str and (value == option or fold(value) == fold(option))
    if kind is int or kind is float or kind is bool or option is None:
        return equals(value, option)
    if option is DEFAULT:
        return True
    if kind is tuple:
        if type(value) is not tuple or len(value) != len(option):
            return False
        return once_for_both(_all_match, value, option, len(value))
    if kind is PuppetHash:
        return type(value) is PuppetHash and once_for_both(_entries_match, value, option)
    if isinstance(option, PuppetType):
        return option.predicate()(value)
    if isinstance(option, Pattern):
        return option.search(value) if type(value) is str else False
    if isinstance(option, Matcher):
        return option.puppet_matches(value)
    return equals(value, option)


def _all_match(value: tuple[Any, ...], options: tuple[Any, ...]) -> Value:
    return _last_match(zip(value, options, strict=True))


def _entries_match(value: PuppetHash, options: PuppetHash) -> Value:
    return _last_match((value.get(key), expected) for key, expected in options.items())


def _last_match(pairs: Any) -> Value:
    """Tell whether all pairs match: False, the last match of a pattern, or True."""
    last: Any = True
    for value, option in pairs:
        found = option_matches(value, option)
        if found is None or found is False:
            return False
        if found is not True:
            last = found
    return last


def any_option_matches(value: Value, options: tuple[Value, ...]) -> Value:
    """Tell whether one of several options (a splat) fits."""
    for option in options:
        found = option_matches(value, option)
        if found is not None and found is not False:
            return found
    return False


def is_text_option(value: Value, folded: str) -> bool:
    """Tell whether a value equals the String of an option, which is folded already."""
    return type(value) is str and (value == folded or fold(value) == folded)
