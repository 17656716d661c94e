"""What all files of one run define together, read when it is asked for."""

from __future__ import annotations

from puppet_repl.tools.validation.file import Choices
from puppet_repl.tools.validation.roots import Roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.reach import Reach


class Workspace:
    """The modules and environments of one run. With a ``reach`` nothing else is read."""

    def __init__(self, choices: Choices, reach: Reach | None = None) -> None:
        self.choices = choices
        self.reach = reach
        self.roots = Roots(reach)
