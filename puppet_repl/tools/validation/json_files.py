"""What the checks of JSON files share: reading, and findings at the places of values."""

from __future__ import annotations

from puppet_repl.base.json_data import JsonDataError, is_deeper, read_json
from puppet_repl.base.json_nodes import JsonNode, read_nodes
from puppet_repl.language.ruby_library.json import MAX_DEPTH, JsonError, parse_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

_TYPES = {"string": str, "boolean": bool, "array": list, "object": dict}


class JsonFile:
    """One JSON file: ``root`` is its value, None for a text that Ruby's library refuses."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.root: JsonNode | None = None
        self.found: list[Diagnostic] = []
        try:
            parse_json(file.text)
        except JsonError as error:
            self._refuse(error)
            return
        self.root = read_nodes(file.text)
        for key in self.root.repeated_keys():
            self.advise(
                "duplicate_key", f"the key '{key.value}' is there twice: this one counts", key
            )

    def _refuse(self, error: JsonError) -> None:
        """Add the error of a text that is not JSON, with the place that Ruby does not tell."""
        text = self.file.text
        message = str(error).partition("\n")[0]
        place: tuple[int | None, ...] = ()
        if not is_deeper(text, MAX_DEPTH):
            try:
                read_json(text)
            except JsonDataError as problem:
                message, place = problem.reason, (problem.line, problem.column)
        self.found.append(self.file.error("json_syntax", f"not JSON: {message}", *place))

    def place(self, node: JsonNode) -> tuple[int, int, int, int]:
        """Return where a value begins and ends."""
        return (*self.file.at(node.start), *self.file.at(node.end))

    def error(self, code: str, message: str, node: JsonNode) -> None:
        """Add an error about a value."""
        self.found.append(self.file.error(code, message, *self.place(node)))

    def advise(self, code: str, message: str, node: JsonNode) -> None:
        """Add a warning about a value."""
        self.found += self.file.advice(code, message, *self.place(node))

    def has_type(self, code: str, node: JsonNode, what: str, name: str) -> bool:
        """Tell whether a value is of a type of JSON; add an error about any other."""
        if type(node.value) is _TYPES[name]:
            return True
        article = "an" if name in ("array", "object") else "a"
        self.error(code, f"{what} must be {article} {name}", node)
        return False

    def entries(
        self, code: str, node: JsonNode | None, what: str, name: Literal["string", "object"]
    ) -> Iterator[JsonNode]:
        """Yield the items of an array, if it is there, that have a type; the others are errors."""
        if node is not None and self.has_type(code, node, what, "array"):
            for item in node.items:
                if self.has_type(code, item, f"an item of {what}", name):
                    yield item
