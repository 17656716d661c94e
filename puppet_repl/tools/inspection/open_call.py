"""The call whose arguments are being typed."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile

from puppet_repl.language.functions.signatures import Dispatch
from puppet_repl.language.syntax.ast import FunctionDefinition
from puppet_repl.language.syntax.brackets import outside_brackets
from puppet_repl.language.syntax.headings import parameter_texts
from puppet_repl.language.syntax.scan import Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.functions.signatures import Signature
    from puppet_repl.language.syntax.scan import Token
    from puppet_repl.session.symbols import SessionSymbols

_TYPE_NAME = re.compile(r"(?<![\w$:])[A-Z]\w*(?!:)\b")
# How deep a hash in an argument may be nested in others.
MAX_DEPTH = 2
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


def argument_after(scan: Scan, tokens: list[Token]) -> tuple[str, int]:
    """Return the function whose argument follows the tokens, and the number of the argument.

    The argument may be one of a literal array. Without a call the name is ''.
    """
    brackets = [*scan.brackets]
    if tokens and tokens[-1].kind == "name":
        return tokens[-1].text, 0
    if not tokens or not brackets or tokens[-1].operator not in ("(", "[", ","):
        return "", 0
    bracket, opening = brackets.pop()
    last = len(tokens)
    if bracket == "[":
        if opening and tokens[opening - 1].kind == "name":
            return tokens[opening - 1].text, 0
        last = opening
        bracket, opening = brackets.pop() if brackets else ("", 0)
    return _called(tokens, bracket, opening, last)


def _called(tokens: list[Token], bracket: str, opening: int, last: int) -> tuple[str, int]:
    """Return the function with its parenthesis at one token, and its argument at another one."""
    if bracket != "(" or not opening or tokens[opening - 1].kind != "name":
        return "", 0
    between = outside_brackets(token.operator for token in tokens[opening + 1 : last])
    return tokens[opening - 1].text, sum(operator == "," for _, operator in between)


class HashArgument:
    """A literal hash in which a key is being typed, in an argument of a function.

    ``first`` is the first argument of the call, a string or a word; ``given`` are the keys that the
    hash has. The ``depth`` is 1 if the argument is the hash, 2 if the hash is a value in it.
    """

    __slots__ = ("argument", "depth", "first", "function", "given")

    def __init__(
        self, function: str, argument: int, depth: int, first: str, given: frozenset[str]
    ) -> None:
        self.function = function
        self.argument = argument
        self.depth = depth
        self.first = first
        self.given = given


def key_of_argument(scan: Scan, tokens: list[Token]) -> HashArgument | None:
    """Return the hash in an argument whose key follows the tokens, None if there is none."""
    hashes = len([*takewhile(lambda each: each[0] == "{", reversed(scan.brackets))])
    if not 0 < hashes <= MAX_DEPTH or hashes == len(scan.brackets):
        return None
    opening = scan.brackets[-1][1]
    if hashes > 1 and tokens[opening - 1].operator != "=>":
        return None
    body = tokens[opening + 1 :]
    if body and body[-1].operator != ",":
        return None
    bracket, around = scan.brackets[-1 - hashes]
    function, number = _called(tokens, bracket, around, scan.brackets[-hashes][1])
    first = tokens[around + 1]
    if not function or first.kind not in ("string", "name"):
        return None
    entries = pairwise(body)
    given = frozenset(token.text for token, arrow in entries if arrow.operator == "=>")
    return HashArgument(function, number, hashes, first.text, given)


class Signatures:
    """The signatures of a function, and the index of the parameter at the cursor."""

    __slots__ = ("name", "parameter", "texts")

    def __init__(self, name: str, texts: list[list[str]], parameter: int) -> None:
        self.name = name
        self.texts = texts
        self.parameter = parameter


def signatures_of(known: SessionSymbols, call: OpenCall) -> Signatures | None:
    """Return the parameters of a call, None for an unknown function. Evaluates nothing."""
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
    return [
        [_without_aliases(text, signature) for text in signature.parameter_texts()]
        for signature in builtin.signatures()
    ]


def _without_aliases(text: str, signature: Signature) -> str:
    """Return a parameter whose type has no names that only its function knows."""
    aliases = signature.aliases if isinstance(signature, Dispatch) else {}
    for _ in aliases:  # one may stand for others
        text = _TYPE_NAME.sub(lambda match: aliases.get(match[0], match[0]), text)
    return text
