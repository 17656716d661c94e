"""The progress bar of work for many nodes, on the error output: how many, how fast, how long."""

from __future__ import annotations

import sys
from contextlib import contextmanager

from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import ProgressBar
from prompt_toolkit.shortcuts.progress_bar import formatters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from prompt_toolkit.shortcuts import ProgressBarCounter


# Columns below which there is room for the numbers only.
_LEAST = 60


class Bar:
    """A bar for so many nodes."""

    def __init__(self, label: str, counter: ProgressBarCounter[object]) -> None:
        self._label = label
        self._counter = counter
        self._failed = 0

    def step(self) -> None:
        """Count a node that is done."""
        self._counter.item_completed()

    def fail(self) -> None:
        """Count a node that has failed."""
        self._failed += 1
        self._counter.label = f"{self._label} ({self._failed} failed)"


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[Bar]:
    """Show a bar while the context lasts."""
    output = create_output(stdout=sys.stderr)
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False  # the shell would read the answer
    shown: list[formatters.Formatter] = [
        *formatters.create_default_formatters(),
        formatters.IterationsPerSecond(),
        formatters.Text("/s "),
    ]
    if output.get_size().columns < _LEAST:
        shown = [formatters.Label(), formatters.Text(" "), formatters.Progress()]
    # Keys that are typed meanwhile are for the shell.
    with (
        create_pipe_input() as silent,
        ProgressBar(formatters=shown, output=output, input=silent) as bar,
    ):
        yield Bar(label, bar(label=label, total=total))
