"""The differences of two catalogs: resources, parameters, relationships.

The order of arrays counts, unless a choice says otherwise; the order of resources and of keys of
hashes does not. Values are shown, except secrets, which only count as the same or not.
"""

from __future__ import annotations

import json
from difflib import unified_diff

from puppet_repl.base.json_data import with_finite_numbers
from puppet_repl.catalog.content import Relationship, ResourceContent, Secret
from puppet_repl.catalog.content_text import is_text, text_lines, value_lines
from puppet_repl.catalog.difference_choice import Choice, parts_of_reference
from puppet_repl.language.values.sensitive import REDACTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Final

    from puppet_repl.catalog.content import CatalogContent, Json
    from puppet_repl.catalog.difference_choice import Pattern

# Attributes that are not parameters, so named that no parameter can have the name.
EXPORTED: Final = "(exported)"
TAGS: Final = "(tags)"
SOURCE: Final = "(file of source)"
# How patterns name them.
_PATTERN_NAMES = {EXPORTED: "exported", TAGS: "tags", SOURCE: "source"}
# Parts of longer texts are not looked for: that takes the square of the lines.
MAX_LINES = 20_000
_CONTEXT = 2


class Absent:
    """The class of ABSENT."""

    __slots__ = ()

    def __reduce__(self) -> str:
        return "ABSENT"  # the only one, in every process

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()
"""The value of a parameter that one side does not have."""


class AttributeChange:
    """One attribute that differs; ``old`` or ``new`` is ABSENT where only the other side has it."""

    __slots__ = ("name", "new", "old")

    def __init__(self, name: str, old: Json | Absent, new: Json | Absent) -> None:
        self.name = name
        self.old = old
        self.new = new

    @property
    def sign(self) -> str:
        """``+`` or ``-`` where only one side has it, else ``~``."""
        return "+" if self.old is ABSENT else "-" if self.new is ABSENT else "~"

    def lines(self, width: int) -> list[str]:
        """Return the values as a line diff (``-old``, ``+new``, `` same``, ``@@``).

        Strings of several lines, arrays and hashes wider than ``width`` are compared by lines;
        for others, and where only a secret inside differs, there is no line.
        """
        if self.old is ABSENT or self.new is ABSENT:
            return []
        if is_text(self.old, self.new):
            old, new = text_lines(self.old), text_lines(self.new)
        else:
            old, new = value_lines(self.old, width), value_lines(self.new, width)
            if len(old) < 2 and len(new) < 2:
                return []
        if type(self.old) is not type(self.new) or len(old) + len(new) > MAX_LINES:
            return [*(f"-{line}" for line in old), *(f"+{line}" for line in new)]
        compared = list(unified_diff(old, new, "", "", n=_CONTEXT, lineterm=""))[2:]
        return compared[1:] if sum(line.startswith("@@") for line in compared) == 1 else compared


class ResourceChange:
    """A resource that both catalogs have, with the attributes that differ."""

    __slots__ = ("attributes", "title", "type")

    def __init__(self, type_name: str, title: str, attributes: tuple[AttributeChange, ...]) -> None:
        self.type = type_name
        self.title = title
        self.attributes = attributes

    @property
    def ref(self) -> str:
        """``Type[title]``, unquoted."""
        return f"{self.type}[{self.title}]"


class Difference:
    """The differences of two catalogs, each list sorted.

    ``not_compared`` are pairs of reference and parameter: secrets that are missing on one side.
    ``left_out`` is the number of resources, attributes and relationships that do not count,
    ``unmatched`` are the patterns of the choice that mean nothing on either side.
    """

    __slots__ = (
        "added",
        "changed",
        "from_name",
        "left_out",
        "not_compared",
        "relationships_added",
        "relationships_removed",
        "removed",
        "to_name",
        "unmatched",
    )

    def __init__(self, from_name: str, to_name: str) -> None:
        self.from_name = from_name
        self.to_name = to_name
        self.added: list[ResourceContent] = []
        self.removed: list[ResourceContent] = []
        self.changed: list[ResourceChange] = []
        self.relationships_added: list[Relationship] = []
        self.relationships_removed: list[Relationship] = []
        self.not_compared: list[tuple[str, str]] = []
        self.left_out = 0
        self.unmatched: tuple[tuple[str, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the catalogs say the same."""
        return not (
            self.added
            or self.removed
            or self.changed
            or self.relationships_added
            or self.relationships_removed
        )

    def relationships(self) -> list[tuple[str, Relationship]]:
        """Return the relationships to show, with ``+`` or ``-``.

        That a resource which was added or removed belongs to its class goes without saying.
        """
        gone = {resource.ref for resource in (*self.added, *self.removed)}
        signed = [("-", each) for each in self.relationships_removed]
        signed += [("+", each) for each in self.relationships_added]
        shown = [
            (sign, each)
            for sign, each in signed
            if each.kind != "contains" or not (each.source in gone or each.target in gone)
        ]
        return sorted(shown, key=lambda pair: (pair[1].key(), pair[0] == "+"))


def compare(
    old: CatalogContent,
    new: CatalogContent,
    choice: Choice | None = None,
    *,
    from_name: str = "",
    to_name: str = "",
) -> Difference:
    """Return the changes that make ``old`` equal to ``new``, of those that count by ``choice``."""
    choice = Choice() if choice is None else choice
    difference = Difference(from_name or old.name, to_name or new.name)
    of_puppetdb = old.of_puppetdb or new.of_puppetdb
    before, after = old.resources, new.resources
    difference.added = _only(after, before, of_puppetdb=of_puppetdb)
    difference.removed = _only(before, after, of_puppetdb=of_puppetdb)
    for ref in sorted(before.keys() & after.keys()):
        pair = before[ref], after[ref]
        changes = []
        for name in sorted({*pair[0].parameters, *pair[1].parameters}):
            one, other = (resource.parameters.get(name, ABSENT) for resource in pair)
            if of_puppetdb and name == "alias":
                continue
            if _is_untold(one, other, of_puppetdb=of_puppetdb):
                difference.not_compared.append((ref, name))
            elif not is_same(choice.compared(one), choice.compared(other)):
                changes.append(AttributeChange(name, one, other))
        changes += _other_changes(*pair, tags=choice.tags)
        if changes:
            difference.changed.append(ResourceChange(pair[0].type, pair[0].title, tuple(changes)))
    difference.relationships_added = _in_order(new.relationships - old.relationships)
    difference.relationships_removed = _in_order(old.relationships - new.relationships)
    if choice.is_selective:
        _Selection(choice, before, after).leave_out(difference)
        difference.unmatched = choice.unmatched(old, new)
    return difference


class _Selection:
    """Leave out the changes that do not count by a choice."""

    def __init__(
        self,
        choice: Choice,
        before: Mapping[str, ResourceContent],
        after: Mapping[str, ResourceContent],
    ) -> None:
        self._choice = choice
        self._sides = before, after

    def leave_out(self, difference: Difference) -> None:
        """Keep what counts, and count the others."""
        shown = _size(difference)
        difference.added = [each for each in difference.added if self._counts("+", each.ref)]
        difference.removed = [each for each in difference.removed if self._counts("-", each.ref)]
        kept = []
        for change in difference.changed:
            attributes = tuple(
                each
                for each in change.attributes
                if self._counts_attribute(each.sign, each.name, change.ref)
            )
            if attributes:
                kept.append(ResourceChange(change.type, change.title, attributes))
        difference.changed = kept
        difference.not_compared = [
            (ref, name)
            for ref, name in difference.not_compared
            if self._counts_attribute("~", name, ref)
        ]
        difference.relationships_added = [
            each for each in difference.relationships_added if self._relates("+", each)
        ]
        difference.relationships_removed = [
            each for each in difference.relationships_removed if self._relates("-", each)
        ]
        difference.left_out = shown - _size(difference)

    def _counts(self, sign: str, ref: str) -> bool:
        about = (*parts_of_reference(ref), self._tags(ref))
        return self._is_chosen(lambda pattern: pattern.hits_resource(sign, *about))

    def _counts_attribute(self, sign: str, name: str, ref: str) -> bool:
        about = (*parts_of_reference(ref), self._tags(ref))
        known_as = _PATTERN_NAMES.get(name, name)
        return self._is_chosen(lambda pattern: pattern.hits_attribute(sign, known_as, *about))

    def _relates(self, sign: str, relationship: Relationship) -> bool:
        tags = self._tags(relationship.source), self._tags(relationship.target)
        return self._is_chosen(lambda pattern: pattern.hits_relationship(sign, relationship, tags))

    def _is_chosen(self, is_hit: Callable[[Pattern], bool]) -> bool:
        if any(is_hit(pattern) for pattern in self._choice.ignore):
            return False
        only = self._choice.only
        return not only or any(is_hit(pattern) for pattern in only)

    def _tags(self, ref: str) -> frozenset[str]:
        """Return the tags that a resource has on either side."""
        found = [side[ref].tags for side in self._sides if ref in side]
        return frozenset().union(*found)


def _size(difference: Difference) -> int:
    """Return the number of resources, attributes and relationships that a difference shows."""
    return (
        len(difference.added)
        + len(difference.removed)
        + sum(len(change.attributes) for change in difference.changed)
        + len(difference.relationships())
    )


def _only(
    resources: Mapping[str, ResourceContent],
    others: Mapping[str, ResourceContent],
    *,
    of_puppetdb: bool,
) -> list[ResourceContent]:
    """Return the resources that are not among the others.

    What a node exports is in PuppetDB, and not in the catalog that a node gets.
    """
    only = [
        resource
        for ref, resource in resources.items()
        if ref not in others and not (of_puppetdb and resource.exported)
    ]
    return sorted(only, key=lambda resource: (resource.type, resource.title))


def _in_order(relationships: Iterable[Relationship]) -> list[Relationship]:
    return sorted(relationships, key=Relationship.key)


def _other_changes(
    old: ResourceContent, new: ResourceContent, *, tags: bool
) -> list[AttributeChange]:
    changes = []
    if old.exported != new.exported:
        changes.append(AttributeChange(EXPORTED, old.exported, new.exported))
    if None not in (old.source, new.source) and not is_same(old.source, new.source):
        changes.append(AttributeChange(SOURCE, old.source, new.source))
    if tags and old.tags != new.tags:
        changes.append(AttributeChange(TAGS, sorted(old.tags), sorted(new.tags)))
    return changes


def _is_untold(one: Json | Absent, other: Json | Absent, *, of_puppetdb: bool) -> bool:
    """Tell whether two values are secrets that cannot be compared."""
    if isinstance(one, Secret) and isinstance(other, Secret):
        return one.digest is None or other.digest is None
    is_secret = isinstance(one, Secret) or isinstance(other, Secret)
    return of_puppetdb and is_secret and (one is ABSENT or other is ABSENT)


def is_same(one: Json, other: Json) -> bool:
    """Tell whether two values are the same: 1, 1.0, '1' and true are four."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and not [
            None for left, right in zip(one, other, strict=True) if not is_same(left, right)
        ]
    if isinstance(one, dict):
        return one.keys() == other.keys() and not [
            key for key, value in one.items() if not is_same(value, other[key])
        ]
    if isinstance(one, Secret):
        return one.digest is None or other.digest is None or one == other
    return bool(one == other)


# As JSON


def difference_data(difference: Difference) -> dict[str, Any]:
    """Return the whole difference as JSON data; a secret is the text that Puppet shows for one."""
    return {
        "from": difference.from_name,
        "to": difference.to_name,
        "same": difference.is_empty,
        "added": [_resource_data(resource) for resource in difference.added],
        "removed": [_resource_data(resource) for resource in difference.removed],
        "changed": [
            {
                "type": change.type,
                "title": change.title,
                "parameters": [_change_data(attribute) for attribute in change.attributes],
            }
            for change in difference.changed
        ],
        "relationships": {
            "added": [_relationship_data(each) for each in difference.relationships_added],
            "removed": [_relationship_data(each) for each in difference.relationships_removed],
        },
        "not_compared": [
            {"resource": ref, "parameter": name} for ref, name in difference.not_compared
        ],
        "left_out": difference.left_out,
    }


def _resource_data(resource: ResourceContent) -> dict[str, Any]:
    return {
        "type": resource.type,
        "title": resource.title,
        "exported": resource.exported,
        "parameters": {name: _plain(value) for name, value in resource.parameters.items()},
    }


def _change_data(change: AttributeChange) -> dict[str, Any]:
    data: dict[str, Any] = {"name": change.name, "change": "changed"}
    if change.old is ABSENT:
        data["change"] = "added"
    else:
        data["from"] = _plain(change.old)
    if change.new is ABSENT:
        data["change"] = "removed"
    else:
        data["to"] = _plain(change.new)
    return data


def _relationship_data(relationship: Relationship) -> dict[str, str]:
    return {
        "source": relationship.source,
        "kind": relationship.kind,
        "target": relationship.target,
    }


def _plain(value: Json) -> Json:
    if isinstance(value, Secret):
        return REDACTED
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return with_finite_numbers(value)


class ChangeGroup:
    """One change, as a difference of nothing else, and the names of the nodes that have it."""

    __slots__ = ("change", "nodes")

    def __init__(self, change: Difference) -> None:
        self.change = change
        self.nodes: list[str] = []


def grouped(differences: Iterable[tuple[str, Difference]]) -> list[ChangeGroup]:
    """Return the changes of the nodes of these names, the most frequent changes first.

    Changes are equal if their data are equal; the data do not contain secrets.
    """
    groups: dict[str, ChangeGroup] = {}
    for node, difference in differences:
        for change in _changes(difference):
            key = json.dumps(difference_data(change), sort_keys=True)
            if key not in groups:
                groups[key] = ChangeGroup(change)
            groups[key].nodes.append(node)
    return sorted(groups.values(), key=lambda group: -len(group.nodes))


def _changes(difference: Difference) -> Iterator[Difference]:
    """Yield each change of a difference as a difference: a resource, or a relationship."""

    def empty() -> Difference:
        return Difference(difference.from_name, difference.to_name)

    for resource in difference.removed:
        made = empty()
        made.removed.append(resource)
        yield made
    for resource in difference.added:
        made = empty()
        made.added.append(resource)
        yield made
    for change in difference.changed:
        made = empty()
        made.changed.append(change)
        yield made
    for sign, relationship in difference.relationships():
        made = empty()
        is_added = sign == "+"
        (made.relationships_added if is_added else made.relationships_removed).append(relationship)
        yield made
