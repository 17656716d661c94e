"""The names of the bundled fact sets, and words that are meant as one: slips, other versions."""

from __future__ import annotations

import re

from puppet_repl.base.matching import is_one_off, is_swapped

BUNDLED = ("debian-12", "fedora", "macos", "rocky-9", "ubuntu-24.04", "windows-2022")
# What other tools have in the names of the same systems: rockylinux-9, windows-server-2022.
_FURTHER_WORDS = re.compile(r"(?<=[a-z])(?:linux|server)(?=\d|\Z)")
_SEPARATORS = re.compile(r"[-_. ]+")
_WORD = re.compile(r"(?P<system>[a-z]+)(?P<version>\d*)")
# One wrong letter in a shorter word makes another word, as marcos of macos.
_LONG_ENOUGH = 6


def hint_of(meant: str) -> str:
    """Return what to write instead of a word that is meant as a set."""
    sets = ", ".join(BUNDLED)
    return f"did you mean {meant}? (the sets are {sets}; a node of that name needs a node block)"


def meant_set(word: str) -> str | None:
    """Return the bundled set that a word is meant as, None for a set and for any other word.

    Meant are the names of sets in another case and with other separators, with one letter that is
    wrong, missing or too many or two that are swapped, and those of other versions of a system.
    """
    if word in BUNDLED:
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
