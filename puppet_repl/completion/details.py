"""A short explanation beside each completion: what a function does, what a variable holds."""

from __future__ import annotations

from puppet_repl.completion import Completion
from puppet_repl.inspection.symbols import SessionSymbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The explanations of those that a menu shows at first; the others follow as it is typed on.
MOST_EXPLAINED = 24
MOST_CHARACTERS = 50


def explain(known: SessionSymbols, items: list[Completion]) -> None:
    """Give the first completions their explanations. Nothing is evaluated."""
    for item in items[:MOST_EXPLAINED]:
        if not item.detail:
            text = " ".join(_detail(known, item).split())
            if len(text) > MOST_CHARACTERS:
                text = text[: MOST_CHARACTERS - 1] + "…"
            item.detail = text


def _detail(known: SessionSymbols, item: Completion) -> str:
    from puppet_repl.inspection import texts

    if item.kind == "function":
        return _function(known, item.name)
    if item.kind == "type":
        alias = known.type_aliases().get(item.name)
        if alias is not None:
            return f"= {alias.resolved()}"
        return texts.DATA_TYPES.get(item.name, ("", "type", ""))[1]
    if item.kind == "resource type":
        return texts.RESOURCE_TYPES.get(item.name, "resource type")
    if item.kind == "keyword":
        return texts.KEYWORDS.get(item.name, ("", "keyword"))[1]
    if item.kind in ("variable", "key"):
        return _value(known, item.name)
    return item.kind


def _function(known: SessionSymbols, name: str) -> str:
    own = known.own_functions().get(name)
    if own is not None:
        from puppet_repl.inspection.names import comment_before, heading_of

        source, start = own.spec.source, own.spec.node.start
        return comment_before(source, start) or heading_of(source, start)
    builtin = known.builtin_function(name)
    return builtin.doc.strip().split("\n")[0] if builtin is not None else "function"


def _value(known: SessionSymbols, name: str) -> str:
    from puppet_repl.inspection.names import variable_path

    if name.removeprefix("$") in ("facts", "trusted", "server_facts"):
        return "Hash"
    found, value = known.variable(variable_path(name))
    return short_value(value) if found else "variable"


def short_value(value: Any) -> str:
    """The beginning of a value; of a large one only its size."""
    from puppet_repl.types.text.format import program_text
    from puppet_repl.values.size import is_large

    if is_large(value, 20):
        return f"{len(value)} elements"
    if isinstance(value, str):
        value = value[: 2 * MOST_CHARACTERS]
    return program_text(value)
