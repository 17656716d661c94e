"""The command that looks keys up in the data and shows where they were looked for."""

from __future__ import annotations

import os
import shlex

from puppet_repl.base.wording import counted
from puppet_repl.commands.results import (
    Cell,
    Code,
    CommandError,
    Failure,
    Message,
    Report,
    Shown,
    Table,
    ValueCell,
)
from puppet_repl.environment.explain_text import explain_text
from puppet_repl.frontend.machine_words import UnusableMachine, machines_of
from puppet_repl.frontend.machines import session_for
from puppet_repl.functions.dotted_keys import split_segments
from puppet_repl.values.default import UNSET
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.sensitive import Sensitive
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.commands.model import Call
    from puppet_repl.commands.results import Part
    from puppet_repl.environment.explanation import Explanation, Place
    from puppet_repl.session import Outcome, Session
    from puppet_repl.values.protocols import Value

_WITH_VALUE = {"--merge": "merge", "--type": "type", "--default": "default"}
# Longer paths are cut at their beginning, so that a table fits a terminal of 80 columns.
MAX_PATH = 26
ELLIPSIS = "…"
_FILE = 3  # the number of its column
REDACTED = "Sensitive [value redacted]"
TAKEN = "✓"


class _Asked:
    """The argument of the command: keys, the words that name machines, options of the lookup."""

    def __init__(self, argument: str) -> None:
        self.keys: list[str] = []
        self.machines: list[str] = []
        self.options: dict[str, str] = {}
        self.explains = False
        words = iter(_words(argument))
        for word in words:
            name, equals, value = word.partition("=")
            if word == "--explain":
                self.explains = True
            elif name in _WITH_VALUE:
                given = value if equals else next(words, None)
                if given is None:
                    raise CommandError(f"{name} needs a value")
                self.options[_WITH_VALUE[name]] = _unquoted(given)
            elif word.startswith("--"):
                known = ", ".join((*_WITH_VALUE, "--explain"))
                raise CommandError(f"there is no option {word}", f"the options are {known}")
            elif not self.keys or "::" in word:
                self.keys.append(_unquoted(word) if _unquoted(word).isidentifier() else word)
            else:
                self.machines.append(_unquoted(word))
        if not self.keys:
            raise CommandError("which key?", "for example :lookup profile::web::port")


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text, posix=False)  # quotes are a part of keys: 'a.b'
    except ValueError as error:
        raise CommandError(f"cannot read '{text}': {error}") from None


def _unquoted(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"" else word


def lookup(call: Call) -> Report:
    """``:lookup KEY... [NODE|SET|FILE|DIR...]``."""
    asked = _Asked(call.argument)
    sessions: list[tuple[str, Session]] = []
    parts: list[Part] = []
    try:
        for made in _sessions(call.session, asked.machines):
            sessions.append(made)
        for key in asked.keys:
            if sessions:
                parts += _on_machines(key, asked, sessions)
            else:
                parts += _in_session(key, asked, call.session)
    finally:
        for _, session in sessions:
            session.close()
    return Report(*parts)


def _sessions(session: Session, names: Iterable[str]) -> Iterator[tuple[str, Session]]:
    machines = []
    for machine in machines_of(names, session):
        if isinstance(machine, UnusableMachine):
            raise CommandError(f"{machine.name}: {machine.reason}", "")
        machines.append(machine)
    for machine in machines:
        # Where the manifests fail, their variables are missing; the data is there all the same.
        made, _ = session_for(machine, session)
        yield machine.name, made


def _explained(key: str, asked: _Asked, session: Session) -> tuple[Outcome, Explanation]:
    default = asked.options.get("default", UNSET)
    return session.explain(
        key, merge=asked.options.get("merge"), type=asked.options.get("type"), default=default
    )


# One machine


def _in_session(key: str, asked: _Asked, session: Session) -> list[Part]:
    outcome, explanation = _explained(key, asked, session)
    parts: list[Part] = []
    if asked.explains:
        parts.append(Code(explain_text(explanation), "text"))
    else:
        parts.append(_places_table(key, outcome, explanation))
        parts += [Message(warning, "warning") for warning in _empty(explanation)]
        if outcome.error is None:
            parts += [Message(remark, "dim") for remark in explanation.root.texts]
    if outcome.error is not None:
        parts.append(Failure(outcome.error))
    else:
        parts.append(Shown(outcome.value))
    return parts


def _places_table(key: str, outcome: Outcome, explanation: Explanation) -> Table:
    source = " by lookup_options" if explanation.merge_from_options else ""
    secret = _is_secret(key, outcome, explanation)
    rows = [
        (
            Cell(TAKEN if place.taken else " ", "ok"),
            place.layer,
            place.level,
            _where(place),
            _result(place, secret=secret),
        )
        for place in explanation.places()
    ]
    return Table(
        ("", "Layer", "Level", "File", "Value"),
        rows,
        title=f"{key} (merge {explanation.merge}{source})",
        empty="no hiera.yaml has levels for it; :environment DIR takes another directory",
        kept=(0, _FILE),
    )


def _where(place: Place) -> Cell:
    """Return the location of a value as ``file:line``, from the directory of hiera.yaml on."""
    if place.location is None:
        return Cell("")
    path = place.location
    if os.path.isabs(path) and place.config is not None:
        path = os.path.relpath(path, os.path.dirname(place.config))
    if place.line is not None:
        path += f":{place.line}"
    return Cell(_short_path(path), "warning" if place.path_empty else "")


def _short_path(path: str) -> str:
    """Return the end of a path that is too long, from the beginning of a name on if possible."""
    if len(path) <= MAX_PATH:
        return path
    end = path[1 - MAX_PATH :]
    slash = end.find("/")
    return ELLIPSIS + (end[slash:] if slash >= 0 else end)


def _result(place: Place, *, secret: bool) -> Cell | ValueCell:
    if place.status == "found":
        return Cell(REDACTED, "dim") if secret else ValueCell(place.raw)
    if place.path_empty:
        return Cell(f"empty: {', '.join(map(_as_written, place.path_empty))}", "warning")
    return Cell("no such file" if place.status == "missing" else "not there", "dim")


def _as_written(expression: str) -> str:
    return f"%{{{expression}}}"


def _empty(explanation: Explanation) -> list[str]:
    """Return what to say about expressions that were empty, one line each."""
    said = []
    for place in explanation.places():
        for expression in place.path_empty:
            said.append(f"nothing for {_as_written(expression)} in the path {place.original}")
        for expression in place.value_empty:
            said.append(f"nothing for {_as_written(expression)} in the value (level {place.level})")
    return list(dict.fromkeys(said))


def _is_secret(key: str, outcome: Outcome, explanation: Explanation) -> bool:
    """Tell whether the values of a key are Sensitive, or would be if the lookup had not failed."""
    if outcome.error is None:
        return _holds_secret(outcome.value)
    root = _root(key)
    for place in explanation.option_places():
        options = place.value
        if type(options) is not PuppetHash:
            continue
        for pattern, option in options.items():
            named = str(pattern) == root or str(pattern).startswith("^")
            if named and "Sensitive" in to_text(option):
                return True
    return False


def _holds_secret(value: Value) -> bool:
    if type(value) is tuple:
        return any(_holds_secret(item) for item in value)
    if type(value) is PuppetHash:
        return any(_holds_secret(item) for item in value.values())
    return isinstance(value, Sensitive)


def _root(key: str) -> str:
    segments = split_segments(key)
    return key if segments is None else str(segments[0])


# Several machines


def _on_machines(key: str, asked: _Asked, sessions: list[tuple[str, Session]]) -> list[Part]:
    rows: list[tuple[str, Cell | ValueCell, Cell]] = []
    empty: dict[str, list[str]] = {}
    parts: list[Part] = []
    for name, session in sessions:
        outcome, explanation = _explained(key, asked, session)
        if asked.explains:
            parts += [Message(name, "heading"), Code(explain_text(explanation), "text")]
        for warning in _empty(explanation):
            empty.setdefault(warning, []).append(name)
        taken = [place for place in explanation.places() if place.taken]
        where = _where(taken[0]) if taken else Cell("")
        if len(taken) > 1:
            where = Cell(f"{where.text} and {counted(len(taken) - 1, 'other')}")
        if outcome.error is not None:
            rows.append((name, Cell(outcome.error.message, "error"), where))
        else:
            rows.append((name, ValueCell(outcome.value), where))
    if not asked.explains:
        parts.append(Table(("Machine", "Value", "From"), rows, title=key, kept=(0,)))
        parts += [
            Message(f"{warning}: {', '.join(names)}", "warning") for warning, names in empty.items()
        ]
    return parts
