"""Other programs that the terminal runs: the editor and the pager."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress

from puppet_repl.base.memory import UnlimitedMemory
from puppet_repl.base.programs import program_directories
from puppet_repl.base.wording import why_unusable
from puppet_repl.frontends.terminal.end_signals import (
    children_ended_by_signals,
    interrupts_left_to_children,
)

# What less says at the bottom: a colon alone would look like the beginning of a command.
_LESS = r"FRX -PsSpace\: more  q\: back$"
# A shell that handles Ctrl-C does so when its program has ended, and would else end before it.
_UNTIL_IT_HAS_ENDED = "trap 'exit 130' INT; " if os.name == "posix" else ""
# In this order, where the user has chosen none.
_EDITORS = ("sensible-editor", "nano", "vi")


class EditorError(Exception):
    """The editor that the user has chosen cannot be run; the message names it."""


def edit_text(text: str) -> str | None:
    """Return a text as edited by the user; None if there is no editor or it failed.

    The editor gets the escapes of lone surrogates. Raises OSError if the text cannot be written,
    EditorError if $VISUAL, or else $EDITOR, does not name an editor: the user might not know how
    to leave another one.
    """
    import shlex
    from tempfile import mkstemp

    variable = next((each for each in ("VISUAL", "EDITOR") if os.environ.get(each)), None)
    editors = _EDITORS if variable is None else (os.environ[variable],)
    descriptor, path = mkstemp(suffix=".pp")
    try:
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        for editor in editors:
            try:
                # A signal leaves the file: the user has worked on it.
                with (
                    children_ended_by_signals(),
                    interrupts_left_to_children(),
                    UnlimitedMemory(),
                ):
                    status = subprocess.call([*shlex.split(editor), path])
            except (OSError, ValueError) as error:
                if variable is not None:
                    reason = why_unusable(error) if isinstance(error, OSError) else str(error)
                    raise EditorError(
                        f"cannot run the editor {editor} (${variable}): {reason}"
                    ) from None
                continue
            if status != 0:
                return None
            with open(path, encoding="utf-8", errors="replace") as edited:
                return edited.read()
        return None
    finally:
        os.unlink(path)


def show_in_pager(text: str, *, at_end: bool = False) -> bool:
    """Show a text in $PAGER or less, perhaps its end first; return False where neither runs.

    The user's own LESS stays as it is, but less starts no other program: nobody needs a shell
    from there, and a hermetic session must not give one.
    """
    command = os.environ.get("PAGER") or "less"
    environment = {"LESS": _LESS, "LESSCHARSET": "utf-8", **os.environ, "LESSSECURE": "1"}
    if at_end:
        # Other pagers than less begin at the start; most do not read this variable.
        environment["LESS"] += " +G"
    try:
        status = _give(text + "\n", command, environment)
    except OSError:
        return False
    # The shell returns 127 for a missing program.
    return status not in (126, 127)


def give_to_program(text: str, command: str) -> str | None:
    """Give a text to a command of the shell, which writes to the terminal and names its errors.

    Return its failure: an empty text for a status that is not 0, None for success.
    """
    environment = {**os.environ, "PATH": program_directories()}
    try:
        status = _give(text, command, environment)
    except OSError as error:
        return f"cannot run {command}: {why_unusable(error)}"
    return "" if status else None


def _give(text: str, command: str, environment: dict[str, str]) -> int:
    """Run a command of the shell with a text as its input; return its status. Raises OSError.

    Ctrl-C is for the command alone: a pager may use it, and this program waits until it has ended.
    """
    with children_ended_by_signals(), interrupts_left_to_children():
        with UnlimitedMemory():
            process = subprocess.Popen(
                _UNTIL_IT_HAS_ENDED + command,
                shell=True,
                stdin=subprocess.PIPE,
                env=environment,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        with process, suppress(BrokenPipeError):
            process.communicate(text)
        return process.wait()
