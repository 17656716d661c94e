"""Render an entry below its signature: text, examples, parameters and tags."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from textwrap import dedent

from docutils import nodes
from docutils.nodes import Node
from sphinx import addnodes
from sphinx.locale import _

from puppet_repl.environment.reference.model import (
    Attribute,
    DataTypeAliasEntry,
    DataTypeEntry,
    Entry,
    FunctionEntry,
    Option,
    Parameter,
    ProviderEntry,
    ResourceTypeEntry,
    Tag,
    TaskEntry,
)
from puppet_repl.environment.reference.model import Signature as Overload
from puppet_repl.integrations.sphinx.code import WIDTH, laid_out, on_one_line, whole_heredoc
from puppet_repl.integrations.sphinx.markdown import (
    code_block,
    inline_nodes,
    language_of,
    markdown_nodes,
    object_link,
)
from puppet_repl.integrations.sphinx.objects import PuppetObject, attribute_nodes
from puppet_repl.integrations.sphinx.signatures import Declared, Signature, code_nodes
from puppet_repl.integrations.sphinx.sources import Definition
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.values.python import from_python

__all__ = ["description", "signatures_of", "undeclared"]

#: Tags shown as paragraphs with a word before them.
_REMARKS = {"note": "Note", "todo": "To do"}
#: Tags that become fields, in this order, each with all of its texts.
_FIELDS = {
    "return": "Returns",
    "yield": "Yields",
    "raise": "Raises",
    "see": "See also",
    "since": "Since",
    "version": "Version",
    "author": "Author",
}
_name = re.compile(r"(?:::)?[A-Za-z_]\w*(?:::\w+)*\Z").match
#: What a link may lead to: a comment of a module is not a reason to trust it with javascript:.
_address = re.compile(r"(?:https?|ftp)://", re.I).match


def signatures_of(definition: Definition) -> list[Signature]:
    """Return the heads of a definition: that of a function for each way to call it."""
    entry = definition.entry
    name = definition.name
    if isinstance(entry, FunctionEntry):
        return [
            Signature(name, _all_declared(one.parameters), returns=one.return_type or "")
            for one in entry.signatures
        ] or [Signature(name, [])]
    if isinstance(entry, DataTypeAliasEntry):
        return [Signature(name, alias="" if is_long_alias(entry) else entry.alias_of)]
    if isinstance(entry, (ResourceTypeEntry, ProviderEntry)):
        return [Signature(name)]
    inherits = getattr(entry, "inherits", None) or ""
    returns = getattr(entry, "return_type", None) or ""
    parameters = _all_declared(entry.parameters) or None
    return [Signature(name, parameters, inherits=inherits, returns=returns)]


def is_long_alias(entry: DataTypeAliasEntry) -> bool:
    """Whether a type is shown as a block below the signature."""
    line = on_one_line(entry.alias_of)
    return len(entry.name) + len(line) > WIDTH or "\n" in line


def _all_declared(parameters: Iterable[Parameter]) -> list[Declared]:
    return [_declared(parameter) for parameter in parameters]


def _declared(parameter: Parameter) -> Declared:
    mark = "*" if parameter.captures_rest else "&" if parameter.is_block else ""
    default = parameter.default or parameter.data_default
    if parameter.value is not None:  # data, which the default shows as Ruby does
        with suppress(TypeError):
            default = program_text(from_python(parameter.value))
    return Declared(parameter.type or "", parameter.name, default or "", mark)


def undeclared(entry: Entry) -> list[Parameter]:
    """Return what the comment describes as parameters and the code does not declare.

    They are the name or title of a resource, keys of a type, or mistakes.
    """
    if isinstance(entry, (FunctionEntry, ResourceTypeEntry)):
        return []
    return [
        Parameter(name=tag.subject, documented_type=tag.type, text=tag.text or "", line=tag.line)
        for tag in entry.tagged("param")
        if tag.subject and entry.parameter(tag.subject) is None
    ]


def description(directive: PuppetObject, definition: Definition) -> list[Node]:
    """Return all that is said of a definition."""
    return list(_Description(directive, definition).parts())


class _Description:
    """The parts of a description, as one reads them from top to bottom."""

    def __init__(self, directive: PuppetObject, definition: Definition) -> None:
        self.directive = directive
        self.entry = definition.entry
        self.root = definition.module.path
        self.providers = definition.module.providers_of(definition.entry.name)
        self.owner = directive.owner()

    def parts(self) -> Iterator[Node]:
        """Yield the parts."""
        entry = self.entry
        yield from self._standing()
        yield from self._markdown(entry.summary)
        yield from self._markdown(entry.text)
        if isinstance(entry, DataTypeAliasEntry) and is_long_alias(entry):
            yield nodes.paragraph("", _("Alias of"))
            yield code_block(laid_out(entry.alias_of))
        for tag in entry.tags:
            if tag.name in _REMARKS:
                yield nodes.admonition(
                    "", nodes.title("", _REMARKS[tag.name]), *self._markdown(tag.text or "–"),
                    classes=["admonition-" + tag.name, "note"],
                )  # fmt: skip
        yield from self._examples(entry.tags)
        yield from self._facts()
        if isinstance(entry, ResourceTypeEntry):
            yield from self._attributes(entry)
        elif isinstance(entry, FunctionEntry):
            yield from self._signatures(entry.signatures)
            if entry.local_types:
                types = [f"type {name} = {text}" for name, text in entry.local_types]
                yield nodes.rubric("", _("Types of this function"))
                yield code_block("\n".join(types))
        else:
            titles = {"data type": _("Attributes"), "data type alias": _("Keys")}
            title = titles.get(entry.kind, _("Parameters"))
            yield from self._parameters([*undeclared(entry), *entry.parameters], title)
            yield from _field_list(self._fields(entry.tags))
        if isinstance(entry, DataTypeEntry):
            yield from self._signatures(entry.functions)

    def _markdown(self, text: str) -> list[Node]:
        return markdown_nodes(text, self._image)

    def _image(self, uri: str) -> str:
        """Return where an image of the module is, seen from the page."""
        if _address(uri) or uri.startswith("data:"):
            return uri
        page = os.path.dirname(str(self.directive.env.doc2path(self.directive.env.docname)))
        return os.path.relpath(os.path.join(self.root, uri), page)

    def _standing(self) -> Iterator[Node]:
        """Say first whether it is meant to be used."""
        for tag in self.entry.tagged("deprecated"):
            content = self._markdown(tag.text or "") or [nodes.paragraph("", _("Deprecated."))]
            yield nodes.admonition(
                "", nodes.title("", _("Deprecated")), *content,
                classes=["admonition-deprecated", "warning"],
            )  # fmt: skip
        if self.entry.is_private:
            text = _("Private: for this module alone.")
            yield nodes.paragraph("", "", nodes.emphasis("", text), classes=["puppet-private"])

    def _examples(self, tags: Iterable[Tag]) -> Iterator[Node]:
        found = [tag for tag in tags if tag.name == "example"]
        if found:
            yield nodes.rubric("", _("Examples") if len(found) > 1 else _("Example"))
        for tag in found:
            if tag.subject:
                yield nodes.paragraph(tag.subject, "", *inline_nodes(tag.subject))
            code = dedent(tag.text or "").strip("\n")
            if code:
                yield code_block(code, language_of(code))

    def _facts(self) -> Iterator[Node]:
        """Yield what is known of tasks, providers and resource types besides their parameters."""
        entry = self.entry
        if isinstance(entry, TaskEntry):
            fields = [(_("Supports noop"), [_("yes") if entry.supports_noop else _("no")])]
            if entry.input_method:
                fields.append((_("Input method"), [entry.input_method]))
            yield from _field_list(_plain_fields(fields))
        elif isinstance(entry, ProviderEntry):
            yield from _field_list(_plain_fields(_facts_of_provider(entry)))
        elif isinstance(entry, ResourceTypeEntry) and entry.features:
            yield nodes.rubric("", _("Features of providers"))
            yield _bullets(
                [nodes.literal("", each.name), *_said(inline_nodes(_line(each.text)))]
                for each in entry.features
            )

    def _attributes(self, entry: ResourceTypeEntry) -> Iterator[Node]:
        yield from self._parameters(entry.of_kind("property"), _("Properties"), kind="property")
        parameters = list(entry.of_kind("parameter"))
        if self.providers and entry.parameter("provider") is None:
            parameters.append(Attribute(name="provider"))
        yield from self._parameters(parameters, _("Parameters"))
        yield from self._parameters(entry.of_kind("check"), _("Checks"))
        yield from _field_list(self._fields(entry.tags))

    def _signatures(self, signatures: tuple[Overload, ...]) -> Iterator[Node]:
        if len(signatures) == 1 and not signatures[0].owner:
            yield from self._signature(signatures[0], self.entry.tags)
            return
        for one in signatures:
            yield self._overload(one)
        if len(signatures) > 1:
            rest = [tag for tag in self.entry.tags if tag.name != "return"]
            yield from _field_list(self._fields(rest))

    def _overload(self, one: Overload) -> addnodes.desc:
        """Describe one of several signatures, below its head."""
        name = f"{one.owner}.{one.name}" if one.owner else one.name
        head = Signature(name, _all_declared(one.parameters), returns=one.return_type or "")
        signode = addnodes.desc_signature("", "")
        self.directive.set_source_info(signode)
        self.directive.show(head, signode, style="long")
        content = addnodes.desc_content("", *self._signature(one, one.tags))
        return addnodes.desc(
            "", signode, content,
            domain="puppet", objtype="function", desctype="function",
            classes=["puppet", "function"],
        )  # fmt: skip

    def _signature(self, one: Overload, tags: Iterable[Tag]) -> Iterator[Node]:
        if one.text != self.entry.text:
            yield from self._markdown(one.text)
        yield from self._examples(one.tags)
        yield from self._parameters(one.parameters, _("Parameters"))
        yield from _field_list(self._fields(tags, one))

    def _parameters(
        self, parameters: Iterable[Parameter], title: str, kind: str = "param"
    ) -> Iterator[Node]:
        parameters = list(parameters)
        if parameters:
            yield nodes.rubric("", title)
        for parameter in parameters:
            yield from attribute_nodes(
                self.directive,
                self.owner,
                self._with_heredoc(_declared(parameter)),
                list(self._said_of(parameter)),
                kind=kind,
                remark=_remark(parameter),
            )

    def _with_heredoc(self, declared: Declared) -> Declared:
        """Complete a default that is a heredoc: its last line is found in the source."""
        declared.default = whole_heredoc(declared.default, self.entry.source)
        return declared

    def _said_of(self, parameter: Parameter) -> Iterator[Node]:
        yield from self._markdown(parameter.text)
        if isinstance(parameter, Attribute):
            yield from _field_list(_plain_fields(_facts_of_attribute(parameter)))
            if parameter.name == "provider" and self.providers:
                yield from _field_list([(_("Providers of this module"), [self._links()])])
        for label, options in ((_("Options"), parameter.options), (_("Values"), parameter.enums)):
            if options:
                yield nodes.paragraph("", f"{label}:")
                yield nodes.bullet_list("", *(self._option(each) for each in options))

    def _links(self) -> nodes.paragraph:
        """Return links to the providers of a resource type."""
        shown = nodes.paragraph()
        for each in self.providers:
            shown += [nodes.Text(", ")] if len(shown) else []
            shown += object_link(f"{each.type_name}::{each.name}", nodes.Text(each.name))
        return shown

    def _option(self, option: Option) -> nodes.list_item:
        head: list[Node] = [nodes.literal("", (option.name or "").lstrip(":").strip("'\""))]
        if option.types:
            types = code_nodes(", ".join(option.types))
            head += [nodes.Text(" ("), nodes.literal("", "", *types), nodes.Text(")")]
        if option.default:
            default = ", ".join(option.default)
            head += [nodes.Text(_(", default ")), nodes.literal("", default)]
        return _item(head, self._markdown(option.text or ""))

    def _fields(
        self, tags: Iterable[Tag], signature: Overload | None = None
    ) -> Iterator[tuple[str, list[Node]]]:
        """Yield the fields for the tags, those of a name together."""
        tags = list(tags)
        for name, label in _FIELDS.items():
            returns = signature.return_type if signature and name == "return" else None
            found = [self._field(tag, returns or "") for tag in tags if tag.name == name]
            if name == "return" and signature is not None and not found:
                told = Tag(name, signature.return_text)
                found = [self._field(told, returns or "")] if told.text else []
            if len(found) == 1:
                yield _(label), found[0]
            elif found:
                yield _(label), [nodes.bullet_list("", *(nodes.list_item("", *x) for x in found))]

    def _field(self, tag: Tag, declared: str = "") -> list[Node]:
        """Return what a tag says; the type is that of the code if the tag has none."""
        if tag.name == "see":
            return _see(tag)
        types = tag.type or declared
        if len(types) > WIDTH:
            return [code_block(laid_out(types)), *self._markdown(tag.text or "")]
        head: list[Node] = []
        if types:
            shown = code_nodes(types) if tag.name == "return" else [nodes.Text(types)]
            head = [nodes.literal("", "", *shown)]
        return _started(head, self._markdown(tag.text or ""))


def _remark(parameter: Parameter) -> str:
    """Return what the head of a parameter says besides its type and default."""
    if isinstance(parameter, Attribute) and parameter.is_namevar:
        return _("namevar")
    return "" if parameter.data_default is None else _("from the data of the module")


def _see(tag: Tag) -> list[Node]:
    """Return what ``@see`` is about as a link: an address, an object, or only words."""
    target = (tag.subject or "").strip()
    text = _line(tag.text or "")
    shown: Node
    if _address(target):
        shown = nodes.reference(target, target, refuri=target)
    elif _name(target):
        shown = object_link(target, nodes.Text(target))
    else:
        words = f"{target} {text}".strip()
        return [nodes.paragraph(words, "", *inline_nodes(words))]
    if "::" in target or _address(target):
        return [nodes.paragraph("", "", shown, *_said(inline_nodes(text)))]
    # The first word of a text may be the name of an object.
    return [nodes.paragraph("", "", shown, *inline_nodes(f" {text}" if text else ""))]


def _line(text: str) -> str:
    return " ".join(text.split())


def _said(text: list[Node]) -> list[Node]:
    return [nodes.Text(" – "), *text] if text else []


def _started(head: list[Node], blocks: list[Node]) -> list[Node]:
    """Put words before the first paragraph of some blocks."""
    if not head:
        return blocks or [nodes.paragraph()]
    if blocks and isinstance(blocks[0], nodes.paragraph):
        blocks[0][:0] = [*head, nodes.Text(" – ")]
        return blocks
    return [nodes.paragraph("", "", *head), *blocks]


def _item(head: list[Node], blocks: list[Node]) -> nodes.list_item:
    return nodes.list_item("", *_started(head, blocks))


def _bullets(items: Iterable[list[Node]]) -> nodes.bullet_list:
    return nodes.bullet_list(
        "", *(nodes.list_item("", nodes.paragraph("", "", *item)) for item in items)
    )


def _field_list(fields: Iterable[tuple[str, list[Node]]]) -> Iterator[Node]:
    found = [
        nodes.field("", nodes.field_name("", label), nodes.field_body("", *content))
        for label, content in fields
    ]
    if found:
        yield nodes.field_list("", *found)


def _plain_fields(fields: Iterable[tuple[str, list[str]]]) -> Iterator[tuple[str, list[Node]]]:
    for label, values in fields:
        words: list[Node] = []
        for value in values:
            words += [nodes.Text(", ")] if words else []
            words.append(nodes.literal("", value))
        yield label, [nodes.paragraph("", "", *words)]


def _facts_of_provider(entry: ProviderEntry) -> list[tuple[str, list[str]]]:
    pairs = [
        (_("Confined to"), [f"{key} = {value}" for key, value in entry.confines]),
        (_("Default for"), [
            " and ".join(f"{key} = {value}" for key, value in each) for each in entry.defaults
        ]),
        (_("Commands"), [f"{key} = {value}" for key, value in entry.commands]),
        (_("Features"), list(entry.features)),
    ]  # fmt: skip
    return [(label, values) for label, values in pairs if values]


def _facts_of_attribute(attribute: Attribute) -> list[tuple[str, list[str]]]:
    fields = []
    if attribute.values:
        fields.append((_("Valid values"), list(attribute.values)))
    if attribute.aliases:
        aliases = [f"{name} = {value}" for name, value in attribute.aliases]
        fields.append((_("Aliases"), aliases))
    if attribute.required_features:
        fields.append((_("Required features of the provider"), [attribute.required_features]))
    return fields
