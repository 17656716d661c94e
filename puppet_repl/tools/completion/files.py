"""Completion of file names."""

from __future__ import annotations

import os
from contextlib import suppress

from puppet_repl.base.fuzzy_search import ranked
from puppet_repl.tools.completion.model import MAX_COMPLETIONS, Completion, Completions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.reach import Reach

# Names that end so come first.
_USUAL = (".pp", ".ipynb", ".epp")


def complete_file(
    before: str, start: int, reach: Reach | None, *, only_directories: bool = False
) -> Completions:
    """Return the files and directories whose paths continue ``before[start:]``.

    With a ``reach`` nothing outside of it is looked at.
    """
    typed = before[start:]
    directory, _, beginning = typed.rpartition("/")
    path = os.path.expanduser(directory + "/" if directory or typed.startswith("/") else ".")
    items = []
    try:
        if reach is not None:
            reach.check(path)
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.name.startswith(".") and not beginning.startswith("."):
                    continue
                is_directory = False
                if reach is None or not entry.is_symlink() or reach.allows(entry.path):
                    with suppress(OSError):  # a link to itself
                        is_directory = entry.is_dir()
                if only_directories and not is_directory:
                    continue
                weight = 0 if entry.name.endswith(_USUAL) else 1
                text = entry.name + ("/" if is_directory else "")
                items.append(Completion(text, "file", weight=weight))
    except OSError:
        return Completions(start, len(before), [])
    name_start = len(before) - len(beginning)
    return Completions(name_start, len(before), ranked(items, beginning)[:MAX_COMPLETIONS])
