"""The line at the bottom: the most useful keys, and on what machine inputs are evaluated."""

from __future__ import annotations

import os
from collections.abc import Sequence

from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import StyleAndTextTuples

from puppet_repl.frontends.terminal.vi_mode import mode_name
from puppet_repl.host.command_registry import COMMANDS
from puppet_repl.tools.rendering.width import crop, display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from puppet_repl.frontends.terminal.app import Terminal
    from puppet_repl.session import Session

    Key = tuple[str, str]

# What leads out of a panel comes first: a narrow bar has no room for all.
OF_SETTINGS = (("Escape", "close"), ("Up/Down", "choose"), ("Left/Right", "change"))
OF_SEARCH = (("Escape", "close"), ("Enter", "take"), ("Up/Down", "choose"))
OF_INPUT = (
    *((":help", ""), ("F1", "explains"), ("Tab", "completes")),
    *(("Ctrl-R", "history"), ("F2", "settings")),
)
OF_STOPPED = tuple(
    (f":{command.name}", "") for command in COMMANDS if command.when_stopped in ("steps", "resumes")
)
# Cells that the text on the right leaves to the keys at least, and has at least itself.
LEFT = 18
RIGHT = 8


def toolbar(keys: Sequence[Key], status: str, width: int) -> StyleAndTextTuples:
    """Return names and meanings of keys, the first ones if not all fit, and the status after.

    The status gives way to no key but the first, and is cut where it has no room.
    """
    room = width - LEFT - 1
    text = f"{crop(status, room)} " if status and room >= RIGHT else ""
    left = width - display_width(text)
    fragments: StyleAndTextTuples = []
    for key, meaning in keys:
        shown = f" {key} {meaning} " if meaning else f" {key} "
        if display_width(shown) > left:
            break
        left -= display_width(shown)
        fragments += [("class:toolbar.key", f" {key}"), ("class:toolbar", shown[len(key) + 1 :])]
    # Blanks without a style at the end of a row are not sent.
    return [*fragments, ("", " " * left), ("class:toolbar", text)] if text else fragments


class Bar:
    """The bar of one prompt: keys, the state of vi's keys, the problem, the machine."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._status: str | None = None

    def forget(self) -> None:
        """Look at the session again, which may be on another machine."""
        self._status = None

    def text(self) -> StyleAndTextTuples:
        """Return the line that names the keys, or the syntax error."""
        terminal = self._terminal
        if terminal.panel.is_open:
            return toolbar(OF_SETTINGS, "", terminal.width)
        if terminal.picker.is_open:
            return toolbar(OF_SEARCH, "", terminal.width)
        problem = terminal.shown_problem()
        if problem is not None:
            return [("class:warning", crop(f" {problem.message}", terminal.width))]
        keys: list[Key] = []
        if terminal.editing_mode == EditingMode.VI:
            keys.append((mode_name(terminal.application, terminal.buffer), ""))
        if "\n" in terminal.buffer.text:
            keys += (("Alt-Enter", "new line"), ("F5", "format"))
        if terminal.host.stopped_stack is not None:
            keys += OF_STOPPED
        else:
            keys += OF_INPUT
        if self._status is None:
            self._status = status_of(terminal.session)
        return toolbar(keys, self._status, terminal.width)


def status_of(session: Session) -> str:
    """Return the options of a session: node, facts, environment, and a milder strictness."""
    options = session.options
    parts = [options.node or "", _system(session.facts)]
    if options.environment:
        parts.append(os.path.basename(os.path.abspath(options.environment)))
    elif options.found is not None and not options.modulepath:
        parts.append(options.found.text)
    if options.strict != "error":
        parts.append(f"strict {options.strict}")
    return " · ".join([part for part in parts if part])


def _system(facts: Mapping[str, object] | None) -> str:
    """Return the name and release of the system that facts are of, ``Debian 12``."""
    found = facts.get("os") if facts is not None else None
    if not isinstance(found, dict):
        return ""
    release = found.get("release")
    number = release.get("major") if isinstance(release, dict) else None
    return " ".join([str(part) for part in (found.get("name"), number) if part])
