"""Count sentences that are not plain English: ``python -m tests.docs.plain_english`` lists them.

Docstrings, comments, strings that users see, pages and subjects of commits are read. What counts is
data, ``plain_english.toml``; how many of these there may be in each part of the project is data
too, ``plain_english_allowance.json``: ``python -m tests.docs.plain_english lower`` lowers it to the
present counts, and nothing raises it.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.imports import ROOT, paths, tree_of

RULES = Path(__file__).with_suffix(".toml")
ALLOWANCE = Path(__file__).with_name("plain_english_allowance.json")
KINDS = ("docstrings", "comments", "messages", "pages", "subjects")
PAGES = ("README.md", "CONTRIBUTING.md", "docs/**/*.md")

Counts = Mapping[str, Mapping[str, int]]
"""How many findings there are, by kind and by part of the project."""


class Text(NamedTuple):
    """A text that somebody reads, and where it is."""

    kind: str
    part: str
    path: str
    line: int
    text: str


class Finding(NamedTuple):
    """A sentence that breaks a rule."""

    text: Text
    rule: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.text.path}:{self.text.line}: {self.rule}: {self.sentence}"


class Rules:
    """The rules, ready to be applied to sentences."""

    def __init__(self, data: Mapping[str, object]) -> None:
        rules = data["rule"]
        pronouns = data["pronouns"]
        assert isinstance(rules, list) and isinstance(pronouns, dict)
        self.since = str(data["since"])
        self.longest_subject = int(str(data["longest_subject"]))
        self._patterns = {rule["name"]: re.compile(rule["pattern"], re.I) for rule in rules}
        self.instead = {rule["name"]: rule["write"] for rule in rules}
        self._pronouns = frozenset(pronouns["words"].split())
        self._share = pronouns["share"]
        self._shortest = pronouns["shortest"]

    def broken(self, sentence: str) -> Iterator[str]:
        """Yield the names of the rules that a sentence breaks."""
        for name, pattern in self._patterns.items():
            if pattern.search(sentence):
                yield name
        if self.density(sentence) > self._share:
            yield "pronouns"

    def density(self, sentence: str) -> float:
        """Return the share of words that name nothing, 0 for a short sentence."""
        words = _WORD.findall(sentence)
        if len(words) < self._shortest:
            return 0.0
        return sum(word.lower() in self._pronouns for word in words) / len(words)


_WORD = re.compile(r"[A-Za-z][\w'-]*")
_CODE = re.compile(r"``.*?``|`[^`\n]+`|:\w+:`[^`]*`", re.S)
_END = re.compile(r"(?<=[.?!:;])\s+|\n\s*\n|\s\|\s|\n\s*(?:[-*]|\d+\.|@\w+)\s")
_COMMENT = re.compile(r"(?:^|  )\s*# (?!type:|noqa|pragma|fmt:)(.*)")
_FENCE = re.compile(r"^(`{3,}).*?^\1\s*$", re.M | re.S)
_NO_PROSE = re.compile(
    r"\A---\n.*?^---$|<!--.*?-->|^:{3,}[^\n]*|^:\w+:[^\n]*|(?<=\])\([^)]*\)|<[^>]+>", re.M | re.S
)
_GLOSSARY = re.compile(r"^\| write \|.*?\n\n", re.M | re.S)


@cache
def rules() -> Rules:
    """Return the rules of the project."""
    return Rules(tomllib.loads(RULES.read_text(encoding="utf-8")))


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each on one line, with CODE for code in backquotes."""
    for part in _END.split(_CODE.sub("CODE", text)):
        if part and (sentence := " ".join(part.split())):
            yield sentence


def findings_of(text: Text, by: Rules) -> Iterator[Finding]:
    """Yield what breaks a rule in a text."""
    for sentence in sentences(text.text):
        for rule in by.broken(sentence):
            yield Finding(text, rule, sentence)
    if text.kind == "subjects" and len(text.text) > by.longest_subject:
        yield Finding(text, "length", text.text)


# Where the texts are


def source_texts(path: Path) -> Iterator[Text]:
    """Yield the docstrings, comments and strings of a source file."""
    place = path.relative_to(ROOT).as_posix()
    part = place.split("/")[1 if place.startswith("puppet_repl/") else 0].removesuffix(".py")
    strings = list(_strings(tree_of(path)))
    for kind, line, _, text in strings:
        if kind:
            yield Text(kind, part, place, line, text)
    inside = {row for _, first, last, _ in strings for row in range(first, last + 1)}
    yield from _comments(path, part, place, inside)


def _strings(tree: ast.Module) -> Iterator[tuple[str, int, int, str]]:
    """Yield the kind, the first and the last line, and the text of each string."""
    docstrings = set()
    parts = set()
    for node in _nodes(tree):
        if isinstance(node, ast.Expr):
            docstrings.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts.update(node.values)
            texts = [_part(value) for value in node.values]
            yield _seen("".join(texts)), node.lineno, node.end_lineno or 0, "".join(texts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            kind = "docstrings" if node in docstrings else _seen(node.value)
            yield kind, node.lineno, node.end_lineno or 0, node.value


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes, each before those inside of it: `ast.walk` takes twice the time."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        for value in node.__dict__.values():
            if isinstance(value, ast.AST):
                left.append(value)
            elif isinstance(value, list):
                left.extend(item for item in value if isinstance(item, ast.AST))


def _part(value: ast.expr) -> str:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else "X"


def _seen(text: str) -> str:
    """Return the kind of a string that is no docstring: words are for users, all else is not."""
    return "messages" if len(_WORD.findall(text)) > 2 and " " in text.strip() else ""


def _comments(path: Path, part: str, place: str, inside: set[int]) -> Iterator[Text]:
    """Yield the comments of a file, neighbouring lines as one text."""
    start, lines = 0, list[str]()
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        found = _COMMENT.search(line) if "# " in line and number not in inside else None
        if lines and (found is None or not line.lstrip().startswith("#")):
            yield Text("comments", part, place, start, "\n".join(lines))
            lines = []
        if found is not None:
            start = start if lines else number
            lines.append(found[1])
    if lines:
        yield Text("comments", part, place, start, "\n".join(lines))


def page_texts() -> Iterator[Text]:
    """Yield the paragraphs of the pages, without code."""
    for pattern in PAGES:
        for path in sorted(ROOT.glob(pattern)):
            if "_build" not in path.parts:
                place = path.relative_to(ROOT)
                part = place.parent.as_posix() if len(place.parts) > 1 else place.name
                yield from _paragraphs(path.read_text(encoding="utf-8"), part, place.as_posix())


def _paragraphs(text: str, part: str, place: str) -> Iterator[Text]:
    for left_out in (_FENCE, _GLOSSARY, _NO_PROSE):
        # The lines are kept, so that findings name those of the page.
        text = left_out.sub(lambda found: " " + "\n" * found[0].count("\n"), text)
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", text):
        if not paragraph.isspace():
            yield Text("pages", part, place, line, paragraph)
        line += paragraph.count("\n")


def subject_texts(since: str) -> Iterator[Text]:
    """Yield the subjects of the commits since one, none where git or that commit is missing."""
    command = ["git", "log", "--no-merges", "--format=%h %s", f"{since}..HEAD"]
    log = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    for row in log.stdout.splitlines() if log.returncode == 0 else ():
        name, _, subject = row.partition(" ")
        yield Text("subjects", "commits", name, 1, subject)


@cache
def findings() -> tuple[Finding, ...]:
    """Return all findings in the project."""
    by = rules()
    texts = [text for path in paths() for text in source_texts(path)]
    texts += [*page_texts(), *subject_texts(by.since)]
    return tuple(finding for text in texts for finding in findings_of(text, by))


# The allowance


def counts(found: tuple[Finding, ...]) -> Counts:
    """Return how many findings there are, by kind and part."""
    numbers = Counter((finding.text.kind, finding.text.part) for finding in found)
    return {
        kind: {part: number for (each, part), number in sorted(numbers.items()) if each == kind}
        for kind in KINDS
    }


def risen(present: Counts, allowed: Counts) -> list[tuple[str, str, int, int]]:
    """Return the kinds and parts that have more findings than are allowed, with both numbers."""
    return [
        (kind, part, number, allowed.get(kind, {}).get(part, 0))
        for kind, parts in present.items()
        for part, number in parts.items()
        if number > allowed.get(kind, {}).get(part, 0)
    ]


def unused(present: Counts, allowed: Counts) -> int:
    """Return how much larger the allowance is than it has to be."""
    return sum(
        max(0, number - present.get(kind, {}).get(part, 0))
        for kind, parts in allowed.items()
        for part, number in parts.items()
    )


def lowered(present: Counts, allowed: Counts) -> Counts:
    """Return the allowance with each number lowered to the present one, and none raised."""
    return {
        kind: {
            part: number
            for part, most in sorted(parts.items())
            if (number := min(most, present.get(kind, {}).get(part, 0)))
        }
        for kind, parts in allowed.items()
    }


def allowance() -> Counts:
    """Return the allowance of the project."""
    allowed: Counts = json.loads(ALLOWANCE.read_text(encoding="utf-8"))
    return allowed


def main(arguments: list[str]) -> None:
    """List the findings that contain the arguments, or lower the allowance."""
    present = counts(findings())
    if arguments == ["lower"]:
        new = lowered(present, allowance())
        ALLOWANCE.write_text(json.dumps(new, indent=2) + "\n", encoding="utf-8")
        return
    for finding in findings():
        where = f"{finding.text.kind} {finding}"
        if all(argument in where for argument in arguments):
            print(where)
    for kind, parts in present.items():
        print(f"{kind}: {sum(parts.values())}")


if __name__ == "__main__":
    main(sys.argv[1:])
