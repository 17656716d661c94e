"""``:save``: the inputs of a session as a file, which never takes the place of other work."""

from __future__ import annotations

import os
import stat
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import kind_of
from puppet_repl.base.file_replacement import PRIVATE, replace_file
from puppet_repl.base.wording import counted, listed, why_unusable
from puppet_repl.frontends.commands.earlier_inputs import inputs_of
from puppet_repl.frontends.commands.files import file_names, manifest_parts, manifest_text, path_of
from puppet_repl.frontends.commands.last_definitions import with_last_definitions
from puppet_repl.frontends.commands.manifests import bound_in_branches
from puppet_repl.frontends.commands.notebook import notebook_text
from puppet_repl.frontends.commands.reach import check_path
from puppet_repl.frontends.commands.specs import check_command, head_of, is_spec, spec_parts
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.values.default import UNSET
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.values import render_value, whole_text
from puppet_repl.tools.reports.parts import CommandError, Message, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.host.command_model import Call
    from puppet_repl.host.host import Host
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session
    from puppet_repl.session.outcome import Outcome

    FileState = tuple[int, int, int, int]

_CAPTURED = "was bound by %%capture"


@dataclass(slots=True, eq=False)
class SavedPart:
    """A part of a saved session: its text, and of an input of it the number and the outcome."""

    text: str
    number: int | None = None
    outcome: Outcome | None = None
    _: KW_ONLY
    is_input: bool = True


@dataclass(slots=True, frozen=True)
class SavedFile:
    """A file that this session has saved, its state at that time, and inputs in it."""

    state: FileState | None
    inputs: frozenset[str]


def saved_parts(session: Session) -> list[SavedPart]:
    """Return the inputs of a session and the assignments of captured values, in order."""
    captured: dict[int, list[SavedPart]] = {}
    for place, name, value in session.between_inputs:
        if value is not UNSET:
            part = SavedPart(_assignment(session, name, value), is_input=False)
            captured.setdefault(place, []).append(part)
    parts = captured.get(0, [])
    for place, (number, text, outcome) in enumerate(session.inputs, 1):
        parts.append(SavedPart(text.strip("\n"), number, outcome))
        parts += captured.get(place, ())
    return parts


def chosen_parts(session: Session, host: Host, ranges: list[str]) -> list[SavedPart]:
    """Return the inputs that ranges of numbers stand for, in the order given.

    Of a cell these are its programs. Raises CommandError.
    """
    inputs: dict[int, list[SavedPart]] = {}
    for number, text, outcome in session.inputs:
        inputs.setdefault(number, []).append(SavedPart(text.strip("\n"), number, outcome))
    parts = []
    for number, text in inputs_of(host, ranges):
        parts += [SavedPart(text)] if number < 0 else inputs.get(number, [])
    return parts


def _assignment(session: Session, name: str, value: Value) -> str:
    """Return the code that binds a captured value, or a comment where no code gives it."""
    text = _code_of(session, value)
    if text is None:
        return f"# {name} {_CAPTURED}; no code gives its value, so it is not saved"
    return f"# {name} {_CAPTURED}\n{name} = {text}"


def _code_of(session: Session, value: Value) -> str | None:
    """Return code for a value; None if code cannot express it, such as a Sensitive value."""
    try:
        text = plain(render_value(value))
        with session.temporarily():
            outcome = session.execute(f"[{text}]", record=False)
        # A Sensitive value, or a value of a type that was defined again, reads otherwise.
        is_same = outcome.error is None and whole_text(outcome.value) == whole_text((value,))
    except MemoryError:  # what shares its parts may have a text of any size
        return None
    return text if is_same else None


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
    elif is_notebook:
        saved = texts
    else:
        once = with_last_definitions(texts)
        saved = manifest_parts([text for text in once if text])
        parts = [part for part, text in zip(parts, once, strict=True) if text]
    target = os.path.realpath(path)
    existed = os.path.lexists(target)
    files = call.host.saved_files
    if existed and not call.forced:
        reason = _why_not(files.get(target), target, texts)
        if reason:
            raise CommandError(f"{path} {reason}", f":save! {call.argument} overwrites it")
    text = notebook_text(call.host, parts) if is_notebook else manifest_text(saved, head)
    try:
        replace_file(target, text, mode=PRIVATE)
        # Inputs may be undone between two :save of the whole session, but the first one tells
        # whether it is the same session.
        files[target] = SavedFile(state_of(target), frozenset(texts if ranges else texts[:1]))
    except OSError as error:
        raise CommandError(f"cannot write {path}: {why_unusable(error)}", "") from error
    report = Report()
    what = _count(parts)
    done = f"overwrote {path} with {what}" if existed else f"wrote {what} to {path}"
    if is_spec(path):
        done += f" with results, which {check_command(call.host, path)} compares"
    elif not is_notebook:
        report.parts += [Message(text, "warning") for text in _bound_twice(parts)]
    report.parts.insert(0, Message(done, "dim"))
    return report


def _bound_twice(parts: list[SavedPart]) -> Iterator[str]:
    """Yield a warning if inputs bind variables of earlier ones, which Puppet refuses."""
    bound: dict[str, list[str]] = {}
    for part in parts:
        try:
            body = parse(Source(part.text)).body
        except PuppetError:
            continue
        place = "a captured value" if part.number is None else f"In[{part.number}]"
        for name in bound_in_branches(body):
            bound.setdefault(name, []).append(place)
    twice = [f"${name} in {listed(found)}" for name, found in bound.items() if len(found) > 1]
    if twice:
        yield f"Puppet refuses to bind a variable again: {'; '.join(sorted(twice))}"


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
        raise CommandError(f"{path} is not a regular file ({kind_of(mode)})", "")
    if path.suffix not in (".pp", ".ipynb"):
        raise CommandError(
            f"{path} is named neither like a manifest nor like a notebook",
            "the name ends in .pp or .ipynb",
        )


def _why_not(saved: SavedFile | None, target: str, texts: list[str]) -> str:
    """Return why a file that exists must stay, an empty string where it may be overwritten."""
    if saved is None:
        return "exists, and this session has not saved it"
    if saved.state is None or saved.state != state_of(target):
        return "has changed since this session saved it"
    if not saved.inputs.issubset(texts):
        return "has inputs that the session has lost"
    return ""


def state_of(path: str) -> FileState | None:
    """Return what tells a version of a regular file from any other, None for all else."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
