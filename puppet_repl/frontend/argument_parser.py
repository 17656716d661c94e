"""The parser of a command line; its messages are short and safe to show."""

from __future__ import annotations

import argparse

from puppet_repl.base.safe_text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class ArgumentParser(argparse.ArgumentParser):
    """A parser that says in two lines what it refuses, without the controls in it."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and where the usage is told, then end with exit status 2."""
        self.exit(2, f"{self.prog}: {visible(message)}\n'{self.prog} --help' shows the usage.\n")


def utf8_text(text: str) -> str:
    """Return an argument that is no name of a file: code, for example.

    Python keeps bytes that are not UTF-8 as lone surrogates, which names of files need. Raises
    ArgumentTypeError.
    """
    place = undecoded_byte(text)
    if place is not None:
        raise argparse.ArgumentTypeError(f"not UTF-8 (byte {place})")
    return text


def undecoded_byte(text: str) -> int | None:
    """Return the offset of the first byte of an argument that is not UTF-8, None if all are."""
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return len(text[: error.start].encode())
    return None
