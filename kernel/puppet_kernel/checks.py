"""Check a cell while it is typed: errors, warnings, and undefined names.

Requests arrive through the control channel, in another thread than the cells, so that they are
answered while a cell runs. Nothing is evaluated, and of the session only copies of names are read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from puppet_kernel.cache import SizedCache
from puppet_kernel.cell_parts import captured_names, parts_of
from puppet_repl.base.recursion import deep_calls
from puppet_repl.host.host import Host
from puppet_repl.tools.editing.positions import utf16_units
from puppet_repl.tools.editing.problems import MAX_PROBLEMS, Problem, problems_of_pieces
from puppet_repl.tools.inspection.unknown_names import Names

Content = dict[str, Any]
# Longer cells are not checked: it would take too long. Running the cell reports its errors.
MAX_CHARACTERS = 40_000
# Of the other cells together: without them no name can be called unknown.
MAX_OTHERS = 200_000
# Bytes of the names that other cells define, with their texts: twice of what one request may need.
MAX_KEPT = 8_000_000


class RequestError(Exception):
    """A request without what it needs; the message names that."""


class Checks:
    """The checks of the cells of one kernel."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.puppet = host.session
        # What other cells define, by their texts.
        self._names: SizedCache[str, Names] = SizedCache(MAX_KEPT)

    def body(self, arguments: Content) -> Content:
        """Return the body of the response to ``check``; raise RequestError for wrong arguments.

        The arguments are the text of the cell (``code``) and those of the cells above (``cells``);
        the body has the ``problems``: ``start`` and ``end`` in UTF-16 code units, ``severity``
        (error, warning, unknown), ``message`` and ``hint``.
        """
        code, cells = arguments.get("code"), arguments.get("cells", [])
        if not isinstance(code, str) or not _is_list_of_strings(cells):
            raise RequestError("check needs 'code', a string; 'cells' may be a list of strings")
        return {"problems": [_content(code, each) for each in self.problems(code, cells)]}

    def problems(self, code: str, cells: list[str]) -> list[Problem]:
        """Return the problems of a cell below others, in the order of the text.

        There are none for a text that is too long, and without the setting ``check_syntax``.
        """
        if len(code) > MAX_CHARACTERS or not self.host.settings["check_syntax"]:
            return []
        with deep_calls:
            found = list(self._problems(code, cells))
        found.sort(key=lambda problem: (problem.start, problem.end))
        return found[:MAX_PROBLEMS]

    def _problems(self, code: str, cells: list[str]) -> Iterator[Problem]:
        def names_of_cells() -> Names | None:
            if sum(map(len, cells)) > MAX_OTHERS:
                return None
            defined = self._defined(cells)
            defined.add(self._names_of(code))
            return defined

        advice = bool(self.host.settings["advice"])
        pieces = parts_of(self.puppet, code)
        return problems_of_pieces(self.puppet, code, pieces, names_of_cells, advice=advice)

    def _defined(self, cells: list[str]) -> Names:
        """Return what cells define; each text is read once, while it is kept."""
        defined = Names()
        for code in cells:
            names = self._names.get(code)
            if names is None:
                names = self._names_of(code)
                self._names.put(code, names, sys.getsizeof(code) + _size(names))
            defined.add(names)
        return defined

    def _names_of(self, code: str) -> Names:
        names = Names()
        names.variables.update(captured_names(code))
        for part in parts_of(self.puppet, code):
            if part.has_names:
                names.add_text(part.text, epp=part.is_template)
        return names


def _size(names: Names) -> int:
    """Return the bytes of names."""
    sets = (names.variables, names.functions, names.classes)
    return sum(sys.getsizeof(each) + sum(map(sys.getsizeof, each)) for each in sets)


def _is_list_of_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _content(code: str, problem: Problem) -> Content:
    start = utf16_units(code[: problem.start])
    return {
        "start": start,
        "end": start + utf16_units(code[problem.start : problem.end]),
        "severity": problem.severity,
        "message": problem.message,
        "hint": problem.hint,
    }
