"""Ruby's regular expressions in Python: one class, compiled at first use.

Python's own ``re`` is used where it provably means the same for the expression and the string: it
is loaded already, and its running time is bounded in these cases. All others need the ``regex``
package, which is imported then, supports nearly all of Onigmo, and has a time limit; if it is
missing, ``re`` searches with fewer features (see ``regex_plain``).
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.syntax.regexp_escapes import RegexpError, UnsupportedRegexpError, describe
from puppet_repl.language.values.protocols import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Hashable, Iterator
    from typing import Any

    from puppet_repl.language.syntax.regexp_parser import Node

__all__ = ["EXTENDED", "IGNORECASE", "MULTILINE", "Regexp", "RegexpError", "UnsupportedRegexpError"]


TIME_LIMIT = 5.0
_AT_LEAST = 0.01
_STEPS = 1e8
LONGEST = 1_000_000
"""How many characters a part may need: the packages take memory for each before they search."""

# Decisions for expressions, by source and flags: each session reads the same types again.
_prepared: dict[tuple[str, int], tuple[object, ...]] = {}
_MAX_PREPARED = 2000
_DECIDED = ("_abridged", "_any_text", "_calls", "_compiled", "_limit", "_node", "_plain", "names")


def _in_time(search: Any) -> Any:
    """Return a search of the package that ends with the time of the code, or raises TimeoutError.

    The package counts the time of all processors that work for the process.
    """
    from puppet_repl.base.limited_threads import end_wait, time_left

    def limited(text: str, start: int) -> Any:
        while True:
            left = time_left()
            seconds = TIME_LIMIT if left is None else min(TIME_LIMIT, max(left, _AT_LEAST))
            try:
                return search(text, start, timeout=seconds)
            except TimeoutError:
                if seconds == TIME_LIMIT:
                    raise
                end_wait()

    return limited


class Regexp(Pattern):
    """A regular expression in Ruby's syntax: its source and its flags.

    ``check``, ``search`` and ``each`` raise RegexpError, with Ruby's words, for what Ruby refuses.
    """

    __slots__ = (
        "_abridged",
        "_any_text",
        "_calls",
        "_compiled",
        "_limit",
        "_node",
        "_plain",
        "flags",
        "names",
        "pattern",
    )
    data_type = "Regexp"

    puppet_label = "Regexp"
    ruby_class = "Regexp"
    names: dict[str, list[int]]
    _node: Node
    _plain: re.Pattern[str] | None
    _compiled: Any

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags
        self._limit = -2
        self._compiled = None

    def check(self) -> None:
        """Raise RegexpError if this is not a valid regular expression."""
        if self._limit == -2:
            self._prepare()

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the leftmost match from a position on, or None."""
        if len(text) <= self._limit and (self._any_text or text.isascii()):
            plain = self._plain
            assert plain is not None
            return plain.search(text, start)
        return self._search_slowly(text, start)

    def matches(self, text: str) -> bool:
        """Tell whether there is a match, where its groups are not needed."""
        if len(text) <= self._limit and (self._any_text or text.isascii()):
            plain = self._plain
            assert plain is not None
            return plain.search(text) is not None
        self.check()
        if self._plain is not None and len(text) <= self._limit and self._any_text:
            return self._plain.search(text) is not None
        return self._search_compiled(text, 0) is not None

    def shortcut(self) -> tuple[Any, int, bool] | None:
        """Return the search for generated code; None if generated code must call ``matches``.

        The search comes with the length of the longest string that it may search, and with whether
        strings may contain more than ASCII.
        """
        self.check()
        if self._plain is None or self._limit < 0:
            return None
        return self._plain.search, self._limit, self._any_text

    def pieces(self, text: str) -> list[str] | None:
        """Return the parts of a text between the matches; None if ``re`` may find others than Ruby.

        After an empty match, Ruby's next search begins elsewhere.
        """
        plain = self._plain if 0 <= len(text) <= self._limit else None
        if plain is None or plain.groups or not (self._any_text or text.isascii()):
            return None
        return None if "" in plain.findall(text) else plain.split(text)

    def each(self, text: str) -> Iterator[re.Match[str]]:
        """Yield all matches as Ruby's scan and gsub find them.

        An empty match may directly follow another one; the next search begins a character later.
        """
        position = 0
        while position <= len(text):
            match = self.search(text, position)
            if match is None:
                return
            yield match
            start, end = match.span()
            position = end + 1 if start == end else end

    @property
    def group_names(self) -> dict[str, list[int]]:
        """The named groups and their numbers."""
        self.check()
        return self.names

    def _prepare(self) -> None:
        """Choose the package and the way of searching; choices for an expression are kept."""
        key = self.pattern, self.flags
        known = _prepared.get(key)
        if known is None:
            self._decide()
            if len(_prepared) >= _MAX_PREPARED:
                _prepared.clear()
            _prepared[key] = tuple([getattr(self, slot) for slot in _DECIDED])
        else:
            for slot, value in zip(_DECIDED, known, strict=True):
                setattr(self, slot, value)

    def _decide(self) -> None:
        """Parse the source; decide which package searches, and up to which length of the string."""
        from puppet_repl.language.syntax.regexp_classes import Options
        from puppet_repl.language.syntax.regexp_parser import Parser
        from puppet_repl.language.values.regex_writer import Writer, cost

        flags = self.flags
        options = Options(bool(flags & 1), bool(flags & 2), bool(flags & 4), "d")
        parser = Parser(self.pattern, options)
        try:
            node = parser.parse()
        except RecursionError:
            raise parser.fail("too deep nest level over") from None
        writer = Writer(unicode=False, longest=LONGEST)
        text = writer.write(node)
        writer.finish()
        self.names = parser.names
        self._calls = parser.calls_elsewhere
        self._node = node
        self._abridged = writer.is_abridged
        self._plain = None
        self._any_text = not writer.ascii_only
        limit = -1
        if not writer.needs_regex:
            degree, factor = cost(node)
            if factor < _STEPS and degree < 8:
                limit = int((_STEPS / factor) ** (1.0 / (degree + 1.0)))
        if writer.is_abridged:
            limit = min(limit, LONGEST)
        if limit >= 0:
            import re

            try:
                self._plain = re.compile(text, re.ASCII | re.MULTILINE)
            except (re.error, RecursionError, OverflowError):
                limit = -1
        self._limit = limit
        if limit < 0:
            self._compiled = self._compile()

    def _compile(self, *, whole: bool = False) -> Any:
        """Return the search of the package, with its limit of time."""
        from puppet_repl.language.values.regex_writer import Writer

        try:
            import regex
        except ModuleNotFoundError:
            return self._compile_plainly()
        text = Writer(unicode=True, longest=None if whole else LONGEST).write(self._node)
        try:
            compiled = regex.compile(text, regex.VERSION1 | regex.MULTILINE)
        except (regex.error, RecursionError, OverflowError, AttributeError) as error:
            raise self._unsupported(error) from None
        return _in_time(compiled.search)

    def _compile_plainly(self) -> Any:
        import re

        from puppet_repl.language.values.regex_plain import compile_plainly

        try:
            return compile_plainly(self._node).search
        except (re.error, RecursionError, OverflowError) as error:
            raise self._unsupported(error) from None

    def _unsupported(self, error: Exception) -> UnsupportedRegexpError:
        return UnsupportedRegexpError(
            f"this regular expression is not supported ({error}): {describe(self.pattern)}"
        )

    def _search_slowly(self, text: str, start: int) -> re.Match[str] | None:
        if self._limit == -2:
            self._prepare()
            return self.search(text, start)
        if self._calls:
            # Ruby lets a call set the group it calls; the package restores it.
            raise UnsupportedRegexpError(
                f"a call of a group elsewhere is not supported: {describe(self.pattern)}"
            )
        return self._search_compiled(text, start)

    def _search_compiled(self, text: str, start: int) -> re.Match[str] | None:
        compiled = self._compiled
        if compiled is None:
            compiled = self._compiled = self._compile()
        if self._abridged and len(text) > LONGEST:
            compiled = self._compile(whole=True)
        try:
            found: re.Match[str] | None = compiled(text, start)
        except TimeoutError:
            raise RuntimeFailure(
                f"the regular expression {describe(self.pattern)} was stopped after"
                f" {TIME_LIMIT:g} seconds on a text of {len(text)} characters"
            ) from None
        except MemoryError:
            raise RegexpError(f"never ending recursion: {describe(self.pattern)}") from None
        return found

    def flagged_source(self) -> str:
        """Return the source, in a group that sets the flags if there are any."""
        if not self.flags and not is_bound(self.pattern):
            return self.pattern
        return group(self.pattern, self.flags, "imx")

    def puppet_text(self) -> str:
        """Write it between slashes."""
        if not self.flags and not is_bound(self.pattern):
            return describe(self.pattern)
        return f"/{inside(self.pattern, self.flags)}/"

    def ruby_text(self) -> str:
        """Return the text that means the same inside another pattern."""
        return inside(self.pattern, self.flags)

    def ruby_inspect(self) -> str:
        """Return what Ruby's ``inspect`` returns: the source between slashes, and its flags."""
        letters = (("m", MULTILINE), ("i", IGNORECASE), ("x", EXTENDED))
        flags = "".join(letter for letter, bit in letters if self.flags & bit)
        return describe(self.pattern) + flags

    def puppet_plain(self) -> str:
        """Write the source, as the format %s does."""
        return self.flagged_source()

    def puppet_equals(self, other: object) -> bool:
        """Compare: two regular expressions are equal if they are written alike."""
        return type(other) is Regexp and self.pattern == other.pattern and self.flags == other.flags

    def puppet_key(self) -> Hashable:
        """Return what tells values apart: source and flags."""
        return (self.pattern, self.flags)

    def __eq__(self, other: object) -> bool:
        return self.puppet_equals(other)

    def __hash__(self) -> int:
        return hash((Regexp, self.pattern, self.flags))

    def __repr__(self) -> str:
        return f"Regexp({self.pattern!r}, {self.flags})"


IGNORECASE = 1
EXTENDED = 2
MULTILINE = 4
_BITS = {"m": MULTILINE, "i": IGNORECASE, "x": EXTENDED}
_ESCAPE = LatePattern(r"(?s)\\(?:u\{([^}]*)\}|u([0-9a-fA-F]{4})|(x[89a-fA-F][0-9a-fA-F])|([pP])|.)")
_OPTIONS = LatePattern(r"\(\?([mix]*)(-[mix]*)?([:)])")


# An expression that is written in characters beyond ASCII, or asks for a property of characters, is
# bound to its encoding. Ruby counts that as a flag, so Puppet shows such an expression in a group.


def is_bound(source: str) -> bool:
    """Tell whether an expression is bound to its encoding."""
    if not source.isascii():
        return True
    if "\\" not in source:
        return False
    for codes, code, byte, kind in _ESCAPE.findall(source):
        if byte or kind or any(int(each, 16) > 0x7F for each in (*codes.split(), code) if each):
            return True
    return False


def group(source: str, flags: int, order: str) -> str:
    """Return a group that sets the flags of an expression; ``order`` is that of their letters."""
    on = "".join(letter for letter in order if flags & _BITS[letter])
    off = "".join(letter for letter in order if not flags & _BITS[letter])
    return f"(?{on}{'-' if off else ''}{off}:{source})"


def inside(source: str, flags: int) -> str:
    """Return what means the same inside of another expression (Regexp#to_s).

    Flags at the very beginning that hold to the end are those of the group.
    """
    whole = source, flags
    while (found := _OPTIONS.match(source)) is not None:
        on, off, end = found.groups()
        for letter in on:
            flags |= _BITS[letter]
        for letter in (off or "")[1:]:
            flags &= ~_BITS[letter]
        source = source[found.end() :]
        if end == ":":
            is_closed = source.endswith(")")
            source = source[:-1]
            if not is_closed or not _is_valid(source):
                source, flags = whole
            break
    return describe(group(source, flags, "mix"))[1:-1]


def _is_valid(source: str) -> bool:
    from puppet_repl.language.syntax.regexp_classes import Options
    from puppet_repl.language.syntax.regexp_parser import Parser

    try:
        Parser(source, Options(False, False, False, "d")).parse()
    except (RegexpError, RecursionError):
        return False
    return True
