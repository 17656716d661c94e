"""The words of ``:on``: which of them name machines, and where the code begins."""

from __future__ import annotations

import glob
import os
import re
from functools import partial

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.reach import OutOfReach
from puppet_repl.environment.facts.facts import FactsError, is_factset
from puppet_repl.environment.modules.environment_conf import NAME
from puppet_repl.host.known_nodes import has_block
from puppet_repl.host.machines import Machine, UnknownFactSet, has_domain, machine_of
from puppet_repl.language.ruby_library.files import glob_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.base.reach import Reach
    from puppet_repl.session import Session

SEPARATOR = "--"
_WORD = re.compile(r"\s*(\S+)")
# Everything before a separator names machines.
_SEPARATED = re.compile(r"\s*((?:[\w.,/~*?+:\[\]-]+[ \t]+)+)--(?:\s+|\Z)")
_FILE = re.compile(r"[\w.,/~*?+\[\]-]+\.(?:json|ya?ml)")
# Words that are certainly paths, even out of reach.
_PATH = re.compile(r"(?:~|\.{0,2}/)[\w.,/~*?+:\[\]-]*")


class UnusableMachine:
    """A word that should name a machine and does not; ``message`` says why.

    ``reason`` is for where the name is already.
    """

    __slots__ = ("message", "name")

    def __init__(self, name: str, message: str) -> None:
        self.name = name
        self.message = message

    @property
    def reason(self) -> str:
        """The message without the name that it may begin with."""
        return self.message.removeprefix(f"{self.name}: ")


def split_machines(text: str, session: Session) -> tuple[list[str], int]:
    """Return the words that name machines, and the offset of the code after them.

    Names are bundled sets, existing files and directories, patterns of files, fully qualified host
    names, and nodes that the site has a block for. ``--`` ends them, and allows any other name.
    """
    separated = _SEPARATED.match(text)
    if separated is not None:
        return [word.rstrip(",") for word in separated[1].split()], separated.end()
    words: list[str] = []
    position = 0
    nodes = named_nodes(session)
    while (match := _WORD.match(text, position)) is not None:
        word = match[1].rstrip(",")
        if not is_machine(word, nodes, session.reach):
            break
        words.append(word)
        position = match.end()
    return words, len(text) - len(text[position:].lstrip())


def named_nodes(session: Session) -> list[str]:
    """Return the names of the nodes that have a block of their own in the site."""
    if not session.has_catalog:
        return []
    blocks = session.catalog.tables.nodes
    return [name for name, block in blocks.items() if block.pattern is None and name != "default"]


def nodes_of_site(session: Session) -> list[str]:
    """Return the names of the nodes that have a node block or a data file, sorted."""
    return sorted({*named_nodes(session), *session.data_keys.named_nodes()})


def is_machine(word: str, nodes: Iterable[str], reach: Reach | None) -> bool:
    """Return whether a word names a machine, without ``--``, in a site that names ``nodes``.

    Patterns match files within the ``reach`` only.
    """
    return word in nodes or _names_machine(word, reach)


def _names_machine(word: str, reach: Reach | None) -> bool:
    """Tell whether a word names a machine wherever it is written."""
    if is_factset(word) or _FILE.fullmatch(word) or has_domain(word):
        return True
    if word in (".", ".."):
        return True
    if not _may_be_looked_at(word, reach):
        return _PATH.fullmatch(word) is not None
    path = os.path.expanduser(word)
    if os.sep in word:
        return os.path.exists(path) or bool(_matches(path, reach))
    return os.path.isfile(os.path.join(path, NAME))


def _may_be_looked_at(word: str, reach: Reach | None) -> bool:
    """Return whether a word may be looked up as a path; of a pattern, only its plain part."""
    return reach is None or reach.allows_typed(word)


def machines_of(words: Iterable[str], session: Session) -> list[Machine | UnusableMachine]:
    """Return the machines that words name, each once; a pattern names the files that match.

    Raises UnknownFactSet for a word that looks like a fact set, but is unknown.
    """
    machines: dict[str, Machine | UnusableMachine] = {}
    for word in words:
        names = [word]
        if _may_be_looked_at(word, session.reach):
            path = os.path.expanduser(word)
            names = _matches(path, session.reach) or [path if os.path.exists(path) else word]
        for name in names:
            if name not in machines:
                machines[name] = _machine(name, session)
    return list(machines.values())


def _machine(name: str, session: Session) -> Machine | UnusableMachine:
    """Return the machine of a name. Raises UnknownFactSet for a slip: nothing is to run then."""
    try:
        return machine_of(name, session.reach, partial(has_block, session))
    except UnknownFactSet:
        raise
    except FactsError as error:
        return UnusableMachine(name, str(error))


def _matches(path: str, reach: Reach | None) -> list[str]:
    """Return the files that a pattern matches: none if it leads out of the ``reach``."""
    if "\0" in path or not glob.has_magic(path):
        return []
    try:
        return glob_files(path, None if reach is None else reach.check)
    except (OutOfReach, RuntimeFailure):  # the latter for too many braces
        return []
