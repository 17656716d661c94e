"""Commands about the node of the session: its name, its facts, its certificate."""

from __future__ import annotations

import re
import shlex

from puppet_repl.base.matching import nearest
from puppet_repl.environment.facts.facts import (
    ENDINGS,
    FactsError,
    default_name,
    is_factset,
    layered_facts,
    machine_facts,
    override,
)
from puppet_repl.environment.facts.factset_words import meant_set, told_sets
from puppet_repl.environment.facts.sample_facts import SampleFacts
from puppet_repl.frontends.commands.names import matching
from puppet_repl.frontends.commands.profiles import take_profile
from puppet_repl.frontends.commands.reach import check_path
from puppet_repl.frontends.commands.resets import after_reset
from puppet_repl.host.argument_parser import PROFILE_WORD
from puppet_repl.host.known_nodes import has_block
from puppet_repl.host.machines import is_node_name
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.reports.parts import (
    Cell,
    CommandError,
    Message,
    Report,
    Shown,
    Table,
    ValueCell,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from puppet_repl.environment.facts.local_facts import Facts
    from puppet_repl.host.command_model import Call
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session

_ASSIGNMENT = re.compile(r"[\w.:-]+=")
_EXTENSION = re.compile(r"(?:extensions\.)?([\w.-]+)=(.*)", re.DOTALL)
_IN_QUOTES = 'a value with it is in quotes: motd="ask @ops"'
_OF_THE_NAME = ("certname", "hostname", "domain")


# Facts


def facts(call: Call) -> Report:
    """``:facts``, ``:facts PATTERN``, ``:facts [use] SET|FILE... [[set] PATH=VALUE...]``."""
    first, _, rest = call.argument.partition(" ")
    if first in ("use", "set"):
        if not rest.strip():
            raise _nothing_given(first)
        if first == "set" and not _ASSIGNMENT.match(rest.strip()):
            hint = "for example :facts set os.family=RedHat"
            raise CommandError(f"'{rest.strip()}' is not of the form PATH=VALUE", hint)
        if rest.strip() == "local":
            return _use_local_facts(call)
        return _use_facts(call, rest.strip())
    if changes_facts(call.argument):
        return _use_facts(call, call.argument)
    return _show_facts(call)


def assigns_fact(argument: str) -> bool:
    """Tell whether an argument of ``:facts`` gives a fact a value, in which any text may be."""
    return any(_ASSIGNMENT.match(word) for word in argument.split())


def changes_facts(argument: str) -> bool:
    """Tell whether ``:facts`` with an argument changes the facts, instead of listing them."""
    first = argument.partition(" ")[0]
    return first in ("use", "set") or bool(_ASSIGNMENT.match(first)) or _names_facts(first)


def _show_facts(call: Call) -> Report:
    known = SessionSymbols(call.session)
    found = known.facts()
    if not call.argument:
        return Report(Shown(found))
    path = tuple(call.argument.split("."))
    is_known, value = known.variable(("facts", *path))
    if is_known:
        return Report(Shown(value))
    names = matching([str(key) for key in found.keys()], call.argument)
    rows = [(Cell(name, "attribute"), ValueCell(found[name])) for name in names]
    empty = f"no fact matches '{call.argument}'"
    meant = None if names else meant_set(call.words[0])
    if meant is not None:  # code below would run with the facts of before
        sets = told_sets()
        raise CommandError(empty, f"did you mean the fact set {meant}? (the sets are {sets})")
    near = None if names else _near_fact(found, path)
    hint = [] if near is None else [Message(f"  hint: did you mean :facts {near}?", "dim")]
    return Report(Table(("Fact", "Value"), rows, empty=empty), *hint)


def _near_fact(found: Value, path: Sequence[str]) -> str | None:
    """Return the path of a fact that one which leads nowhere resembles; None without such one."""
    meant: list[str] = []
    for key in path:
        if type(found) is not PuppetHash:
            return None
        near = key if found.has(key) else nearest(key, [str(each) for each in found.keys()])
        if near is None:
            return None
        meant.append(near)
        found = found[near]
    return ".".join(meant)


def _nothing_given(word: str) -> CommandError:
    if word == "use":
        return CommandError("which facts?", f"files, or of {told_sets()}")
    return CommandError("which fact?", "for example :facts set os.family=RedHat")


def _names_facts(text: str) -> bool:
    """Tell whether a word is a file or a bundled fact set, as opposed to a pattern."""
    bare = text.lstrip("'\"")
    is_path = bare.startswith(("/", "./", "../", "~"))
    return is_factset(text) or is_path or text.rstrip("'\"").endswith(ENDINGS)


def _use_facts(call: Call, text: str) -> Report:
    names, assignments = split_facts(text)
    session = call.session
    for name in names:
        if not is_factset(name):
            check_path(session, name)
    try:
        found = layered_facts(names) or _own(session)
        for assignment in assignments:
            found = override(found, assignment)
    except FactsError as error:
        raise CommandError(str(error), "") from error
    session.use_facts(found)
    before = [] if names else call.host.facts_from
    call.host.facts_from = [
        *before,
        *[("--facts", name) for name in names],
        *[("--fact", assignment) for assignment in assignments],
    ]
    shown = [*names, *assignments]
    what = f"facts of {', '.join(shown)}" if names else ", ".join(shown)
    parts = [Message(f"{what}; session reset", "dim")]
    parts += _other_name(session, found) if names else []
    return after_reset(call, parts)


def _use_local_facts(call: Call) -> Report:
    """Take the facts that a session has if it is given none."""
    call.session.use_facts(None)
    call.host.facts_from = []
    name = default_name(is_hermetic=call.session.options.hermetic)
    return after_reset(call, [Message(f"facts of {name}; session reset", "dim")])


def _own(session: Session) -> Facts:
    """Return the facts that a session has, to change one of them."""
    given = session.facts
    if given is None:
        return machine_facts()
    return given if isinstance(given, SampleFacts) else dict(given)


def _other_name(session: Session, found: Facts) -> list[Message]:
    """Tell that facts were reported by another node than the one that was chosen."""
    node = session.options.node
    if not node or isinstance(found, SampleFacts):
        return []
    options = session.options.copy()
    options.node = None
    name = options.certname(found)
    if name in (node.lower(), "localhost"):
        return []
    return [Message(f"the node is still {node}, the facts are those of {name}", "dim")]


def split_facts(text: str) -> tuple[list[str], list[str]]:
    """Return the names of sets and files, and the assignments after them.

    The value of an assignment may contain blanks: it ends where the next one begins. Names with
    blanks are quoted. Raises CommandError for a name after an assignment.
    """
    words = re.split(r"\s+", text.strip())
    first = next((at for at, word in enumerate(words) if _ASSIGNMENT.match(word)), len(words))
    assignments: list[str] = []
    for word in words[first:]:
        if word == "set":
            continue
        is_quoted = bool(assignments) and assignments[-1].count('"') % 2 == 1
        if PROFILE_WORD.fullmatch(word) and not is_quoted:
            hint = f":node {word} takes a profile; {_IN_QUOTES}"
            raise CommandError(f"{word} is not a fact", hint)
        if _ASSIGNMENT.match(word):
            assignments.append(word)
        elif _names_facts(word) and not assignments[-1].endswith(("{", "[", ",", ":")):
            raise CommandError(f"{word} has to come first", "facts on top of it follow it")
        else:
            assignments[-1] += f" {word}"
    names = [word for word in words[:first] if word != "set"]
    try:
        return shlex.split(" ".join(names)), assignments
    except ValueError as error:
        raise CommandError(f"cannot read '{text}': {error}") from None


# The name and the certificate


def node(call: Call) -> Report:
    """``:node [NAME|@PROFILE] [EXTENSION=VALUE]...``."""
    session = call.session
    words = _split(call.argument)
    if not words:
        _, value = SessionSymbols(session).variable(("trusted", "certname"))
        extensions = _listed(session.options.trusted.items())
        return Report(Message(str(value)), *([Message(extensions, "dim")] if extensions else ()))
    name = "" if "=" in words[0] else words.pop(0)
    if name[:1] == "@" and not words:
        return take_profile(call, name[1:])
    if name and not is_node_name(name):
        raise CommandError(
            f"'{name}' is not a valid node name", "for example :node web01.example.com"
        )
    changes = _changes(words)
    said = [f"node {name}"] if name else []
    if name:
        session.use_node(name)
    if changes:
        changed = {**session.options.trusted, **dict(changes)}
        session.use_trusted({key: value for key, value in changed.items() if value})
        said.append(_listed(changes))
    report = after_reset(call, [Message(f"{', '.join(said)}; session reset", "dim")])
    fact_set = name if is_factset(name) else meant_set(name)
    if fact_set is not None and not has_block(session, name):
        text = f"the facts stay as they were; :facts {fact_set} takes those of this set"
        report.parts.append(Message(text, "dim"))
    return report


def _listed(extensions: Iterable[tuple[str, object]]) -> str:
    return ", ".join([f"{name}={value}" if value else f"no {name}" for name, value in extensions])


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise CommandError(f"cannot read '{text}': {error}") from None


def _changes(words: list[str]) -> list[tuple[str, str]]:
    """Return names and values of extensions; the value '' removes one."""
    changes: list[tuple[str, str]] = []
    for word in words:
        found = _EXTENSION.fullmatch(word)
        if found is None:
            raise CommandError(f"'{word}' is not of the form NAME=VALUE", "for example pp_role=web")
        if found[1] in _OF_THE_NAME:
            raise CommandError(f"{found[1]} follows from the name of the node", ":node sets that")
        changes.append((found[1], found[2]))
    return changes
