"""The call whose arguments are being typed."""

from __future__ import annotations

from puppet_repl.language.syntax.ast import FunctionDefinition
from puppet_repl.language.syntax.brackets import outside_brackets
from puppet_repl.language.syntax.headings import parameter_texts
from puppet_repl.language.syntax.scan import Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session.symbols import SessionSymbols

# Words before a parenthesis that are not calls.
_NO_CALL = frozenset(
    ("if", "unless", "case", "elsif", "and", "or", "in", "node", "class", "define")
)


class OpenCall:
    """A call whose arguments are being typed; ``argument`` is the index of the last."""

    __slots__ = ("argument", "is_method", "name")

    def __init__(self, name: str, argument: int, *, is_method: bool) -> None:
        self.name = name
        self.argument = argument
        self.is_method = is_method


def call_at(before: str) -> OpenCall | None:
    """Return the innermost call whose parentheses are open at the end of a text."""
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
        operators = (token.operator for token in tokens[opening + 1 :])
        argument = sum(operator == "," for _, operator in outside_brackets(operators))
        return OpenCall(name.text.removeprefix("::"), argument, is_method=earlier == ".")
    return None


class Signatures:
    """The signatures of a function, and the index of the parameter at the cursor."""

    __slots__ = ("name", "parameter", "texts")

    def __init__(self, name: str, texts: list[list[str]], parameter: int) -> None:
        self.name = name
        self.texts = texts
        self.parameter = parameter


def signatures_at(known: SessionSymbols, before: str) -> Signatures | None:
    """Return the parameters of the call that is open at the end of a text. Evaluates nothing."""
    call = call_at(before)
    if call is None:
        return None
    texts = parameters_of(known, call.name)
    if not texts:
        return None
    index = call.argument + (1 if call.is_method else 0)
    fitting = [text for text in texts if len(text) > index or (text and "*" in text[-1])]
    return Signatures(call.name, fitting or texts, index)


def parameters_of(known: SessionSymbols, name: str) -> list[list[str]]:
    """Return the parameters of each signature of a function, as text."""
    own = known.user_functions().get(name)
    if own is not None:
        return [parameter_texts(own.spec.source, own.spec.start)]
    builtin = known.builtin_function(name)
    if builtin is None:
        unloaded = known.in_module_file(name)
        if unloaded is None or not isinstance(unloaded[1], FunctionDefinition):
            return []
        return [parameter_texts(unloaded[0], unloaded[1].start)]
    return [signature.parameter_texts() for signature in builtin.signatures()]
