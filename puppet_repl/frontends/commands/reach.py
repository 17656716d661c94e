"""What commands may read and write in a hermetic session: no more than code may read.

A notebook or a document can hold commands as well as code.
"""

from __future__ import annotations

import os

from puppet_repl.base.reach import REASON
from puppet_repl.tools.reports.parts import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session


def check_path(session: Session, path: str | os.PathLike[str]) -> None:
    """Raise CommandError for a file or directory that is out of the reach of the session.

    To be called with the path as it was typed, before anything looks at it.
    """
    reach = session.reach
    name = os.fspath(path)
    if reach is not None and not reach.allows_typed(name):
        raise CommandError(f"{name} is {REASON}", "")
