"""The values that compiled resource statements pass: titles, types and attributes."""

from __future__ import annotations

from puppet_repl.base.sharing import once
from puppet_repl.catalog import issues
from puppet_repl.catalog.references import as_value, reference_text, type_title
from puppet_repl.catalog.resource import Parameter
from puppet_repl.language.types.model.resource import CatalogEntryType, ClassType, ResourceType
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.integers import within_range
from puppet_repl.language.values.iterator import PuppetIterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.runtime.declarations import AttributeShape, Definition
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value

    Attributes = dict[str, Parameter]
    LastAttributes = dict[AttributeShape, list[Parameter]]

_PLAIN = frozenset((str, bool, float, type(None)))


def resource_type_name(value: Value, acceptable: bool) -> str:
    """Return the type that a resource expression names in another way than with a bare word."""
    if acceptable:
        if type(value) is ClassType and value.class_name is None:
            return "class"
        if type(value) is ResourceType and value.type_name is not None and value.title is None:
            return type_title(value.type_name.lower())
        if type(value) in (ClassType, ResourceType) and str(value) != "Resource":
            raise issues.illegal_resource_type(str(value))
    raise issues.illegal_resource_type(general_type(value))


def titles(value: Value) -> tuple[Value, ...]:
    """Return the titles of a body, one or many, checked."""
    if type(value) is str and value:
        return (value,)
    if value is None:
        raise issues.missing_title()
    titles = flatten((value,))
    for index, title in enumerate(titles):
        if title is None:
            raise issues.missing_title_at(index)
        if type(title) is not str:
            if title is not DEFAULT:
                raise issues.illegal_title_type_at(index, general_type(title))
        elif not title:
            raise issues.empty_string_title_at(index)
    return titles


def attribute_value(value: Value) -> Value:
    """Return an attribute's value as catalogs hold it; refuse values that they cannot hold.

    Arrays and hashes are copied: Ruby code may change those of a resource, but not a fact's.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if type(value) is ResourceType:
        return as_value(value)
    if type(value) is int:
        return within_range(value)
    shares = kind is tuple or kind is PuppetHash
    return once(_checked_attribute, value) if shares else _checked_attribute(value)


def _checked_attribute(value: Value) -> Value:
    if type(value) is tuple:
        return tuple([item if type(item) in _PLAIN else attribute_value(item) for item in value])
    if isinstance(value, CatalogEntryType):
        return as_value(value)
    if type(value) is PuppetHash:
        for key, item in value.items():
            if type(key) not in _PLAIN or type(item) not in _PLAIN:
                return PuppetHash(
                    [(attribute_value(key), attribute_value(item)) for key, item in value.items()]
                )
        return value.without(())
    if type(value) is PuppetIterator:
        raise issues.iterator_as_attribute()
    return value


def attribute_hash(value: Value) -> PuppetHash:
    """Return the value of ``* =>``, which has to be a Hash."""
    if type(value) is not PuppetHash:
        raise issues.attributes_not_hash(general_type(value))
    return value


def parameters_of(
    shape: AttributeShape,
    values: tuple[Value, ...],
    definer: Definition,
    source: Source,
    repeated: Callable[[Parameter], object] | None = None,
    make: type[Parameter] = Parameter,
) -> Attributes:
    """Return the attributes of one body; ``make`` is the class of these.

    A repeated attribute is passed to ``repeated``; without that it is an error.
    """
    parameters: Attributes = {}
    appends = shape.appends
    for index, (given, value, line) in enumerate(
        zip(shape.names, values, shape.lines, strict=True)
    ):
        pairs = attribute_hash(value).items() if given is None else ((given, value),)
        for name, item in pairs:
            if given is None:
                name = reference_text(name)
                item = attribute_value(item)
            parameter = make(name, item, definer, source, line, index in appends)
            if name in parameters:
                if repeated is None:
                    raise issues.duplicate_attribute(name)
                repeated(parameter)
            parameters[name] = parameter
    return parameters


def parameters_in_loop(
    shape: AttributeShape,
    values: tuple[Value, ...],
    definer: Definition,
    source: Source,
    last: LastAttributes,
) -> Attributes:
    """Return the attributes of one body of a resource expression.

    ``last`` are those of the previous evaluation of the body in a loop, which are used again for
    literal values; the first evaluation is not noted, since most bodies have no other.
    """
    names = shape.plain
    if not names:
        return parameters_of(shape, values, definer, source)
    if shape in last:
        # Arrays are not shared between resources, since a relationship may be added to one of them.
        made = [
            known
            if known.value is value and known.definer is definer and type(value) is not tuple
            else Parameter(name, value, definer, source, line)
            for name, value, line, known in zip(
                names, values, shape.lines, last[shape], strict=True
            )
        ]
        last[shape] = made
    else:
        made = [
            Parameter(name, value, definer, source, line)
            for name, value, line in zip(names, values, shape.lines, strict=True)
        ]
        if shape.is_used:
            last[shape] = made
        shape.is_used = True
    return dict(zip(names, made, strict=True))


def general_type(value: Value) -> str:
    """Return the text of a value's type, as general as messages name it."""
    from puppet_repl.language.types.algebra.infer import infer

    return str(infer(value).generalize())
