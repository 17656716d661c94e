"""The parameters of methods in Ruby, as parameters of functions."""

from __future__ import annotations

from puppet_repl.environment.reference.model import Parameter
from puppet_repl.environment.reference.ruby.tokens import RubyError, tokens_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.reference.ruby.nodes import Node
    from puppet_repl.environment.reference.ruby.tokens import Token

#: Values of Ruby that Puppet calls otherwise.
_WORDS = {"nil": "undef", ":default": "default"}


def method_parameters(node: Node, text: str) -> tuple[Parameter, ...]:
    """Return the parameters that a method takes by their positions, and its block.

    Required ones behind others are left out, as puppet-strings does.
    """
    head = node.block
    if head is None:
        return ()
    code = text[head.start : head.end]
    found: dict[str, list[Parameter]] = {"": [], "=": [], "*": [], "&": []}
    try:
        tokens = [token for token in tokens_of(code) if token.kind not in ("comment", "line end")]
    except RubyError:
        return ()
    if tokens and tokens[0].text == "(":
        tokens = tokens[1:-2] if tokens[-2].text == ")" else tokens[1:]
    for part in _parts([token for token in tokens if token.kind != "end"]):
        line = node.line + code.count("\n", 0, part[0].start)
        mark, parameter = _parameter(part, code, line)
        is_late = mark == "" and (found["="] or found["*"])  # those are lost
        if parameter is not None and not is_late:
            found[mark].append(parameter)
    return (*found[""], *found["="], *found["*"][:1], *found["&"][:1])


def _parts(tokens: list[Token]) -> list[list[Token]]:
    """Return the tokens between commas that are in no brackets."""
    parts: list[list[Token]] = []
    current: list[Token] = []
    depth = 0
    for token in tokens:
        if token.kind == "operator" and token.text in "([{":
            depth += 1
        elif token.kind == "operator" and token.text in ")]}":
            depth -= 1
        if token.kind == "operator" and token.text == "," and depth <= 0:
            parts.append(current)
            current = []
        else:
            current.append(token)
    return [part for part in [*parts, current] if part]


def _parameter(part: list[Token], code: str, line: int) -> tuple[str, Parameter | None]:
    first = part[0]
    if first.kind == "operator" and first.text in ("*", "&") and len(part) > 1:
        is_rest = first.text == "*"
        return first.text, Parameter(
            name=part[1].text, line=line, captures_rest=is_rest, is_block=not is_rest
        )
    if first.kind != "ident":
        return "", None
    if len(part) > 2 and part[1].text == "=":
        default = code[part[2].start : part[-1].end]
        return "=", Parameter(
            name=first.text,
            default=_WORDS.get(default, default),
            line=line,
            is_optional=True,
        )
    return "", Parameter(name=first.text, line=line)
