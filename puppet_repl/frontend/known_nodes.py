"""Whether a site knows a node: a block or a data file is for it.

Where none is, the node is as good as any other, and whoever asks for it is told.
"""

from __future__ import annotations

from puppet_repl.base.wording import listed

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


def note_on_unknown(names: Sequence[str]) -> str:
    """Return what to say of nodes that a site does not know."""
    theirs = "its" if len(names) == 1 else "their"
    return f"no node block or data names {listed(names)}; {theirs} facts are the current ones"
