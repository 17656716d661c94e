"""The documentation of a module as the JSON of puppet-strings."""

from __future__ import annotations

import json
import re

from puppet_repl.environment.reference.displayed_tags import (
    ShownSignature,
    shown_defaults,
    shown_parameters,
    shown_signatures,
    shown_tags,
)
from puppet_repl.environment.reference.model import (
    Attribute,
    ClassEntry,
    DataTypeAliasEntry,
    DataTypeEntry,
    Entry,
    FunctionEntry,
    ProviderEntry,
    ResourceTypeEntry,
    Tag,
    TaskEntry,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from puppet_repl.environment.reference.model import Kind, Module

    Data = dict[str, Any]

#: An empty list in a line of its own, which the JSON library of Ruby writes in three.
_EMPTY = re.compile(r'^( *)("(?:[^"\\]|\\.)*": )?\[\]', re.MULTILINE)
#: The name in a signature, as YARD finds it.
_OVERLOADED = re.compile(
    r"(?:def\s)?\s*((?:(?:(?:(?:::\s*)?[A-Z]\w*)+|[a-z]\w*)\s*(?:\.|::)\s*)?[a-zA-Z_]\w*[!?=]?)",
    re.ASCII,
)

__all__ = ["as_data", "as_json"]

_SECTIONS: dict[str, Kind] = {
    "puppet_classes": "class",
    "data_types": "data type",
    "data_type_aliases": "data type alias",
    "defined_types": "defined type",
    "resource_types": "resource type",
    "providers": "provider",
    "puppet_functions": "function",
    "puppet_tasks": "task",
    "puppet_plans": "plan",
}


def as_json(reference: Module) -> str:
    """Return the text that ``puppet strings generate --format json`` writes."""
    text = json.dumps(as_data(reference), indent=2, ensure_ascii=False)
    return _EMPTY.sub(r"\1\2[\n\n\1]", text) + "\n"


def as_data(reference: Module) -> Data:
    """Return the same as data."""
    return {
        section: [_entry(entry, reference) for entry in reference.of_kind(kind)]
        for section, kind in _SECTIONS.items()
    }


def _entry(entry: Entry, reference: Module) -> Data:
    if isinstance(entry, FunctionEntry):
        return _function(entry)
    if isinstance(entry, TaskEntry):
        return _task(entry)
    if isinstance(entry, ProviderEntry):
        return _provider(entry)
    head = _head(entry)
    if isinstance(entry, ClassEntry) and entry.inherits:
        head["inherits"] = entry.inherits
    head["docstring"] = _docstring(entry.text, shown_tags(entry))
    if isinstance(entry, ResourceTypeEntry):
        return head | _parts_of_type(entry, reference)
    if isinstance(entry, DataTypeAliasEntry):
        return head | {"alias_of": entry.alias_of}
    if isinstance(entry, DataTypeEntry):
        values = {each.name: each.value for each in entry.parameters if each.value is not None}
        functions = [
            {
                "name": each.name,
                "signature": each.head,
                "docstring": _docstring(each.text, each.tags),
            }
            for each in shown_signatures(entry)
        ]
        return head | ({"defaults": values} if values else {}) | {"functions": functions}
    return head | _defaults_and_source(entry)


def _head(entry: Entry) -> Data:
    return {"name": entry.name, "file": entry.file, "line": entry.line}


def _docstring(text: str, tags: Iterable[Tag]) -> Data:
    shown = [_tag(tag) for tag in tags if not (tag.name == "api" and tag.text == "public")]
    return {"text": text, "tags": shown} if shown else {"text": text}


def _tag(tag: Tag) -> Data:
    data: Data = {"tag_name": tag.name}
    option = tag.option
    if option is not None:
        data["opt_name"] = option.name
        data["opt_text"] = option.text
        if option.types is not None:
            data["opt_types"] = list(option.types)
        data["parent"] = tag.subject
    if tag.text is not None and tag.name != "overload":
        data["text"] = tag.text
    if tag.types is not None:
        data["types"] = list(tag.types)
    if tag.name == "overload":
        found = _OVERLOADED.match(tag.subject or "")
        if found:
            data["name"] = "".join(found[1].split())
    elif tag.subject is not None:
        data["name"] = tag.subject
    return data


def _defaults_and_source(entry: Entry) -> Data:
    defaults = shown_defaults(entry.parameters)
    data: Data = {"defaults": defaults} if defaults else {}
    return data | ({"source": entry.source} if entry.source else {})


def _function(entry: FunctionEntry) -> Data:
    shown = shown_signatures(entry)
    docstring = _docstring(entry.text, shown_tags(entry))
    if len(shown) > 1 and entry.api == "ruby4x":
        tags = docstring.get("tags", [])
        tags += [_overload(each) for each in shown]
        docstring["tags"] = sorted(tags, key=lambda tag: str(tag["tag_name"]))
    signatures = [
        {"signature": each.head, "docstring": _docstring(each.text, each.tags)} for each in shown
    ]
    head = _head(entry) | {"type": entry.api, "signatures": signatures, "docstring": docstring}
    defaults = shown_defaults(entry.parameters, has_marks=entry.api != "puppet")
    if defaults:
        head["defaults"] = defaults
    return head | ({"source": entry.source} if entry.source else {})


def _overload(signature: ShownSignature) -> Data:
    data: Data = {
        "tag_name": "overload",
        "signature": signature.head,
        "docstring": _docstring(signature.text, signature.all_tags),
    }
    if signature.defaults:
        data["defaults"] = signature.defaults
    return data | {"name": signature.name}


def _task(entry: TaskEntry) -> Data:
    parameters = [
        {
            "name": each.name,
            "tag_name": "param",
            "text": each.text,
            "types": [each.declared_type],
        }
        for each in entry.parameters
    ]
    return {
        **_head(entry),
        "docstring": {"text": entry.text, "tags": parameters},
        "source": entry.source,
        "supports_noop": entry.supports_noop,
        "input_method": entry.input_method,
    }


def _provider(entry: ProviderEntry) -> Data:
    data: Data = {"name": entry.name, "type_name": entry.type_name}
    data |= {"file": entry.file, "line": entry.line}
    data["docstring"] = _docstring(entry.text, shown_tags(entry))
    if entry.confines:
        data["confines"] = dict(entry.confines)
    if entry.features:
        data["features"] = list(entry.features)
    if entry.defaults:
        data["defaults"] = [[list(pair) for pair in each] for each in entry.defaults]
    if entry.commands:
        data["commands"] = dict(entry.commands)
    return data


def _parts_of_type(entry: ResourceTypeEntry, reference: Module) -> Data:
    providers = sorted(reference.providers_of(entry.name), key=lambda each: each.name)
    parts = {
        "properties": [_attribute(each) for each in entry.by_name("property")],
        "parameters": [_attribute(each) for each in shown_parameters(entry, reference)],
        "checks": [_attribute(each) for each in entry.by_name("check")],
        "features": [
            {"name": each.name} | ({"description": each.text} if each.text else {})
            for each in sorted(entry.features, key=lambda each: each.name)
        ],
        "providers": [_provider(each) for each in providers],
    }
    return {name: part for name, part in parts.items() if part}


def _attribute(attribute: Attribute) -> Data:
    data: Data = {"name": attribute.name}
    if attribute.text:
        data["description"] = attribute.text
    if attribute.values:
        data["values"] = list(attribute.values)
    if attribute.declared_type:
        data["data_type"] = attribute.declared_type
    if attribute.aliases:
        data["aliases"] = dict(attribute.aliases)
    if attribute.is_shown_namevar:
        data["isnamevar"] = True
    if attribute.required_features is not None:
        data["required_features"] = attribute.required_features
    default = attribute.default if attribute.value is None else attribute.value
    if default not in (None, False):
        data["default"] = default
    return data
