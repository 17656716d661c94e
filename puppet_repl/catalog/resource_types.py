"""Resource types that are not defines: their attributes, naming attributes and uniqueness."""

from __future__ import annotations

RELATIONSHIPS = ("before", "notify", "require", "subscribe")
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


class NativeType:
    """A resource type that Puppet or a module has in Ruby, as far as a catalog needs it.

    ``namevars`` are the attributes that name a resource, ``title_attributes`` those that the title
    gives a value to. Resources of a type that is not ``isomorphic`` (exec, tidy) may share a name.
    ``file`` is the Ruby or Puppet file that it was read from, None for those built in. ``is_open``
    says that some of its attributes are known to Ruby alone: then any is accepted.
    """

    __slots__ = (
        "attributes",
        "file",
        "is_open",
        "isomorphic",
        "name",
        "namevars",
        "parameters",
        "properties",
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
    ) -> None:
        self.name = name
        self.properties = properties
        self.parameters = parameters
        self.namevars = namevars
        self.isomorphic = isomorphic
        self.file = file
        self.is_open = is_open
        self.attributes = frozenset(properties) | frozenset(parameters) | {"name"}

    def has_attribute(self, name: str) -> bool:
        """Tell whether a resource of this type may set ``name``, metaparameters included."""
        return name in self.attributes or name in METAPARAMETER_SET or self.is_open

    @property
    def namevar(self) -> str:
        """The attribute that names a resource; 'name' where several do so together."""
        return self.namevars[0] if len(self.namevars) == 1 else "name"

    def title_values(self, title: str) -> dict[str, str]:
        """Return the attributes that a title gives a value to."""
        if self.name == "file":
            return {"path": _without_trailing_slashes(title)}
        if self.name == "sshkey":
            name, separator, kind = title.partition("@")
            return {"name": name, "type": kind} if separator else {"name": title}
        return {self.namevars[0]: title}

    def __repr__(self) -> str:
        return f"<resource type {self.name}>"


def _without_trailing_slashes(title: str) -> str:
    # A file's path is its title without slashes at the end; "/" itself stays.
    stripped = title.rstrip("/")
    if stripped and not (stripped.endswith(":") and stripped != title):
        return stripped
    if not stripped:
        return "/" if title else title
    return stripped + "/"
