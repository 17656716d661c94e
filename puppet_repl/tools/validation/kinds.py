"""The kinds of files, and what checks each: a row is all that a further kind needs here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.validation.diagnostic import Finding
    from puppet_repl.tools.validation.file import File
    from puppet_repl.tools.validation.roots import Root


class Kind(NamedTuple):
    """One kind of file.

    ``subject`` names it in sentences. ``matches`` tells whether a file is of that kind by its path
    inside of its module or environment, with slashes. ``check`` is the function that returns the
    findings in a file: ``module.function`` of this package, imported late.
    """

    name: str
    subject: str
    matches: Callable[[str], bool]
    check: str

    def findings(self, file: File) -> Iterable[Finding]:
        """Return the findings in a file; the check may raise errors of Puppet, too."""
        module, _, function = self.check.partition(".")
        check = getattr(import_module(f"puppet_repl.tools.validation.{module}"), function)
        found: Iterable[Finding] = check(file)
        return found


def _ends(*endings: str) -> Callable[[str], bool]:
    return lambda path: path.endswith(endings)


KINDS = (
    Kind("manifest", "manifests", _ends(".pp"), "manifests.check"),
    Kind("epp", "EPP templates", _ends(".epp"), "manifests.check"),
)
"""The kinds; the first that matches a file is its kind."""
CODE = KINDS[0]
"""The kind of a text without a name."""
PUPPET_CODE = KINDS[:2]
"""The kinds that ``parse`` reads."""


def kind_of(path: str, root: Root | None) -> Kind | None:
    """Return the kind of a file, None if it is not read."""
    inside = path.replace(os.sep, "/") if root is None else root.inside(path)
    return next((kind for kind in KINDS if kind.matches(inside)), None)
