"""The requests about values that the text does not show: hints in it, and documentation.

Data give values to parameters, and resources take attributes from defaults.
"""

from __future__ import annotations

from itertools import groupby

from puppet_repl.frontends.language_server.documents import OpenDocument
from puppet_repl.frontends.language_server.translate import Translator
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.default_attributes import default_attributes
from puppet_repl.tools.editing.parameter_values import (
    origin_of,
    parameter_values,
    span_of_key,
)
from puppet_repl.tools.inspection.documentation import Detail
from puppet_repl.tools.inspection.names import MAX_CHARACTERS, MAX_PARTS
from puppet_repl.tools.inspection.values import short_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from puppet_repl.environment.hiera.explanation import Place
    from puppet_repl.frontends.language_server import protocol
    from puppet_repl.frontends.language_server.places import Places
    from puppet_repl.frontends.language_server.state import State
    from puppet_repl.tools.editing.parameter_values import ParameterValue

# A longer hint pushes the code out of the window.
_MAX_HINT = 40


class Values:
    """What data say for the chosen node; nothing if neither a node nor facts are chosen."""

    def __init__(self, state: State, places: Places) -> None:
        self.state = state
        self.places = places
        self.requests: dict[str, Callable[[dict[str, Any]], Any]] = {
            "textDocument/inlayHint": self._hints,
            "inlayHint/resolve": self._resolve,
        }

    def _values(
        self, document: OpenDocument, span: tuple[int, int], only: str | None = None
    ) -> Iterator[ParameterValue]:
        settings = self.state.settings
        tree = document.tree() if document.is_code else None
        if tree is None or tree.recovered or (settings.node is None and settings.facts is None):
            return
        session = self.state.directory(document).session(document.path or None)
        for found in parameter_values(session, tree.program, span, only):
            self.state.check()
            yield found

    def _hints(self, parameters: dict[str, Any]) -> list[protocol.InlayHint]:
        document = self.state.document(parameters)
        translator = Translator(document, self.state.client.encoding)
        span = translator.span(parameters.get("range"))
        hints: list[protocol.InlayHint] = [
            {
                "position": translator.position(found.parameter.end),
                "label": [{"value": f"Hiera: {short_value(found.value, _MAX_HINT, MAX_PARTS)}"}],
                "paddingLeft": True,
                "data": {"uri": document.uri, "key": found.key},
            }
            for found in self._values(document, span)
        ]
        return [*hints, *self._defaults(document, translator, span)]

    def _defaults(
        self, document: OpenDocument, translator: Translator, span: tuple[int, int]
    ) -> Iterator[protocol.InlayHint]:
        """Yield the attributes that resources take from defaults, to which a client can go."""
        program = None if document.is_template else document.program
        for offset, found in groupby(
            default_attributes(program, span) if program is not None else (),
            key=lambda each: each.offset,
        ):
            parts: list[dict[str, Any]] = []
            for each in found:
                written = " ".join(document.text[each.start : each.end].split())
                short = written if len(written) <= _MAX_HINT else f"{written[: _MAX_HINT - 1]}…"
                place = translator.range_of(each.start, each.end)
                parts.append(
                    {
                        "value": f", {short}" if parts else short,
                        "tooltip": "by default",
                        "location": {"uri": document.uri, "range": place},
                    }
                )
            yield {"position": translator.position(offset), "label": parts, "paddingLeft": True}

    def _resolve(self, hint: dict[str, Any]) -> dict[str, Any]:
        """Return a hint with the origin of its value, to which a client can go."""
        data = hint.get("data")
        given = data if isinstance(data, dict) else {}
        document = self.state.documents.get(str(given.get("uri")))
        label = hint.get("label")
        if document is None or not isinstance(label, list) or not label:
            return hint
        found = self._of_key(document, str(given.get("key")))
        places = [] if found is None else found.places()
        if not places:
            return hint
        resolved = {**hint, "tooltip": "\n".join([self._origin(document, each) for each in places])}
        location = self._location(places[0])
        if location is not None:
            resolved["label"] = [{**label[0], "location": location}]
        return resolved

    def _of_key(self, document: OpenDocument, key: str) -> ParameterValue | None:
        return next(self._values(document, (0, len(document.text)), key), None)

    def details(self, document: OpenDocument, key: str) -> list[Detail]:
        """Return the value of the parameter of a key and its origin, nothing if it has none."""
        found = self._of_key(document, key)
        if found is None:
            return []
        value = short_value(found.value, MAX_CHARACTERS, MAX_PARTS)
        details = [Detail("Value from data", value, is_code=True)]
        return [
            *details,
            *[Detail("from", self._origin(document, each)) for each in found.places()],
        ]

    def _origin(self, document: OpenDocument, place: Place) -> str:
        return origin_of(place, self.state.directory(document).directory or "")

    def _location(self, place: Place) -> protocol.Location | None:
        document = None if place.location is None else self.places.file(place.location)
        if document is None:
            return None
        translator = Translator(document, self.state.client.encoding)
        span = span_of_key(Source(document.text, document.path), place.key)
        return {"uri": document.uri, "range": translator.range_of(*span)}
