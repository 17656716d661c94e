"""Names of nodes: of the node statements of a site manifest, or of files of data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path

_NODE = re.compile(r"^node\s+/(.*)/\s*\{\n((?:.*\n)*?)\s*\}\s*$", re.MULTILINE)
_TOKEN = re.compile(r"\\.|\[[^\]]*\]|[()|?.^$]|\{\d+\}|[^\\\[()|?.^${}]")
_ENDS = {"wikimedia": "org", "eqiad": "wmnet", "codfw": "wmnet"}
_TRIES = 200


def wikimedia(directory: Path) -> list[str]:
    """Return a name for each body of node statements, one that no statement before it matches."""
    text = (directory / "manifests" / "site.pp").read_text("utf-8")
    names: list[str] = []
    before: list[re.Pattern[str]] = []
    bodies: set[str] = set()
    for source, body in _NODE.findall(text):
        code = " ".join(re.sub(r"#.*", "", body).split())
        for start in () if code in bodies else islice(matches(source), _TRIES):
            label = start.rstrip(".").rsplit(".", 1)[-1]
            name = f"{start.rstrip('.')}.{_ENDS.get(label, 'wmnet')}"
            if not any(pattern.search(name) for pattern in before):
                names.append(name)
                bodies.add(code)
                break
        before.append(re.compile(source))
    return names


def ocf(directory: Path) -> list[str]:
    """Return the nodes that have a file of data."""
    files = sorted((directory / "hieradata" / "nodes").glob("*.yaml"))
    return [f"{path.stem}.ocf.berkeley.edu" for path in files]


def matches(source: str) -> Iterator[str]:
    """Yield texts that a regular expression matches.

    Of the notation it knows sequences, alternatives, groups, classes of characters, ``\\d``, ``?``,
    ``{N}``.
    """
    tokens = _TOKEN.findall(source)
    yield from _alternatives(tokens)


def _alternatives(tokens: list[str]) -> list[str]:
    found = _sequence(tokens)
    while tokens and tokens[0] == "|":
        tokens.pop(0)
        found += _sequence(tokens)
    return found


def _sequence(tokens: list[str]) -> list[str]:
    parts: list[list[str]] = []
    while tokens and tokens[0] not in ("|", ")"):
        token = tokens.pop(0)
        if token == "(":
            parts.append(_alternatives(tokens))
            tokens.pop(0)
        elif token == "?":
            parts[-1] = [*parts[-1], ""]
        elif token.startswith("{"):
            digits = token[1:-1]
            parts[-1] = [each * int(digits) for each in parts[-1]]
        elif token == r"\d":
            parts.append(_characters("0-9"))
        elif token.startswith("["):
            parts.append(_characters(token[1:-1]))
        elif token not in "^$":
            parts.append([token[-1]])
    return ["".join(each) for each in islice(product(*parts), _TRIES)]


def _characters(text: str) -> list[str]:
    found: list[str] = []
    for start, end in re.findall(r"(.)(?:-(.))?", text):
        found += [chr(code) for code in range(ord(start), ord(end or start) + 1)]
    return found
