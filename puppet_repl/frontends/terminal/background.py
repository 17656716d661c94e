"""Whether the background of the terminal is light, as the terminal itself says.

The question (OSC 11) is put while the first prompt stands, and the reply is taken out of the keys
whenever it comes: nothing waits for it, and a late one is never taken for something typed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from puppet_repl.frontends.terminal.palette import light_by_environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

QUESTION = "\x1b]11;?\x07"
_BEGINNING = "\x1b]11;"
# A colour: `rgba:` and four channels of four digits are the longest that terminals reply.
_COLOR = r"[0-9A-Za-z:/#.]{0,40}"
_REPLY = re.compile(rf"\x1b\]11;({_COLOR})(?:\x07|\x1b\\)")
# A reply whose end has not come yet, from its first character on.
_BEGUN = re.compile(rf"\x1b(?:\](?:1(?:1(?:;{_COLOR}\x1b?)?)?)?)?\Z")
# A reply whose end does not come.
_BROKEN = re.compile(rf"\x1b\]11;{_COLOR}")
_CHANNELS = re.compile(r"rgba?:([0-9a-f]+)/([0-9a-f]+)/([0-9a-f]+)|#((?:[0-9a-f]{3}){1,4})\b", re.I)
# Of red, green and blue in what the eye takes for brightness (ITU-R BT.601).
_WEIGHTS = (0.299, 0.587, 0.114)
# Terminals that print a question that they do not know.
_MUTE = ("dumb", "linux")


def is_light(color: str) -> bool | None:
    """Return whether a colour in X11's notation is light; None for any other text."""
    found = _CHANNELS.match(color)
    if found is None:
        return None
    *channels, digits = found.groups()
    if digits:
        size = len(digits) // 3
        channels = [digits[at : at + size] for at in range(0, len(digits), size)]
    brightness = 0.0
    for text, weight in zip(channels, _WEIGHTS, strict=True):
        brightness += weight * int(text, 16) / int("f" * len(text), 16)
    return brightness > 0.5


class Background:
    """The background of the terminal; ``changed`` is called when the terminal has replied."""

    def __init__(self, keyboard: Input, display: Output, changed: Callable[[], None]) -> None:
        self._keyboard = keyboard
        self._display = display
        self._changed = changed
        self.is_light = light_by_environment(os.environ.get("COLORFGBG"))
        self._is_asked = self.is_light is not None or os.environ.get("TERM", "dumb") in _MUTE

    def ask(self) -> None:
        """Ask the terminal, once. It must be in the mode of the prompt, which has no echo."""
        if self._is_asked:
            return
        self._is_asked = True
        parser = getattr(self._keyboard, "vt100_parser", None)
        if parser is None:  # Windows' console
            return
        keyboard: Any = self._keyboard
        keyboard.vt100_parser = _Replies(parser, self._take)
        self._display.write_raw(QUESTION)
        self._display.flush()

    def _take(self, color: str) -> None:
        light = is_light(color)
        if light is not None and light != self.is_light:
            self.is_light = light
            self._changed()


class _Replies:
    """A parser of keys that takes the reply to the question out of what it is fed.

    A reply may be cut by one pause. If it does not continue then, the next characters are keys, and
    an unfinished reply is dropped: it must not hold Ctrl-C.
    """

    def __init__(self, parser: Any, take: Callable[[str], None]) -> None:
        self._parser = parser
        self._take = take
        # The beginning of a reply that a pause has cut, and its possible end.
        self._cut = ""
        self._begun = ""
        self._is_awaited = True

    def feed(self, data: str) -> None:
        """Read keys."""
        data, self._begun = self._begun + data, ""
        if self._cut:
            whole = self._cut + data
            if _BEGUN.fullmatch(whole):
                self._begun = data
                return
            if _REPLY.match(whole):
                data = whole
            self._cut = ""
        for found in _REPLY.finditer(data):
            self._is_awaited = False
            self._take(found[1])
        data = _REPLY.sub("", data)
        begun = _BEGUN.search(data) if self._is_awaited else None
        if begun is not None:
            data, self._begun = data[: begun.start()], begun[0]
        data = _BROKEN.sub("", data)
        if data:
            self._parser.feed(data)

    def flush(self) -> None:
        """Take what has not gone on for a while for keys, all but the beginning of a reply."""
        if self._begun.startswith(_BEGINNING):
            self._cut, self._begun = self._begun, ""
        elif self._begun:
            self._parser.feed(self._begun)
            self._cut = self._begun = ""
        self._parser.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._parser, name)
