"""Functions that use regular expressions: match, regsubst, split."""

from __future__ import annotations

from functools import lru_cache

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.functions.registry import function, varying_function
from puppet_repl.language.functions.size_limits import check_length
from puppet_repl.language.runtime.call_location import NO_LOCATION
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import Pattern
from puppet_repl.language.values.ruby import ruby_class
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable
    from typing import Any

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.language.values.regex import Regexp

    # The matched string and its groups.
    Match = tuple[str | None, ...] | None
    Replacement = str | PuppetHash

# The characters with a meaning in regular expressions; all others match themselves.
_SPECIAL = frozenset("\\.^$|?*+()[]{}#")
# A reference in a replacement: to a group by number or name, or a special sign.
_REFERENCE = LatePattern(r"(?s)\\(?:([0-9])|k<([^>]*)>|([&`'\\]))")
_BLANKS = {"\t": "\\t", "\f": "\\f", "\v": "\\v", "\n": "\\n", "\r": "\\r"}


def escaped(text: str) -> str:
    """Return the source of a regular expression that matches a text, as Ruby writes it."""
    import re

    sign = r"[\[\]{}()|\-*.\\?+^$# \t\f\v\n\r]"
    return re.sub(sign, lambda found: _BLANKS.get(found[0]) or f"\\{found[0]}", text)


@lru_cache(maxsize=256)
def compiled(pattern: str, flags: int = 0) -> Regexp:
    """Return the regular expression of a string; it is shared, since a Regexp is immutable."""
    from puppet_repl.language.values.regex import Regexp

    return Regexp(pattern, flags)


@function(
    "match",
    "String $string, Variant[Any, Type] $pattern",
    examples=(
        "match('abc123', /([a-z]+)([0-9]+)/)  # => ['abc123', 'abc', '123']",
        "'abc'.match('[0-9]')  # => undef",
        "match(['a1', 'b'], /[0-9]/)  # => [['1'], undef]",
    ),
)
def match(text: str, pattern: Value) -> Match:
    """Match a string against a pattern: an Array of the match and its groups, or undef.

    The pattern is a Regexp, a String with the source of one, a type Regexp[...] or Pattern[...],
    or a Variant or an Array of these, whose first match is the result. The result for an Array of
    strings is an Array of such results. The variables $0, $1... are not set.

    @param string a string, or an Array of strings
    @param pattern a Regexp, its source, a type Regexp or Pattern, or an Array of these
    @return [Optional[Array]] the match and its groups, or undef; of an Array, an Array of these
    """
    return _match(text, pattern)


def _match(text: str, pattern: Value) -> Match:
    if isinstance(pattern, Pattern):
        return _groups(pattern, text)
    if type(pattern) is str:
        return _groups(compiled(pattern), text)
    if type(pattern) is tuple:
        return _first_match(pattern, text)
    return _match_type(text, pattern)


@match.dispatch("Array[String] $string, Variant[Any, Type] $pattern")
def _match_all(texts: tuple[str, ...], pattern: Value) -> tuple[Match, ...]:
    return tuple([_match(text, pattern) for text in texts])


def _match_type(text: str, pattern: Value) -> Match:
    from puppet_repl.language.types.model.alias import TypeAliasType
    from puppet_repl.language.types.model.scalar import PatternType, RegexpType
    from puppet_repl.language.types.model.wrapper import VariantType

    if isinstance(pattern, TypeAliasType):
        return _match(text, pattern.resolved())
    if isinstance(pattern, VariantType):
        return _first_match(pattern.types, text)
    if isinstance(pattern, PatternType):
        return _first_match(pattern.patterns, text)
    if isinstance(pattern, RegexpType):
        if pattern.pattern is None:
            raise RuntimeFailure("Given Regexp Type has no regular expression")
        return _groups(pattern.regexp, text)
    raise RuntimeFailure(
        "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or "
        f"Array[T]. Got {ruby_class(pattern)}"
    )


def _first_match(patterns: Iterable[Value], text: str) -> Match:
    for pattern in patterns:
        groups = _match(text, pattern)
        if groups is not None:
            return groups
    return None


def _groups(pattern: Pattern, text: str) -> Match:
    found = pattern.search(text)
    return None if found is None else (found.group(0), *found.groups())


_TARGET = (
    "Variant[Array[Variant[String,Sensitive[String]]],"
    "Sensitive[Array[Variant[String,Sensitive[String]]]],"
    "Variant[String,Sensitive[String]]] $target"
)
_REPLACEMENT = "Variant[String,Hash[String,String]] $replacement"
_OF_STRING = f"{_TARGET}, String $pattern, {_REPLACEMENT}, Optional[Pattern[/^[GEIM]*$/]] $flags?"
_OF_REGEXP = (
    f"{_TARGET}, Variant[Regexp,Type[Regexp]] $pattern, {_REPLACEMENT}, Pattern[/^G?$/] $flags?"
)


@varying_function(
    "regsubst",
    f"{_OF_STRING}, Enum['N','E','S','U'] $encoding?",
    examples=(
        "regsubst('a.b.c', '[.]', '-')  # => 'a-b.c'",
        "regsubst('a.b.c', '[.]', '-', 'G')  # => 'a-b-c'",
        r"regsubst('john smith', '(\w+) (\w+)', '\2, \1')  # => 'smith, john'",
        "['a1', 'b2'].regsubst(/[0-9]/, '')  # => ['a', 'b']",
        "regsubst('cat', '[ct]', {c => 'r'}, 'G')  # => 'ra'",
    ),
)
def regsubst(
    target: Value,
    pattern: str,
    replacement: Replacement,
    flags: str | None = None,
    encoding: str | None = None,
    *,
    context: Context,
) -> Value:
    r"""Replace the matches of a pattern in a string, or in all strings of an Array.

    The pattern is a Regexp or the source of one. The replacement may refer to groups with \1
    and \k<name>, and to the whole match with \0; a Hash replaces each match by its value for
    the matched string. Flags are G (all matches, not only the first), and for a pattern that is
    a string also I (ignore case), E (extended syntax) and M (a dot matches line ends too). The
    result for a Sensitive is a Sensitive.

    @param target a string, or an Array of strings, which may be Sensitive
    @param pattern a Regexp, or its source
    @param replacement the text that takes the place of a match, or a Hash from matches to these
    @param flags G replaces all matches; I ignores case, E is for extended patterns, M lets a
      dot match line ends
    @param encoding has no effect any more
    @return [Any] a String or an Array, as the target is, and Sensitive if that is
    """
    if encoding is not None:
        context.warn_once(
            "regsubst_function_encoding",
            "The regsubst() function's encoding argument has been ignored since Ruby 1.9 and "
            f"will be removed in a future release{NO_LOCATION}",
        )
    return _regsubst_string(target, pattern, replacement, flags, context=context)


_without_encoding = regsubst.variant(lambda profile: not profile.regsubst_encoding)


@_without_encoding.dispatch(_OF_STRING)
def _regsubst_string(
    target: Value,
    pattern: str,
    replacement: Replacement,
    flags: str | None = None,
    *,
    context: Context,
) -> Value:
    if not flags or flags == "G":  # other flags need an import, which takes its time at each call
        return _replaced(target, compiled(pattern), replacement, flags == "G", context)
    from puppet_repl.language.values.regex import EXTENDED, IGNORECASE, MULTILINE

    options = IGNORECASE * ("I" in flags) | EXTENDED * ("E" in flags) | MULTILINE * ("M" in flags)
    return _replaced(target, compiled(pattern, options), replacement, "G" in flags, context)


@_without_encoding.dispatch(_OF_REGEXP)
@regsubst.dispatch(_OF_REGEXP)
def _regsubst_regexp(
    target: Value,
    pattern: Regexp | PuppetType,
    replacement: Replacement,
    flags: str = "",
    *,
    context: Context,
) -> Value:
    if not isinstance(pattern, Pattern):
        from puppet_repl.language.types.model.alias import TypeAliasType

        if isinstance(pattern, TypeAliasType):
            raise RuntimeFailure(f"wrong argument type {ruby_class(pattern)} (expected Regexp)")
        # To Ruby the pattern of a type is a string: text that is looked for.
        pattern = compiled(escaped(_source_of(pattern) or ""))
    return _replaced(target, pattern, replacement, flags == "G", context)


def _source_of(type_: PuppetType) -> str | None:
    """Return the source of the regular expression of a Regexp type or an alias of one."""
    from puppet_repl.language.types.model.scalar import RegexpType

    resolved = type_.resolved()
    return resolved.pattern if isinstance(resolved, RegexpType) else None


def _replaced(
    target: Any, pattern: Regexp, replacement: Replacement, everywhere: bool, context: Context
) -> Value:
    if type(target) is Sensitive:
        if type(target.value) is tuple:
            return _replaced(target.value, pattern, replacement, everywhere, context)
        return Sensitive(_replaced(target.value, pattern, replacement, everywhere, context))
    if type(target) is tuple:
        return tuple(
            [_replaced(item, pattern, replacement, everywhere, context) for item in target]
        )
    return _substituted(target, pattern, replacement, everywhere, context)


def _substituted(
    text: str, pattern: Regexp, replacement: Replacement, everywhere: bool, context: Context
) -> str:
    source = pattern.pattern
    if (
        isinstance(replacement, str)
        and "\\" not in replacement
        and not pattern.flags
        and source
        and _SPECIAL.isdisjoint(source)
    ):
        count = text.count(source) if everywhere else 1
        added = count * (len(replacement) - len(source))
        check_length(len(text) + added, "regsubst", context)
        return text.replace(source, replacement, -1 if everywhere else 1)
    pieces: list[str] = []
    done = length = 0
    expand = _expander(replacement, text, pattern)
    for found in pattern.each(text):
        new = expand(found)
        pieces.append(text[done : found.start()])
        pieces.append(new)
        done = found.end()
        length += len(new)
        if not everywhere:
            break
        if length > context.options.max_memory:
            check_length(length, "regsubst", context)
    pieces.append(text[done:])
    return "".join(pieces)


def _expander(
    replacement: Replacement, text: str, pattern: Regexp
) -> Callable[[re.Match[str]], str]:
    if not isinstance(replacement, str):
        return lambda found: str(replacement.get(found.group(0), ""))
    if "\\" not in replacement:
        return lambda _found: str(replacement)

    def expand(found: re.Match[str]) -> str:
        def referenced(reference: re.Match[str]) -> str:
            number, name, sign = reference.groups()
            if sign is not None:
                special: dict[str, str] = {
                    "&": found.group(0),
                    "`": text[: found.start()],
                    "'": text[found.end() :],
                    "\\": "\\",
                }
                return special[sign]
            return _group_text(found, name if number is None else number, pattern)

        return _REFERENCE.sub(referenced, replacement)

    return expand


def _group_text(found: re.Match[str], group: str, pattern: Regexp) -> str:
    if not group.isdecimal():
        numbers = pattern.group_names.get(group)
        if numbers is None:
            raise RuntimeFailure(f"undefined group name reference: {group}")
        texts = [found.group(number) for number in numbers]
        return next((text for text in reversed(texts) if text is not None), "")
    number = int(group)
    return (found.group(number) or "") if number <= len(found.groups()) else ""


@function(
    "split",
    "String $str, String $pattern",
    returns="Array[String]",
    examples=(
        "split('a,b,,c', ',')  # => ['a', 'b', '', 'c']",
        "'one, two'.split(/, */)  # => ['one', 'two']",
        "split('a-b', /(-)/)  # => ['a', '-', 'b']",
        "split('abc', '')  # => ['a', 'b', 'c']",
    ),
)
def split(text: str, pattern: str) -> tuple[str, ...]:
    """Split a string at every match of a pattern.

    A String as pattern is the source of a regular expression: '.' matches any character, '[.]'
    a dot. Groups of the pattern become elements of the result, empty strings at its end are
    removed, and an empty pattern splits into characters. The result for a Sensitive is a
    Sensitive.

    @param str the string that is split
    @param pattern a Regexp, or its source
    @param sensitive a secret string that is split
    """
    return _split_at_source(text, pattern)


def _split_at_source(text: str, pattern: str) -> tuple[str, ...]:
    if pattern and _SPECIAL.isdisjoint(pattern):
        return _without_empty_end(text.split(pattern))
    return _split(text, compiled(pattern))


@split.dispatch("String $str, Regexp $pattern", returns="Array[String]")
def _split_regexp(text: str, pattern: Regexp) -> tuple[str, ...]:
    return _split(text, pattern)


@split.dispatch("String $str, Type[Regexp] $pattern", returns="Array[String]")
def _split_type(text: str, pattern: PuppetType) -> tuple[str, ...]:
    return _split(text, compiled(_source_of(pattern) or ""))


@split.dispatch("Sensitive[String] $sensitive, String $pattern", returns="Sensitive[Array[String]]")
def _split_sensitive_text(sensitive: Sensitive, pattern: str) -> Sensitive:
    return Sensitive(_split_at_source(sensitive.value, pattern))


@split.dispatch("Sensitive[String] $sensitive, Regexp $pattern", returns="Sensitive[Array[String]]")
def _split_sensitive_regexp(sensitive: Sensitive, pattern: Regexp) -> Sensitive:
    return Sensitive(_split(sensitive.value, pattern))


@split.dispatch(
    "Sensitive[String] $sensitive, Type[Regexp] $pattern", returns="Sensitive[Array[String]]"
)
def _split_sensitive_type(sensitive: Sensitive, pattern: PuppetType) -> Sensitive:
    return Sensitive(_split_type(sensitive.value, pattern))


def _split(text: str, pattern: Regexp) -> tuple[str, ...]:
    pieces = pattern.pieces(text)
    if pieces is not None:
        return _without_empty_end(pieces)
    parts: list[str] = []
    begin = start = 0
    after_empty = False
    while start <= len(text):
        found = pattern.search(text, start)
        if found is None:
            break
        if found.start() == found.end() == start:
            if not after_empty:
                start += 1
                after_empty = True
                continue
            parts.append(text[begin:start])
            begin = start
        else:
            parts.append(text[begin : found.start()])
            begin = start = found.end()
        after_empty = False
        parts.extend([group for group in found.groups() if group is not None])
    parts.append(text[begin:])
    return _without_empty_end(parts)


def _without_empty_end(parts: list[str]) -> tuple[str, ...]:
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)
