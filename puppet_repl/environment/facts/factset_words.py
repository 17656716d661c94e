"""The names of fact sets, bundled and installed, and words that are meant as one.

Any distribution can provide fact sets, with an entry point of the group ``puppet_repl.fact_sets``
that names a package with a file ``factsets.gz``. A line in it is a name, a tab, and facts as JSON.
puppet-repl-facts in the directory ``distribution`` is one; it is released separately.
"""

from __future__ import annotations

import os
import re
import warnings
from functools import cache

from puppet_repl.base.file_reading import read_bytes
from puppet_repl.base.matching import is_one_off, is_swapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

BUNDLED = ("debian-12", "fedora", "macos", "rocky-9", "ubuntu-24.04", "windows-2022")
_GROUP = "puppet_repl.fact_sets"
_FILE = "factsets.gz"
# What other tools have in the names of the same systems: rockylinux-9, windows-server-2022.
_FURTHER_WORDS = re.compile(r"(?<=[a-z])(?:linux|server)(?=\d|\Z)")
_SEPARATORS = re.compile(r"[-_. ]+")
_WORD = re.compile(r"(?P<system>[a-z]+)(?P<version>\d*)")
# One wrong letter in a shorter word makes another word, as marcos of macos.
_LONG_ENOUGH = 6


@cache
def installed_sets() -> Mapping[str, str]:
    """Return the fact sets of other distributions as JSON, by name.

    Python warns of those that cannot be read.
    """
    # Imported here, as the start needs no more than the bundled sets.
    import gzip

    try:
        from importlib.metadata import entry_points
    except ImportError:  # the library of the playground is not whole
        return {}
    found: dict[str, str] = {}
    for entry in entry_points(group=_GROUP):
        try:
            data = gzip.decompress(_data_of(entry.value))
            lines = data.decode("utf-8").rstrip("\n").split("\n")
        except Exception as error:  # whatever is wrong with the package of others
            told = str(error) or type(error).__name__
            warnings.warn(f"{entry.value}: its fact sets cannot be read: {told}", stacklevel=2)
            continue
        found |= {name: text for name, _, text in (line.partition("\t") for line in lines) if name}
    return {name: text for name, text in sorted(found.items()) if name not in BUNDLED}


def _data_of(package: str) -> bytes:
    """Return the file of a package that is not imported: its sets are data, and no code runs."""
    from importlib.util import find_spec

    spec = find_spec(package)
    for directory in (spec and spec.submodule_search_locations) or ():
        return read_bytes(os.path.join(directory, _FILE))
    raise ImportError("there is no such package")


def told_sets() -> str:
    """Return the names of the bundled sets, and the number of others, for a message."""
    number = len(installed_sets())
    others = f", and {number} installed ones" if number else ""
    return ", ".join(BUNDLED) + others


def hint_of(meant: str) -> str:
    """Return what to write instead of a word that is meant as a set."""
    node = "a node of that name needs a node block"
    return f"did you mean {meant}? (the sets are {told_sets()}; {node})"


def meant_set(word: str) -> str | None:
    """Return the set that a word is meant as, None for a set and for any other word.

    Meant are the names of bundled sets in another case and with other separators, with one letter
    that is wrong, missing or too many or two that are swapped, and those of other versions of a
    system, also of installed sets.
    """
    system, _, release = word.partition("-")
    if word in BUNDLED or (release[:1].isdecimal() and word in installed_sets()):
        return None
    written = _parts(word)
    if written is None:
        return None
    slips = []
    for name in BUNDLED:
        parts = _parts(name)
        assert parts is not None
        if written[0] == parts[0]:
            return name
        if _is_slip(written, parts):
            slips.append(name)
    if not slips and release[:1].isdecimal():
        slips = [name for name in installed_sets() if name.partition("-")[0] == system][::-1]
    return slips[0] if slips else None


def _parts(word: str) -> tuple[str, str] | None:
    """Return system and version of a word of that form, without separators and in lower case."""
    bare = _SEPARATORS.sub("", word.lower())
    found = _WORD.fullmatch(_FURTHER_WORDS.sub("", bare))
    return None if found is None else (found["system"], found["version"])


def _is_slip(written: tuple[str, str], wanted: tuple[str, str]) -> bool:
    """Tell whether the system of a word is that of a set with one slip."""
    word, name = written[0], wanted[0]
    if is_swapped(word, name):
        return True
    has_version = bool(written[1]) and bool(wanted[1])
    return (has_version or len(name) >= _LONG_ENOUGH) and is_one_off(word, name)
