"""The parameters of the call that the cursor is in."""

from __future__ import annotations

from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.inspection.open_call import call_at

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
    # The prompt opens without it.
    from puppet_repl.language.syntax.headings import parameter_texts

    own = known.user_functions().get(name)
    if own is not None:
        return [parameter_texts(own.spec.source, own.spec.start)]
    builtin = known.builtin_function(name)
    if builtin is None:
        return []
    return [signature.parameter_texts() for signature in builtin.signatures()]
