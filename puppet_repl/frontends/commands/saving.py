"""``:save``: the inputs of a session as a file, which never takes the place of other work."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from puppet_repl.base.file_reading import kind_of
from puppet_repl.base.file_replacement import replace_file
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.frontends.commands.files import file_names, manifest_parts, manifest_text, path_of
from puppet_repl.frontends.commands.known_files import KnownFile, state_of
from puppet_repl.frontends.commands.notebook import notebook_text
from puppet_repl.frontends.commands.reach import check_path
from puppet_repl.frontends.commands.saved_parts import chosen_parts, saved_parts
from puppet_repl.frontends.commands.specs import check_command, head_of, is_spec, spec_parts
from puppet_repl.tools.reports.parts import CommandError, Message, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.commands.saved_parts import SavedPart
    from puppet_repl.host.command_model import Call

# A session may hold secrets: only the user may read a new file, as with the history.
_PRIVATE = 0o600


def save(call: Call) -> Report:
    """``:save FILE [N|N-M]...``, and ``:save! FILE``, which overwrites any file."""
    name, *ranges = file_names(call.argument) or [""]
    if not name:
        raise CommandError("which file?", "for example :save session.pp or :save session.ipynb")
    check_path(call.session, name)
    path = path_of(name)
    _check_place(path)
    parts = chosen_parts(call.session, call.host, ranges) if ranges else saved_parts(call.session)
    if not parts:
        raise CommandError("there is no input to save yet", "")
    texts = [part.text for part in parts]
    is_notebook = path.suffix == ".ipynb"
    head: list[str] = []
    if is_spec(path):
        saved = spec_parts(call.session, parts)
        head = head_of(call.host, path)
    else:
        saved = texts if is_notebook else manifest_parts(texts)
    target = os.path.realpath(path)
    existed = os.path.lexists(target)
    known = call.host.known_files
    if existed and not call.forced:
        reason = _why_not(known.get(target), target, texts[0], saved)
        if reason:
            raise CommandError(f"{path} {reason}", f":save! {call.argument} overwrites it")
    text = notebook_text(call.host, parts) if is_notebook else manifest_text(saved, head)
    try:
        replace_file(target, text, mode=_PRIVATE)
        # Of a part of the session it is not told which inputs it begins with, but which it has.
        first, held = (None, saved) if ranges else (texts[0], [])
        known[target] = KnownFile(state_of(target), first=first, parts=held)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {why_unusable(error)}", "") from error
    what = _count(parts)
    done = f"overwrote {path} with {what}" if existed else f"wrote {what} to {path}"
    if is_spec(path):
        done += f" with results, which {check_command(call.host, path)} compares"
    return Report(Message(done, "dim"))


def _count(parts: list[SavedPart]) -> str:
    inputs = sum(part.is_input for part in parts)
    counts = [counted(inputs, "input")]
    if len(parts) > inputs:
        counts.append(counted(len(parts) - inputs, "captured value"))
    return " and ".join(counts)


def _check_place(path: Path) -> None:
    """Raise CommandError where nothing can be saved under a name."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        mode = stat.S_IFREG
    if stat.S_ISDIR(mode):
        raise CommandError(f"{path} is a directory", "")
    if not stat.S_ISREG(mode):
        raise CommandError(f"{path} is no regular file ({kind_of(mode)})", "")
    if path.suffix not in (".pp", ".ipynb"):
        raise CommandError(
            f"{path} is named neither like a manifest nor like a notebook",
            "the name ends in .pp or .ipynb",
        )


def _why_not(known: KnownFile | None, target: str, first: str, saved: list[str]) -> str:
    """Return why a file that exists must stay, an empty string where it may be overwritten."""
    if known is None:
        return "exists, and this session has neither saved it nor loaded all that is in it"
    if not known.is_unchanged(target):
        return "has changed since this session loaded or saved it"
    if known.first not in (None, first):
        return "has the inputs from before the session began anew"
    if not known.is_kept_by(saved):
        return "has inputs that the session has lost, or would save as comments"
    return ""
