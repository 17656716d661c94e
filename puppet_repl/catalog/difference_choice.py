"""Which differences of two catalogs count: patterns of changes, and values taken as equal.

A pattern is ``TYPE``, ``TYPE[TITLE]`` or ``TYPE[TITLE][ATTRIBUTE]``, with ``*`` for any text and
``?`` for any character. A sign before it means only additions (``+``), removals (``-``) or changes
(``~``); ``@TAG`` after it means resources with that tag, and may also be used alone.
"""

from __future__ import annotations

import json
import re
from fnmatch import translate

from puppet_repl.base.wording import listed
from puppet_repl.catalog.content import Secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from puppet_repl.catalog.content import CatalogContent, Json, Relationship, ResourceContent
    from puppet_repl.catalog.difference import Difference

EQUIVALENCES: Final = {
    "order": "arrays whose items are in another order",
    "single": "a value and an array of it alone",
    "text": "a number and its text",
}
"""The values that may count as the same: the name of each kind, and its meaning."""

_FORMS = "TYPE, TYPE[TITLE] or TYPE[TITLE][ATTRIBUTE], each with @TAG, or @TAG alone"
_PATTERN = re.compile(r"([-+~]?)([^\[\]@]*)(?:\[(.*)\])?(?:@([^\[\]@]+))?", re.DOTALL)
_TYPE = re.compile(r"(?:::)?[\w:*?]*")
_ATTRIBUTE = re.compile(r"[\w*?]+")
# The names of metaparameters for a relationship, whichever of the two resources states it.
_RELATIONS = {
    "before": ("before", "require"),
    "notify": ("notify", "subscribe"),
    "contains": ("contains",),
}
# What patterns may name of each resource, beside its parameters.
_OF_ALL = (*(name for names in _RELATIONS.values() for name in names), "exported", "tags", "source")


class ChoiceError(ValueError):
    """A pattern or a name of EQUIVALENCES that cannot be used; the message says why."""


class Pattern:
    """Changes that are named by type, title, attribute and tag of a resource, and by their sign.

    Raises ChoiceError for a text that is not a pattern.
    """

    __slots__ = ("_attribute", "_sign", "_tag", "_title", "_type", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        found = _PATTERN.fullmatch(text.strip())
        if found is None:
            problem = "a bracket is not closed" if text.count("[") > text.count("]") else ""
            raise ChoiceError(f"'{text}' is not a pattern: {problem or f'the forms are {_FORMS}'}")
        self._sign, type_name, inner, tag = found.groups()
        if _TYPE.fullmatch(type_name) is None:
            raise ChoiceError(f"'{text}' is not a pattern: '{type_name}' is not the name of a type")
        if not type_name and (inner is not None or tag is None):
            raise ChoiceError(f"'{text}' is not a pattern: the type is missing (* is any type)")
        title, attribute = _split(inner, text)
        self._type = _glob(type_name.removeprefix("::").lower() or None)
        self._title = _glob(title)
        self._attribute = _glob(attribute)
        self._tag = None if tag is None else _glob(tag.lower())

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def hits_resource(self, sign: str, type_name: str, title: str, tags: frozenset[str]) -> bool:
        """Tell whether it means a resource as a whole, and not only an attribute."""
        return self._attribute is None and self._means(sign, type_name, title, tags)

    def hits_attribute(
        self, sign: str, name: str, type_name: str, title: str, tags: frozenset[str]
    ) -> bool:
        """Tell whether it means an attribute of a resource, or the resource as a whole."""
        if self._attribute is not None and self._attribute.match(name) is None:
            return False
        return self._means(sign, type_name, title, tags)

    def hits_relationship(
        self, sign: str, relationship: Relationship, tags: Iterable[frozenset[str]]
    ) -> bool:
        """Tell whether it means one of the resources of a relationship; ``tags`` are theirs."""
        attribute = self._attribute
        if attribute is not None:
            if not any(attribute.match(name) for name in _RELATIONS[relationship.kind]):
                return False
        ends = relationship.source, relationship.target
        return any(
            self._means(sign, *parts_of_reference(end), own)
            for end, own in zip(ends, tags, strict=True)
        )

    def fits(self, resource: ResourceContent) -> bool:
        """Tell whether it means a resource or an attribute of it, whether or not they differ."""
        attribute = self._attribute
        if attribute is not None and not any(
            attribute.match(name) for name in (*resource.parameters, *_OF_ALL)
        ):
            return False
        return self._means(None, resource.type, resource.title, resource.tags)

    def fits_relationship(self, relationship: Relationship) -> bool:
        """Tell whether it means one of the resources of a relationship by type and title."""
        return self._attribute is None and any(
            self._means(None, *parts_of_reference(end), frozenset())
            for end in (relationship.source, relationship.target)
        )

    def _means(self, sign: str | None, type_name: str, title: str, tags: frozenset[str]) -> bool:
        if sign is not None and self._sign not in ("", sign):
            return False
        if self._type is not None and self._type.match(type_name.lower()) is None:
            return False
        if self._title is not None and self._title.match(title) is None:
            # The names of classes are written in both ways.
            if type_name != "Class" or not re.match(self._title.pattern, title, re.IGNORECASE):
                return False
        return self._tag is None or any(self._tag.match(tag) for tag in tags)


def parts_of_reference(ref: str) -> tuple[str, str]:
    """Return type and title of a reference as catalogs have it."""
    type_name, _, title = ref.partition("[")
    return type_name, title.removesuffix("]")


def _split(inner: str | None, text: str) -> tuple[str | None, str | None]:
    """Return title and attribute of the text between the outer brackets; None for any."""
    if inner is None:
        return None, None
    title, separator, attribute = inner.rpartition("][")
    if not separator:
        title = inner
    elif _ATTRIBUTE.fullmatch(attribute) is None:
        raise ChoiceError(
            f"'{text}' is not a pattern: '{attribute}' is not the name of an attribute"
        )
    if len(title) > 1 and title[0] == title[-1] and title[0] in "'\"":
        title = title[1:-1]
    if not title:
        raise ChoiceError(f"'{text}' is not a pattern: the title is empty (* is any title)")
    return title, attribute if separator else None


def _glob(text: str | None) -> re.Pattern[str] | None:
    """Return the expression for a text with ``*`` and ``?``; None for None and for any text."""
    if text is None or text == "*":
        return None
    return re.compile(translate(text.replace("[", "[[]")))


class Choice:
    """The differences that count.

    ``ignore`` and ``only`` are patterns; without ``only`` all other changes count. ``tags`` tells
    whether tags count, ``same`` are names of ``EQUIVALENCES``. Raises ChoiceError.
    """

    __slots__ = ("_same", "ignore", "only", "tags")

    def __init__(
        self,
        *,
        tags: bool = False,
        ignore: Iterable[str] = (),
        only: Iterable[str] = (),
        same: Iterable[str] = (),
    ) -> None:
        self.tags = tags
        self.ignore = tuple(Pattern(text) for text in ignore)
        self.only = tuple(Pattern(text) for text in only)
        self._same = frozenset(same)
        for name in self._same - EQUIVALENCES.keys():
            raise ChoiceError(f"'{name}' is not among {listed(tuple(EQUIVALENCES))}")

    @property
    def is_selective(self) -> bool:
        """Whether there are patterns."""
        return bool(self.ignore or self.only)

    def unmatched(self, *sides: CatalogContent) -> tuple[tuple[str, str], ...]:
        """Return ``ignore`` or ``only`` and the text of each pattern that means nothing in them."""
        given = [("ignore", each) for each in self.ignore] + [("only", each) for each in self.only]
        return tuple(
            (kind, pattern.text)
            for kind, pattern in given
            if not any(
                any(map(pattern.fits, side.resources.values()))
                or any(map(pattern.fits_relationship, side.relationships))
                for side in sides
            )
        )

    def compared(self, value: Json) -> Json:
        """Return a value in the form in which it is compared."""
        if not self._same:
            return value
        if isinstance(value, dict):
            return {key: self.compared(item) for key, item in value.items()}
        if isinstance(value, list):
            items = [self.compared(item) for item in value]
            if "single" in self._same and len(items) == 1:
                return items[0]
            return sorted(items, key=_sort_key) if "order" in self._same else items
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return str(value) if is_number and "text" in self._same else value


def _sort_key(value: Json) -> str:
    def digest(secret: object) -> str:
        return str(secret.digest) if isinstance(secret, Secret) else str(secret)

    return json.dumps(value, sort_keys=True, default=digest)


def note_on_unmatched(differences: Iterable[Difference]) -> str | None:
    """Return the sentence about patterns that mean nothing in any of the catalogs, or None."""
    found = [each.unmatched for each in differences]
    always = [pair for pair in found[0] if all(pair in each for each in found)] if found else []
    if not always:
        return None
    patterns = listed(tuple(dict.fromkeys(f"--{kind} {text}" for kind, text in always)))
    return f"nothing matched {patterns} (no resource of either side matches)"
