"""The domain ``puppet``: directives and roles for what Puppet code defines, and its index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from docutils import nodes
from docutils.nodes import Element
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.addnodes import desc_signature, pending_xref
from sphinx.builders import Builder
from sphinx.directives import ObjectDescription
from sphinx.domains import Domain, Index, IndexEntry, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util import logging
from sphinx.util.docfields import Field, GroupedField, TypedField
from sphinx.util.nodes import make_id, make_refnode
from sphinx.util.typing import OptionSpec

from puppet_repl.sphinx_domain.signatures import (
    Signature,
    class_link,
    normalized,
    parse_signature,
    type_nodes,
)

__all__ = ["KINDS", "PuppetDomain", "PuppetObject"]

logger = logging.getLogger(__name__)

#: Directive to what the index calls it.
KINDS = {
    "class": "class",
    "define": "defined type",
    "function": "function",
    "type": "data type",
    "resource": "resource type",
    "provider": "provider",
    "plan": "plan",
    "task": "task",
    "fact": "fact",
}
LONG = 68


class _TypedField(TypedField):
    """A field of parameters: the names in their types are links."""

    def make_xrefs(self, *args: Any, **kwargs: Any) -> list[nodes.Node]:
        role, _, target, shown = args[:4]  # as TypedField calls it: a name has no role
        return type_nodes(str(target)) if role else [shown("", str(target))]


class _TypeField(Field):
    def make_xrefs(self, *args: Any, **kwargs: Any) -> list[nodes.Node]:
        target = kwargs.get("target", args[2] if len(args) > 2 else "")
        return type_nodes(str(target))


class PuppetObject(ObjectDescription[str]):
    """``.. puppet:class:: name(Type $parameter = value)`` and its like."""

    option_spec: ClassVar[OptionSpec] = {
        "no-index": directives.flag,
        "no-index-entry": directives.flag,
        "no-contents-entry": directives.flag,
    }
    doc_field_types: list[Field] = [
        _TypedField(
            "parameter",
            label="Parameters",
            names=("param", "parameter", "arg"),
            typenames=("paramtype",),
            typerolename="type",
            can_collapse=True,
        ),
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

    @property
    def kind(self) -> str:
        """What is described: class, function ..."""
        return self.objtype.removeprefix("auto")

    def handle_signature(self, sig: str, signode: desc_signature) -> str:
        """Show a signature, and return the name."""
        try:
            signature = parse_signature(sig)
        except ValueError:
            raise ValueError(f"not a name: {sig}") from None
        signode += addnodes.desc_sig_keyword("", self.kind)
        signode += addnodes.desc_sig_space()
        signode += addnodes.desc_name("", signature.name)
        if signature.parameters is not None:
            signode += _parameter_list(signature, len(sig) > LONG)
        for word, text in signature.rest:
            signode += addnodes.desc_sig_space()
            if word == "inherits":
                signode += addnodes.desc_sig_keyword("", word)
            else:
                signode += addnodes.desc_sig_operator("", word)
            signode += addnodes.desc_sig_space()
            if word == "inherits":
                signode += class_link(text)
            else:
                signode += addnodes.desc_type("", "", *type_nodes(text))
        return signature.name

    def add_target_and_index(self, name: str, sig: str, signode: desc_signature) -> None:
        """Make the object known to roles and to the index."""
        node_id = make_id(self.env, self.state.document, f"puppet-{self.kind}", normalized(name))
        signode["ids"].append(node_id)
        self.state.document.note_explicit_target(signode)
        domain = self.env.domains["puppet"]
        assert isinstance(domain, PuppetDomain)
        domain.note_object(self.kind, name, node_id, signode)
        if "no-index-entry" not in self.options:
            text = f"{name} ({KINDS[self.kind]})"
            self.indexnode["entries"].append(("single", text, node_id, "", None))

    def _object_hierarchy_parts(self, sig_node: desc_signature) -> tuple[str, ...]:
        return (sig_node.get("fullname", sig_node.astext()),)

    def _toc_entry_name(self, sig_node: desc_signature) -> str:
        name = next(iter(sig_node.findall(addnodes.desc_name)), None)
        return name.astext() if name is not None else ""


def _parameter_list(signature: Signature, long: bool) -> addnodes.desc_parameterlist:
    listed = addnodes.desc_parameterlist()
    listed["multi_line_parameter_list"] = long
    listed["multi_line_trailing_comma"] = long
    for type_text, name, value in signature.parameters or []:
        parameter = addnodes.desc_parameter("", "", noemph=True)
        if type_text:
            parameter += type_nodes(type_text)
            parameter += addnodes.desc_sig_space()
        parameter += addnodes.desc_sig_name("", name)
        if value:
            parameter += addnodes.desc_sig_space()
            parameter += addnodes.desc_sig_operator("", "=")
            parameter += addnodes.desc_sig_space()
            parameter += nodes.inline("", value, classes=["default_value"])
        listed += parameter
    return listed


class PuppetRole(XRefRole):
    """``:puppet:class:`a::b```: with or without leading ``::``; ``~`` shows the last part only."""

    def process_link(
        self,
        env: BuildEnvironment,
        refnode: Element,
        has_explicit_title: bool,
        title: str,
        target: str,
    ) -> tuple[str, str]:
        """Cut what is no part of the name: parameters of a type, parentheses of a call."""
        if not has_explicit_title and title.startswith("~"):
            title = title[1:].rpartition("::")[2]
        target = target.lstrip("~").partition("[")[0].partition("(")[0]
        return title, target


class PuppetIndex(Index):
    """All objects of the domain by name."""

    name = "index"
    localname = "Puppet index"
    shortname = "Puppet"

    def generate(
        self, docnames: Iterable[str] | None = None
    ) -> tuple[list[tuple[str, list[IndexEntry]]], bool]:
        """Return the entries by their first letter."""
        wanted = None if docnames is None else set(docnames)
        groups: dict[str, list[IndexEntry]] = {}
        for name, _, kind, docname, anchor, _ in sorted(self.domain.get_objects()):
            if wanted is None or docname in wanted:
                entry = IndexEntry(name, 0, docname, anchor, KINDS[kind], "", "")
                groups.setdefault(name[0].lower(), []).append(entry)
        return sorted(groups.items()), False


class PuppetDomain(Domain):
    """What Puppet code defines: classes, defined types, functions, data types ..."""

    name = "puppet"
    label = "Puppet"
    object_types: ClassVar[dict[str, ObjType]] = {
        kind: ObjType(label, kind, "obj") for kind, label in KINDS.items()
    }
    directives: ClassVar[dict[str, Any]] = dict.fromkeys(KINDS, PuppetObject)
    roles: ClassVar[dict[str, Any]] = {kind: PuppetRole() for kind in (*KINDS, "obj")}
    indices: ClassVar[list[type[Index]]] = [PuppetIndex]
    initial_data: ClassVar[dict[str, Any]] = {"objects": {}}
    data_version = 1

    @property
    def objects(self) -> dict[tuple[str, str], tuple[str, str, str]]:
        """The document, anchor and original name by kind and normalized name."""
        found: dict[tuple[str, str], tuple[str, str, str]] = self.data["objects"]
        return found

    def note_object(self, kind: str, name: str, node_id: str, location: Element) -> None:
        """Register an object; report a second one of the same name."""
        key = (kind, normalized(name))
        known = self.objects.get(key)
        if known is not None and known[0] != self.env.docname:
            logger.warning(
                "duplicate description of %s %s, other one in %s",
                KINDS[kind], name, known[0], location=location, type="puppet",
            )  # fmt: skip
        self.objects[key] = (self.env.docname, node_id, name.removeprefix("::"))

    def clear_doc(self, docname: str) -> None:
        """Forget the objects of a document."""
        for key in [key for key, found in self.objects.items() if found[0] == docname]:
            del self.objects[key]

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        """Take over what another process of a parallel build has read."""
        wanted = set(docnames)
        for key, found in otherdata["objects"].items():
            if found[0] in wanted:
                self.objects[key] = found

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> nodes.reference | None:
        """Link to an object; search a data type among resource types and defines too."""
        for kind in self._kinds_of(typ):
            found = self.objects.get((kind, normalized(target)))
            if found is not None:
                docname, node_id, name = found
                return make_refnode(builder, fromdocname, docname, node_id, [contnode], name)
        return None

    def _kinds_of(self, role: str) -> list[str]:
        if role == "obj":
            return list(KINDS)
        if role == "type":
            return ["type", "resource", "define"]
        return [role]

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, nodes.reference]]:
        """Return every object of the name, for the role ``any``."""
        found = []
        for kind in KINDS:
            known = self.objects.get((kind, normalized(target)))
            if known is not None:
                docname, node_id, name = known
                link = make_refnode(builder, fromdocname, docname, node_id, [contnode], name)
                found.append((f"puppet:{kind}", link))
        return found

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield all objects, for the search and for other projects."""
        for (kind, _), (docname, node_id, name) in self.objects.items():
            yield name, name, kind, docname, node_id, 1

    def get_full_qualified_name(self, node: Element) -> str | None:
        """Return the name that a link is about."""
        target = node.get("reftarget")
        return None if target is None else str(target).removeprefix("::")
