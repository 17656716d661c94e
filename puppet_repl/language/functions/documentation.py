"""The documentation of a function: its text, and its parameters and result as tags.

The tags are those of puppet-strings, after the text. A line without a tag continues the line above:

    @param NAME description
    @return [TYPE] description

A TYPE is for readers, where Puppet declares none: results are not checked against it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Tags:
    """The tags of a declaration. ``returned`` and ``type_text`` are empty without a tag."""

    __slots__ = ("parameters", "returned", "type_text")

    def __init__(self, parameters: Mapping[str, str], type_text: str, returned: str) -> None:
        self.parameters = parameters
        self.type_text = type_text
        self.returned = returned


def text_and_tags(declared: str) -> tuple[str, Tags]:
    """Return the text of a declaration without its tags, and these."""
    lines = declared.split("\n")
    starts = (number for number, line in enumerate(lines) if line.lstrip().startswith("@"))
    first = next(starts, len(lines))
    parameters: dict[str, str] = {}
    type_text = returned = ""
    for tag in _joined(lines[first:]):
        kind, _, rest = tag.partition(" ")
        if kind == "@param":
            name, _, text = rest.partition(" ")
            parameters[name] = text
        elif kind == "@return":
            type_text, returned = _typed(rest)
        else:
            raise ValueError(f"a declaration has the tags @param and @return, not {kind}")
    return "\n".join(lines[:first]).rstrip(), Tags(parameters, type_text, returned)


def _joined(lines: list[str]) -> list[str]:
    """Return tags on a line each."""
    tags: list[str] = []
    for line in map(str.strip, lines):
        if line.startswith("@"):
            tags.append(line)
        elif line:
            tags[-1] += f" {line}"
    return tags


def _typed(text: str) -> tuple[str, str]:
    """Return the type in brackets at the beginning of a text, and the text after it."""
    if not text.startswith("["):
        return "", text
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if depth == 0:
            return text[1:place], text[place + 1 :].strip()
    raise ValueError(f"a bracket is not closed: {text}")
