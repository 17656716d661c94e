"""What ``:watch`` shows: a line with the time, and below it what the run logged and returned."""

from __future__ import annotations

import os
from datetime import datetime

from puppet_repl.base.wording import counted, some_of
from puppet_repl.frontends.commands.code import duration
from puppet_repl.frontends.shared.results import render_outcome
from puppet_repl.tools.rendering.wrapping import wrapped_text
from puppet_repl.tools.reports.parts import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.frontends.commands.watch import Watch
    from puppet_repl.host.host import Host
    from puppet_repl.tools.rendering.fragments import Fragment

# Names of changed files in one line.
_MAX_NAMES = 3


def show_watched(
    host: Host, watch: Watch, show: Callable[[list[Fragment]], object], width: Callable[[], int]
) -> None:
    """Run the watched code, and again whenever a file changes, until an interrupt.

    ``show`` writes fragments and a line end. The session shows its logs as usual.
    """
    title = watch.name.partition("\n")[0]
    try:
        while True:
            begun = f"-- {datetime.now():%H:%M:%S} {title} "
            show([("dim", begun.ljust(width() - 1, "-")[: width() - 1])])
            _run(host, watch, show, width())
            if not watch.can_change:
                said = "nothing to watch: this uses no files"
                show(wrapped_text([("dim", said)], width()))
                return
            changed = watch.wait()
            names = [os.path.basename(path) for path in changed]
            title = f"{some_of(names, _MAX_NAMES)} changed"
    except KeyboardInterrupt:
        show([("dim", "no longer watched")])


def _run(host: Host, watch: Watch, show: Callable[[list[Fragment]], object], width: int) -> None:
    try:
        with watch.running() as (outcome, seconds):
            fragments = render_outcome(
                host.session, outcome, watch.label, width, show_type=host.settings["show_type"]
            )
            if fragments:
                show(wrapped_text(fragments, width) if outcome.error is not None else fragments)
    except CommandError as error:
        show(wrapped_text([("error", "Error: "), ("", str(error))], width))
        return
    files = f"; {counted(watch.count, 'file')} watched, Ctrl-C ends" if watch.can_change else ""
    show(wrapped_text([("dim", f"took {duration(seconds)}{files}")], width))
