"""Tags: lower-cased words; a qualified one counts for each of its segments too."""

from __future__ import annotations

from puppet_repl.catalog import issues
from puppet_repl.catalog.references import reference_text
from puppet_repl.language.values.array import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value


def is_valid(tag: str) -> bool:
    """Tell whether Puppet accepts a tag: letters, digits, ``_``, then also ``:.-``; a line end."""
    if tag.isalnum():
        return True
    first = tag[:1]
    if not (first.isalnum() or first == "_"):  # the path of a file
        return False
    return _words(tag.removesuffix("\n")).isalnum()


def _words(tag: str) -> str:
    # The tag without the punctuation that is allowed; "0" if that is empty.
    return tag.translate(_MARKS) or "0"


_MARKS = {ord(mark): None for mark in "_:.-"}


def add(tags: dict[str, None], tag: str) -> bool:
    """Add a tag of a program to an ordered set; tell whether it is valid."""
    name = _lower(tag)
    if name not in tags:
        if not is_valid(name):
            return False
        tags[name] = None
        if "::" in name:
            for segment in name.split("::"):
                tags[segment] = None
    return True


def add_title(resource: Resource) -> None:
    """Add the title of a resource to its tags if it is a valid tag."""
    if not is_valid(resource.title):
        return
    name = resource.title.lower()
    if "::" in name:
        own = dict(resource.tags)
        add(own, name)
        resource.tags = own
    elif not resource.has_tag(name):
        resource.add_title_tag()


def _lower(text: str) -> str:
    """Return a text in lower case: the same object if nothing changes, as for nearly all tags."""
    lower = text.lower()
    return text if lower == text else lower


def tag_resource(resource: Resource, value: Value) -> None:
    """Add the tags that a program gives to a resource; raise for an invalid tag."""
    resource.tags = dict(resource.tags)
    add_all(resource.tags, value, resource.source, resource.line)


def check(value: Value, source: Source | None, line: int | None) -> None:
    """Raise for a tag that is invalid."""
    add_all({}, value, source, line)


def add_all(tags: dict[str, None], value: Value, source: Source | None, line: int | None) -> None:
    """Add the tags of a value; raise for an invalid tag."""
    for tag in flatten((value,)):
        if tag is not None:
            text = reference_text(tag)
            if not add(tags, text):
                raise issues.invalid_tag(text.lower(), source, line)
