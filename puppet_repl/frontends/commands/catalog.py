"""Commands about the catalog."""

from __future__ import annotations

import json
import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.matching import did_you_mean, has_wildcards, matches_wildcards
from puppet_repl.base.safe_text import visible_json
from puppet_repl.base.wording import counted
from puppet_repl.catalog.json import document
from puppet_repl.catalog.puppet_code import attributes_of, code_of, reference
from puppet_repl.language.types.model.resource import ResourceType
from puppet_repl.language.values.hash import PuppetHash, from_data
from puppet_repl.session import Outcome
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.reports.parts import (
    Cell,
    Code,
    CommandError,
    Failure,
    Message,
    Report,
    Table,
    ValueCell,
)
from puppet_repl.tools.reports.resources import declared_at, origins_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.host.command_model import Call
    from puppet_repl.session import Session

FAILED = "--failed"
"""The word for the catalog that the last failure has left."""
EXPORTED = "--exported"
_OPTION = re.compile(r"--[a-z-]+")
# What Puppet itself puts into every catalog.
_FRAME = frozenset((("Stage", "main"), ("Class", "Settings"), ("Class", "Main"), ("Class", "main")))


def declared_in(session: Session) -> list[Resource]:
    """Return the resources of the catalog that code declared."""
    return [
        resource
        for resource in SessionSymbols(session).resources()
        if (resource.type, resource.title) not in _FRAME
        and not (resource.type == "Class" and resource.title in ("", "settings"))
    ]


def resources(call: Call) -> Report:
    """``:resources [--failed] [PATTERN]`` or ``:resources --exported [clear [NODE]]``."""
    if call.words[:1] == [EXPORTED]:
        return _exports(call, call.words[1:])
    return of_catalog(call, _resources)


def of_catalog(call: Call, show: Callable[[Call, str], Report]) -> Report:
    """Run a command about the catalog, or with --failed about the one that was rolled back.

    ``show`` gets the argument without that. Raises CommandError for another option, and without a
    failed catalog.
    """
    words = call.words
    for word in words:
        if _OPTION.fullmatch(word) and word != FAILED:
            raise CommandError(f"there is no option {word}", did_you_mean(word, (FAILED,)))
    if FAILED not in words:
        return show(call, call.argument)
    rest = call.argument.replace(FAILED, "", 1).strip()
    shown = call.session.look_at_failed(lambda: show(call, rest))
    if shown is None:
        raise CommandError("no failed input or site has declared resources", "")
    return shown


def _resources(call: Call, pattern: str) -> Report:
    found = declared_in(call.session)
    chosen = [resource for resource in found if _matches(resource, pattern)]
    if pattern and len(chosen) == 1:
        only = chosen[0]
        if call.host.stopped_stack is None:
            return Report(Code(code_of(only)), *origins_of(call.session, only))
        # Data cannot be looked up again inside of a lookup.
        return Report(Code(code_of(only)), *filter(None, [declared_at(only)]))
    empty = f"no resource matches '{pattern}'" if pattern else "no resources yet"
    return Report(table_of(chosen, empty))


def table_of(resources: Iterable[Resource], empty: str = "no resources yet") -> Table:
    """Return a table of resources; ``empty`` is shown in place of a table without rows."""
    rows = []
    for resource in resources:
        state = "exported" if resource.exported else "virtual" if resource.virtual else ""
        attributes = ValueCell(PuppetHash(attributes_of(resource)))
        rows.append((Cell(reference(resource), "type"), state, attributes))
    return Table(("Resource", "", "Attributes"), rows, empty=empty, whole=(0,))


def _matches(resource: Resource, pattern: str) -> bool:
    """Tell whether a reference has a pattern in it, or its type, title or all of it match one."""
    wanted = _without_quotes(pattern).lower()
    type_name, title = resource.type.lower(), _without_quotes(resource.title).lower()
    whole = f"{type_name}[{title}]"
    if not has_wildcards(wanted):
        return wanted in whole
    return any(matches_wildcards(text, wanted) for text in (whole, type_name, title))


def _without_quotes(text: str) -> str:
    return text.replace('"', "").replace("'", "")


def finished(call: Call) -> Outcome:
    """Return the outcome of the catalog's final checks, and roll back what they changed."""
    with call.session.temporarily():
        return call.session.finish_catalog(Outcome())


def catalog(call: Call) -> Report:
    """``:catalog [json|code]``; code is shown together with the error of the catalog."""
    format_ = call.argument or "code"
    if format_ not in ("json", "code"):
        raise CommandError(f"there is no format '{format_}'", "the formats are code and json")
    error = finished(call).error
    if format_ == "code":
        found = [each for each in declared_in(call.session) if each.type not in ("Class", "Node")]
        report = Report(Message("no resources yet", "dim"))
        if found:
            report = Report(Code("\n\n".join(code_of(resource) for resource in found)))
        if error is not None:
            report.parts.append(Failure(error))
        return report
    if error is not None:
        return Report(Failure(error))
    try:
        content = document(call.session.catalog)
    except PuppetError as failure:
        return Report(Failure(failure))
    text = json.dumps(content, ensure_ascii=False, indent=2, default=str, allow_nan=False)
    return Report(Code(visible_json(text), "json"))


def _exports(call: Call, words: list[str]) -> Report:
    """List the resources that nodes have exported, or drop them."""
    store = call.session.keep_exports()
    if store is None:
        raise CommandError("exported resources are not kept", "the option storeconfigs is off")
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
        raise CommandError(f"'{' '.join(words)}' does not follow {EXPORTED}")
    if call.host.stopped_stack is not None:
        raise CommandError("exported resources can be dropped when the stopped code has ended", "")
    if len(words) == 2 and words[1].lower() not in store.nodes():
        hint = did_you_mean(words[1], store.nodes()) or f"nodes: {', '.join(store.nodes()) or '-'}"
        raise CommandError(f"'{words[1]}' has exported nothing", hint)
    dropped = call.session.clear_exports(words[1].lower() if len(words) == 2 else None)
    return Report(Message(f"{counted(dropped, 'resource')} dropped", "dim"))
