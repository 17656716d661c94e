"""The parameters of the call that the cursor stands in."""

from __future__ import annotations

from puppet_repl.inspection.open_call import call_at
from puppet_repl.inspection.symbols import SessionSymbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session


class Signatures:
    """The signatures of a function, and the index of the parameter at the cursor."""

    __slots__ = ("name", "parameter", "texts")

    def __init__(self, name: str, texts: list[list[str]], parameter: int) -> None:
        self.name = name
        self.texts = texts
        self.parameter = parameter


def signatures_at(session: Session, before: str) -> Signatures | None:
    """Return the parameters of the call that is open at the end of a text. Evaluates nothing."""
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
    """Return the parameters of each signature of a function, as text."""
    # The prompt opens without these.
    from puppet_repl.functions.signatures import parse_signature, split_parameters
    from puppet_repl.inspection.names import heading_of

    own = known.user_functions().get(name)
    if own is not None:
        heading = heading_of(own.spec.source, own.spec.node.start)
        inner = heading.partition("(")[2].rpartition(")")[0]
        return [split_parameters(inner)]
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
