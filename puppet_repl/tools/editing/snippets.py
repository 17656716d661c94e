"""What a completion inserts in editors with places to fill in: ``$1``, ``${2:text}``, ``$0``.

A resource gets the parameters that it needs, each with its type as the text to replace; a call gets
its parameters.
"""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.tools.completion.sources import STATEMENT_FUNCTIONS
from puppet_repl.tools.inspection.open_call import parameters_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.session.symbols import SessionSymbols
    from puppet_repl.tools.completion.model import Completion

_SPECIAL = re.compile(r"[\\$}]")
_CALLED = re.compile(r"\s*[({\[]|[\w:]")
# What an attribute has already: an arrow, or a comparison in a query.
_HAS_SIGN = re.compile(r"\w*\s*(?:[=+]>|[=!]=)")
_NAME = re.compile(r".*\$(\w+)")
# Parameters that a call may leave out: optional ones, with a default, the rest, a block.
_OPTIONAL = re.compile(r"\?$|=|[*&]\$")
# More parameters would hide the code, and a longer type its parameter.
_MAX_PARAMETERS = 12
_MAX_TYPE = 40


class Snippets:
    """The texts to insert at one place: ``before`` it there may be a dot, ``following`` a call."""

    def __init__(self, known: SessionSymbols, before: str, following: str) -> None:
        self.known = known
        self._is_method = before.endswith(".")
        self._in_quotes = before.endswith(("'", '"'))
        self._is_called = bool(_CALLED.match(following))
        self._has_sign = bool(_HAS_SIGN.match(following))

    def of(self, item: Completion, *, with_parameters: bool) -> str | None:
        """Return the text for a completion, None if the mere name is better here.

        Parameters take the time to read a file.
        """
        name = escaped(item.text)
        if item.kind == "attribute" and not self._has_sign and not self._in_quotes:
            # An attribute in a query comes with its comparison.
            has_sign = item.text.endswith("= ")
            return f"{name}${{0}}" if has_sign else f"{name} => ${{0}},"
        if self._is_called or self._in_quotes:
            return None
        if item.kind == "function" and item.text not in STATEMENT_FUNCTIONS:
            return self._call(name, item.name) if with_parameters else f"{name}($0)"
        if item.kind == "resource type" and item.text.islower():
            lines = [*self._parameters(item.name)] if with_parameters else []
            body = "\n".join(lines) or "  $0"
            return f"{name} {{ '${{1:title}}':\n{body}\n}}"
        return None

    def _call(self, name: str, function: str) -> str | None:
        signatures = [
            [each for each in texts if not _OPTIONAL.search(each)]
            for texts in parameters_of(self.known, function)
        ]
        needed = min(signatures, key=len, default=[])
        if self._is_method:
            needed = needed[1:]
        places = [f"${{{number}:{_name_in(text)}}}" for number, text in enumerate(needed, 1)]
        return f"{name}({', '.join(places) or '$0'})"

    def _parameters(self, name: str) -> Iterator[str]:
        """Yield the lines of the parameters that a resource of a defined type needs."""
        found = self.known.in_module_file(name)
        if found is None or not isinstance(found[1], ast.ResourceTypeDefinition):
            return
        source, node = found
        needed = [each for each in node.parameters if each.value is None][:_MAX_PARAMETERS]
        width = max([len(each.name) for each in needed], default=0)
        for number, each in enumerate(needed, 2):
            type_ = each.type_expr
            text = "value" if type_ is None else source.text[type_.start : type_.end]
            text = " ".join(text.split())
            shown = text if len(text) <= _MAX_TYPE else f"{text[: _MAX_TYPE - 1]}…"
            yield f"  {each.name:{width}} => ${{{number}:{escaped(shown)}}},"


def escaped(text: str) -> str:
    """Return a text as it is written in a snippet."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _name_in(text: str) -> str:
    found = _NAME.match(text)
    return "value" if found is None else found[1]
