"""``:exports``: the resources that nodes have exported for others."""

from __future__ import annotations

from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.wording import counted
from puppet_repl.language.types.model.resource import ResourceType
from puppet_repl.language.values.hash import from_data
from puppet_repl.tools.reports.parts import Cell, CommandError, Message, Report, Table, ValueCell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call


def exports(call: Call) -> Report:
    """Run ``:exports [clear [NODE]]``."""
    store = call.session.keep_exports()
    if store is None:
        raise CommandError("exported resources are not kept", "the option storeconfigs is off")
    words = call.words
    if not words:
        rows = [
            (
                resource.certname,
                Cell(str(ResourceType(resource.type, resource.title)), "type"),
                ValueCell(from_data(resource.parameters)),
            )
            for resource in store.resources()
        ]
        empty = "no node has exported anything"
        return Report(Table(("Node", "Resource", "Attributes"), rows, empty=empty, whole=(0, 1)))
    if words[0] != "clear" or len(words) > 2:
        raise CommandError(f"'{call.argument}' is no argument of :exports")
    if len(words) == 2 and words[1].lower() not in store.nodes():
        hint = did_you_mean(words[1], store.nodes()) or f"nodes: {', '.join(store.nodes()) or '-'}"
        raise CommandError(f"'{words[1]}' has exported nothing", hint)
    dropped = call.session.clear_exports(words[1].lower() if len(words) == 2 else None)
    return Report(Message(f"{counted(dropped, 'resource')} dropped", "dim"))
