"""A resource of a compiled catalog, detached from the session that compiled it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from puppet_repl.base.wording import shortened
from puppet_repl.catalog.json import parameters, redacted_resource
from puppet_repl.catalog.json import resource as resource_data
from puppet_repl.catalog.references import reference_text
from puppet_repl.catalog.resource_types import NativeType
from puppet_repl.language.types.model.resource import CatalogEntryType
from puppet_repl.language.values.python import to_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.origins import Origin
    from puppet_repl.catalog.resource import Resource as Declared
    from puppet_repl.language.runtime.context import Context


class Resource(Mapping[str, Any]):
    """A resource of a catalog: a mapping of the attributes that are set, as the catalog has them.

    The values are Python's, as ``to_python`` makes them. References are texts without quotes, as
    catalogs write them: ``Service[nginx]``. A Sensitive attribute is a Sensitive, whose ``value``
    is the secret. What the title alone says is not an attribute: ``name`` tells the path of
    ``File['/etc/motd']``. Two resources are equal where type, title and attributes are; a
    resource equals a mapping of its attributes. Names of attributes are in lower case, as in all
    catalogs; ``resource['logDir']`` is found, too.
    """

    __slots__ = (
        "_attributes",
        "_data",
        "_origins",
        "exported",
        "file",
        "line",
        "name",
        "namevar",
        "tags",
        "title",
        "type",
        "virtual",
    )

    def __init__(
        self, declared: Declared, attributes: Mapping[str, Any], data: dict[str, Any]
    ) -> None:
        self._attributes = attributes
        self._data = data
        self._origins: dict[str, tuple[Origin, ...]] | None = None
        self.type = declared.type
        """Its type, capitalized: ``File``, ``Nginx::Resource::Server``, ``Class``."""
        self.title = declared.title
        """Its title; that of a class is capitalized, as in catalogs: ``Nginx::Config``."""
        self.namevar, self.name = _naming(declared)
        """What names it on the node: its naming attribute, or else the title."""
        self.file = declared.file
        """The manifest that declares it, None for code without a file."""
        self.line = declared.line
        self.tags: tuple[str, ...] = tuple(declared.tags)
        self.virtual = declared.virtual
        """Whether it waits to be realized or collected: the agent never sees it then."""
        self.exported = declared.exported

    @property
    def ref(self) -> str:
        """The reference to it, as catalogs write them: ``File[/etc/motd]``."""
        return f"{self.type}[{self.title}]"

    @property
    def is_class(self) -> bool:
        """Whether it stands for a class."""
        return self.type == "Class"

    @property
    def origins(self) -> dict[str, tuple[Origin, ...]]:
        """Where each attribute comes from, from the source of its value to what set it.

        There are several where a variable has the value of a parameter or of data, where levels of
        data are merged, and where code adds to a value (``+>``). Raises ValueError unless the
        catalog was compiled with ``origins=True``.
        """
        if self._origins is None:
            raise ValueError("the catalog has no origins: compile it with origins=True")
        return {**self._origins}

    def know_origins(self, origins: Mapping[str, Iterable[Origin]]) -> None:
        """Set the origins of the attributes."""
        self._origins = {name: tuple(each) for name, each in origins.items()}

    def to_dict(self, *, redacted: bool = False) -> dict[str, Any]:
        """Return it as Puppet's catalog format has it; with ``redacted`` secrets are not shown."""
        data = deepcopy(self._data)
        return redacted_resource(data) if redacted else data

    def __getitem__(self, name: str) -> Any:
        __tracebackhide__ = True  # of pytest: the line of the test is what counts
        try:
            return copied(self._attributes[name.lower()])
        except KeyError:
            known = ", ".join(self._attributes) or "none"
            raise MissingError(f"{self.ref} sets no '{name}' (it sets {known})") from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._attributes

    def __iter__(self) -> Iterator[str]:
        return iter(self._attributes)

    def __len__(self) -> int:
        return len(self._attributes)

    def __bool__(self) -> bool:
        """Return True: a resource that sets nothing is one, too."""
        return True

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Resource):
            return self.ref == other.ref and self._attributes == other._attributes
        return isinstance(other, Mapping) and self._attributes == dict(other)

    def __hash__(self) -> int:
        return hash(self.ref)

    def __repr__(self) -> str:
        sign = "@@" if self.exported and self.virtual else "@" if self.virtual else ""
        values = "".join(f" {name}={shortened(repr(value), 60)}" for name, value in self.items())
        return f"<{shortened(sign + self.ref + values)}>"


def copied(value: Any) -> Any:
    """Return a value with copies of its arrays and hashes, which may be changed."""
    if isinstance(value, list):
        return [copied(item) for item in value]
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return value


class MissingError(KeyError):
    """There is no such resource in a catalog, or no such attribute; the message says which are."""

    def __str__(self) -> str:
        return str(self.args[0])


def resource_of(declared: Declared, context: Context, row: dict[str, Any] | None) -> Resource:
    """Return a resource of a live catalog as it is now; ``row`` is its data if they are known."""

    def text_or_bytes(text: str) -> str | bytes:
        data = context.bytes_of(text)
        return text if data is None else data

    convert = {CatalogEntryType: reference_text, str: text_or_bytes}
    attributes = {name: to_python(value, convert) for name, value in parameters(declared).items()}
    return Resource(declared, attributes, resource_data(declared, context) if row is None else row)


def _naming(declared: Declared) -> tuple[str, str]:
    """Return the attribute that names a resource, and the name."""
    definition = declared.definition
    namevar = definition.namevar if isinstance(definition, NativeType) else "name"
    for name in (namevar, "name"):
        value = declared.value(name)
        if isinstance(value, str):
            return namevar, value
    return namevar, declared.title
