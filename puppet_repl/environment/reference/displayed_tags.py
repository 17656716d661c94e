"""What puppet-strings shows of an entry: its tags, completed by what the code says.

The code has the last word on types, and parameters that the comment does not mention get tags
without text.
"""

from __future__ import annotations

from dataclasses import replace

from puppet_repl.base.errors import PuppetError
from puppet_repl.environment.reference.model import (
    Attribute,
    ClassEntry,
    DataTypeEntry,
    DefinedTypeEntry,
    FunctionEntry,
    PlanEntry,
    Tag,
    TaskEntry,
)
from puppet_repl.environment.reference.parameter_docs import tags_of_parameters
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from puppet_repl.environment.reference.model import (
        Entry,
        Module,
        Parameter,
        ResourceTypeEntry,
        Signature,
    )

__all__ = ["ShownSignature", "shown_parameters", "shown_signatures", "shown_tags"]

#: Tags of a function that its signatures show.
_OF_SIGNATURES = frozenset(("param", "option", "enum", "return", "example"))
_PROVIDER = (
    "The specific backend to use for this `{}` resource. You will seldom need to specify this"
    " --- Puppet will usually discover the appropriate provider for your platform."
)
_OF_DISPATCHES = frozenset(("param", "return", "overload"))


class ShownSignature:
    """A signature as puppet-strings shows it: a head, a text, tags.

    ``defaults`` are the pairs of parameters, as they are written in Ruby, and what they default to.
    """

    __slots__ = ("all_tags", "defaults", "head", "name", "text")

    def __init__(
        self,
        name: str,
        head: str,
        text: str,
        tags: Iterable[Tag],
        parameters: Iterable[Parameter] = (),
        *,
        has_marks: bool = True,
    ) -> None:
        self.name = name
        self.head = head
        self.text = text
        self.all_tags = in_order(tags)
        self.defaults = shown_defaults(parameters, has_marks=has_marks)

    @property
    def tags(self) -> list[Tag]:
        """The tags that are about a signature."""
        return [tag for tag in self.all_tags if tag.name in _OF_SIGNATURES]


#: Nodes that end with an operator for Puppet, or where they begin.
_OPEN = (
    ast.SelectorExpression,
    ast.SelectorEntry,
    ast.UnaryExpression,
    ast.BinaryExpression,
)


def shown_defaults(parameters: Iterable[Parameter], *, has_marks: bool = False) -> dict[str, str]:
    """Return what parameters default to, by their names; in Ruby they have marks."""
    return {
        _marked(each) if has_marks else each.name: _cut(each.default)
        for each in parameters
        if each.default is not None
    }


def _cut(default: str) -> str:
    """Return a default as puppet-strings shows it.

    It ends where the last value in it does: a closing parenthesis, and the end of a selector or of
    an ``else``, are lost.
    """
    if default[-1:] not in (")", "}"):
        return default
    source = Source(default)
    try:
        body = parse(source, tasks=True).body
    except PuppetError:
        return default
    end = max(_end_of(node) for node in body.walk())
    return default[:end]


def _end_of(node: ast.Node) -> int:
    """Return where a node ends for Puppet, as far as it is not the end of a part of it."""
    if isinstance(node, _OPEN):
        return node.start
    if isinstance(node, ast.IfExpression | ast.UnlessExpression):
        other = node.else_expr
        if other is not None and not isinstance(other, ast.BlockExpression):
            return node.start
    return node.end


def in_order(tags: Iterable[Tag]) -> list[Tag]:
    """Return tags by their names; those of one name stay in the order of the comment."""
    return sorted(tags, key=lambda tag: tag.name)


def shown_tags(entry: Entry) -> list[Tag]:
    """Return the tags that puppet-strings shows of an entry, by their names."""
    if isinstance(entry, ClassEntry | DefinedTypeEntry | PlanEntry):
        return in_order(_with_parameters(entry.tags, entry.parameters))
    if isinstance(entry, FunctionEntry):
        return in_order(_of_function(entry))
    if isinstance(entry, DataTypeEntry):
        tags = _of_data_type(entry.tags, entry.parameters)
        return in_order(tag for tag in tags if tag.name in _OF_SIGNATURES)
    if isinstance(entry, TaskEntry):
        return [
            Tag("param", each.text, (each.declared_type or "",), each.name)
            for each in entry.parameters
        ]
    return in_order(entry.tags)


def shown_signatures(entry: FunctionEntry | DataTypeEntry) -> list[ShownSignature]:
    """Return the signatures of a function, or the functions of a data type."""
    if isinstance(entry, DataTypeEntry):
        return [_of_method(each) for each in entry.functions]
    overloads = [tag for tag in shown_tags(entry) if tag.name == "overload"]
    if entry.api == "puppet" and overloads:
        return [
            ShownSignature(entry.name, each.subject or "", each.text or "", each.tags)
            for each in overloads
        ]
    if not entry.signatures:
        return [ShownSignature(entry.name, f"{entry.name}()", entry.text, _of_function(entry))]
    if len(entry.signatures) == 1:
        (only,) = entry.signatures
        head = _head(entry, only)
        tags = _of_function(entry)
        has_marks = entry.api != "puppet"
        return [
            ShownSignature(entry.name, head, entry.text, tags, only.parameters, has_marks=has_marks)
        ]
    return [
        ShownSignature(
            entry.name, _head(entry, each), each.text, _of_dispatch(each), each.parameters
        )
        for each in entry.signatures
    ]


def shown_parameters(entry: ResourceTypeEntry, reference: Module) -> list[Attribute]:
    """Return the parameters of a resource type by name; one with providers has ``provider``."""
    found = list(entry.by_name("parameter"))
    if not reference.providers_of(entry.name) or any(each.name == "provider" for each in found):
        return found
    found.append(Attribute(name="provider", text=_PROVIDER.format(entry.name)))
    return sorted(found, key=lambda each: each.name)


def _of_function(entry: FunctionEntry) -> list[Tag]:
    if entry.api == "ruby4x":
        tags = [tag for tag in entry.tags if tag.name not in _OF_DISPATCHES]
        if len(entry.signatures) == 1:
            tags += _of_dispatch(entry.signatures[0])
        return tags
    (signature,) = entry.signatures
    if entry.api == "ruby3x":
        given = [
            replace(tag, types=tag.types or ("Any",)) if tag.name == "param" else tag
            for tag in entry.tags
        ]
    else:
        given = _with_parameters(entry.tags, entry.parameters)
    return _with_return(given, signature.declared_return)


def _with_parameters(tags: Sequence[Tag], parameters: Sequence[Parameter]) -> list[Tag]:
    found = list(tags)
    places = _places(tags)
    for parameter in parameters:
        at = places.get(parameter.name)
        kind = parameter.declared_type
        if at is None:
            found.append(Tag("param", "", (kind or "Any",), parameter.name))
        elif kind is not None:
            found[at] = replace(found[at], types=(kind,))
        elif found[at].types is None:
            found[at] = replace(found[at], types=("Any",))
    return found


def _with_return(tags: Sequence[Tag], declared: str | None) -> list[Tag]:
    found = list(tags)
    at = next((i for i, tag in enumerate(found) if tag.name == "return"), None)
    if at is None:
        found.append(Tag("return", "", (declared or "Any",)))
    elif declared is not None or found[at].types is None:
        found[at] = replace(found[at], types=(declared or "Any",))
    return found


def _of_dispatch(signature: Signature) -> list[Tag]:
    """Return the tags of a signature in Ruby; stars and ampersands are parts of the names."""
    found = list(signature.tags)
    places = _places(found)
    for parameter in signature.parameters:
        at = places.get(parameter.name)
        name = _marked(parameter)
        kind = _type_in_ruby(parameter, None if at is None else found[at])
        if at is None:
            found.append(Tag("param", "", (kind,), name))
        else:
            found[at] = replace(found[at], subject=name, types=(kind,))
    return _with_return(found, signature.declared_return)


def _type_in_ruby(parameter: Parameter, tag: Tag | None) -> str:
    if parameter.declared_type is not None:
        return parameter.declared_type
    kind = tag.types[0] if tag is not None and tag.types else "Any"
    return f"Optional[{kind}]" if parameter.is_optional else kind


def _marked(parameter: Parameter) -> str:
    mark = "*" if parameter.captures_rest else "&" if parameter.is_block else ""
    return mark + parameter.name


def _head(entry: FunctionEntry, signature: Signature) -> str:
    """Return a signature as puppet-strings writes it; only Ruby has stars in it."""
    is_puppet = entry.api == "puppet"
    tags = _of_function(entry) if len(entry.signatures) == 1 else _of_dispatch(signature)
    if entry.api == "ruby3x":
        named: list[tuple[str, str | None]] = [
            (tag.subject or "", None) for tag in tags if tag.name == "param"
        ]
    else:
        named = [
            (each.name if is_puppet else _marked(each), each.default and _cut(each.default))
            for each in signature.parameters
        ]
    parts = []
    told = tags_of_parameters(tags)
    for name, default in named:
        types = told[name].types if name in told else None
        mark = name[:1] if name[:1] in ("*", "&") else ""
        value = "" if default is None else f" = {default}"
        parts.append(f"{types[0] if types else 'Any'} {mark}${name[len(mark) :]}{value}")
    return f"{entry.name}({', '.join(parts)})"


def _of_data_type(tags: Sequence[Tag], parameters: Sequence[Parameter]) -> list[Tag]:
    names = {each.name for each in parameters}
    found = [tag for tag in tags if tag.name != "param" or tag.subject in names]
    kinds = {each.name: each.declared_type or "Any" for each in parameters}
    found = [
        replace(tag, types=(kinds[tag.subject],))
        if tag.name == "param" and tag.subject is not None
        else tag
        for tag in found
    ]
    documented = {tag.subject for tag in found if tag.name == "param"}
    found += [
        Tag("param", "", (kinds[each.name],), each.name)
        for each in parameters
        if each.name not in documented
    ]
    return found


def _of_method(signature: Signature) -> ShownSignature:
    names = ", ".join(each.name for each in signature.parameters)
    head = f"{signature.owner}.{signature.name}" + (f"({names})" if names else "")
    tags = [tag for tag in signature.tags if tag.name not in ("param", "return")]
    tags += [
        Tag("param", each.text, (each.declared_type or "Any",), each.name)
        for each in signature.parameters
    ]
    returns = signature.declared_return
    types = None if returns is None else ("" if returns == "Any" else returns,)
    tags.append(Tag("return", signature.return_text, types))
    return ShownSignature(signature.name, head, signature.text, tags)


def _places(tags: Sequence[Tag]) -> dict[str | None, int]:
    """Return the index of the first tag of each parameter."""
    found: dict[str | None, int] = {}
    for place, tag in enumerate(tags):
        if tag.name == "param":
            found.setdefault(tag.subject, place)
    return found
