"""Functions of stdlib that quote text for shells, and take command lines apart."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.checks import wrong_count
from puppet_repl.language.functions.stdlib.declaring import moved_function, stdlib_legacy_function
from puppet_repl.language.values.ruby import ruby_inspect, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

_SPECIAL = re.compile(r"[^A-Za-z0-9_\-.,:+/@\n]")
# A word is made of parts: bare, between either quotes, or escaped. Anything else is a quote
# without its end. Blanks are Ruby's, ASCII only.
_PART = re.compile(
    r"[ \t\r\n\f\v]*(?:"
    r"(?P<bare>[^ \t\r\n\f\v\\'\"]+)"
    r"|'(?P<single>[^']*)'"
    r'|"(?P<double>(?:[^"\\]|\\.)*)"'
    r"|(?P<escaped>\\.?)"
    r"|(?P<unmatched>[^ \t\r\n\f\v]))"
    r"(?P<end>[ \t\r\n\f\v]|\Z)?",
    re.DOTALL,
)
_BATCH = str.maketrans({'"': '""', "$": "\\$", "\\": "\\\\"})
_POWERSHELL = str.maketrans({**{sign: f"`{sign}" for sign in " '`|\n$"}, '"': '\\`"'})


def _escaped(text: str) -> str:
    if not text:
        return "''"
    return _SPECIAL.sub(r"\\\g<0>", text).replace("\n", "'\n'")


@moved_function(
    "shell_escape",
    "Any $string",
    examples=("shell_escape('a b')  # => 'a\\ b'", "shell_escape('')  # => '\\'\\''"),
)
def shell_escape(value: Value) -> str:
    """Escape a string so that a Bourne shell reads it as one word.

    Other values become strings first.

    @param string the string to escape
    @return [String]
    """
    return _escaped(ruby_text(value))


@moved_function(
    "batch_escape",
    "Any $string",
    examples=('batch_escape(\'say "hi"\')  # => \'"say ""hi"""\'',),
)
def batch_escape(value: Value) -> str:
    """Put a string in double quotes for batch files of Windows, and escape special characters.

    Other values become strings first.

    @param string the string to escape
    @return [String]
    """
    return f'"{ruby_text(value).translate(_BATCH)}"'


@moved_function(
    "powershell_escape",
    "Any $string",
    examples=("powershell_escape('a b')  # => 'a` b'",),
)
def powershell_escape(value: Value) -> str:
    """Escape a string so that PowerShell reads it as one word.

    Other values become strings first.

    @param string the string to escape
    @return [String]
    """
    return ruby_text(value).translate(_POWERSHELL)


@stdlib_legacy_function(
    "shell_join",
    "Array $words",
    returns="String",
    examples=("shell_join(['rm', 'a b'])  # => 'rm a\\ b'",),
    counts=False,
)
def shell_join(values: tuple[Value, ...]) -> Value:
    """Join words into a command line, each of them escaped for a Bourne shell.

    @param words the words
    """
    if len(values) != 1:
        raise wrong_count("shell_join", len(values), "1")
    words = values[0]
    if type(words) is not tuple:
        raise RuntimeFailure(f"First argument is not an Array: {ruby_inspect(words)}")
    return " ".join([_escaped(ruby_text(word)) for word in words])


@stdlib_legacy_function(
    "shell_split",
    "String $line",
    returns="Array[String]",
    examples=("shell_split('ls -l \"a b\"')  # => ['ls', '-l', 'a b']",),
    counts=False,
)
def shell_split(values: tuple[Value, ...]) -> Value:
    """Split a command line into words as a Bourne shell does; a # begins no comment.

    @param line the command line
    """
    if len(values) != 1:
        raise wrong_count("shell_split", len(values), "1")
    line = ruby_text(values[0])
    words: list[str] = []
    word = ""
    position = 0
    while (part := _PART.match(line, position)) is not None:
        position = part.end()
        if part["unmatched"] is not None:
            raise RuntimeFailure(f"Unmatched quote: {ruby_inspect(line)}")
        word += _read(part)
        if part["end"] is not None:
            words.append(word)
            word = ""
    return tuple(words)


def _read(part: re.Match[str]) -> str:
    """Return the text of a part of a word, its quotes and escapes removed."""
    if part["double"] is not None:
        return re.sub(r'\\([$`"\\\n])', r"\1", part["double"])
    if part["escaped"] is not None:
        return re.sub(r"\\(.)", r"\1", part["escaped"])
    return str(part["bare"] if part["single"] is None else part["single"])
