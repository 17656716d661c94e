"""Code as styled text: Pygments' token types mapped to roles."""

from __future__ import annotations

from puppet_repl.tools.rendering.fragments import Fragment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

# The role of a token is that of the first type in this table that includes its type.
_ROLES = (
    ("Comment", "comment"),
    ("Literal.String.Doc", "comment"),
    ("Literal.String.Regex", "regex"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Keyword.Type", "type"),
    ("Keyword.Constant", "keyword"),
    ("Keyword", "keyword"),
    ("Name.Class", "type"),
    ("Name.Function", "function"),
    ("Name.Builtin", "function"),
    ("Name.Variable", "variable"),
    ("Name.Attribute", "attribute"),
    ("Name.Tag", "type"),
    ("Operator", "operator"),
    ("Punctuation", "punctuation"),
    ("Error", "bad"),
)


def role_of(token: _TokenType) -> str:
    """Return the role of a type of Pygments tokens."""
    name = ".".join(token)
    for prefix, role in _ROLES:
        if name == prefix or name.startswith(prefix + "."):
            return role
    return ""


def highlight(text: str, language: str = "puppet") -> list[Fragment]:
    """Highlight code in a language ('puppet', 'python', 'json', 'yaml'; others stay plain)."""
    lexer = _lexer(language)
    if lexer is None:
        return [("", text)]
    fragments = [(role_of(token), piece) for token, piece in lexer.get_tokens(text)]
    # Pygments appends a line end to text that has none.
    if fragments and not text.endswith("\n"):
        style, piece = fragments[-1]
        fragments[-1] = (style, piece.removesuffix("\n"))
    return fragments


def _lexer(language: str) -> Lexer | None:
    if language == "puppet":
        from puppet_pygments.lexer import PuppetLexer

        return PuppetLexer(stripnl=False)
    if language == "python":
        from pygments.lexers.python import PythonLexer

        return PythonLexer(stripnl=False)
    if language == "json":
        from pygments.lexers.data import JsonLexer

        return JsonLexer(stripnl=False)
    if language == "yaml":
        from pygments.lexers.data import YamlLexer

        return YamlLexer(stripnl=False)
    return None
