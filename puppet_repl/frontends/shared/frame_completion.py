"""Completion at a prompt, which in stopped code begins with the variables of the frame."""

from __future__ import annotations

import re

from puppet_repl.base.fuzzy_search import ranked
from puppet_repl.tools.completion.model import Completion, Completions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.host.host import Host

_VARIABLE = re.compile(r"\$\w*$")


def completions_at(host: Host, text: str, cursor: int) -> Completions:
    """Return the completions of the session of a host; none where the search fails."""
    try:
        found = host.session.complete(text, cursor)
        stack = host.stopped_stack
        if stack is not None:
            found = with_variables(stack.names_in_reach(), text, cursor, found)
        return found
    except Exception:  # an error in completion must not end the entry
        return Completions(cursor, cursor, [])


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
