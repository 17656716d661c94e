"""Tags: lower-cased words; a qualified one counts for each of its segments too."""

from __future__ import annotations


def is_valid(tag: str) -> bool:
    """Whether Puppet takes ``tag`` (letters, digits, ``_``, then also ``: . -``)."""
    if tag.isalnum():
        return True
    return tag != "" and (tag[0].isalnum() or tag[0] == "_") and _words(tag).isalnum()


def _words(tag: str) -> str:
    # What remains after the marks that are allowed; "_" stands for an emptied text.
    return tag.translate(_MARKS) or "0"


_MARKS = {ord(mark): None for mark in "_:.-"}


def add(tags: dict[str, None], tag: str) -> bool:
    """Add a tag given by a user to an ordered set; False when it is invalid."""
    name = tag.lower()
    if name not in tags:
        if not is_valid(name):
            return False
        tags[name] = None
        if "::" in name:
            for segment in name.split("::"):
                tags[segment] = None
    return True


def add_if_valid(tags: dict[str, None], text: str) -> None:
    """Add a title as a tag where it can be one."""
    if is_valid(text):
        name = text.lower()
        if name not in tags:
            tags[name] = None
            if "::" in name:
                for segment in name.split("::"):
                    tags[segment] = None
