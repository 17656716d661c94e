"""Formatted strings, written and read: sprintf, strftime, shellquote, scanf."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.legacy import ResourceArgument
from puppet_repl.language.functions.registry import function, legacy_function
from puppet_repl.language.functions.size_limits import check_elements
from puppet_repl.language.ruby_library.format import ruby_format
from puppet_repl.language.ruby_library.scanning import scan
from puppet_repl.language.runtime.call_location import call_location
from puppet_repl.language.values.extent import flat_length
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.labels import value_label
from puppet_repl.language.values.ruby import no_conversion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.language.values.time import Timespan, Timestamp


@legacy_function(
    "sprintf",
    "String $format, Any *$values",
    returns="String",
    examples=(
        "sprintf('%05.1f|%x', 3.14159, 255)  # => '003.1|ff'",
        "sprintf('%<n>d items', {n => 3})  # => '3 items'",
        "sprintf('[%-5s]', 'ab')  # => '[ab   ]'",
    ),
)
def sprintf(values: tuple[Value, ...]) -> str:
    """Format values by the directives of a format string, as Ruby's sprintf does.

    %d %i %u format integers, %x %X %o %b %B integers in another base, %f %e %E %g %G %a %A
    floats, %s strings, %p strings as in a program, %c a character, %% a percent sign. Flags
    (space # + - 0), a width, and a precision after a dot may be between the percent sign and
    the letter. %2$s takes the second argument; with one Hash as argument, %<key>d takes the value
    of a key, and %{key} inserts it as a string.

    @param format the text, with directives as %s
    @param values the values for the directives
    """
    text = values[0]
    if type(text) is not str:
        raise no_conversion(text, "String")
    return ruby_format(text, values[1:])


_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-")
_DANGEROUS = frozenset('!"`$\\')


@legacy_function(
    "shellquote",
    "Variant[String, Array] *$words",
    returns="String",
    examples=(
        "shellquote('ls', '-l', 'my file')  # => 'ls -l \"my file\"'",
        "shellquote(['$HOME', ''])  # => '\\'$HOME\\' \"\"'",
    ),
)
def shellquote(values: tuple[Value, ...], *, context: Context) -> str:
    """Quote words for a Bourne shell and join them with spaces.

    The elements of arrays are words too. A word of safe characters is left as it is; others are
    put in double or single quotes, whichever needs no escapes.

    @param words the words, or arrays of them
    """
    check_elements(flat_length(values), "shellquote", context)
    quoted: list[str] = []
    pending = list(reversed(values))
    while pending:
        word = pending.pop()
        if type(word) is tuple:
            pending.extend(reversed(word))
        else:
            quoted.append(_quoted_word(word))
    return " ".join(quoted)


def _quoted_word(word: Value) -> str:
    if type(word) is PuppetHash or type(word) is ResourceArgument:
        raise no_conversion(word, "String")
    if type(word) is not str:
        raise RuntimeFailure(f"shellquote(): every word must be a String, got {value_label(word)}")
    characters = frozenset(word)
    if word and characters <= _SAFE:
        return word
    if not characters & _DANGEROUS:
        return f'"{word}"'
    if "'" not in characters:
        return f"'{word}'"
    escaped = "".join([f"\\{sign}" if sign in _DANGEROUS else sign for sign in word])
    return f'"{escaped}"'


@function(
    "strftime",
    "Timespan $time_object, String $format",
    returns="String",
    examples=(
        "strftime(Timestamp('2024-02-29T13:04:05'), '%d.%m.%Y %H:%M')  # => '29.02.2024 13:04'",
        "strftime(Timestamp(0), '%F %T %z', '+02:00')  # => '1970-01-01 02:00:00 +0200'",
        "strftime(Timespan({hours => 26, minutes => 3}), '%H:%M')  # => '26:03'",
    ),
)
def strftime(span: Timespan, text: str) -> str:
    """Format a Timestamp or a Timespan by percent directives.

    Those of a Timestamp are the usual ones: %Y %m %d %H %M %S, %L and %N for parts of a second,
    %A %a %B %b for names, %j %U %V for days and weeks, %z %Z for the time zone, %F %T for date
    and time; a time zone may be given (UTC by default). Those of a Timespan are %D %H %M %S %L
    %N, and the first of them includes all larger units. Flags (- _ 0 ^ #) and a width may follow
    the percent sign.

    @param time_object a Timestamp or a Timespan
    @param format the text, with directives as %Y
    @param timezone the time zone of the result (UTC)
    """
    return span.format(text)


@strftime.dispatch("Timestamp $time_object, String $format, String $timezone?", returns="String")
def _strftime_stamp(stamp: Timestamp, text: str, timezone: str | None = None) -> str:
    return stamp.format(text, timezone)


@strftime.dispatch("String $format, String $timezone?", returns="String")
def _strftime_now(text: str, timezone: str | None = None, *, context: Context) -> str:
    context.warn_once(
        "legacy#strftime",
        "The argument signature (String format, [String timezone]) is deprecated for #strftime. "
        f"See #strftime documentation and Timespan type for more info{call_location(context)}",
    )
    from puppet_repl.language.values.time import Timestamp

    return Timestamp.now().format(text, timezone)


@function(
    "scanf",
    "String $data, String $format, Callable &$block?",
    examples=(
        "scanf('42 apples', '%d %s')  # => [42, 'apples']",
        "scanf('x=1.5', 'x=%f')  # => [1.5]",
        "'ff'.scanf('%x') |$numbers| { $numbers[0] + 1 }  # => 256",
    ),
)
def scanf(data: str, text: str, *, block: Closure | None = None) -> Value:
    """Read values from a string by a format: %d %i %x %o %f %s %c and %[set].

    The result is an Array of the values before the first one that does not match. White space in
    the format matches any white space, %*d reads a value and drops it, and a number is the
    maximum width. A block is called with the Array, and its result is then the result.

    @param data the string that is read
    @param format the format, with directives as %d
    @param block called with the Array of the values
    @return [Any] an Array of the values, or the result of the block
    """
    values = scan(data, text)
    return values if block is None else block(values)
