"""Checks of ``%{...}`` in data and in hiera.yaml, without a run."""

from __future__ import annotations

import re

from puppet_repl.base.matching import nearest
from puppet_repl.environment.facts.legacy_facts import (
    AMBIGUOUS,
    SERVER_FACTS,
    TRUSTED,
    keys_of,
    structured,
)
from puppet_repl.environment.hiera.interpolation import (
    ALIAS_IN_TEXT,
    EXPRESSION,
    LOOKING_UP,
    METHOD,
    METHODS_REFUSED,
    NOTHING,
)
from puppet_repl.language.data.dotted_keys import split_segments
from puppet_repl.language.data.files import DATA_ERROR, INTERPOLATION, KEY_SYNTAX
from puppet_repl.tools.completion.arguments import EXTENSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    # Of an error, whose message is Puppet's, or of a warning: whether it is one, code and message;
    # a name, and which one may have been meant.
    Problem: TypeAlias = tuple[bool, str, str, str, str | None]

_METHODS = (*LOOKING_UP, "literal", "scope")
_VARIABLE = re.compile(r"(?:[a-z]\w*::)*[a-z_]\w*", re.ASCII)
_KEY = re.compile(r"\['([^']+)'\]")
# A key that is only somewhat alike may be one that a custom fact has.
_LIKENESS = 0.75
_ROOTS: dict[str, tuple[str, ...]] = {"server_facts": SERVER_FACTS, "trusted": TRUSTED}


def problems(text: str, *, methods: bool) -> Iterator[tuple[str, *Problem]]:
    """Yield the part of a string that is wrong, with its problem.

    ``methods`` allows ``lookup('key')`` and its like.
    """
    end = 0
    for found in EXPRESSION.finditer(text):
        end = found.end()
        for problem in _of_expression(found, text, methods):
            yield found.group(), *problem
    rest = text.find("%{", end)
    if rest >= 0:
        message = "%{ without a closing brace is text: nothing is interpolated"
        yield text[rest:].partition("\n")[0], False, "unclosed_interpolation", message, "", None


def _of_expression(found: re.Match[str], text: str, methods: bool) -> Iterator[Problem]:
    expression = found.group(1).strip()
    if expression in NOTHING:
        return
    call = METHOD.fullmatch(expression)
    if call is None:
        yield from _of_variable(expression, text)
        return
    method, key = call.group(1), call.group(2) or call.group(3)
    if not methods:
        yield True, INTERPOLATION, METHODS_REFUSED, "", None
    elif method not in _METHODS:
        near = nearest(method, _METHODS)
        yield True, INTERPOLATION, f"Unknown interpolation method '{method}'", method, near
    elif method == "alias" and text != found.group():
        yield True, INTERPOLATION, ALIAS_IN_TEXT, "", None
    elif method == "scope":
        yield from _of_variable(key, text)
    elif method in LOOKING_UP and _segments(key) is None:
        yield True, KEY_SYNTAX, f"Syntax error in key: '{key}'", "", None


def _segments(key: str) -> tuple[str | int, ...] | None:
    return split_segments(key) if any(sign in key for sign in "'\".") else (key,)


def _of_variable(key: str, text: str) -> Iterator[Problem]:
    segments = _segments(key)
    if segments is None:
        yield True, DATA_ERROR, f"Syntax error in string: {text}", "", None
        return
    name = str(segments[0]).removeprefix("::")
    keys = [str(segment) for segment in segments[1:]]
    if _VARIABLE.fullmatch(name) is None:
        yield False, "impossible_variable", _impossible(name, key), "", None
        return
    legacy = _legacy(name, key, keys)
    if legacy is not None:
        yield False, "legacy_facts", legacy, "", None
    elif name == "facts" and keys:
        yield from _of_facts(keys)
    elif name in _ROOTS and keys:
        yield from _of_keys(f"{name}.{keys[0]}", keys[0], _ROOTS[name])
        if name == "trusted" and keys[0] == "extensions" and len(keys) > 1:
            if keys[1].startswith("pp_") and nearest(keys[1], EXTENSIONS, likeness=_LIKENESS):
                yield from _of_keys(f"trusted.extensions.{keys[1]}", keys[1], EXTENSIONS)


def _impossible(name: str, key: str) -> str:
    if name.startswith("$"):
        return f"variables have no $ here: write %{{{key[1:]}}}"
    if "(" in name:
        return f"'{name}' is read as a variable: the key of a lookup is between quotes"
    return f"no variable is called '{name}': for the text itself, write %{{literal('%')}}{{{key}}}"


def _legacy(name: str, key: str, keys: list[str]) -> str | None:
    """Return the warning of a fact that Puppet 8 leaves out."""
    if name == "facts" and len(keys) == 1:
        fact = keys[0]
    elif keys or (name in AMBIGUOUS and not key.startswith("::")):
        return None
    else:
        fact = name
    new = structured(fact)
    if new is None or (" / " in new):
        return None
    dotted = ".".join(["facts", *_KEY.findall(new)])
    return f"Puppet 8 leaves out the fact {fact}: write %{{{dotted}}}"


def _of_facts(keys: list[str]) -> Iterator[Problem]:
    """Yield the warning of the first key that a structured fact lacks and another one is like."""
    path = keys[0]
    for key in keys[1:]:
        known = keys_of(path)
        if key not in known:
            near = nearest(key, known, likeness=_LIKENESS)
            if near is not None:
                old, meant = f"facts.{path}.{key}", f"facts.{path}.{near}"
                message = f"there is no {old}, did you mean {meant}?"
                yield False, "unknown_fact", message, old, meant
            return
        path += f".{key}"


def _of_keys(path: str, key: str, known: tuple[str, ...]) -> Iterator[Problem]:
    if key in known:
        return
    near = nearest(key, known)
    meant = None if near is None else f"{path.removesuffix(key)}{near}"
    instead = f"one of {', '.join(known)}" if meant is None else f"did you mean {meant}?"
    yield False, "unknown_fact", f"there is no {path}: {instead}", path, meant
