"""Constructs of the language, each with the tokens that it must have."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String

from puppet_pygments import PuppetLexer

KINDS = {
    "V": (Name.Variable,),
    "M": (Name.Variable.Magic,),
    "S": (String.Single, String.Double),
    "E": (String.Escape,),
    "I": (String.Interpol,),
    "H": (String.Heredoc,),
    "D": (String.Delimiter,),
    "A": (String.Affix,),
    "R": (String.Regex,),
    "N": (Number,),
    "T": (Keyword.Type,),
    "C": (Name.Class,),
    "K": (Keyword, Operator.Word),
    "O": (Operator,),
    "P": (Punctuation,),
    "W": (String.Symbol,),
    "G": (Name.Tag,),
    "F": (Name.Function,),
    "B": (Name.Builtin,),
    "=": (Name.Attribute,),
    "#": (Comment,),
}


def constructs() -> list[tuple[str, str, list[tuple[str, str]]]]:
    text = (Path(__file__).parent / "constructs.txt").read_text(encoding="utf-8")
    found = []
    for block in text.split("\n== ")[1:]:
        name, rest = block.split("\n", 1)
        code, expected = rest.split("\n--\n")
        pairs = [(line[0], line[2:]) for line in expected.rstrip("\n").split("\n")]
        found.append((name, code + "\n", pairs))
    return found


def test_the_table_has_all_constructs() -> None:
    assert len(constructs()) == 51


@pytest.mark.parametrize(("name", "code", "expected"), constructs())
def test_construct(name: str, code: str, expected: list[tuple[str, str]]) -> None:
    tokens = list(PuppetLexer().get_tokens(code))
    assert Error not in [kind for kind, _ in tokens]
    rest = iter(tokens)
    for letter, value in expected:
        text = value.replace("\\n", "\n") if letter in "HR" else value
        for kind, actual in rest:
            if actual == text and any(kind in parent for parent in KINDS[letter]):
                break
        else:
            pytest.fail(f"{letter} {text!r} not found in order in {tokens}")
