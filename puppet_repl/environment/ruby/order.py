"""Ask Ruby which relationships the types of modules imply, and answer its questions."""

from __future__ import annotations

import json

from puppet_repl.catalog.resource_types import NativeType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from puppet_repl.catalog.json import JsonObject
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.environment.ruby.host import RubyHost

    Implied = list[tuple[str, Resource | str]]


class Applied:
    """The resources of a finished catalog, as Ruby knows them: by numbers.

    ``find`` returns a resource by its type and title, ``row`` what an agent gets of one.
    """

    def __init__(
        self,
        members: Iterable[Resource],
        find: Callable[[str, str], Resource | None],
        row: Callable[[Resource], JsonObject],
    ) -> None:
        self.members = list(members)
        self._numbers = {member: number for number, member in enumerate(self.members)}
        self.find = find
        self._row = row

    def row(self, member: Resource) -> str:
        """Return what Ruby needs to know of a resource."""
        data = self._row(member)
        values = data.get("parameters", {})
        definition = member.definition
        if isinstance(definition, NativeType) and definition.namevar in definition.namevars:
            # A catalog does not have the name of a resource that is also its title.
            values.setdefault(definition.namevar, member.title)
        return json.dumps({**data, "parameters": values, "number": self._numbers[member]})

    def implied(self, host: RubyHost, wanted: Iterable[Resource]) -> list[Implied]:
        """Return the kinds and the others of the relationships that the types of some imply.

        A failure is of the kind ``error``, or ``unknown`` if an agent may well succeed, with a
        message in place of the other resource.
        """
        host.applied = self
        try:
            found = host.value("implied", rows=[self.row(member) for member in wanted])
        finally:
            host.applied = None
        return [
            [(kind, one if type(one) is str else self.members[one]) for kind, one in of_one]
            for of_one in found
        ]


def _applied(host: RubyHost) -> Applied:
    assert host.applied is not None
    return host.applied


def _resource(host: RubyHost, question: dict[str, Any]) -> str | None:
    applied = _applied(host)
    found = applied.find(question["type"], question["title"])
    return None if found is None else applied.row(found)


def _resources(host: RubyHost, question: dict[str, Any]) -> list[str]:
    """Return the resources of a type, or all."""
    applied, name = _applied(host), question["type"]
    members = applied.members
    return [applied.row(one) for one in members if name is None or one.type.lower() == name]


ORDER_QUESTIONS = {"applied_resource": _resource, "applied_resources": _resources}
