"""The parser of a command line; its messages are safe to show."""

from __future__ import annotations

import argparse

from puppet_repl.base.safe_text import visible_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class ArgumentParser(argparse.ArgumentParser):
    """A parser that shows the arguments it refuses without the controls in them."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and what is wrong, then end the process with exit status 2."""
        super().error(visible_lines(message))
