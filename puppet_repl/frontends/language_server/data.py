"""The requests about keys of data: in data files, in lookups, and as parameters of classes."""

from __future__ import annotations

import os
import re
from functools import partial

from puppet_repl.environment.facts.facts import STANDING_IN
from puppet_repl.frontends.language_server.places import wants_definition
from puppet_repl.frontends.language_server.translate import Translator
from puppet_repl.language.data.dotted_keys import split_segments
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.data_completion import Cursor, complete_data
from puppet_repl.tools.editing.data_uses import (
    DataUse,
    attributes_in_data,
    key_around,
    use_at,
    uses_in_code,
    uses_in_data,
)
from puppet_repl.tools.editing.hiera_completion import document_setting
from puppet_repl.tools.editing.resource_data import resource_data
from puppet_repl.tools.editing.scopes import plain, scope_of_class, scope_of_define
from puppet_repl.tools.editing.symbols import TextSymbols
from puppet_repl.tools.editing.uses import Target
from puppet_repl.tools.inspection.attributes import document_attribute
from puppet_repl.tools.inspection.documentation import Detail, Documentation
from puppet_repl.tools.inspection.lookup import document_data_key
from puppet_repl.tools.inspection.names import document_class, document_variable
from puppet_repl.tools.validation.hiera_layout import CONFIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from puppet_repl.frontends.language_server import protocol
    from puppet_repl.frontends.language_server.documents import OpenDocument
    from puppet_repl.frontends.language_server.places import Places
    from puppet_repl.frontends.language_server.state import State
    from puppet_repl.frontends.language_server.values import Values
    from puppet_repl.tools.editing.resource_data import ResourceData

_WORD = re.compile(r"\w+")
_ALL_ATTRIBUTES = re.compile(r"\*\s*=>")


class Data:
    """Keys of data; requests about other names are passed on to those that answer these."""

    def __init__(self, state: State, places: Places, values: Values) -> None:
        self.state = state
        self.names = places.names
        self.places = places
        self.values = values
        self.requests: dict[str, Callable[[dict[str, Any]], Any]] = {
            "textDocument/hover": self._hover,
            "textDocument/definition": self._definition,
            "textDocument/references": self._references,
            "textDocument/documentHighlight": self._highlights,
            "textDocument/completion": self._complete,
            "completionItem/resolve": self._resolve,
        }

    # Names at a position

    def _uses(self, document: OpenDocument) -> list[DataUse]:
        """Return the names of keys in a document; in data also classes and variables."""
        if document.is_code:
            program = document.program
            return [] if program is None else [*uses_in_code(program)]
        if self.state.directory(document).has_data(document):
            return uses_in_data(Source(document.text, document.path))
        return []

    def _at(self, parameters: dict[str, Any]) -> tuple[OpenDocument, Translator, DataUse | None]:
        document, translator, offset = self.names.place(parameters)
        use = use_at(self._uses(document), offset)
        return document, translator, use or self.attribute_at(document, offset)

    def attribute_at(self, document: OpenDocument, offset: int) -> DataUse | None:
        """Return the attribute of a resource at an offset of data, None without one."""
        if document.is_code or not self.state.directory(document).has_data(document):
            return None
        source = Source(document.text, document.path)
        key = key_around(source, offset)
        if key is None:
            return None
        uses = [
            use
            for each in self._resources_of(document, key)
            for use in attributes_in_data(source, *each)
        ]
        return use_at(uses, offset)

    def _resources_of(self, document: OpenDocument, key: str) -> list[ResourceData]:
        """Return the resources whose attributes the value of a key has, as code shows it.

        The class that has the key as its parameter comes first.
        """
        found = self.names.known(document).in_module_file(key.rpartition("::")[0])
        name = None if found is None else found[0].name
        paths = self.state.directory(document).code_files(document.path or None, (".pp",))
        last = key.rpartition("::")[2]
        for path in paths if name is None else (name, *paths):
            self.state.check()
            each = self.places.file(path, lambda text: last in text and _may_declare(text))
            tree = None if each is None else each.program
            resources = [] if tree is None else [*dict.fromkeys(resource_data(tree))]
            wanted = [resource for resource in resources if resource.key == key]
            if wanted:
                return wanted
        return []

    def _location(self, document: OpenDocument, start: int, end: int) -> protocol.Location:
        translator = Translator(document, self.state.client.encoding)
        return {"uri": document.uri, "range": translator.range_of(start, end)}

    # Documentation

    def _hover(self, parameters: dict[str, Any]) -> protocol.Hover | None:
        document, translator, use = self._at(parameters)
        if document.is_code:
            hover: protocol.Hover | None = self.names.requests["textDocument/hover"](parameters)
            key = self._key(parameters, use)
            if key is not None:
                hover = self._with_value(document, key, hover)
            if hover is not None or use is None:
                return hover
        elif use is None or use.kind == "key":
            setting = self._setting(parameters)
            if setting is not None:
                return setting
        found = None if use is None else self._documentation(self.names.known(document), use)
        if use is None or found is None:
            return None
        contents = self.names.shown(found)
        return {"contents": contents, "range": translator.range_of(use.start, use.end)}

    def _setting(self, parameters: dict[str, Any]) -> protocol.Hover | None:
        """Return what a word of a hiera.yaml or of lookup_options means."""
        document, translator, offset = self.names.place(parameters)
        if not self.state.directory(document).has_data(document):
            return None
        word = next((each for each in _WORD.finditer(document.text) if each.end() >= offset), None)
        if word is None or word.start() > offset:
            return None
        cursor = Cursor(document.text, word.start(), is_json=document.path.endswith(".json"))
        found = document_setting(cursor, is_hiera=_is_hiera(document))
        if found is None:
            return None
        return {"contents": self.names.shown(found), "range": translator.range_of(*word.span())}

    def _with_value(
        self, document: OpenDocument, key: str, hover: protocol.Hover | None
    ) -> protocol.Hover | None:
        """Return documentation with the value that data give to a parameter, if they give any."""
        details = self.values.details(document, key)
        if not details:
            return hover
        shown = self.names.shown(Documentation(key, "parameter", details=tuple(details)))
        if hover is None:
            return {"contents": shown}
        contents = hover["contents"]
        joined = f"{contents['value']}\n\n{shown['value']}"
        return {**hover, "contents": {"kind": contents["kind"], "value": joined}}

    def _documentation(self, known: TextSymbols, use: DataUse) -> Documentation | None:
        if use.kind == "class":
            return document_class(known, use.name)
        if use.kind == "variable":
            return self._variable(known, use.name)
        if use.kind == "attribute":
            type_name, _, attribute = use.name.rpartition("::")
            return document_attribute(known, type_name, "", attribute)
        owner, _, name = use.name.rpartition("::")
        found = document_attribute(known, "class", owner, name) if owner else None
        has_data = document_data_key(known, use.name)
        if found is None:
            return has_data
        found.title, found.kind, found.theme = use.name, "parameter", ""
        found.details += () if has_data is None else has_data.details
        return found

    def _variable(self, known: TextSymbols, name: str) -> Documentation:
        """Return the value that an interpolated variable has for the chosen node."""
        first, *keys = split_segments(name) or (name,)
        variable = f"${first}{''.join(f'[{key!r}]' for key in keys)}"
        found = document_variable(known, variable)
        if found is None:
            found = Documentation(variable, "variable", "These facts give no value.")
        facts = self.state.settings.facts or STANDING_IN
        node = self.state.settings.node
        found.details += (Detail("Facts", facts, is_code=True),)
        found.details += () if node is None else (Detail("Node", node, is_code=True),)
        return found

    # Completion

    def _complete(self, parameters: dict[str, Any]) -> protocol.CompletionList:
        document, translator, offset = self.names.place(parameters)
        if document.is_code or not self.state.directory(document).has_data(document):
            found: protocol.CompletionList = self.names.requests["textDocument/completion"](
                parameters
            )
            return found
        line = document.lines.line_of(offset)
        given = {
            use.name
            for use in self._uses(document)
            if use.kind == "key" and document.lines.line_of(use.start) != line
        }
        known = self.names.known(document)
        items = complete_data(
            known,
            document.text,
            offset,
            given,
            partial(self._resources_of, document),
            module=self.state.directory(document).module_with_data(document.path),
            is_json=document.path.endswith(".json"),
            is_hiera=_is_hiera(document),
        )
        return self.names.listed(document, translator, items)

    def _resolve(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return an item with its documentation; keys of data are documented as by a hover."""
        data = item.get("data")
        given = data if isinstance(data, dict) else {}
        document = self.state.documents.get(str(given.get("uri")))
        if document is None or document.is_code or given.get("kind") != "data key":
            resolved: dict[str, Any] = self.names.requests["completionItem/resolve"](item)
            return resolved
        use = DataUse("key", str(given.get("name")), 0, 0)
        found = self._documentation(self.names.known(document), use)
        return item if found is None else {**item, "documentation": self.names.shown(found)}

    # Definitions and uses

    def _definition(self, parameters: dict[str, Any]) -> Any:
        document, _, use = self._at(parameters)
        if use is None or use.kind in ("parameter", "variable"):
            return self.places.requests["textDocument/definition"](parameters)
        known = self.names.known(document)
        if use.kind == "class":
            return self.places.definition(document, known, Target("class", plain(use.name)))
        if use.kind == "attribute":
            return self.places.definition(document, known, _target_of(use))
        found = []
        if use.kind == "lookup":
            found = [*self._in_data(document, use.name, with_options=False)]
        if found:
            return found
        parameter = self._parameter(known, use.name)
        return None if parameter is None else self.places.definition(document, known, parameter)

    def _parameter(self, known: TextSymbols, key: str) -> Target | None:
        """Return the parameter that a key gives a value to."""
        owner, _, name = key.rpartition("::")
        found = known.in_module_file(owner) if owner else None
        if found is None or not isinstance(found[1], ast.HostClassDefinition):
            return None
        is_parameter = any(each.name == name for each in found[1].parameters)
        return Target("variable", name, scope_of_class(owner)) if is_parameter else None

    def _in_data(
        self, document: OpenDocument, key: str, *, with_options: bool
    ) -> Iterator[protocol.Location]:
        """Yield the places of a key in the data files that count for some node."""
        kinds = ("key", "options") if with_options else ("key",)
        for each, uses in self._data_files(document, key):
            for use in uses:
                if use.kind in kinds and use.name == key:
                    yield self._location(each, use.start, use.end)

    def _data_files(
        self, document: OpenDocument, name: str
    ) -> Iterator[tuple[OpenDocument, list[DataUse]]]:
        """Yield the data files around a document that have a whole name, with their uses."""
        for each in self._data_with(document, name):
            yield each, uses_in_data(Source(each.text, each.path))

    def _data_with(self, document: OpenDocument, name: str) -> Iterator[OpenDocument]:
        """Yield the data files around a document that have a whole name."""
        has_name = re.compile(rf"(?<!\w){re.escape(name)}(?!\w|::\w)").search
        for path in self.state.directory(document).data_files(document.path or None):
            self.state.check()
            each = self.places.file(path, lambda text: name in text and has_name(text) is not None)
            if each is not None:
                yield each

    def _references(self, parameters: dict[str, Any]) -> list[protocol.Location]:
        document, _, use = self._at(parameters)
        with_definition = wants_definition(parameters)
        if use is None or (document.is_code and use.kind == "parameter"):
            return self._references_of_code(parameters, use)
        known = self.names.known(document)
        if use.kind == "class":
            target = Target("class", plain(use.name))
            uses = self.places.uses(document, known, target, with_definition=with_definition)
            return [*uses, *self._in_lists(document, target)]
        if use.kind == "attribute":
            target = _target_of(use)
            uses = self.places.uses(document, known, target, with_definition=with_definition)
            return [*uses, *self._in_values(document, target)]
        if not use.is_of_key:
            return []
        own = self._parameter(known, use.name)
        found = [*self._uses_of_key(document, use.name)]
        if own is None:
            return found
        return [*self.places.uses(document, known, own, with_definition=with_definition), *found]

    def _references_of_code(
        self, parameters: dict[str, Any], use: DataUse | None
    ) -> list[protocol.Location]:
        """Return the uses of what code names at a position, in code and in data."""
        document, _, offset = self.names.place(parameters)
        known = self.names.known(document, offset)
        with_definition = wants_definition(parameters)
        found: dict[tuple[object, ...], protocol.Location] = {}
        targets = self.places.targets_at(document, known, offset)
        for target in targets:
            for each in self.places.uses(document, known, target, with_definition=with_definition):
                found[each["uri"], *each["range"]["start"].values()] = each
        key = self._key(parameters, use)
        if key is not None:
            return [*found.values(), *self._uses_of_key(document, key)]
        for target in targets:
            for each in (*self._in_lists(document, target), *self._in_values(document, target)):
                found[each["uri"], *each["range"]["start"].values()] = each
        return [*found.values()]

    def _in_lists(self, document: OpenDocument, target: Target) -> Iterator[protocol.Location]:
        """Yield the places of a class in the lists of classes of data; none of other targets."""
        if target.kind != "class":
            return
        for each, uses in self._data_files(document, target.name):
            for use in uses:
                if use.kind == "class" and plain(use.name) == target.name:
                    yield self._location(each, use.start, use.end)

    def _in_values(self, document: OpenDocument, target: Target) -> Iterator[protocol.Location]:
        """Yield the keys inside of values of data that set a parameter of a type."""
        kind, _, owner = target.scope.partition(" ")
        if target.kind != "variable" or kind != "type":
            return
        found: dict[ResourceData, None] = {}
        for path in self.state.directory(document).code_files(document.path or None, (".pp",)):
            self.state.check()
            code = self.places.file(path, lambda text: owner in text.lower() and _may_declare(text))
            tree = None if code is None else code.program
            for resource in () if tree is None else resource_data(tree):
                if resource.type_name == owner:
                    found[resource] = None
        wanted = f"{owner}::{target.name}"
        for resource in found:
            for each in self._data_with(document, resource.key):
                for use in attributes_in_data(Source(each.text, each.path), *resource):
                    if use.name == wanted:
                        yield self._location(each, use.start, use.end)

    def _key(self, parameters: dict[str, Any], use: DataUse | None) -> str | None:
        """Return the key of the parameter of a class at a position, also where it is read."""
        if use is not None:
            return use.name if use.kind == "parameter" else None
        document, _, offset = self.names.place(parameters)
        found = self.places.variable(document, offset)
        if found is None or not found[1].is_parameter:
            return None
        scope = found[1].scope
        if not isinstance(scope, ast.HostClassDefinition):
            return None
        return f"{scope.name.removeprefix('::')}::{found[1].name}"

    def _uses_of_key(self, document: OpenDocument, key: str) -> Iterator[protocol.Location]:
        """Yield the places of a key in data, and of what looks it up in data and code."""
        for each, uses in self._data_files(document, key):
            yield from self._named(each, uses, key)
        for path in self.state.directory(document).code_files(document.path or None):
            self.state.check()
            code = self.places.file(path, lambda text: key in text)
            if code is not None:
                yield from self._named(code, self._uses(code), key)

    def _named(
        self, document: OpenDocument, uses: list[DataUse], key: str
    ) -> Iterator[protocol.Location]:
        for use in uses:
            if use.is_of_key and use.kind != "parameter" and use.name == key:
                yield self._location(document, use.start, use.end)

    def _highlights(self, parameters: dict[str, Any]) -> Any:
        document, translator, use = self._at(parameters)
        if document.is_code or use is None:
            return self.places.requests["textDocument/documentHighlight"](parameters)
        return [
            {
                "range": translator.range_of(each.start, each.end),
                "kind": 3 if each.kind == "key" else 2,
            }
            for each in self._uses(document)
            if each.name == use.name and each.is_of_key == use.is_of_key
        ]


def _target_of(attribute: DataUse) -> Target:
    """Return the parameter, or the attribute of a type in Ruby, that data give a value to."""
    type_name, _, name = attribute.name.rpartition("::")
    return Target("variable", name, scope_of_define(type_name))


def _is_hiera(document: OpenDocument) -> bool:
    return os.path.basename(document.path) == CONFIG


def _may_declare(text: str) -> bool:
    """Tell whether code may declare resources with hashes of attributes."""
    return "_resources" in text or _ALL_ATTRIBUTES.search(text) is not None
