"""A resource of the catalog that is being compiled: its parameters, tags and location.

What a resource was before an input changed it can be saved and put back (``state`` and
``restore``), so that an input that fails leaves no trace.
"""

from __future__ import annotations

from puppet_repl.base.safe_text import visible
from puppet_repl.language.runtime.declarations import Definition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal, TypeAlias

    from puppet_repl.catalog.resource_types import NativeType
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.source import Source

    Key: TypeAlias = tuple[object, ...]
    ResourceKind: TypeAlias = Literal["compilable_type", "defined_type", "class", "unknown"]
    OriginKind: TypeAlias = Literal[
        "code",
        "collector",
        "container",
        "data",
        "exported",
        "function",
        "override",
        "parameter default",
        "relationship",
        "resource default",
    ]
    Tags: TypeAlias = dict[str, None]
    ResourceState: TypeAlias = tuple[
        "Definition | NativeType | None",
        dict[str, "Parameter"],
        Tags,
        Tags,
        bool,
        tuple[str, ...],
        bool,
        bool,
        bool,
        bool,
        bool,
        tuple[Key, ...],
        int,
    ]

# Kinds in Puppet's catalog format: resources of native types, of defines, classes that are declared
# like resources, and all others: included classes, nodes and built-in resources.
COMPILABLE_TYPE: Final = "compilable_type"
DEFINED_TYPE: Final = "defined_type"
DECLARED_CLASS: Final = "class"
UNKNOWN: Final = "unknown"


class Parameter:
    """One attribute with its value; ``definer`` is the class, define or node that set it.

    ``kind`` says what set it: the class of the object, which costs nothing, so that ``origins`` can
    tell. ``before`` is the parameter that it extends, as ``+>`` does.
    """

    __slots__ = ("append", "definer", "line", "name", "source", "value")
    kind: OriginKind = "code"
    before: Parameter | None = None

    def __init__(
        self,
        name: str,
        value: object,
        definer: Definition,
        source: Source | None = None,
        line: int | None = None,
        append: bool = False,
    ) -> None:
        self.name = name
        self.value = value
        self.definer = definer
        self.source = source
        self.line = line
        self.append = append

    def with_value(self, value: object) -> Parameter:
        """Return the same parameter with another value."""
        return type(self)(self.name, value, self.definer, self.source, self.line, self.append)

    def extending(self, before: Parameter, value: object) -> ExtendingParameter:
        """Return it with the value that it has together with the one before."""
        made = ExtendingParameter(
            self.name, value, self.definer, self.source, self.line, self.append
        )
        made.kind, made.before = self.kind, before
        return made


class CollectorParameter(Parameter):
    """An attribute that a collector sets: ``File <| |> { mode => '0644' }``."""

    __slots__ = ()
    kind = "collector"


class ContainerParameter(Parameter):
    """A metaparameter that a resource has from what contains it."""

    __slots__ = ()
    kind = "container"


class DataParameter(Parameter):
    """A parameter of a class with a value from the data."""

    __slots__ = ()
    kind = "data"


class DefaultParameter(Parameter):
    """A parameter with the default that the definition of its class or define has."""

    __slots__ = ()
    kind = "parameter default"


class FunctionParameter(Parameter):
    """An attribute that a function sets, such as create_resources()."""

    __slots__ = ()
    kind = "function"


class OverrideParameter(Parameter):
    """An attribute that an override sets: ``File['/x'] { mode => '0644' }``."""

    __slots__ = ()
    kind = "override"


class RelationshipParameter(Parameter):
    """A metaparameter that an arrow sets."""

    __slots__ = ()
    kind = "relationship"


class TypeDefaultParameter(Parameter):
    """An attribute with the default of its type: ``File { mode => '0644' }``."""

    __slots__ = ()
    kind = "resource default"


class ExtendingParameter(Parameter):
    """An attribute that has the value of the parameter before, and more."""

    __slots__ = ("before", "kind")

    def with_value(self, value: object) -> Parameter:
        """Return the same parameter with another value."""
        given = self.source, self.line, self.append
        made = ExtendingParameter(self.name, value, self.definer, *given)
        made.kind, made.before = self.kind, self.before
        return made


def related(
    old: Parameter | None,
    name: str,
    value: object,
    definer: Definition,
    at: tuple[Source | None, int | None] = (None, None),
) -> Parameter:
    """Return a metaparameter with the targets of arrows, in place of an old one.

    ``at`` is the location for messages about it.
    """
    made: Parameter = RelationshipParameter(name, value, definer, *at)
    stated = old if old is None or old.kind != "relationship" else old.before
    return made if stated is None else made.extending(stated, value)


_NO_TAGS: Tags = {}


class Resource:
    """A resource of any kind: of a native type, define instance, class or node.

    ``type`` is capitalized ('File', 'Foo::Bar', 'Class'). The container is the resource of
    ``scope``, in which this one was declared. ``tags`` is an ordered set: ``_tags``, then the title
    if ``_has_title_tag``, and ``_inherited``. Resources share both dicts: adding a tag makes
    another dict. ``input`` is the number of the input that declared the resource,
    ``epoch`` of the input that last changed it. ``has_string_title`` is False if create_resources()
    made the title from another value; ``is_of_function`` is True for all its resources.
    ``origin`` names the exported resource of another node that this one is collected from, else
    None.
    """

    __slots__ = (
        "_has_title_tag",
        "_inherited",
        "_tags",
        "aliases",
        "checked",
        "contents",
        "definer",
        "definition",
        "epoch",
        "evaluated",
        "exported",
        "finished",
        "has_container_tags",
        "has_string_title",
        "input",
        "is_of_function",
        "kind",
        "line",
        "origin",
        "parameters",
        "scope",
        "sensitive",
        "source",
        "title",
        "type",
        "virtual",
    )

    def __init__(
        self,
        type: str,
        title: str,
        scope: Scope,
        definer: Definition,
        definition: Definition | NativeType | None,
        kind: ResourceKind,
        source: Source | None = None,
        line: int | None = None,
        virtual: bool = False,
        parameters: dict[str, Parameter] | None = None,
        tags: Tags | None = None,
    ) -> None:
        self.type = type
        self.title = title
        self.scope = scope
        self.definer = definer
        self.definition = definition
        self.kind = kind
        self.source = source
        self.line = line
        self.virtual = virtual
        self.exported = False
        self.origin: str | None = None
        self.parameters: dict[str, Parameter] = {} if parameters is None else parameters
        self._tags: Tags = {} if tags is None else tags
        self._inherited = _NO_TAGS
        self._has_title_tag = False
        self.sensitive: tuple[str, ...] = ()
        self.evaluated = False
        self.finished = False
        self.has_container_tags = False
        self.has_string_title = True
        self.is_of_function = False
        self.checked = False
        self.aliases: tuple[Key, ...] = ()
        self.contents: list[Resource] | None = None
        self.input = 0
        self.epoch = 0

    @property
    def ref(self) -> str:
        """``Type[title]``, unquoted, as the catalog format writes references."""
        return f"{self.type}[{self.title}]"

    @property
    def container(self) -> Resource | None:
        """The class, define or node instance in whose body this was declared."""
        container: Resource | None = self.scope.resource
        return container

    @property
    def body(self) -> Resource | None:
        """The container that holds it by its declaration: none for classes and stages."""
        return None if self.type == "Class" or self.type == "Stage" else self.scope.resource

    @property
    def is_class(self) -> bool:
        """Whether this stands for a class."""
        return self.type == "Class"

    @property
    def file(self) -> str | None:
        """The file of the declaration, None for text that was typed."""
        return self.source.name if self.source is not None else None

    @property
    def location(self) -> str:
        """``(file: F, line: N)`` as far as known, or ''."""
        return error_location(self.source, self.line)

    @property
    def instance_of(self) -> Definition | None:
        """The define, class or node that this is an instance of."""
        definition = self.definition
        return definition if type(definition) is Definition else None

    def value(self, name: str) -> object:
        """Return the value of an attribute, ``title`` included; None without a value."""
        if name == "title":
            return self.title
        parameter = self.parameters.get(name)
        return parameter.value if parameter is not None else None

    @property
    def name(self) -> object:
        """The attribute 'name', or else the title."""
        name = self.value("name")
        return self.title if name is None or name is False else name

    @property
    def tags(self) -> Tags:
        """The tags; see the class."""
        if self._has_title_tag:
            return {**self._tags, self.title.lower(): None, **self._inherited}
        return {**self._tags, **self._inherited} if self._inherited else self._tags

    @tags.setter
    def tags(self, tags: Tags) -> None:
        self._tags = tags
        self._inherited = _NO_TAGS
        self._has_title_tag = False

    def has_tag(self, tag: str) -> bool:
        """Tell whether it has a tag."""
        return (
            tag in self._tags
            or tag in self._inherited
            or (self._has_title_tag and tag == self.title.lower())
        )

    def has_tags_of(self, container: Resource) -> bool:
        """Tell whether the resource has all tags of its container."""
        if self._inherited is container._tags:
            if not (container._has_title_tag or container._inherited):
                return True
        return container.shared_tags().keys() <= self.tags.keys()

    def shared_tags(self) -> Tags:
        """Return the tags as the dict that members share while the tags stay the same."""
        if self._has_title_tag or self._inherited:
            self.tags = self.tags
        return self._tags

    def add_title_tag(self) -> None:
        """Add the title to the tags, which do not have it yet."""
        self._has_title_tag = True

    def add_container_tags(self) -> None:
        """Add the tags of the container, once."""
        if self.has_container_tags:
            return
        self.has_container_tags = True
        container: Resource | None = self.scope.resource
        if container is None or container is self:
            return
        added = container.shared_tags()
        self._inherited = {**self._inherited, **added} if self._inherited else added

    def mark(self) -> ResourceState:
        """Return a copy of everything that can change, for ``return_to``."""
        return (
            self.definition,
            dict(self.parameters),
            self._tags,
            self._inherited,
            self._has_title_tag,
            self.sensitive,
            self.virtual,
            self.evaluated,
            self.finished,
            self.has_container_tags,
            self.checked,
            self.aliases,
            self.epoch,
        )

    def return_to(self, mark: ResourceState) -> None:
        """Return to a mark, earlier or later."""
        (
            self.definition,
            parameters,
            self._tags,
            self._inherited,
            self._has_title_tag,
            self.sensitive,
            self.virtual,
            self.evaluated,
            self.finished,
            self.has_container_tags,
            self.checked,
            self.aliases,
            self.epoch,
        ) = mark
        self.parameters = dict(parameters)

    def __repr__(self) -> str:
        return f"<{self.ref}>"


def error_location(source: Source | None, line: int | None) -> str:
    """Return ``(file: F, line: N)`` as far as known, or ''."""
    name = source.name if source is not None else None
    if name is not None:
        file = f"file: {visible(name)}"
        return f"({file}, line: {line})" if line is not None else f"({file})"
    return f"(line: {line})" if line is not None else ""
