"""Classes of tokens that the Pygments lexers and CodeMirror's languages have in common."""

from __future__ import annotations

from collections.abc import Iterable

from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    _TokenType,
    is_token_subtype,
)

TEXT = " "
#: A letter for each class, the token of Pygments, and the tag of CodeMirror.
CLASSES = (
    ("m", Comment.Preproc, "meta"),
    ("c", Comment, "comment"),
    ("c", String.Doc, "comment"),
    ("t", Keyword.Type, "typeName"),
    ("a", Keyword.Constant, "atom"),
    ("k", Keyword, "keyword"),
    ("w", Operator.Word, "operatorKeyword"),
    ("o", Operator, "operator"),
    ("p", Punctuation, "punctuation"),
    ("v", Name.Variable, "special(variableName)"),
    ("n", Name.Attribute, "attributeName"),
    ("b", Name.Builtin, "standard(variableName)"),
    ("f", Name.Function, "function(variableName)"),
    ("r", Name.Tag, "tagName"),
    ("C", Name.Class, "className"),
    ("0", Number, "number"),
    ("e", String.Escape, "escape"),
    ("i", String.Interpol, "brace"),
    ("d", String.Delimiter, "special(string)"),
    ("d", String.Affix, "special(string)"),
    ("y", String.Symbol, "labelName"),
    ("x", String.Regex, "regexp"),
    ("s", String, "string"),
    ("!", Error, "invalid"),
)
TAGS = [[letter, tag] for letter, _, tag in CLASSES]


def letter_of(kind: _TokenType) -> str:
    return next((letter for letter, parent, _ in CLASSES if is_token_subtype(kind, parent)), TEXT)


def classes_of(tokens: Iterable[tuple[_TokenType, str]]) -> str:
    """Return the class of each UTF-16 code unit of a text, given as its tokens."""
    return "".join(
        letter_of(kind) * (len(value.encode("utf-16-le")) // 2) for kind, value in tokens
    )
