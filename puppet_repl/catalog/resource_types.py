"""Resource types that are not defines: their attributes, naming attributes and uniqueness."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from puppet_repl.language.values.regex import Regexp

    TitleValues: TypeAlias = dict[str, str | None]

RELATIONSHIPS = ("before", "notify", "require", "subscribe")
RELATIONSHIP_SET = frozenset(RELATIONSHIPS)
METAPARAMETERS = (
    "alias",
    "audit",
    "before",
    "loglevel",
    "noop",
    "notify",
    "require",
    "schedule",
    "stage",
    "subscribe",
    "tag",
)
METAPARAMETER_SET = frozenset(METAPARAMETERS)
# What resources inherit from the define instance or class that contains them, in Puppet's order.
INHERITED_METAPARAMETERS = ("noop", "schedule", "audit", "loglevel", "alias", "tag", "stage")


def no_pattern_matched(title: str) -> RuntimeFailure:
    """Return the error for a title that no pattern of its type matches."""
    return RuntimeFailure(f'No set of title patterns matched the title "{title}".')


class TitlePattern:
    """A regular expression for titles, and the attributes that its groups give values to."""

    __slots__ = ("attributes", "regexp")

    def __init__(self, regexp: Regexp, attributes: tuple[str, ...]) -> None:
        self.regexp = regexp
        self.attributes = attributes

    def values(self, title: str) -> TitleValues | None:
        """Return the attributes that a title sets, None for a title that does not match."""
        match = self.regexp.search(title)
        if match is None:
            return None
        groups = match.groups()
        missing = len(self.attributes) - len(groups)
        return dict(zip(self.attributes, groups + (None,) * missing, strict=False))


class NativeType:
    """A resource type that Puppet or a module has in Ruby, as far as a catalog needs it.

    ``namevars`` are the attributes that name a resource, ``key_names`` the same in the order of the
    alphabet, as in its key; ``namevar`` is the only naming attribute, or 'name' if there are
    several. ``accepted`` are the attributes and the metaparameters, which all types have. A title
    gives values to attributes by the first of ``patterns`` that matches or by
    ``parse_title``; without these it is the value of ``namevar``. Resources of a type that is not
    ``isomorphic`` (exec, tidy) may share a name. ``file`` is the Ruby or Puppet file with the
    definition, None for built-in types. ``is_open`` says that Ruby code may define more attributes:
    then any is accepted. ``checks_in_ruby`` says that code of the definition refuses resources or
    adds relationships. ``docs`` are the descriptions of the attributes and, under '', of the type;
    ``values`` are the values that an attribute lists.
    """

    __slots__ = (
        "accepted",
        "attributes",
        "checks_in_ruby",
        "docs",
        "file",
        "is_named_by_title",
        "is_open",
        "isomorphic",
        "key_names",
        "name",
        "namevar",
        "namevars",
        "parameters",
        "parse_title",
        "patterns",
        "properties",
        "values",
    )

    def __init__(
        self,
        name: str,
        properties: tuple[str, ...],
        parameters: tuple[str, ...],
        namevars: tuple[str, ...] = ("name",),
        isomorphic: bool = True,
        file: str | None = None,
        is_open: bool = False,
        patterns: tuple[TitlePattern, ...] | None = None,
        parse_title: Callable[[str], TitleValues] | None = None,
        docs: dict[str, str] | None = None,
        values: dict[str, tuple[str, ...]] | None = None,
        checks_in_ruby: bool = False,
    ) -> None:
        self.name = name
        self.properties = properties
        self.parameters = parameters
        self.namevars = namevars
        self.namevar = namevars[0] if len(namevars) == 1 else "name"
        self.key_names = tuple(sorted(namevars))
        self.isomorphic = isomorphic
        self.file = file
        self.is_open = is_open
        self.checks_in_ruby = checks_in_ruby
        self.patterns = patterns
        self.parse_title = parse_title
        self.docs = docs or {}
        self.values = values or {}
        self.attributes = frozenset(properties) | frozenset(parameters) | {"name"}
        self.accepted = self.attributes | METAPARAMETER_SET
        self.is_named_by_title = patterns is None and parse_title is None and len(namevars) == 1

    def has_attribute(self, name: str) -> bool:
        """Tell whether a resource of this type may set ``name``, metaparameters included."""
        return name in self.accepted or self.is_open

    def title_values(self, title: str) -> TitleValues:
        """Return the values that a title gives to attributes; raise for an invalid title."""
        if self.is_named_by_title:
            return {self.namevars[0]: title}
        if self.parse_title is not None:
            return self.parse_title(title)
        if self.patterns is None and self.namevars:
            raise RuntimeFailure(
                "you must specify title patterns when there are two or more key attributes"
            )
        for pattern in self.patterns or ():
            values = pattern.values(title)
            if values is not None:
                return values
        raise no_pattern_matched(title)

    def __repr__(self) -> str:
        return f"<resource type {self.name}>"
