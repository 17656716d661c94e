"""The command that looks keys up in the data and shows where they were looked for."""

from __future__ import annotations

import os
import shlex

from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.sharing import once
from puppet_repl.base.wording import counted
from puppet_repl.environment.facts.factset_words import meant_set
from puppet_repl.environment.hiera.explain_text import explain_text
from puppet_repl.host.argument_parser import PROFILE_WORD
from puppet_repl.host.machine_words import (
    SEPARATOR,
    UnusableMachine,
    is_machine,
    machines_of,
    named_nodes,
)
from puppet_repl.host.machines import UnknownFactSet, session_for
from puppet_repl.language.data.dotted_keys import split_segments
from puppet_repl.language.data.files import NOT_FOUND
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.text import to_text
from puppet_repl.tools.reports.parts import (
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from puppet_repl.environment.hiera.explanation import Explanation, Place
    from puppet_repl.host.command_model import Call
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Outcome, Session
    from puppet_repl.tools.reports.parts import Part

_WITH_VALUE = {
    "--merge": "merge",
    "--type": "type",
    "--default": "default",
    "--knock-out-prefix": "knockout_prefix",
}
_OPTIONS = (*_WITH_VALUE, "--explain")
_NO_DATA = "no hiera.yaml has levels for it; :environment DIR takes another directory"
# Longer paths are cut at their beginning, so that a table fits a terminal of 80 columns.
MAX_PATH = 26
ELLIPSIS = "…"
_FILE = 3  # the number of its column
REDACTED = "Sensitive [value redacted]"
TAKEN = "✓"


class _Asked:
    """The argument of the command: keys, the words that name machines, options of the lookup."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.machines: list[str] = []
        self.options: dict[str, str] = {}
        self.explains = False
        # Words after the first key that nothing knows: nodes, perhaps, that lack a ``--``.
        self.unknown: list[str] = []

    def read(self, argument: str, session: Session) -> None:
        """Take what an argument asks for. Raises CommandError."""
        only_machines = False
        has_data = _data_keys_of(session)
        words = iter(_words(argument))
        for word in words:
            name = _unquoted(word)
            if word == SEPARATOR:
                only_machines = True
            elif PROFILE_WORD.fullmatch(word):  # in quotes it is a key
                raise CommandError(
                    f"{word} comes first", f":node {word} takes it; then look the key up"
                )
            elif word.startswith("--"):
                self._take_option(word, words)
            elif only_machines:
                self.machines.append(name)
            elif not self.keys or "::" in name or has_data(name):
                self.keys.append(name if name.isidentifier() else word)
            elif os.sep in name or is_machine(name, named_nodes(session), session.reach):
                self.machines.append(name)
            elif meant_set(name) is not None:
                self.machines.append(name)  # which is refused with a hint
            else:
                self.keys.append(name if name.isidentifier() else word)
                self.unknown.append(self.keys[-1])
        if not self.keys:
            raise CommandError("which key?", "for example :lookup profile::web::port")
        if "knockout_prefix" in self.options and self.options.get("merge") != "deep":
            raise CommandError("--knock-out-prefix needs --merge deep", "")

    def _take_option(self, word: str, words: Iterator[str]) -> None:
        name, equals, value = word.partition("=")
        if word == "--explain":
            self.explains = True
            return
        if name not in _WITH_VALUE:
            raise CommandError(
                f"there is no option {word}", f"the options are {', '.join(_OPTIONS)}"
            )
        given = value if equals else next(words, None)
        if given is None:
            raise CommandError(f"{name} needs a value")
        self.options[_WITH_VALUE[name]] = _unquoted(given)

    @property
    def merge(self) -> object:
        """The argument ``merge`` of lookup()."""
        prefix = self.options.get("knockout_prefix")
        if prefix is None:
            return self.options.get("merge")
        return {"strategy": "deep", "knockout_prefix": prefix}


def _data_keys_of(session: Session) -> Callable[[str], bool]:
    """Return a function that tells whether data files have a key; it reads them at most once."""
    keys: Container[str] | None = None

    def has_data(name: str) -> bool:
        nonlocal keys
        if keys is None:
            keys = session.data_keys.values()
        return _root(name) in keys

    return has_data


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text, posix=False)  # quotes are a part of keys: 'a.b'
    except ValueError as error:
        raise CommandError(f"cannot read '{text}': {error}") from None


def _unquoted(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"" else word


def lookup(call: Call) -> Report:
    """``:lookup KEY... [[--] MACHINE...]``."""
    asked = _Asked()
    asked.read(call.argument, call.session)
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


def report_of_key(key: str, session: Session) -> Report:
    """Return what the command shows for one key in a session, whatever characters it has."""
    return Report(*_in_session(key, _Asked(), session))


def _sessions(session: Session, names: Iterable[str]) -> Iterator[tuple[str, Session]]:
    machines = []
    try:
        found = machines_of(names, session)
    except UnknownFactSet as error:
        raise CommandError(error.message, error.hint) from error
    for machine in found:
        if isinstance(machine, UnusableMachine):
            raise CommandError(machine.message, "")
        machines.append(machine)
    for machine in machines:
        # If the manifests fail, only their variables are missing, not the data.
        made, _ = session_for(machine, session)
        yield machine.name, made


def _explained(key: str, asked: _Asked, session: Session) -> tuple[Outcome, Explanation]:
    default = asked.options.get("default", UNSET)
    return session.explain(key, merge=asked.merge, type=asked.options.get("type"), default=default)


# One machine


def _in_session(key: str, asked: _Asked, session: Session) -> list[Part]:
    outcome, explanation = _explained(key, asked, session)
    parts: list[Part] = []
    if asked.explains:
        parts.append(Code(explain_text(explanation), "text"))
    else:
        table = _places_table(key, outcome, explanation)
        # If the lookup ends before the first level, its error is enough.
        if table.rows or not _has_data(key, session):
            parts.append(table)
        parts += [Message(warning, "warning") for warning in _empty(explanation)]
        if outcome.error is None:
            parts += [Message(remark, "dim") for remark in explanation.root.texts]
    if outcome.error is not None:
        parts.append(Failure(outcome.error))
        if key in asked.unknown:
            hint = f"if {key} is a node: :lookup {asked.keys[0]} {SEPARATOR} {key}"
            parts.append(Message(hint, "dim"))
        elif outcome.error.code == NOT_FOUND:
            meant = did_you_mean(key, session.data_keys.values())
            parts += [] if meant is None else [Message(f"hint: {meant}", "dim")]
    else:
        parts.append(Shown(outcome.value))
    return parts


def _has_data(key: str, session: Session) -> bool:
    """Tell whether there is a hiera.yaml that counts for a key."""
    found = session.environment
    module = None if found is None else found.modules.get(key.partition("::")[0])
    directories = [session.options.environment, None if module is None else module.path]
    return session.options.hiera_config is not None or any(
        directory is not None and os.path.exists(os.path.join(directory, "hiera.yaml"))
        for directory in directories
    )


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
        empty=_NO_DATA,
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
    if place.status == "not asked":
        return Cell("could not be asked", "warning")
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
    if type(value) is tuple or type(value) is PuppetHash:
        return once(_any_holds_secret, value)
    return isinstance(value, Sensitive)


def _any_holds_secret(container: tuple[Value, ...] | PuppetHash) -> bool:
    items = container.values() if isinstance(container, PuppetHash) else container
    return any(map(_holds_secret, items))


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
        parts.append(Table(("Machine", "Value", "From"), rows, title=key, whole=(0, 1, 2)))
        parts += [
            Message(f"{warning}: {', '.join(names)}", "warning") for warning, names in empty.items()
        ]
    return parts
