"""The documentation of operators and of heredocs, by the place that they are in."""

from __future__ import annotations

import re

from puppet_repl.language.syntax.brackets import enclosing_bracket
from puppet_repl.tools.inspection.bindings import in_parameters
from puppet_repl.tools.inspection.cursor_context import resource_type_before
from puppet_repl.tools.inspection.documentation import Detail, Documentation
from puppet_repl.tools.inspection.notation import HEREDOC_ESCAPES
from puppet_repl.tools.inspection.operators import OPERATORS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.syntax.scan import Scan, Token
    from puppet_repl.tools.inspection.operators import Operator, Role

# After these words an operator has no left operand.
_NO_OPERAND = frozenset(("and", "or", "in", "if", "elsif", "unless", "case", "return"))
# What an attribute may follow in a resource; a name is the attribute itself, before its arrow.
_BEFORE_ATTRIBUTE = frozenset((":", ",", ";", "{", "*"))
_CLOSING = frozenset((")", "]", "}"))

HEREDOC = re.compile(
    r"""@\([ \t]*(?P<quote>"?)(?P<tag>[^:/"\r\n)]+?)"?[ \t]*
        (?::(?P<syntax>[^/\r\n)]*))?(?P<slash>/(?P<escapes>[^)\r\n]*))?\)""",
    re.VERBOSE,
)


def document_operator(sign: str, scan: Scan) -> Documentation | None:
    """Return the documentation of a sign that follows a scanned text."""
    rows = OPERATORS.get(sign)
    if rows is None:
        return None
    by_role = {row.role: row for row in rows}
    row = next((by_role[role] for role in _roles(scan) if role in by_role), rows[0])
    return _document_row(sign, row)


def document_sign(sign: str) -> list[Documentation]:
    """Return the documentation of a sign in each of its roles; none of an unknown one."""
    return [_document_row(sign, row) for row in OPERATORS.get(sign, ())]


def _document_row(sign: str, row: Operator) -> Documentation:
    examples = (row.example,) if row.example else ()
    return Documentation(sign, "operator", row.text, signatures=(row.usage,), examples=examples)


def _roles(scan: Scan) -> Iterator[Role]:
    """Yield the roles that a sign may have after a text, the most particular one first."""
    tokens = scan.tokens
    bracket, opening = scan.brackets[-1] if scan.brackets else ("", 0)
    if _is_in_query(tokens):
        yield "query"
    if bracket == "{":
        if tokens[opening - 1 : opening] and tokens[opening - 1].operator == "?":
            yield "selector"
        elif _is_case(tokens, opening):
            yield "case"
        elif resource_type_before(scan.text[: tokens[opening].start + 1]) is not None:
            yield "title"
            if tokens[-1].operator in _BEFORE_ATTRIBUTE or tokens[-1].kind == "name":
                yield "attribute"
    if tokens and in_parameters(tokens, len(tokens)):
        yield "parameter"
    if _ends_heading(tokens):
        yield "function"
    yield "infix" if _has_operand(tokens) else "prefix"


def _opening(tokens: list[Token]) -> int | None:
    distance = enclosing_bracket(token.operator for token in reversed(tokens))
    return None if distance is None else len(tokens) - 1 - distance


def _has_operand(tokens: list[Token]) -> bool:
    if not tokens:
        return False
    last = tokens[-1]
    if last.kind == "operator":
        return last.text in _CLOSING
    return not (last.kind == "name" and last.text in _NO_OPERAND)


def _is_case(tokens: list[Token], opening: int) -> bool:
    """Tell whether a brace opens the options of a case: ``case VALUE {``."""
    at = opening - 1
    while at >= 0 and tokens[at].operator not in ("{", "}", ";"):
        if tokens[at].kind == "name" and tokens[at].text == "case":
            return True
        at -= 1
    return False


def _is_in_query(tokens: list[Token]) -> bool:
    signs = (token.operator for token in reversed(tokens))
    found = next((sign for sign in signs if sign in ("<|", "<<|", "|>", "|>>")), "")
    return found in ("<|", "<<|")


def _ends_heading(tokens: list[Token]) -> bool:
    """Tell whether the tokens end with the parameters of a function: ``function f(...)``."""
    if not tokens or tokens[-1].operator != ")":
        return False
    opening = _opening(tokens[:-1])
    return opening is not None and opening >= 2 and tokens[opening - 2].text == "function"


def document_heredoc(match: re.Match[str]) -> Documentation:
    """Return the documentation of the beginning of a heredoc, a match of HEREDOC."""
    tag = match["tag"].strip()
    interpolates = bool(match["quote"])
    text = f"A string of lines: from the next line to one with {tag} alone. "
    text += "`$name` and `${...}` in it are replaced, " if interpolates else "Nothing is replaced, "
    text += f"because the tag is {'in' if interpolates else 'without'} double quotes."
    details = []
    if match["syntax"]:
        details.append(Detail("Syntax", f"the text has to be valid {match['syntax'].strip()}"))
    if match["slash"]:
        letters = match["escapes"].strip() or "".join(HEREDOC_ESCAPES)
        details += [
            Detail(f"/{one}", HEREDOC_ESCAPES[one], is_name=True)
            for one in letters
            if one in HEREDOC_ESCAPES
        ]
        details.append(Detail("/", r"`\\` is one backslash", is_name=True))
    else:
        escapes = f"none; `@({tag}/)` allows all, `@({tag}/tn)` tabs and line breaks"
        details.append(Detail("Escapes", escapes))
    margin = "at the end removes as much from each line as precedes the bar"
    details.append(Detail(f"| {tag}", margin, is_name=True))
    details.append(Detail(f"|- {tag}", "drops the last line break as well", is_name=True))
    example = f"$text = @({tag})\n  two\n  lines\n  | {tag}"
    return Documentation(match[0], "heredoc", text, details=tuple(details), examples=(example,))
