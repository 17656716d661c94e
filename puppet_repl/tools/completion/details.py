"""The short explanation beside a completion: what a function does, what a variable holds."""

from __future__ import annotations

from puppet_repl.language.syntax.headings import heading_of
from puppet_repl.language.types.data_types import DOCUMENTED
from puppet_repl.session.symbols import GIVEN_VARIABLES, SessionSymbols
from puppet_repl.tools.inspection import texts
from puppet_repl.tools.inspection.names import (
    class_summary,
    function_summary,
    summary_of,
    variable_path,
)
from puppet_repl.tools.inspection.values import short_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.completion.model import Completion

MAX_CHARACTERS = 50
# A larger value is described by its size alone.
MAX_PARTS = 20


def explain(known: SessionSymbols, items: list[Completion]) -> None:
    """Set the explanations of completions. Nothing is evaluated."""
    for item in items:
        if not item.detail:
            text = " ".join(_detail(known, item).split())
            if len(text) > MAX_CHARACTERS:
                text = text[: MAX_CHARACTERS - 1] + "…"
            item.detail = text


def _detail(known: SessionSymbols, item: Completion) -> str:
    if item.kind == "function":
        return _function(known, item.name)
    if item.kind == "type":
        alias = known.type_aliases().get(item.name)
        if alias is not None:
            return f"= {alias.resolved()}"
        return DOCUMENTED[item.name].text if item.name in DOCUMENTED else "type"
    if item.kind == "resource type":
        return texts.RESOURCE_TYPES.get(item.name) or _resource_type(known, item.name)
    if item.kind == "keyword":
        return texts.KEYWORDS.get(item.name, ("", "keyword", ""))[1]
    if item.kind == "class":
        return class_summary(known, item.name) or "class"
    if item.kind in ("variable", "key"):
        return _value(known, item.name)
    return item.kind


def _resource_type(known: SessionSymbols, name: str) -> str:
    found = known.resource_type(name)
    if found is not None:
        return summary_of(found.docs.get("", "")) or "resource type"
    return class_summary(known, name) or "defined type"


def _function(known: SessionSymbols, name: str) -> str:
    summary = function_summary(known, name)
    own = known.user_functions().get(name)
    if own is not None and not summary:
        return heading_of(own.spec.source, own.spec.start)
    return summary or "function"


def _value(known: SessionSymbols, name: str) -> str:
    if given := GIVEN_VARIABLES.get(name.removeprefix("$")):
        return given
    found, value = known.variable(variable_path(name))
    return short_value(value, 2 * MAX_CHARACTERS, MAX_PARTS) if found else "variable"
