"""Entries that files tell about together, put together."""

from __future__ import annotations

from dataclasses import replace

from puppet_repl.environment.reference.model import (
    FunctionEntry,
    Problem,
    ProviderEntry,
    ResourceTypeEntry,
)
from puppet_repl.environment.reference.ruby.resource_types import with_namevar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.environment.reference.model import Entry, Parameter


def assembled(entries: Iterable[Entry]) -> list[Entry]:
    """Return entries, each once, and resource types with what other files add to them.

    What is defined twice stays where it was first, with the comment that was read last, as
    puppet-strings has it.
    """
    found: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        key = _key(entry)
        first = found.get(key)
        found[key] = entry if first is None else _joined(first, entry)
    providers: dict[str, list[str]] = {}
    for entry in found.values():
        if isinstance(entry, ProviderEntry):
            providers.setdefault(entry.type_name, []).append(entry.name)
    return [
        replace(entry, providers=tuple(sorted(providers[entry.name])))
        if isinstance(entry, ResourceTypeEntry) and entry.name in providers
        else entry
        for entry in found.values()
    ]


def _key(entry: Entry) -> tuple[str, ...]:
    if isinstance(entry, FunctionEntry):
        return entry.kind, entry.api, entry.name
    if isinstance(entry, ProviderEntry):
        return entry.kind, entry.type_name, entry.name
    return entry.kind, entry.name


def _joined(first: Entry, later: Entry) -> Entry:
    problems = (*first.problems, *later.problems)
    is_told = later.is_documented
    text = later.text if is_told else first.text
    tags = later.tags if is_told else first.tags
    if isinstance(first, ResourceTypeEntry) and isinstance(later, ResourceTypeEntry):
        parameters = with_namevar((*first.parameters, *later.parameters))
        features = (*first.features, *later.features)
        return replace(
            first,
            text=text,
            tags=tags,
            parameters=parameters,
            features=features,
            problems=problems,
        )
    message = f"'{first.name}' is defined twice, first in {first.file}"
    problems += (Problem("warning", "defined-twice", message, later.file, later.line),)
    defaults = {each.name: each.default for each in first.parameters}
    declared: tuple[Parameter, ...] = tuple(
        replace(each, default=defaults.get(each.name)) for each in later.parameters
    )
    return replace(first, text=text, tags=tags, parameters=declared, problems=problems)
