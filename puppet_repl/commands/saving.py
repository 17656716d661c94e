"""``:save``: the inputs of a session as a file, which never takes the place of other work."""

from __future__ import annotations

import os

from puppet_repl.base.replacing import replace_file
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.commands.files import file_names, manifest_text, path_of
from puppet_repl.commands.notebook import notebook_text
from puppet_repl.commands.reach import check_path
from puppet_repl.commands.results import CommandError, Message, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.commands.model import Call

# A session may hold secrets: only the user may read a new file, as with the history.
_PRIVATE = 0o600


class Written:
    """A file as this session wrote it: its identity, and the first input that is in it."""

    __slots__ = ("_state", "first")

    def __init__(self, path: str, first: str) -> None:
        self._state = _state(path)
        self.first = first

    def is_unchanged(self, path: str) -> bool:
        """Tell whether nobody has written the file since."""
        return self._state == _state(path)


def save(call: Call) -> Report:
    """``:save FILE``, and ``:save! FILE``, which overwrites any file."""
    names = file_names(call.argument)
    if len(names) != 1:
        raise CommandError("which file?", "for example :save session.pp or :save session.ipynb")
    check_path(call.session, names[0])
    path = path_of(names[0])
    if path.suffix not in (".pp", ".ipynb"):
        raise CommandError(f"what is {path.suffix or path.name}?", "the name ends in .pp or .ipynb")
    inputs = [text for _, text, _ in call.session.inputs]
    if not inputs:
        raise CommandError("there is no input to save yet", "")
    target = os.path.realpath(path)
    existed = os.path.lexists(target)
    written = call.host.written
    if existed and not call.forced:
        reason = _why_not(written.get(target), target, inputs[0])
        if reason:
            raise CommandError(f"{path} {reason}", f":save! {call.argument} overwrites it")
    text = notebook_text(call) if path.suffix == ".ipynb" else manifest_text(inputs)
    try:
        replace_file(target, text, mode=_PRIVATE)
        written[target] = Written(target, inputs[0])
    except OSError as error:
        raise CommandError(f"cannot write {path}: {why_unusable(error)}", "") from error
    number = counted(len(inputs), "input")
    done = f"overwrote {path} with {number}" if existed else f"wrote {number} to {path}"
    return Report(Message(done, "dim"))


def _why_not(written: Written | None, target: str, first: str) -> str:
    """Return why a file that exists must stay, an empty string where it may be overwritten."""
    if written is None:
        return "exists, and this session has not written it"
    if not written.is_unchanged(target):
        return "has changed since this session wrote it"
    if written.first != first:
        return "has the inputs from before the session began anew"
    return ""


def _state(path: str) -> tuple[int, int, int, int] | None:
    """Return what tells a version of a file from any other, None where there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
