"""Check whether a site knows a node: it has a node block or a data file for the node.

An unknown name with a domain is accepted with a note. An unknown bare word is probably a slip, and
refused.
"""

from __future__ import annotations

from puppet_repl.base.wording import listed
from puppet_repl.host.machines import has_domain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.session import Session


def has_block(session: Session, name: str) -> bool:
    """Tell whether a block of the site is for the node of a name, default aside."""
    if not session.has_catalog:
        return False
    block = session.catalog.definitions.find_node(name)
    return block is not None and block.name != "default"


def is_known(session: Session, name: str) -> bool:
    """Tell whether a block or a data file is for the node of a session, which has that name."""
    certname = name.lower()
    names = {certname, certname.partition(".")[0]}
    return has_block(session, name) or any(
        part in names or part.rpartition(".")[0] in names
        for path in session.data_keys.interpolated_paths()
        for part in path.lower().split("/")
    )


class UnknownNode(Exception):
    """A word is not a node that the site knows and has no domain; ``name`` is the word."""

    def __init__(self, name: str) -> None:
        super().__init__(f"'{name}' is not a fact set, file or known node")
        self.name = name


# What makes the name of a node one, in hints.
NODES = "a node has a node block, data, or a domain, as web01.example.com"


def note_if_unknown(made: Session, name: str, session: Session, unknown: list[str]) -> None:
    """Add the name of a node that the site does not know to ``unknown``.

    ``made`` is the session for it, ``session`` the one that asks, whose own node counts as known.
    Raises UnknownNode for a name without a domain.
    """
    if name == session.options.node or is_known(made, name):
        return
    if not has_domain(name):
        raise UnknownNode(name)
    if name not in unknown:
        unknown.append(name)


def note_on_unknown(names: Sequence[str]) -> str:
    """Return what to say of nodes that a site does not know."""
    theirs = "its" if len(names) == 1 else "their"
    return f"no node block or data names {listed(names)}; {theirs} facts are the current ones"
