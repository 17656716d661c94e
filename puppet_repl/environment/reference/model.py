"""The documentation of a module as data.

All of it is immutable, and plain text as it is in the files: the types and defaults of
parameters have the layout that they were written with.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import ClassVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, TypeAlias, TypeVar

    Kind: TypeAlias = Literal[
        "class",
        "defined type",
        "resource type",
        "provider",
        "function",
        "data type",
        "data type alias",
        "task",
        "plan",
    ]
    FunctionApi: TypeAlias = Literal["puppet", "ruby3x", "ruby4x"]
    AttributeKind: TypeAlias = Literal["parameter", "property", "check"]
    SomeEntry = TypeVar("SomeEntry", bound="Entry")

__all__ = [
    "Attribute",
    "ClassEntry",
    "DataTypeAliasEntry",
    "DataTypeEntry",
    "DefinedTypeEntry",
    "Entry",
    "Feature",
    "FunctionEntry",
    "Module",
    "Option",
    "Parameter",
    "PlanEntry",
    "Problem",
    "ProviderEntry",
    "ResourceTypeEntry",
    "Signature",
    "Tag",
    "TaskEntry",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a file or of its documentation.

    ``level`` is error for a file that cannot be read, else warning. ``rule`` is a short name:
    ``missing-param``, ``unknown-tag`` ...
    """

    level: Literal["error", "warning"]
    rule: str
    message: str
    file: str
    line: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.level}: {self.message}"


@dataclass(frozen=True, slots=True)
class Option:
    """What ``@option`` and ``@enum`` say of one key or value of a parameter."""

    name: str | None
    text: str | None
    types: tuple[str, ...] | None = None
    default: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag of a comment.

    ``name`` is the word after the @. ``subject`` is the name of a parameter (the parent of an
    option), the title of an example, or the target of ``@see``. ``types`` are the texts in
    brackets. Missing subjects, types and texts are None. ``line`` is the line in the file.
    The comment inside ``@overload`` is split into ``tags`` and ``text``.
    """

    name: str
    text: str | None = None
    types: tuple[str, ...] | None = None
    subject: str | None = None
    option: Option | None = None
    line: int = 0
    tags: tuple[Tag, ...] = ()

    @property
    def type(self) -> str:
        """The text in brackets, '' if there is none."""
        return ", ".join(self.types or ())

    @property
    def variable(self) -> str:
        """The parameter, or the key of one, as in code but without its $: ``opts['mode']``."""
        subject = (self.subject or "").lstrip("$")
        if self.option is None:
            return subject
        key = (self.option.name or "").strip(":'\"")
        return f"{subject}['{key}']"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter: what the code says of it, and what the comment does.

    Types and defaults are texts of the language, as they are written, None if there is none.
    ``is_documented`` tells whether the comment has a tag for it, ``requires_one`` whether one that
    captures the rest needs an argument at least. ``value`` is the default where it
    is data and no code: in a type of the Resource API, or a data type in Ruby. ``data_default`` is
    the value that the module's own data gives a parameter of a class without a default, as code.
    """

    name: str
    declared_type: str | None = None
    documented_type: str | None = None
    default: str | None = None
    data_default: str | None = None
    value: object = None
    text: str = ""
    line: int = 0
    is_documented: bool = False
    captures_rest: bool = False
    requires_one: bool = False
    is_optional: bool = False
    is_block: bool = False
    options: tuple[Option, ...] = ()
    enums: tuple[Option, ...] = ()

    @property
    def type(self) -> str | None:
        """The type that the code gives it, or else the comment."""
        return self.documented_type if self.declared_type is None else self.declared_type


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute(Parameter):
    """A parameter, a property or a check of a resource type.

    ``values`` are those that it names, and ``aliases`` others for some of them; the default is
    Ruby's. ``is_shown_namevar`` tells whether puppet-strings finds it to be the namevar, which
    does not see the option ``namevar: true``.
    """

    kind: AttributeKind = "parameter"
    values: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    is_namevar: bool = False
    is_shown_namevar: bool = False
    required_features: str | None = None


@dataclass(frozen=True, slots=True)
class Feature:
    """What a provider of a resource type may be capable of."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One way to call a function. ``head`` is a line: ``f(Integer $a, Optional[String] $b)``.

    ``text`` and ``tags`` are those of its own comment, if it has one. ``owner`` is the data type
    that the function belongs to, if it does.
    """

    name: str
    owner: str = ""
    parameters: tuple[Parameter, ...] = ()
    declared_return: str | None = None
    documented_return: str | None = None
    return_text: str = ""
    text: str = ""
    tags: tuple[Tag, ...] = ()
    line: int = 0

    @property
    def return_type(self) -> str | None:
        """The type of what it returns, by the code, or else by the comment."""
        return self.documented_return if self.declared_return is None else self.declared_return

    @property
    def head(self) -> str:
        """How it is called, in a line."""
        owner = f"{self.owner}." if self.owner else ""
        return f"{owner}{self.name}({', '.join(map(_declared, self.parameters))})"


def _declared(parameter: Parameter) -> str:
    mark = "*" if parameter.captures_rest else "&" if parameter.is_block else ""
    default = "" if parameter.default is None else f" = {parameter.default}"
    return f"{parameter.type or 'Any'} {mark}${parameter.name}{default}"


def _parameter_data(parameter: Parameter) -> dict[str, Any]:
    named = {"name": parameter.name, "type": parameter.type, "default": parameter.default}
    known = {name: each for name, each in asdict(parameter).items() if each or name == "value"}
    return {**named, **{name: each for name, each in known.items() if each is not None}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A definition of any kind in a module.

    ``file`` is relative to the module, ``line`` counts from 1. ``text`` is the comment without its
    ``tags``, which are in the order of the comment. ``source`` is the code that defines it.
    ``problems`` are faults of the comment by itself, such as unknown tags.
    """

    kind: ClassVar[Kind]
    name: str
    file: str
    line: int
    text: str = ""
    tags: tuple[Tag, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    source: str = ""
    problems: tuple[Problem, ...] = ()

    def tagged(self, name: str) -> tuple[Tag, ...]:
        """Return the tags of a name, in order."""
        return tuple(tag for tag in self.tags if tag.name == name)

    def text_of(self, name: str) -> str:
        """Return the text of the first tag of a name that has some, or ''."""
        return next((tag.text for tag in self.tags if tag.name == name and tag.text), "")

    @property
    def summary(self) -> str:
        """The text of ``@summary``, or ''."""
        return self.text_of("summary")

    @property
    def is_private(self) -> bool:
        """Whether it is for the module alone, by ``@api private``."""
        return any(tag.name == "api" and tag.text == "private" for tag in self.tags)

    @property
    def is_documented(self) -> bool:
        """Whether there is a comment."""
        return bool(self.text or self.tags)

    @property
    def examples(self) -> tuple[Tag, ...]:
        """The examples: the subject of each is its title, and its text the code."""
        return self.tagged("example")

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as JSON data: its fields, its kind, and its summary.

        The code, and missing fields of parameters, are left out.
        """
        data = {"kind": self.kind, **asdict(self), "summary": self.summary}
        del data["source"], data["problems"]
        data["parameters"] = [_parameter_data(each) for each in self.parameters]
        return data

    def parameter(self, name: str) -> Parameter | None:
        """Return the parameter of a name."""
        return next((each for each in self.parameters if each.name == name), None)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} ({self.file}:{self.line})>"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ClassEntry(Entry):
    """A class; ``inherits`` is the class that it inherits from."""

    kind: ClassVar[Kind] = "class"
    inherits: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DefinedTypeEntry(Entry):
    """A defined type."""

    kind: ClassVar[Kind] = "defined type"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PlanEntry(Entry):
    """A plan."""

    kind: ClassVar[Kind] = "plan"
    return_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FunctionEntry(Entry):
    """A function. ``api`` is puppet, ruby3x or ruby4x.

    A function with one signature has the parameters of the signature. For the 3.x API only the
    comment describes parameters; the code may set the ``arity`` (the number of arguments; if it is
    negative, at least -n - 1) and ``is_statement`` (the function returns nothing). ``unseen`` is a
    comment that puppet-strings misses, because a comma follows it. ``local_types`` are the names
    and definitions of the types that a function in Ruby has for its own signatures.
    """

    kind: ClassVar[Kind] = "function"
    api: FunctionApi = "puppet"
    unseen: str = ""
    arity: int | None = None
    is_statement: bool = False
    signatures: tuple[Signature, ...] = ()
    local_types: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DataTypeAliasEntry(Entry):
    """A data type that a manifest declares as another name of ``alias_of``."""

    kind: ClassVar[Kind] = "data type alias"
    alias_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DataTypeEntry(Entry):
    """A data type that a Ruby file creates: attributes (its parameters) and functions."""

    kind: ClassVar[Kind] = "data type"
    functions: tuple[Signature, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ResourceTypeEntry(Entry):
    """A resource type; its parameters are of all kinds: parameters, properties and checks.

    ``providers`` are the names of those that the module has for it.
    """

    kind: ClassVar[Kind] = "resource type"
    parameters: tuple[Attribute, ...] = ()
    features: tuple[Feature, ...] = ()
    providers: tuple[str, ...] = ()

    def of_kind(self, *kinds: AttributeKind) -> tuple[Attribute, ...]:
        """Return the parameters of some kinds, in the order of their declaration."""
        return tuple(each for each in self.parameters if each.kind in kinds)

    def by_name(self, *kinds: AttributeKind) -> list[Attribute]:
        """Return the parameters of some kinds, in the order of their names."""
        return sorted(self.of_kind(*kinds), key=lambda each: each.name)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProviderEntry(Entry):
    """A provider of a resource type, ``type_name``.

    ``confines``, ``commands`` and the parts of ``defaults`` are pairs.
    """

    kind: ClassVar[Kind] = "provider"
    type_name: str = ""
    confines: tuple[tuple[str, str], ...] = ()
    features: tuple[str, ...] = ()
    defaults: tuple[tuple[tuple[str, str], ...], ...] = ()
    commands: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TaskEntry(Entry):
    """A task; ``files`` are those that implement it, relative to the module."""

    kind: ClassVar[Kind] = "task"
    supports_noop: bool = False
    input_method: str | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """What a module defines, and the ``problems`` of files that cannot be read.

    ``name`` and ``version`` are those of metadata.json, else the name is that of the directory.
    ``data`` are the values in the first level of its data that is the same for all machines.
    """

    name: str
    version: str | None
    path: str
    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def classes(self) -> tuple[ClassEntry, ...]:
        """The classes, by name."""
        return self._of_class(ClassEntry)

    @property
    def defined_types(self) -> tuple[DefinedTypeEntry, ...]:
        """The defined types, by name."""
        return self._of_class(DefinedTypeEntry)

    @property
    def functions(self) -> tuple[FunctionEntry, ...]:
        """The functions, in the language and in Ruby, by name."""
        return self._of_class(FunctionEntry)

    @property
    def type_aliases(self) -> tuple[DataTypeAliasEntry, ...]:
        """The aliases of data types, by name."""
        return self._of_class(DataTypeAliasEntry)

    @property
    def data_types(self) -> tuple[DataTypeEntry, ...]:
        """The data types that Ruby files create, by name."""
        return self._of_class(DataTypeEntry)

    @property
    def resource_types(self) -> tuple[ResourceTypeEntry, ...]:
        """The resource types, which are in Ruby, by name."""
        return self._of_class(ResourceTypeEntry)

    @property
    def tasks(self) -> tuple[TaskEntry, ...]:
        """The tasks, by name."""
        return self._of_class(TaskEntry)

    @property
    def plans(self) -> tuple[PlanEntry, ...]:
        """The plans, by name."""
        return self._of_class(PlanEntry)

    def _of_class(self, kind: type[SomeEntry]) -> tuple[SomeEntry, ...]:
        found = (entry for entry in self.entries if isinstance(entry, kind))
        return tuple(sorted(found, key=lambda entry: entry.name))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON data, the entries by their kinds."""
        names = "classes defined_types functions type_aliases data_types resource_types tasks plans"
        entries = {
            name: [entry.to_dict() for entry in getattr(self, name)] for name in names.split()
        }
        problems = [asdict(problem) for problem in self.problems]
        return {"name": self.name, "version": self.version, **entries, "problems": problems}

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON; for that of puppet-strings see ``puppet-repl reference``."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def of_kind(self, *kinds: Kind) -> tuple[Entry, ...]:
        """Return the entries of some kinds, by name."""
        found = (entry for entry in self.entries if entry.kind in kinds)
        return tuple(sorted(found, key=lambda entry: entry.name))

    def providers_of(self, type_name: str) -> tuple[ProviderEntry, ...]:
        """Return the providers of a resource type, in the order of their files."""
        return tuple(
            entry
            for entry in self.entries
            if isinstance(entry, ProviderEntry) and entry.type_name == type_name
        )

    def find(self, name: str, kind: Kind | None = None) -> Entry | None:
        """Return the first entry of a name, and of a kind if one is given."""
        bare = name.removeprefix("::")
        found = (entry for entry in self.entries if entry.name == bare)
        return next((entry for entry in found if kind in (None, entry.kind)), None)

    def __repr__(self) -> str:
        version = f" {self.version}" if self.version else ""
        return f"<module {self.name}{version}: {len(self.entries)} entries>"
