"""A directory as it is in an editor: with the texts of open documents that its files do not have.

It consists of links to the entries of the directory, and of the texts. Only the directories on the
way to a text are new. A link leads where the entry itself leads, so that a hermetic session
may read no more than before.
"""

from __future__ import annotations

import os
import tempfile

from puppet_repl.base.file_reading import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from puppet_repl.base.reach import Reach

    Texts: TypeAlias = "dict[str, str | Texts]"

_NOT_LINKED = ".git"


def shadow_of(directory: str, texts: Mapping[str, str], reach: Reach, scratch: str) -> str:
    """Return a directory of the same name with texts in place of files; itself if these are equal.

    ``texts`` are by absolute paths; those elsewhere and those out of ``reach`` do not count. If a
    path is that of a text and of a directory with others, the directory counts. It is made in the
    directory ``scratch``. Raises OSError where it cannot be written.
    """
    changed: Texts = {}
    for path, text in texts.items():
        inner = os.path.relpath(path, directory)
        if (
            inner.split(os.sep)[0] in (os.curdir, os.pardir)
            or not reach.allows(path)
            or _has(path, text)
        ):
            continue
        *above, name = inner.split(os.sep)
        here = changed
        for part in above:
            below = here.get(part)
            if not isinstance(below, dict):
                below = here[part] = {}
            here = below
        if not isinstance(here.get(name), dict):
            here[name] = text
    if not changed:
        return directory
    made = os.path.join(
        tempfile.mkdtemp(dir=scratch), os.path.basename(os.path.realpath(directory)) or "root"
    )
    _fill(made, directory, changed, reach)
    return made


def _has(path: str, text: str) -> bool:
    """Tell whether a file has a text already."""
    try:
        return read_bytes(path) == _encoded(text)
    except OSError:
        return False


def _encoded(text: str) -> bytes:
    # Half of a surrogate pair is in no file: what an editor writes for it is not known.
    return text.encode("utf-8", "replace")


def _fill(place: str, directory: str, texts: Texts, reach: Reach) -> None:
    """Make a directory with links to the entries of another one, and with texts."""
    os.mkdir(place)
    try:
        names = os.listdir(directory) if reach.allows(directory) else []
    except OSError:  # the document is the first of a new directory
        names = []
    for name in names:
        if name not in texts and name.casefold() != _NOT_LINKED:
            os.symlink(os.path.join(directory, name), os.path.join(place, name))
    for name, text in texts.items():
        path = os.path.join(place, name)
        if isinstance(text, dict):
            _fill(path, os.path.join(directory, name), text, reach)
        else:
            with open(path, "xb") as file:
                file.write(_encoded(text))
