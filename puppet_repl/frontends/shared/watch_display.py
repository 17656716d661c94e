"""What ``:watch`` shows of each run: the time, messages, value, and the change of the catalog."""

from __future__ import annotations

import os
from datetime import datetime

from puppet_repl.base.safe_text import visible
from puppet_repl.base.wording import counted, some_of
from puppet_repl.frontends.commands.code import duration
from puppet_repl.frontends.shared.results import (
    declared_line,
    declares,
    is_reference,
    render_outcome,
)
from puppet_repl.tools.rendering.wrapping import wrapped_text
from puppet_repl.tools.reports.differences import render_changes, summary
from puppet_repl.tools.reports.parts import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from puppet_repl.frontends.commands.watch import Watch
    from puppet_repl.host.host import Host
    from puppet_repl.session import Outcome
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
            for fragments in _result(host, watch, outcome, width):
                show(fragments)
    except CommandError as error:
        show(wrapped_text([("error", "Error: "), ("", str(error))], width))
        return
    files = f"; {counted(watch.count, 'file')} watched, Ctrl-C ends" if watch.can_change else ""
    show(wrapped_text([("dim", f"took {duration(seconds)}{files}")], width))


def _result(host: Host, watch: Watch, outcome: Outcome, width: int) -> Iterator[list[Fragment]]:
    """Yield what a run has returned, and how its catalog differs from that of the run before.

    The first run declares all of it. References, the value of ``include`` and of resources, say
    nothing of a later run.
    """
    session = host.session
    difference = watch.difference() if outcome.error is None else None
    declared = None if outcome.error is not None else declared_line(session, outcome.value)
    if not is_reference(outcome.value) or (difference is None and declared is None):
        show_type = host.settings["show_type"]
        fragments = render_outcome(session, outcome, watch.label, width, show_type=show_type)
        if fragments:
            yield wrapped_text(fragments, width) if outcome.error is not None else fragments
    if difference is not None and (declares(session) or not difference.is_empty):
        if not difference.is_empty:
            yield render_changes(difference, width)
        yield wrapped_text([("dim", f"catalog: {summary(difference)}")], width)
    elif declared is not None:
        yield wrapped_text([("dim", visible(declared))], width)
