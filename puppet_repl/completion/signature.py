"""Help with the parameters of the call that the cursor stands in."""

from __future__ import annotations

from puppet_repl.completion.scan import Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.inspection.symbols import SessionSymbols
    from puppet_repl.session import Session

# Words before a parenthesis that call nothing.
_NO_CALL = frozenset(
    ("if", "unless", "case", "elsif", "and", "or", "in", "node", "class", "define")
)


class OpenCall:
    """A call whose arguments are being typed; ``argument`` counts them from 0."""

    __slots__ = ("argument", "is_method", "name")

    def __init__(self, name: str, argument: int, *, is_method: bool) -> None:
        self.name = name
        self.argument = argument
        self.is_method = is_method


class Signatures:
    """The ways to make a call, and which parameter the cursor stands at (from 0)."""

    __slots__ = ("name", "parameter", "texts")

    def __init__(self, name: str, texts: list[list[str]], parameter: int) -> None:
        self.name = name
        self.texts = texts
        self.parameter = parameter


def call_at(before: str) -> OpenCall | None:
    """The innermost call whose parentheses are open at the end of a text."""
    scan = Scan(before)
    if scan.where == "comment":
        return None
    tokens = scan.tokens
    for bracket, opening in reversed(scan.brackets):
        if bracket == "{":
            return None
        if bracket != "(" or opening == 0:
            continue
        name = tokens[opening - 1]
        if name.kind not in ("name", "type") or name.text in _NO_CALL:
            continue
        earlier = tokens[opening - 2].text if opening >= 2 else ""
        if earlier in ("function", "class", "define", "plan"):
            return None
        depth = 0
        argument = 0
        for token in tokens[opening + 1 :]:
            if token.kind != "operator":
                continue
            if token.text in "([{":
                depth += 1
            elif token.text in ")]}":
                depth -= 1
            elif token.text == "," and depth == 0:
                argument += 1
        return OpenCall(name.text.removeprefix("::"), argument, is_method=earlier == ".")
    return None


def signatures_at(session: Session, before: str) -> Signatures | None:
    """The parameters of the call that is open at the end of a text. Evaluates nothing."""
    from puppet_repl.inspection.symbols import SessionSymbols

    call = call_at(before)
    if call is None:
        return None
    texts = parameters_of(SessionSymbols(session), call.name)
    if not texts:
        return None
    index = call.argument + (1 if call.is_method else 0)
    fitting = [text for text in texts if len(text) > index or (text and "*" in text[-1])]
    return Signatures(call.name, fitting or texts, index)


def parameters_of(known: SessionSymbols, name: str) -> list[list[str]]:
    """The texts of the parameters of each signature of a function."""
    from puppet_repl.functions.signatures import parse_signature

    own = known.own_functions().get(name)
    if own is not None:
        from puppet_repl.inspection.names import heading_of

        heading = heading_of(own.spec.source, own.spec.node.start)
        inner = heading.partition("(")[2].rpartition(")")[0]
        return [_split(inner)]
    builtin = known.builtin_function(name)
    if builtin is None:
        return []
    texts = []
    for dispatch in builtin.dispatches:
        if dispatch.explains:
            continue
        parameters, block, block_optional = parse_signature(dispatch.text)
        signature = []
        for parameter in parameters:
            star = "*" if parameter.kind in ("*", "+") else ""
            optional = "?" if parameter.kind == "?" else ""
            signature.append(f"{parameter.type_text} {star}${parameter.name}{optional}")
        if block is not None:
            signature.append(f"{block.type_text} &${block.name}{'?' if block_optional else ''}")
        texts.append(signature)
    return texts


def _split(text: str) -> list[str]:
    parts: list[str] = []
    depth = 0
    current = ""
    for character in text:
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    if current.strip():
        parts.append(current.strip())
    return parts
