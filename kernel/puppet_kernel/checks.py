"""Check a cell while it is typed: errors, warnings, and undefined names.

Requests arrive through the control channel, in another thread than the cells, so that they are
answered while a cell runs. Nothing is evaluated, and of the session only copies of names are read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from puppet_kernel.cache import SizedCache
from puppet_kernel.cell_parts import captured_names, parts_of
from puppet_repl.base.recursion import deep_calls
from puppet_repl.host.host import Host
from puppet_repl.tools.advice.inputs import advise_in_session
from puppet_repl.tools.inspection.findings import find_problems
from puppet_repl.tools.inspection.unknown_names import Names, Unknown, unknown_names

Content = dict[str, Any]
# Longer cells are not checked: it would take too long. Running the cell reports its errors.
MAX_CHARACTERS = 40_000
# Of the other cells together: without them no name can be called unknown.
MAX_OTHERS = 200_000
MAX_PROBLEMS = 100
# Each unknown name takes a search for similar names.
MAX_UNKNOWN = 30
# Bytes of the names that other cells define, with their texts: twice of what one request may need.
MAX_KEPT = 8_000_000


class RequestError(Exception):
    """A request without what it needs; the message names that."""


class Problem(NamedTuple):
    """A finding with its range in the cell; ``severity`` is error, warning or unknown."""

    start: int
    end: int
    severity: str
    message: str
    hint: str = ""


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
        programs = []
        parsed = []
        errors = []
        for part in parts_of(self.puppet, code):
            # As many lines above as in the cell: hints name lines, those of a template its own.
            above = 0 if part.is_template else code.count("\n", 0, part.offset)
            offset = part.offset - above
            text = "\n" * above + part.text
            program, found = find_problems(
                self.puppet, text, epp=part.is_template, conditions=part.are_conditions
            )
            for each in found:
                start, end = each.start + offset, each.end + offset
                errors.append(range(start, end))
                yield Problem(start, end, each.severity, each.message, each.hint)
            if program is not None and not any(each.severity == "error" for each in found):
                parsed.append((program, offset))
            if program is not None and part.has_names:
                programs.append((program, offset, part.given))
        if not programs + parsed or sum(map(len, cells)) > MAX_OTHERS:
            return
        defined = self._defined(cells)
        defined.add(self._names_of(code))
        for program, offset in parsed if self.host.settings["advice"] else ():
            for advice in advise_in_session(self.puppet, program, defined.variables):
                start, end = advice.start + offset, advice.end + offset
                errors.append(range(start, end))
                yield Problem(start, end, "warning", f"{advice.message} [{advice.rule}]")
        for program, offset, given in programs:
            names = Names()
            names.add(defined)
            names.variables |= given
            for name in islice(unknown_names(self.puppet, program, names), MAX_UNKNOWN):
                problem = _of_unknown(name, offset)
                if not any(problem.start in wrong for wrong in errors):
                    yield problem

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


def _of_unknown(name: Unknown, offset: int) -> Problem:
    message = f"neither the session nor a cell above sets ${name.name}"
    if name.kind == "function":
        message = f"neither the session nor a cell above has a function {name.name}"
    start, end = name.start + offset, name.end + offset
    return Problem(start, end, "unknown", message, name.hint or "")


def _content(code: str, problem: Problem) -> Content:
    start = units(code[: problem.start])
    return {
        "start": start,
        "end": start + units(code[problem.start : problem.end]),
        "severity": problem.severity,
        "message": problem.message,
        "hint": problem.hint,
    }


def units(text: str) -> int:
    """Return the length of a text in UTF-16 code units, which browsers count in."""
    return len(text) + sum(char > "\uffff" for char in text)
