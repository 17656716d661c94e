"""The directives that describe objects: ``puppet:class``, ``puppet:param`` and their like."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from docutils import nodes
from docutils.nodes import Node
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.addnodes import desc_signature
from sphinx.application import Sphinx
from sphinx.directives import ObjectDescription
from sphinx.locale import _
from sphinx.util.docfields import Field, GroupedField, TypedField
from sphinx.util.nodes import make_id
from sphinx.util.typing import OptionSpec

from puppet_repl.integrations.sphinx.code import WIDTH, laid_out, on_one_line
from puppet_repl.integrations.sphinx.domain import ATTRIBUTES, KINDS, domain_of
from puppet_repl.integrations.sphinx.markdown import code_block
from puppet_repl.integrations.sphinx.signatures import (
    Declared,
    Signature,
    class_link,
    code_nodes,
    normalized,
    parse_parameter,
    parse_signature,
)

__all__ = ["Owner", "PuppetObject", "PuppetParameter", "attribute_nodes", "setup_objects"]

LONG = 68
#: Of the object that a directive is in.
CONTEXT = "puppet:object"
SIGNATURES = ("short", "long", "none")
_PARAMETER_FIELDS = ("param", "parameter", "arg")


def signature_style(argument: str) -> str:
    """Read the option ``:signature:``."""
    return directives.choice(argument, SIGNATURES)


class _TypedField(TypedField):
    """A field of options: the names in their types are links."""

    def make_xrefs(self, *args: Any, **kwargs: Any) -> list[nodes.Node]:
        role, _domain, target, shown = args[:4]  # as TypedField calls it: a name has no role
        return code_nodes(str(target)) if role else [shown("", str(target))]


class _TypeField(Field):
    def make_xrefs(self, *args: Any, **kwargs: Any) -> list[nodes.Node]:
        target = kwargs.get("target", args[2] if len(args) > 2 else "")
        return code_nodes(str(target))


class Owner:
    """The object that parameters belong to; ``node_id`` is its anchor, '' if it has none."""

    __slots__ = ("is_in_index", "kind", "name", "node_id")

    def __init__(self, kind: str, name: str, node_id: str, *, is_in_index: bool) -> None:
        self.kind = kind
        self.name = name.removeprefix("::")
        self.node_id = node_id
        self.is_in_index = is_in_index


class PuppetObject(ObjectDescription[str]):
    """``.. puppet:class:: name(Type $parameter = value)`` and its like."""

    option_spec: ClassVar[OptionSpec] = {
        "no-index": directives.flag,
        "no-index-entry": directives.flag,
        "no-contents-entry": directives.flag,
        "signature": signature_style,
    }
    doc_field_types: list[Field] = [
        _TypedField(
            "option",
            label="Options",
            names=("option",),
            typenames=("optiontype",),
            typerolename="type",
            can_collapse=True,
        ),
        Field("return", label="Returns", names=("return", "returns"), has_arg=False),
        _TypeField("returntype", label="Return type", names=("rtype",), has_arg=False,
                   bodyrolename="type"),
        GroupedField("raise", label="Raises", names=("raise", "raises"), can_collapse=True),
        Field("since", label="Since", names=("since",), has_arg=False),
        Field("see", label="See also", names=("see",), has_arg=False),
    ]  # fmt: skip
    node_id = ""
    signature: Signature | None = None

    @property
    def kind(self) -> str:
        """What is described: class, function ..."""
        return self.objtype

    def handle_signature(self, sig: str, signode: desc_signature) -> str:
        """Show a signature, and return the name."""
        try:
            signature = parse_signature(sig)
        except ValueError:
            raise ValueError(f"not a name: {sig}") from None
        self.show(signature, signode)
        return signature.name

    def show(self, signature: Signature, signode: desc_signature, *, style: str = "") -> None:
        """Fill the node of a signature, in the style of the options unless another one is given."""
        self.signature = self.signature or signature
        style = style or self.options.get("signature", "long")
        signode["fullname"] = signature.name.removeprefix("::")
        signode += addnodes.desc_sig_keyword("", self.kind)
        signode += addnodes.desc_sig_space()
        signode += addnodes.desc_name("", signature.name)
        if signature.parameters is not None and style == "long":
            signode += _parameter_list(signature.parameters, self._max_length())
        elif signature.parameters and style == "short":
            listed = addnodes.desc_parameterlist()
            listed += addnodes.desc_parameter("", "", nodes.Text("…"), noemph=True)
            signode += listed
        if signature.inherits:
            signode += _tail("inherits", [class_link(signature.inherits)])
        if signature.returns:
            signode += _tail(">>", [addnodes.desc_type("", "", *code_nodes(signature.returns))])
        if signature.alias:
            signode += _tail("=", [addnodes.desc_type("", "", *code_nodes(signature.alias))])
        if signature.rest:
            signode += [addnodes.desc_sig_space(), nodes.Text(signature.rest)]

    def _max_length(self) -> int:
        return int(self.config.maximum_signature_line_length or LONG)

    def add_target_and_index(self, name: str, sig: str, signode: desc_signature) -> None:
        """Make the object known to roles and to the index."""
        node_id = make_id(self.env, self.state.document, f"puppet-{self.kind}", normalized(name))
        signode["ids"].append(node_id)
        self.state.document.note_explicit_target(signode)
        domain_of(self.env).note_object(self.kind, name, node_id, signode)
        self.node_id = node_id
        if "no-index-entry" not in self.options:
            text = f"{name} ({KINDS[self.kind]})"
            self.indexnode["entries"].append(("single", text, node_id, "", None))

    def owner(self) -> Owner:
        """Return what the parameters in it need to know of the object."""
        name = self.names[0] if self.names else ""
        is_in_index = "no-index-entry" not in self.options
        return Owner(self.kind, name, self.node_id, is_in_index=is_in_index)

    def before_content(self) -> None:
        """Let the directives inside know what they are in."""
        self.env.ref_context[CONTEXT] = self.owner()

    def after_content(self) -> None:
        """Forget the object."""
        self.env.ref_context.pop(CONTEXT, None)

    def transform_content(self, content_node: addnodes.desc_content) -> None:
        """Describe the parameters that the fields of the content are about."""
        declared = self.signature.parameters or [] if self.signature else []
        known = {parameter.name: parameter for parameter in declared}
        for fields in [child for child in content_node if isinstance(child, nodes.field_list)]:
            found = _parameter_fields(fields, known)
            shown = [
                node
                for parameter, text in found
                for node in attribute_nodes(self, self.owner(), parameter, text)
            ]
            if shown:
                at = content_node.index(fields)
                content_node[at:at] = [nodes.rubric("", _("Parameters")), *shown]
            if not len(fields):
                content_node.remove(fields)

    def _object_hierarchy_parts(self, sig_node: desc_signature) -> tuple[str, ...]:
        return (sig_node.get("fullname", sig_node.astext()),)

    def _toc_entry_name(self, sig_node: desc_signature) -> str:
        name = next(iter(sig_node.findall(addnodes.desc_name)), None)
        return name.astext() if name is not None else ""


def _parameter_fields(
    fields: nodes.field_list, declared: dict[str, Declared]
) -> list[tuple[Declared, list[Node]]]:
    """Take the fields of parameters out of a list; what the signature has not, they say."""
    found: dict[str, tuple[Declared, list[Node]]] = {}
    types: dict[str, str] = {}
    for field in list(fields):
        assert isinstance(field, nodes.field)
        word, _space, rest = field[0].astext().partition(" ")
        type_text, _space, name = rest.strip().rpartition(" ")
        name = name.lstrip("$*&")
        if word == "paramtype":
            types[name] = field[1].astext()
        elif word in _PARAMETER_FIELDS:
            known = declared.get(name) or Declared("", name)
            kind = known.type or type_text
            found[name] = Declared(kind, name, known.default), list(field[1].children)
        else:
            continue
        fields.remove(field)
    for name, type_text in types.items():
        if name in found and not found[name][0].type:
            found[name][0].type = type_text
    return list(found.values())


def _tail(word: str, shown: list[Node]) -> list[Node]:
    sign = addnodes.desc_sig_keyword if word.isalpha() else addnodes.desc_sig_operator
    return [addnodes.desc_sig_space(), sign("", word), addnodes.desc_sig_space(), *shown]


def _parameter_list(parameters: list[Declared], max_length: int) -> addnodes.desc_parameterlist:
    listed = addnodes.desc_parameterlist()
    size = 0
    for declared in parameters:
        parameter = addnodes.desc_parameter("", "", noemph=True)
        if declared.type:
            parameter += [*code_nodes(declared.type), addnodes.desc_sig_space()]
        parameter += addnodes.desc_sig_name("", f"{declared.mark}${declared.name}")
        if declared.default:
            parameter += _tail("=", [_default(declared.default)])
        listed += parameter
        size += len(parameter.astext()) + 2
    listed["multi_line_parameter_list"] = listed["multi_line_trailing_comma"] = size > max_length
    return listed


def _default(text: str) -> nodes.inline:
    return nodes.inline("", "", *code_nodes(text), classes=["default_value"])


def attribute_nodes(
    directive: ObjectDescription[Any],
    owner: Owner,
    declared: Declared,
    content: Iterable[Node],
    *,
    kind: str = "param",
    remark: str = "",
) -> list[Node]:
    """Describe a parameter as an object of its own: its type and default, and what is said of it.

    A type or default that is too long for the head is a highlighted block below it. The remark is
    shown in the head.
    """
    signode = desc_signature(declared.name, "")
    directive.set_source_info(signode)
    signode += addnodes.desc_name("", declared.mark + declared.name)
    below: list[Node] = []
    for label, mark, text in (
        (_("Data type"), ":", declared.type),
        (_("Default value"), "=", declared.default),
    ):
        line = on_one_line(text)
        if not line:
            continue
        if len(line) > WIDTH or "\n" in line:
            below += [nodes.paragraph("", f"{label}:"), code_block(laid_out(text))]
            continue
        if mark == "=":
            signode += addnodes.desc_sig_space()
        signode += addnodes.desc_annotation(
            line, "", addnodes.desc_sig_punctuation("", mark), addnodes.desc_sig_space(),
            *code_nodes(line),
        )  # fmt: skip
    if remark:
        signode += addnodes.desc_sig_space()
        signode += addnodes.desc_annotation(remark, "", nodes.Text(f"({remark})"))
    node = addnodes.desc(
        "",
        signode,
        addnodes.desc_content("", *below, *content),
        domain="puppet",
        objtype=kind,
        desctype=kind,
        classes=["puppet", kind],
    )
    node["no-contents-entry"] = node["nocontentsentry"] = True
    index = addnodes.index(entries=[])
    qualified = f"{owner.name}::{declared.name}"
    signode["fullname"] = qualified
    if owner.node_id:
        _register(directive, owner, qualified, declared.name, signode, kind)
        if owner.is_in_index:
            text = f"{declared.name} ({ATTRIBUTES[kind]} of {owner.name})"
            index["entries"].append(("single", text, signode["ids"][0], "", None))
    return [index, node]


def _register(
    directive: ObjectDescription[Any],
    owner: Owner,
    qualified: str,
    name: str,
    signode: desc_signature,
    kind: str,
) -> None:
    document = directive.state.document
    node_id = f"{owner.node_id}--{name}"
    number = 1
    while node_id in document.ids:  # another signature of a function has it too
        number += 1
        node_id = f"{owner.node_id}--{name}-{number}"
    signode["ids"].append(node_id)
    document.note_explicit_target(signode)
    domain_of(directive.env).note_attribute(owner.kind, qualified, node_id, kind)


class PuppetParameter(ObjectDescription[str]):
    """``.. puppet:param:: Integer $port = 80``: a parameter, in the object that it belongs to."""

    option_spec: ClassVar[OptionSpec] = {"no-index-entry": directives.flag}

    def run(self) -> list[Node]:
        """Describe the parameter."""
        kind = self.name.rpartition(":")[2]
        declared = parse_parameter(self.arguments[0])
        owner = self.env.ref_context.get(CONTEXT)
        if not isinstance(owner, Owner):
            raise self.error(f"{self.name} belongs into the description of an object")
        content = self.parse_content_to_nodes()
        return attribute_nodes(self, owner, declared, content, kind=kind)


def setup_objects(app: Sphinx) -> None:
    """Add the directives to the domain."""
    for kind in KINDS:
        app.add_directive_to_domain("puppet", kind, PuppetObject)
    for kind in ATTRIBUTES:
        app.add_directive_to_domain("puppet", kind, PuppetParameter)
