"""The domain ``puppet``: what Puppet code defines, the roles that link to it, and its index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from docutils import nodes
from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.builders import Builder
from sphinx.domains import Domain, Index, IndexEntry, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

from puppet_repl.integrations.sphinx.signatures import normalized

__all__ = ["ATTRIBUTES", "KINDS", "PuppetDomain", "domain_of"]

logger = logging.getLogger(__name__)

#: Directive to what the index calls it. Of a name that several kinds have, the first is meant.
KINDS = {
    "class": "class",
    "define": "defined type",
    "resource": "resource type",
    "type": "data type",
    "function": "function",
    "plan": "plan",
    "task": "task",
    "provider": "provider",
    "fact": "fact",
}
#: What belongs to an object and is a target of its own.
ATTRIBUTES = {"param": "parameter", "property": "property"}

#: Of an object: its document, its anchor, and its name as it is written.
Target = tuple[str, str, str]


def _roles_of(kind: str) -> tuple[str, ...]:
    """Return the roles that find a kind: resource types and defined types are data types too."""
    return (kind, "type") if kind in ("define", "resource") else (kind,)


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
        """Cut what is not part of the name: parameters of a type, parentheses of a call."""
        if not has_explicit_title and title.startswith("~"):
            title = title[1:].rpartition("::")[2]
        target = target.lstrip("~$").partition("[")[0].partition("(")[0].removeprefix("::")
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
            if kind in KINDS and (wanted is None or docname in wanted):
                entry = IndexEntry(name, 0, docname, anchor, KINDS[kind], "", "")
                groups.setdefault(name[0].lower(), []).append(entry)
        return sorted(groups.items()), False


class PuppetDomain(Domain):
    """What Puppet code defines: classes, defined types, functions, data types ..."""

    name = "puppet"
    label = "Puppet"
    object_types: ClassVar[dict[str, ObjType]] = {
        **{kind: ObjType(label, *_roles_of(kind), "obj") for kind, label in KINDS.items()},
        **{kind: ObjType(label, *ATTRIBUTES, "obj") for kind, label in ATTRIBUTES.items()},
    }
    roles: ClassVar[dict[str, Any]] = {role: PuppetRole() for role in (*KINDS, *ATTRIBUTES, "obj")}
    indices: ClassVar[list[type[Index]]] = [PuppetIndex]
    initial_data: ClassVar[dict[str, Any]] = {
        "objects": {},
        "attributes": {},
        "listings": {},
        "code": {},
    }
    data_version = 2
    sources: Any = None  # of the directives that describe what is in files

    @property
    def objects(self) -> dict[tuple[str, str], Target]:
        """The target of each object, by kind and normalized name."""
        found: dict[tuple[str, str], Target] = self.data["objects"]
        return found

    @property
    def attributes(self) -> dict[tuple[str, str], tuple[Target, str]]:
        """The target of each parameter, by the kind of its object and its normalized name.

        The second item is its kind, a parameter or a property.
        """
        found: dict[tuple[str, str], tuple[Target, str]] = self.data["attributes"]
        return found

    @property
    def listings(self) -> dict[str, list[str]]:
        """The files that the sources had when a document that lists all of them was read."""
        found: dict[str, list[str]] = self.data["listings"]
        return found

    @property
    def code(self) -> dict[str, list[tuple[str, str, int, int, str]]]:
        """Of each document: files, their pages, first and last lines, and anchors."""
        found: dict[str, list[tuple[str, str, int, int, str]]] = self.data["code"]
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

    def note_attribute(self, owner: str, name: str, node_id: str, kind: str) -> None:
        """Register a parameter under its qualified name, ``nginx::conf_dir``."""
        key = (owner, normalized(name))
        if key not in self.attributes:
            target = (self.env.docname, node_id, name.removeprefix("::"))
            self.attributes[key] = target, kind

    def clear_doc(self, docname: str) -> None:
        """Forget the objects of a document."""
        for key in [key for key, found in self.objects.items() if found[0] == docname]:
            del self.objects[key]
        for key in [key for key, (found, _) in self.attributes.items() if found[0] == docname]:
            del self.attributes[key]
        self.listings.pop(docname, None)
        self.code.pop(docname, None)

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        """Take over what another process of a parallel build has read."""
        wanted = set(docnames)
        for key, found in otherdata["objects"].items():
            if found[0] in wanted:
                self.objects[key] = found
        for key, found in otherdata["attributes"].items():
            if found[0][0] in wanted:
                self.attributes.setdefault(key, found)
        for name in ("listings", "code"):
            of_page = otherdata[name].items()
            self.data[name].update((page, found) for page, found in of_page if page in wanted)

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
        found = next(self._found(typ, target), None)
        if found is None:
            return None
        (docname, node_id, name), _ = found
        shown: nodes.Node = contnode
        if "refshown" in node:
            shown = nodes.Text(node["refshown"])
        return make_refnode(builder, fromdocname, docname, node_id, [shown], name)

    def _found(self, role: str, name: str) -> Iterator[tuple[Target, str]]:
        """Yield what a role may mean by a name, each with its kind."""
        key = normalized(name)
        if role not in ATTRIBUTES:
            kinds = KINDS if role == "obj" else ("type", "resource", "define")
            for kind in kinds if role in ("obj", "type") else (role,):
                found = self.objects.get((kind, key))
                if found is not None:
                    yield found, kind
        if role in ATTRIBUTES or role == "obj":
            for owner in KINDS:
                known = self.attributes.get((owner, key))
                if known is not None:
                    yield known

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
        return [
            (
                f"puppet:{kind}",
                make_refnode(builder, fromdocname, docname, node_id, [contnode], name),
            )
            for (docname, node_id, name), kind in self._found("obj", target)
        ]

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield all objects, for the search and for other projects."""
        for (kind, _), (docname, node_id, name) in self.objects.items():
            yield name, name, kind, docname, node_id, 1
        order = list(KINDS)
        given = set()
        for owner, name in sorted(self.attributes, key=lambda key: (order.index(key[0]), key[1])):
            if name not in given:
                given.add(name)
                (docname, node_id, shown), kind = self.attributes[owner, name]
                yield shown, shown, kind, docname, node_id, 2

    def get_full_qualified_name(self, node: Element) -> str | None:
        """Return the name that a link is about."""
        target = node.get("reftarget")
        return None if target is None else str(target).removeprefix("::")


def domain_of(env: BuildEnvironment) -> PuppetDomain:
    """Return the domain of an environment."""
    found = env.domains["puppet"]
    assert isinstance(found, PuppetDomain)
    return found
