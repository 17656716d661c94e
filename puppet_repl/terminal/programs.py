"""Other programs that the terminal runs: the editor and the pager."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress

from puppet_repl.base.memory import UnlimitedMemory
from puppet_repl.terminal.ending import children_ended_by_signals


def edit_text(text: str) -> str | None:
    """Return a text as edited by the user; None where there is no editor or it failed.

    The editor gets the escapes of lone surrogates. Raises OSError where the text cannot be written.
    """
    import shlex
    from tempfile import mkstemp

    editors = [os.environ.get("VISUAL"), os.environ.get("EDITOR"), "sensible-editor", "nano", "vi"]
    descriptor, path = mkstemp(suffix=".pp")
    try:
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        for editor in editors:
            if not editor:
                continue
            try:
                # A signal leaves the file: the user has worked on it.
                with children_ended_by_signals(), UnlimitedMemory():
                    status = subprocess.call([*shlex.split(editor), path])
            except (OSError, ValueError):
                continue
            if status != 0:
                return None
            with open(path, encoding="utf-8", errors="replace") as edited:
                return edited.read()
        return None
    finally:
        os.unlink(path)


def show_in_pager(text: str, *, at_end: bool = False) -> bool:
    """Show a text in $PAGER or less, perhaps its end first; return False where neither runs."""
    command = os.environ.get("PAGER") or "less"
    environment = {"LESS": "FRX", "LESSCHARSET": "utf-8", **os.environ}
    if at_end:
        # Other pagers than less begin at the start; most do not read this variable.
        environment["LESS"] += " +G"
    try:
        with children_ended_by_signals():
            with UnlimitedMemory():
                process = subprocess.Popen(
                    command,
                    shell=True,
                    stdin=subprocess.PIPE,
                    env=environment,
                    text=True,
                    encoding="utf-8",
                    errors="replace",
                )
            with process, suppress(BrokenPipeError, KeyboardInterrupt):
                process.communicate(text + "\n")
            status = process.wait()
    except OSError:
        return False
    # The shell returns 127 where there is no such program.
    return status not in (126, 127)
