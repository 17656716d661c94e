"""Texts made to a form: sprintf, strftime, shellquote, scanf."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.legacy import ResourceArgument
from puppet_repl.functions.places import place_of_call
from puppet_repl.functions.registry import Function, LegacyFunction, by_name
from puppet_repl.functions.ruby_format import ruby_format
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.ruby import ruby_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.closure import Closure
    from puppet_repl.runtime.context import Context

sprintf = LegacyFunction(
    "sprintf",
    -2,
    theme="formatting",
    doc="""Write values into a text at its directives, as Ruby's sprintf does.

    %d %i %u are integers, %x %X %o %b %B integers in another base, %f %e %E %g %G %a %A floats,
    %s texts, %p texts as in a program, %c a character, %% a percent sign. Between the percent
    sign and the letter may stand flags (space # + - 0), a width, and a precision after a dot.
    %2$s takes the second argument; with one Hash as argument, %<key>d takes a value by its key,
    and %{key} puts it in as a text.
    """,
    examples=(
        "sprintf('%05.1f|%x', 3.14159, 255)  # => '003.1|ff'",
        "sprintf('%<n>d items', {n => 3})  # => '3 items'",
        "sprintf('[%-5s]', 'ab')  # => '[ab   ]'",
    ),
)


@sprintf.body("String $format, Any *$values", returns="String")
def _sprintf(values: tuple[Any, ...]) -> str:
    text = values[0]
    if type(text) is not str:
        raise _no_text(text)
    return ruby_format(text, values[1:])


def _no_text(value: Any) -> RuntimeFailure:
    return RuntimeFailure(f"no implicit conversion of {ruby_kind(value)} into String")


shellquote = LegacyFunction(
    "shellquote",
    -1,
    theme="formatting",
    doc="""Quote words for a Bourne shell and join them with spaces.

    Arrays give their elements. A word of harmless characters stays as it is, others are put
    in double or single quotes, whichever needs no escapes.
    """,
    examples=(
        "shellquote('ls', '-l', 'my file')  # => 'ls -l \"my file\"'",
        "shellquote(['$HOME', ''])  # => '\\'$HOME\\' \"\"'",
    ),
)

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-")
_DANGEROUS = frozenset('!"`$\\')


@shellquote.body("Variant[String, Array] *$words", returns="String")
def _shellquote(values: tuple[Any, ...]) -> str:
    quoted: list[str] = []
    pending = list(reversed(values))
    while pending:
        word = pending.pop()
        if type(word) is tuple:
            pending.extend(reversed(word))
        else:
            quoted.append(_quoted_word(word))
    return " ".join(quoted)


def _quoted_word(word: Any) -> str:
    if type(word) is PuppetHash or type(word) is ResourceArgument:
        raise _no_text(word)
    if type(word) is not str:
        from puppet_repl.values.labels import value_label

        raise RuntimeFailure(f"shellquote(): every word must be a String, got {value_label(word)}")
    characters = frozenset(word)
    if word and characters <= _SAFE:
        return word
    if not characters & _DANGEROUS:
        return f'"{word}"'
    if "'" not in characters:
        return f"'{word}'"
    escaped = "".join([f"\\{one}" if one in _DANGEROUS else one for one in word])
    return f'"{escaped}"'


strftime = Function(
    "strftime",
    theme="formatting",
    doc="""Write a Timestamp or a Timespan in a format of percent directives.

    For a Timestamp these are the ones of most systems: %Y %m %d %H %M %S, %L and %N for parts
    of a second, %A %a %B %b for names, %j %U %V for days and weeks, %z %Z for the zone, %F %T
    for date and time; a time zone may be given (UTC if none is). For a Timespan they are %D %H
    %M %S %L %N, and the first of them takes in all larger units. Flags (- _ 0 ^ #) and a width
    may follow the percent sign.
    """,
    examples=(
        "strftime(Timestamp('2024-02-29T13:04:05'), '%d.%m.%Y %H:%M')  # => '29.02.2024 13:04'",
        "strftime(Timestamp(0), '%F %T %z', '+02:00')  # => '1970-01-01 02:00:00 +0200'",
        "strftime(Timespan({hours => 26, minutes => 3}), '%H:%M')  # => '26:03'",
    ),
)


@strftime.dispatch("Timespan $time_object, String $format", returns="String")
def _strftime_span(span: Any, text: str) -> str:
    return str(span.format(text))


@strftime.dispatch("Timestamp $time_object, String $format, String $timezone?", returns="String")
def _strftime_stamp(stamp: Any, text: str, timezone: str | None = None) -> str:
    return str(stamp.format(text, timezone))


@strftime.dispatch("String $format, String $timezone?", returns="String")
def _strftime_now(text: str, timezone: str | None = None, *, context: Context) -> str:
    from puppet_repl.values.time import Timestamp

    context.warn_once(
        "legacy#strftime",
        "The argument signature (String format, [String timezone]) is deprecated for #strftime. "
        f"See #strftime documentation and Timespan type for more info{place_of_call(context)}",
    )
    return str(Timestamp.now().format(text, timezone))


scanf = Function(
    "scanf",
    theme="formatting",
    doc="""Read values out of a text by a format: %d %i %x %o %f %s %c and %[set].

    The result is an Array of what could be read before something did not fit. White space in
    the format stands for any white space, %*d reads and drops, a number is the longest width.
    With a block, that gets the Array, and its result is the result.
    """,
    examples=(
        "scanf('42 apples', '%d %s')  # => [42, 'apples']",
        "scanf('x=1.5', 'x=%f')  # => [1.5]",
        "'ff'.scanf('%x') |$numbers| { $numbers[0] + 1 }  # => 256",
    ),
)


@scanf.dispatch("String $data, String $format, Callable &$block?")
def _scanf(data: str, text: str, *, block: Closure | None = None) -> Any:
    from puppet_repl.functions.scanning import scan

    values = scan(data, text)
    return values if block is None else block(values)


FUNCTIONS = by_name(sprintf, shellquote, strftime, scanf)
