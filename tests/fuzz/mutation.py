"""Inputs made from others: programs by their tokens, requests by the parts of their JSON.

Most edits keep the kind of what they replace (a variable for a variable, a bracketed group for a
bracketed group), so that many results are still programs and get beyond the parser. The others do
what nobody would write.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

__all__ = ["MAX_LENGTH", "Programs", "Requests"]

MAX_LENGTH = 4000
TOKENS = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)|(?P<variable>\$[\w:]+)|(?P<type>(?:::)?[A-Z][\w:]*)
    |(?P<name>(?:::)?[a-z_]\w*(?:::\w+)*)|(?P<number>\d[\w.]*)|(?P<string>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")
    |(?P<open>[\[({])|(?P<close>[\])}])|(?P<operator><%[-=\#%]?|-?%>|[-+=!~<>|&*/%@.?]+)|(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
ODD_TOKENS = (
    *"(){}[],;:.?@|#\"'`\\%$&\0\r\n\x1b\x85\u2028\ufeff\u202e\ud800\u00e9\U0001d54f",
    *("<|", "|>", "<<|", "|>>", "->", "~>", "<-", "<~", "=>", "+>", "*=>", "=~", "!~", "::", "@@"),
    *("<%", "<%=", "<%-", "<%#", "%>", "-%>", "%%>", "/*", "*/", "${", "$$", "@(END)", "| END"),
    *('@("X"/tL)', "|- X", "0x", "0b1", "0777", "1e999", "1.", "-9223372036854775808", "''", '""'),
    *("9223372036854775807", "1e-400", "\\u{110000}", "\\u", "/(a+)+$/", "/[/", "/(?<n>x)/", "//"),
    *(
        "if",
        "unless",
        "else",
        "elsif",
        "case",
        "default",
        "undef",
        "and",
        "or",
        "in",
        "node",
        "true",
    ),
    *(
        "class",
        "define",
        "inherits",
        "function f(",
        "type T =",
        "lambda",
        "|$x|",
        "return",
        "break",
    ),
    *(
        "Sensitive",
        "Deferred",
        "Callable[",
        "Object[{",
        "Struct[{",
        "Variant[",
        "TypeSet[{",
        "Init[",
    ),
    *(
        "Tuple[",
        "Timespan",
        "SemVerRange",
        "Regexp[",
        "Runtime[ruby, x]",
        "[*]",
        "*$x",
        "$_",
        "$facts",
    ),
    *(
        "reduce",
        ".each |$x| {",
        ".map |$i, $v| {",
        "lookup",
        "epp(",
        "inline_epp(",
        "sprintf(",
        "%p",
    ),
)
ODD_VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        2**63,
        2**200,
        1e308,
        float("nan"),
        float("inf"),
        "",
        "x",
        "\0",
        "\ud800",
    ),
    *(
        "..",
        "/proc/self/mem",
        "A.B",
        "x" * 5000,
        [],
        {},
        [None],
        {"": ""},
        {"a": {"b": [1.5, None]}},
    ),
    *("eval", "parse", "parse_only", "catalog", "epp", "off", "warning", {"__ptype": "Integer"}),
)
REQUEST_KEYS = (
    *("id", "code", "mode", "facts", "params", "session", "node", "environment", "modulepath"),
    *("strict", "strict_variables", "stdlib", "language", "document", "exports", "storeconfigs"),
    *("unknown_functions", "unknown_types", "ruby_seconds", "max_seconds", "hermetic", "x"),
)

Slot = tuple[str, int, int]


def tokens_of(text: str) -> list[str]:
    """Return the parts that a text is edited in; together they are the text."""
    return [found.group() for found in TOKENS.finditer(text)]


def slots_of(tokens: list[str]) -> list[Slot]:
    """Return what can be replaced by its like: kind, first token and the one behind the last."""
    found: list[Slot] = []
    opened: list[int] = []
    for index, token in enumerate(tokens):
        match = TOKENS.match(token)
        kind = match.lastgroup if match is not None else None
        if kind == "open":
            opened.append(index)
        elif kind == "close":
            if opened:
                start = opened.pop()
                found.append((tokens[start] + token, start, index + 1))
        elif kind == "name" and tokens[index + 1 : index + 2] == ["("]:
            found.append(("call", index, index + 1))
        elif kind not in (None, "space", "other"):
            found.append((str(kind), index, index + 1))
    return found


class Programs:
    """Makes programs or templates from those of ``seeds``, with the numbers of ``chance``."""

    def __init__(self, seeds: list[str], chance: random.Random) -> None:
        self.seeds = seeds
        self._chance = chance
        self._like: defaultdict[str, list[str]] = defaultdict(list)
        for seed in chance.sample(seeds, min(len(seeds), 4000)):
            tokens = tokens_of(seed)
            for kind, start, end in slots_of(tokens):
                self._like[kind].append("".join(tokens[start:end]))
        self._kept = (self._replaced_by_its_like, self._replaced_by_a_part, self._followed)
        self._wild = (
            self._odd_token,
            self._without_tokens,
            self._repeated,
            self._swapped,
            self._cut,
            self._with_tokens_of_another,
        )

    def new(self, text: str | None = None) -> str:
        """Return an input made from ``text``, or from one of the seeds."""
        chance = self._chance
        tokens = tokens_of(chance.choice(self.seeds) if text is None else text)
        for _ in range(chance.randint(1, 4)):
            edits: tuple[Callable[[list[str]], None], ...]
            edits = self._kept if chance.random() < 0.75 else self._wild
            chance.choice(edits)(tokens)
            # An odd token may join its neighbours, and brackets may have gone.
            tokens = tokens_of("".join(tokens)[:MAX_LENGTH])
        return "".join(tokens)

    def _replaced_by_its_like(self, tokens: list[str]) -> None:
        slots = slots_of(tokens)
        if slots:
            kind, start, end = self._chance.choice(slots)
            tokens[start:end] = [self._chance.choice(self._like[kind] or ["undef"])]

    def _replaced_by_a_part(self, tokens: list[str]) -> None:
        """Replace an expression by another one of the same text, which may hold it."""
        slots = [slot for slot in slots_of(tokens) if slot[0] not in ("operator", "call", "name")]
        if slots:
            _, start, end = self._chance.choice(slots)
            _, first, behind = self._chance.choice(slots)
            tokens[start:end] = tokens[first:behind]

    def _followed(self, tokens: list[str]) -> None:
        tokens += ["\n", self._chance.choice(self.seeds)]

    def _odd_token(self, tokens: list[str]) -> None:
        tokens.insert(self._position(tokens), self._chance.choice(ODD_TOKENS))

    def _without_tokens(self, tokens: list[str]) -> None:
        start = self._position(tokens)
        del tokens[start : start + self._chance.choice((1, 1, 1, 2, 5))]

    def _repeated(self, tokens: list[str]) -> None:
        start = self._position(tokens)
        part = tokens[start : start + self._chance.choice((1, 1, 2, 5))]
        tokens[start:start] = part * self._chance.choice((1, 2, 30, 300))

    def _swapped(self, tokens: list[str]) -> None:
        if tokens:
            one, other = (self._chance.randrange(len(tokens)) for _ in range(2))
            tokens[one], tokens[other] = tokens[other], tokens[one]

    def _cut(self, tokens: list[str]) -> None:
        del tokens[self._position(tokens) :]

    def _with_tokens_of_another(self, tokens: list[str]) -> None:
        other = tokens_of(self._chance.choice(self.seeds))
        start = self._position(other)
        position = self._position(tokens)
        tokens[position:position] = other[start : start + self._chance.randint(1, 40)]

    def _position(self, tokens: list[str]) -> int:
        return self._chance.randint(0, len(tokens))


class Requests:
    """Makes requests of ``puppet-repl batch`` from those of ``seeds``, their codes by Programs."""

    def __init__(self, seeds: list[str], programs: Programs, chance: random.Random) -> None:
        self.seeds = seeds
        self._programs = programs
        self._chance = chance

    def new(self, text: str | None = None) -> str:
        """Return a line made from ``text``, or from one of the seeds; it may be no request."""
        chance = self._chance
        try:
            request = json.loads(text if text is not None else chance.choice(self.seeds))
        except (ValueError, RecursionError):
            request = {}
        if not isinstance(request, dict):
            request = {"code": "1"}
        if chance.random() < 0.7:
            code = request.get("code")
            request["code"] = self._programs.new(code if isinstance(code, str) else None)
        if chance.random() < 0.5:
            request[chance.choice(REQUEST_KEYS)] = chance.choice(ODD_VALUES)
        if chance.random() < 0.2 and request:
            del request[chance.choice(list(request))]
        line = json.dumps(request, ensure_ascii=chance.random() < 0.5)
        if chance.random() < 0.1:
            position = chance.randint(0, len(line))
            line = line[:position] + chance.choice(ODD_TOKENS) + line[position + 1 :]
        return line.replace("\n", " ")
