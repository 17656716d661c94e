"""The values that data give to parameters of classes, for the node of a session.

No code is evaluated: a value that depends on more than data files and facts is not known.
"""

from __future__ import annotations

import os

from puppet_repl.environment.hiera.data_alone import DataAlone
from puppet_repl.language.syntax import ast
from puppet_repl.tools.editing.data_uses import uses_in_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.environment.hiera.explanation import Explanation, Place
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session


class ParameterValue:
    """The value that data give to a parameter: ``places`` are the files that it comes from."""

    __slots__ = ("_explanation", "key", "parameter", "value")

    def __init__(
        self, key: str, parameter: ast.Parameter, value: Value, explanation: Explanation
    ) -> None:
        self.key = key
        self.parameter = parameter
        self.value = value
        self._explanation = explanation

    def places(self) -> list[Place]:
        """Return the files that the value comes from, in the order in which they count."""
        return [
            place
            for place in self._explanation.places()
            if place.taken and place.location is not None and os.path.isfile(place.location)
        ]


def parameter_values(
    session: Session, program: ast.Program, span: tuple[int, int], only: str | None = None
) -> Iterator[ParameterValue]:
    """Yield the values of the parameters that end in a range of a program, or ``only`` of a key."""
    start, end = span
    alone: DataAlone | None = None
    for node in program.definitions:
        if not isinstance(node, ast.HostClassDefinition) or node.end < start or node.start > end:
            continue
        for parameter in node.parameters:
            key = f"{node.name.removeprefix('::')}::{parameter.name}"
            if not start <= parameter.end <= end or only not in (None, key):
                continue
            alone = DataAlone(session.data_keys) if alone is None else alone
            found = alone.explain(key)
            if found is not None and found[0] is not None:
                yield ParameterValue(key, parameter, *found)


def origin_of(place: Place, directory: str) -> str:
    """Return the file, line, layer and level of a value; the path is relative to a directory."""
    path = place.location or ""
    if directory and path.startswith(os.path.join(directory, "")):
        path = os.path.relpath(path, directory)
    line = "" if place.line is None else f":{place.line}"
    return f"{path}{line} ({place.layer}, level {place.level})"


def span_of_key(source: Source, key: str | None) -> tuple[int, int]:
    """Return the range of a key in a data file, the beginning if it is not found."""
    spans = [
        (use.start, use.end) for use in uses_in_data(source) if (use.kind, use.name) == ("key", key)
    ]
    return spans[-1] if spans else (0, 0)  # the last of duplicate keys counts
