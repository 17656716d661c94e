"""Hints for keys of hashes that were written as in other languages: ``$h.b`` for ``$h['b']``.

The hash is in a variable, or written in front of the dot.
"""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.matching import nearest
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session.symbols import SessionSymbols

_RECEIVER = re.compile(
    r"\$(?P<brace>\{\s*)?(?P<name>(?:::)?[a-z_]\w*(?:::\w+)*)(?P<keys>(?:\[(?:'[^']*'|\"[^\"$]*\"|\d+|[a-z]\w*)\])*)\Z"
)
_KEY = re.compile(r"\[['\"]?(.*?)['\"]?\]")
_NAMES = (ast.LiteralString, ast.QualifiedName)
# Characters of a hash that a hint repeats.
_LONGEST_SHOWN = 40
_WITHOUT_KEYS = frozenset(("Boolean", "Enum", "Float", "Integer", "Numeric", "Pattern", "String"))
_DOTTED = re.compile(r"(?:\.[a-z_]\w*)*(?!\w|\s*[(|])")


def hint_for_existing_key(known: SessionSymbols, error: PuppetError) -> str | None:
    """Return how a key is read that a hash has and that was taken for a function."""
    parts = _parts(error)
    if parts is None:
        return _hint_for_literal(error)
    receiver, names, form = parts
    value = _value_of(known, receiver)
    path = receiver[0]
    count = 0
    for name in names:
        if type(value) is not PuppetHash or not value.has(name):
            break
        value = value[name]
        path += f"['{name}']"
        count += 1
    return f"keys of a hash are read as {form.format(path)}" if count else None


def _hint_for_literal(error: PuppetError) -> str | None:
    """Return how a key of a hash is read that is written in front of the dot."""
    subject, source, start = error.subject, error.source, error.start
    if subject is None or subject.kind != "function" or source is None or not start:
        return None
    if source.text[start - 1] != "}":
        return None
    try:
        nodes = parse(source).body.walk()
    except PuppetError:  # a template
        return None
    for node in nodes:
        if isinstance(node, ast.LiteralHash) and node.end == start:
            keys = [each.key for each in node.entries]
            names = [each.value for each in keys if isinstance(each, _NAMES)]
            key = subject.name if subject.name in names else nearest(subject.name, names)
            text = source.text[node.start : start]
            shown = text if len(text) <= _LONGEST_SHOWN and "\n" not in text else "$hash"
            return None if key is None else f"keys of a hash are read as {shown}['{key}']"
    return None


def hint_for_key(known: SessionSymbols, error: PuppetError) -> str | None:
    """Return the same for a key that the hash lacks, or where the value is not known."""
    parts = _parts(error)
    if parts is None:
        return None
    receiver, names, form = parts
    value = _value_of(known, receiver)
    name = names[0]
    path = f"{receiver[0]}['{name}']"
    if value is None:
        # A parameter or a variable of a function, lambda or class.
        if nearest(name, known.function_names()) is not None or _is_no_hash(error, receiver[1]):
            return None
        return f"keys of a hash are read as {form.format(path)}"
    if type(value) is not PuppetHash:
        return None
    near = nearest(name, [str(key) for key in value.keys()])
    if near is not None:
        near_path = f"{receiver[0]}['{near}']"
        return f"did you mean {form.format(near_path)}?"
    return f"keys of a hash are read as {form.format(path)}"


def _is_no_hash(error: PuppetError, path: tuple[str, ...]) -> bool:
    """Tell whether a variable is a parameter with a type that admits strings or numbers only."""
    source, start = error.source, error.start
    if source is None or start is None:
        return False
    declared = re.findall(rf"([A-Z]\w*)(?:\[[^\[\]]*\])?\s+\${path[0]}\b", source.text[:start])
    return bool(declared) and declared[-1] in _WITHOUT_KEYS


def _parts(error: PuppetError) -> tuple[tuple[str, tuple[str, ...]], list[str], str] | None:
    """Return what is before a call without arguments, as text and as path, and its names.

    The last one is the form of an expression like that, which has braces in a string.
    """
    subject, source, start = error.subject, error.source, error.start
    if subject is None or subject.kind != "function" or source is None or start is None:
        return None
    if not source.text.startswith(f".{subject.name}", start):
        return None
    found = _RECEIVER.search(source.text, 0, start)
    names = _DOTTED.match(source.text, start)
    if found is None or names is None or not names[0]:
        return None
    if found["brace"] and found["name"] in ("true", "false"):  # a value, not a variable
        return None
    path = (found["name"], *_KEY.findall(found["keys"]))
    form = "{}"
    text = f"${found['name']}{found['keys']}"
    if found["brace"]:
        text = text.removeprefix("$")
        form = "${{{}}}"
    return (text, path), names[0].split(".")[1:], form


def _value_of(known: SessionSymbols, receiver: tuple[str, tuple[str, ...]]) -> Value:
    return known.variable(receiver[1])[1]
