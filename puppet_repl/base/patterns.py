"""Regular expressions that are compiled at first use, and without ``re`` if possible.

Importing ``re`` takes half as long as Python's own start, and compiling the pattern of the lexer as
long as importing ten modules. So the code that ``re`` makes of these patterns is kept; if the
engine of this Python does not take that code, ``re`` compiles them.
"""

from __future__ import annotations

import _sre

from puppet_repl.base.pattern_codes import CODES, MAGICS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from typing import Any

    Find = Callable[..., re.Match[str] | None]

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "sub", "subn")
# A repetition without an end is a number in them, which is smaller where pointers have 32 bits.
_ENDLESS = 0xFFFFFFFF
_FITS = _sre.MAGIC in MAGICS and _sre.CODESIZE == 4 and _sre.MAXREPEAT == _ENDLESS
_KEPT = CODES if _FITS else {}


class LatePattern:
    """A regular expression with the methods of ``re.Pattern``. Flags are written in its text."""

    __slots__ = ("text", *_METHODS)

    if TYPE_CHECKING:
        findall: Callable[..., list[Any]]
        finditer: Callable[..., Iterator[re.Match[str]]]
        fullmatch: Find
        match: Find
        search: Find
        sub: Callable[..., str]
        subn: Callable[..., tuple[str, int]]

    def __init__(self, text: str) -> None:
        self.text = text

    def __getattr__(self, name: str) -> object:
        """Compile the pattern when a method is first asked for, which is a plain attribute then."""
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = compile_pattern(self.text)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def compile_pattern(text: str) -> re.Pattern[str]:
    """Return what ``re.compile`` returns."""
    kept = _KEPT.get(text)
    if kept is None:
        import re

        return re.compile(text)
    flags, groups, codes = kept
    pattern: re.Pattern[str] = _sre.compile(
        text, flags, [*codes], groups, {}, (None,) * (groups + 1)
    )
    return pattern
