"""The parser of a command line; its messages are short and safe to show."""

from __future__ import annotations

import argparse
import re
import sys

from puppet_repl.base.matching import nearest
from puppet_repl.base.safe_text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


# The column in which the help of options begins, at the most.
_HELP_AT = 30
# A profile as the first word of a command line; code may begin so, too: ``@user { 'a': }``.
PROFILE_WORD = re.compile(r"@([\w.-]+)")


class ArgumentParser(argparse.ArgumentParser):
    """A parser that reports a refusal in two lines, without control characters.

    The usage in its help is one line: options are listed below it. Options are written in full: an
    abbreviation would mean another option, or none, once there is a new one.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False, **settings})

    def format_help(self) -> str:
        """Return the help."""
        self.usage = self.usage or self._short_usage()
        return super().format_help()

    def format_usage(self) -> str:
        """Return the usage."""
        self.usage = self.usage or self._short_usage()
        return super().format_usage()

    def _short_usage(self) -> str:
        formatter = self._get_formatter()
        files = [action for action in self._actions if not action.option_strings]
        formatter.add_usage(None, files, [], prefix="")
        words = formatter.format_help().removeprefix(self.prog).split()
        return " ".join([self.prog, "[options]", *words]).replace("%", "%%")

    def _get_formatter(self) -> argparse.HelpFormatter:
        formatter = super()._get_formatter()
        # Most options and their values fit beside their help then.
        formatter._max_help_position = min(_HELP_AT, max(formatter._width - _HELP_AT, 4))
        return formatter

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the options; files may be before, after and between them.

        Left to itself argparse takes those after an option for words too many, and blames them.
        """
        words = sys.argv[1:] if args is None else list(args)
        # The other way of parsing knows neither subcommands nor what makes files of all words.
        is_plain = "--" in words or self._subparsers is not None
        known = self.parse_known_args if is_plain else self.parse_known_intermixed_args
        given, unknown = known(words, namespace)
        self.refuse_later_profiles(given, unknown)
        if unknown:
            self.refuse(unknown)
        return given

    def refuse(self, words: list[str]) -> NoReturn:
        """End with the error of words that mean nothing; it names an option that is near."""
        options = [word.partition("=")[0] for word in words if word.startswith("--")]
        known = [name for name in self._option_string_actions if name.startswith("--")]
        hint = ""
        if options and len(options[0]) > 2:
            longer = [name for name in known if name.startswith(options[0])]
            hint = " or ".join(longer[:3]) or nearest(options[0], known, likeness=0.75) or ""
        self.error(unrecognized(words) + (f"; did you mean {hint}?" if hint else ""))

    def refuse_later_profiles(self, given: argparse.Namespace, unknown: list[str]) -> None:
        """End with an error if a profile is not the first word: it would be taken for another."""
        if not hasattr(given, "profile"):
            return
        words: list[Any] = list(unknown)
        for action in self._actions:
            if not action.option_strings:
                value = getattr(given, action.dest, None)
                words += value if isinstance(value, list) else [value]
        for word in words:
            if isinstance(word, str) and PROFILE_WORD.fullmatch(word):
                if given.profile is not None:
                    self.error(f"there is one profile only: @{given.profile}, or {word}")
                self.error(f"{word} comes first: {self.prog} {word} ...")

    def error(self, message: str) -> NoReturn:
        """Print the error and how to see the usage, then end with exit status 2."""
        self.exit(2, f"{self.prog}: {visible(message)}\n'{self.prog} --help' shows the usage.\n")


def unrecognized(words: list[str]) -> str:
    """Return the refusal of words; it names only the options, if any, not their arguments."""
    options = [word for word in words if word.startswith("-") and word != "-"]
    return f"unrecognized arguments: {' '.join(options or words)}"


def utf8_text(text: str) -> str:
    """Return an argument that is not a name of a file: code, for example.

    Python keeps bytes that are not UTF-8 as lone surrogates, which names of files need. Raises
    ArgumentTypeError.
    """
    place = undecoded_byte(text)
    if place is not None:
        raise argparse.ArgumentTypeError(f"not UTF-8 (byte {place})")
    return text


def count_of(what: str, text: str) -> int:
    """Return a number above 0, of ``what``, that an argument says. Raises ArgumentTypeError."""
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"not a number of {what}: '{text}'")


def undecoded_byte(text: str) -> int | None:
    """Return the offset of the first byte of an argument that is not UTF-8, None if all are."""
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return len(text[: error.start].encode())
    return None
