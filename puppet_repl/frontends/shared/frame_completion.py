"""Completion where code is stopped: the variables of the frame come first."""

from __future__ import annotations

import re

from puppet_repl.base.fuzzy_search import ranked
from puppet_repl.tools.completion.model import Completion, Completions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_VARIABLE = re.compile(r"\$\w*$")


def with_variables(names: Iterable[str], text: str, cursor: int, found: Completions) -> Completions:
    """Return completions with the variables of these names before all others."""
    typed = _VARIABLE.search(text[:cursor])
    if typed is None:
        return found
    offered = [Completion(f"${name}", "variable") for name in sorted(names)]
    own = ranked(offered, typed[0])
    texts = {item.text for item in own}
    others = [item for item in found.items if item.text not in texts]
    if found.start != typed.start():
        others = []
    return Completions(typed.start(), cursor, [*own, *others])
