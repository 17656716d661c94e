"""Compare tokens with those that Puppet's own lexer gives for the same text.

A dump of Puppet's tokens is a list of (kind, offset, length), offsets in characters. As a program
this compares a whole dump, one JSON list ``[file, tokens]`` a line:

    python -m tests.pygments.against_puppet DUMP.jsonl
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Other,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
    is_token_subtype,
)

from puppet_pygments import EppLexer, PuppetLexer

KEYWORDS = (
    *("CASE", "CLASS", "DEFAULT", "DEFINE", "IF", "ELSIF", "ELSE", "INHERITS", "NODE", "AND"),
    *("OR", "UNDEF", "BOOLEAN", "IN", "UNLESS", "FUNCTION", "TYPE", "ATTR", "PRIVATE"),
)
FAMILIES = (
    (Name.Variable, "variable"),
    (Number, "number"),
    (String.Regex, "regex"),
    (String.Symbol, "word"),
    (String.Doc, "blank"),
    (String, "string"),
    (Keyword.Type, "type"),
    (Name.Class, "class"),
    (Operator.Word, "keyword"),
    (Operator, "operator"),
    (Punctuation, "operator"),
    (Keyword, "keyword"),
    (Name, "word"),
    (Comment.Preproc, "tag"),
    (Comment, "blank"),
    (Whitespace, "blank"),
    (Other, "text"),
    (Error, "error"),
)
CODE = frozenset({"variable", "number", "regex", "word", "type", "class", "operator", "keyword"})
#: What Puppet's kinds of valued tokens may be here; all others are operators.
EXPECTED = {
    "NAME": {"word", "class", "keyword"},  # include, plan: functions and names that declare
    "WORD": {"word", "class"},
    "CLASSREF": {"class", "type"},
    "NUMBER": {"number", "class"},  # a part of the name of a node
    "VARIABLE": {"variable"},
    "REGEX": {"regex"},
    **{kind: {"keyword", "word"} for kind in KEYWORDS},
}
STRINGS = frozenset({"STRING", "HEREDOC", "DQPRE", "DQMID", "DQPOST"})
#: Marks without a text of their own, and the text of a template.
IGNORED = frozenset({"EPP_START", "RENDER_STRING", "RENDER_EXPR", "SUBLOCATE"})


def lexer_for(name: str) -> Lexer:
    return (EppLexer if name.endswith("epp") else PuppetLexer)(stripnl=False, ensurenl=False)


def family_of(kind: _TokenType) -> str:
    return next(family for parent, family in FAMILIES if is_token_subtype(kind, parent))


def disagreements(lexer: Lexer, text: str, puppet: Iterable[list[Any]]) -> list[str]:
    """Say where the tokens of the lexer are not those of Puppet.

    Tokens within the text of a heredoc carry a fourth item in the dump; of those only the ones in
    interpolations are compared, because the dump places the text itself after its margin is cut.
    """
    tokens = list(lexer.get_tokens_unprocessed(text))
    assert "".join(value for _, _, value in tokens) == text
    starts = {pos: (family_of(kind), len(value)) for pos, kind, value in tokens}
    families: list[str] = []
    for _, kind, value in tokens:
        families += [family_of(kind)] * len(value)
    wrong = []
    seen = set()
    for kind, start, length, *within_heredoc in puppet:
        if kind in IGNORED or (within_heredoc and kind in STRINGS):
            continue
        seen.add(start)
        if kind in STRINGS:
            right = set(families[start : start + length]) <= {"string"}
        elif kind.startswith("EPP_END"):
            right = starts.get(start) == ("tag", length)
        else:
            family, size = starts.get(start, ("none", 0))
            right = family in EXPECTED.get(kind, {"operator"}) and size == length
        if not right:
            wrong.append(f"{kind} {text[start : start + length]!r} at {start}")
    for pos, kind, value in tokens:
        if family_of(kind) in CODE and pos not in seen:
            wrong.append(f"{kind} {value!r} at {pos} is no token of Puppet")
    return wrong


def main(dump: str) -> int:
    count = failed = 0
    for line in Path(dump).read_text(encoding="utf-8").split("\n")[:-1]:
        name, tokens, *_ = json.loads(line)
        if tokens is None:
            continue
        with Path(name).open(encoding="utf-8", newline="") as file:
            text = file.read()
        if not text.isascii():
            # offsets in heredocs are in bytes
            tokens = [token for token in tokens if len(token) == 3]
            if any(token[0] == "HEREDOC" for token in tokens):
                continue
        count += len(tokens)
        for message in disagreements(lexer_for(name), text, tokens):
            failed += 1
            print(f"{name}: {message}")
    print(f"{count} tokens compared, {failed} disagreements")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
