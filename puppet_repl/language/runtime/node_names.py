"""The names of node definitions, and whether Puppet finds a definition again by its name.

Puppet looks a definition up by its own name once more. The name of one with a regular expression is
made of that, and the lookup puts it into lower case, the letters for ``(?...)`` too.
"""

from __future__ import annotations

from puppet_repl.base.differences import warning_of
from puppet_repl.base.errors import Report
from puppet_repl.base.profiles import PROFILES
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.regexp_escapes import RegexpError
from puppet_repl.language.values.regex import Regexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    # The names of definitions, with what searches for the expression of those that have one.
    Matchers = Mapping[str, Callable[[str], object] | None]

_SPELLED = {"(": "LP", "?": "QU", "<": "LT", ">": "GT", "!": "EX", "=": "EQ", ")": "RP"}


def node_name(pattern: str) -> str:
    """Return the name of a node with a regular expression: what a name can hold of its text."""
    import re

    spelled = re.sub(
        r"\(\?[^)]*\)",
        lambda found: "".join([_SPELLED.get(letter, letter) for letter in found.group()]),
        pattern.lower(),
    )
    return "__node_regexp__" + re.sub(r"[^-\w:.]", "", spelled).lstrip(".")


def matching_name(name: str, matchers: Matchers) -> str | None:
    """Return the name of the definition for a node, None if only the default one is left."""
    lower = name.lower()
    if lower in matchers:
        return lower
    for known, search in matchers.items():
        if search is not None and search(lower):
            return known
    return None


def difference_of_node(name: str, matchers: Matchers) -> str | None:
    """Return in what Puppet differs where a definition applies, by the name of the row."""
    again = matching_name(name, matchers)
    if again is None:
        return "node_with_lookaround"
    return None if again == name else "node_of_another_name"


def warnings_of_nodes(program: ast.Program, language: str) -> list[Report]:
    """Return the warnings about the node definitions of a program that does not run.

    A program that runs is warned only of the definition that applies.
    """
    matchers: dict[str, Callable[[str], object] | None] = {}
    named = []
    for node in program.definitions:
        for match in node.matches if isinstance(node, ast.NodeDefinition) else ():
            if isinstance(match, ast.LiteralRegularExpression):
                name = node_name(match.pattern)
                named.append((name, match))
                matchers[name] = Regexp(match.pattern).search
            elif isinstance(match, ast.LiteralString):
                matchers[match.value.lower()] = None
    try:
        found = [(difference_of_node(name, matchers), match) for name, match in named]
    except RegexpError:
        return []  # the program cannot run
    profile = PROFILES[language]
    return [
        Report("warning", warning, "ENDS_IN_ERROR", program.source, match.at, match.end)
        for name, match in found
        if name is not None and (warning := warning_of(name, profile))
    ]
