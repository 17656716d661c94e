"""Which functions take the value in front of a dot, by the types of their first parameters."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.brackets import enclosing_bracket
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.types.making.parse import parse_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.scan import Scan, Token
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.session.symbols import SessionSymbols
    from puppet_repl.tools.inspection.cursor_context import Site

# What takes all of these is for values of any kind: it says little about a single String.
_OF_MANY_KINDS = ("String", "Integer", "Array[Any]")
# Values that are mostly walked over.
_COLLECTIONS = ("Array", "Hash")
_KINDS = {"string": "String", "text": "String", "regex": "Regexp"}
# What functions return whose signatures do not say it; those of the first row return what they
# take.
_SAME = frozenset(
    (
        *("abs", "camelcase", "capitalize", "chomp", "chop", "downcase", "each", "filter"),
        *("lstrip", "regsubst", "rstrip", "strip", "upcase"),
    )
)
_RESULTS = {"map": "Array", "reverse_each": "Array", "slice": "Array", "split": "Array"}
# Calls in a chain that are looked at; a longer one has no type.
_LONGEST_CHAIN = 20
# The weights of functions: for such values, for any value, and for some of them, perhaps.
FITTING, GENERAL, PERHAPS = 0, 2, 6
# Of a function that takes no such value.
NEVER = 99


def receiver_type(known: SessionSymbols, site: Site, scan: Scan) -> str:
    """Return the name of the type of the receiver before the dot, or ''."""
    tokens = scan.tokens[:-1] if site.prefix else scan.tokens
    if site.subject:
        return _type_of_path(known, site.subject)
    return _type_at_end(known, tokens[:-1], _LONGEST_CHAIN)


def _type_of_path(known: SessionSymbols, path: tuple[str, ...]) -> str:
    found, value = known.variable(path)
    return str(infer(value).name) if found else ""


def _type_at_end(known: SessionSymbols, tokens: list[Token], calls: int) -> str:
    """Return the type of the value that ends the tokens, '' where it is not known."""
    if not tokens or not calls:
        return ""
    last = tokens[-1]
    if last.kind == "number":
        return "Float" if "." in last.text else "Integer"
    if last.kind == "variable":
        return _type_of_path(known, (last.text.removeprefix("$"),))
    if last.operator == "]" and _is_array(tokens):
        return "Array"
    name = _called(tokens)
    if name < 0:
        return _KINDS.get(last.kind, "")
    if tokens[name].kind == "type":
        return tokens[name].text.removeprefix("::")
    is_method = name > 0 and tokens[name - 1].operator == "."
    taken = _type_at_end(known, tokens[: name - 1], calls - 1) if is_method else ""
    return _result(known, tokens[name].text, taken)


def _called(tokens: list[Token]) -> int:
    """Return the place of the name of the function that the tokens end with a call of, or -1."""
    end = len(tokens)
    if tokens[-1].operator == "}":
        end = _opening(tokens, end)
        if end < 2 or tokens[end - 1].operator != "|":
            return -1
        bars = [place for place in range(end - 1) if tokens[place].operator == "|"]
        end = bars[-1] if bars else 0
    if end and tokens[end - 1].operator == ")":
        end = _opening(tokens, end)
    if end < 1:
        return -1
    is_call = end < len(tokens) or (end > 1 and tokens[end - 2].operator == ".")
    return end - 1 if is_call and tokens[end - 1].kind in ("name", "type") else -1


def _opening(tokens: list[Token], end: int) -> int:
    """Return the place of the bracket that the one before ``end`` closes, -1 without one."""
    distance = enclosing_bracket(tokens[place].operator for place in range(end - 2, -1, -1))
    return -1 if distance is None else end - 2 - distance


def _result(known: SessionSymbols, function: str, taken: str) -> str:
    """Return the type that a function returns for a first argument of the type ``taken``."""
    if function == "filter" and taken in ("Integer", "String"):  # which are walked over
        return "Array"
    if function in _SAME:
        return taken
    found = known.builtin_function(function)
    if function in _RESULTS or found is None:
        return _RESULTS.get(function, "")
    results = set()
    for signature in found.signatures():
        parameters = signature.parameter_texts()
        if not taken or (parameters and _accepts(_type_text(parameters[0]), taken)):
            results.add(found.result_text(signature).partition("[")[0])
    result = results.pop() if len(results) == 1 else ""
    return "" if result in ("Any", "Optional", "Variant") else result


def _type_text(parameter: str) -> str:
    return parameter.rpartition("$")[0].strip(" *")


def _accepts(text: str, type_name: str) -> bool:
    try:
        return parse_type(text).accepts_type(parse_type(type_name))
    except PuppetError:  # an alias of the function's own
        return False


def _is_array(tokens: list[Token]) -> bool:
    """Tell whether the bracket at the end closes an array, and not the access to a value."""
    opening = _opening(tokens, len(tokens))
    if opening <= 0:
        return opening == 0
    before = tokens[opening - 1]
    return before.kind == "operator" and before.text not in (")", "]")


class Receiver:
    """A value in front of a dot, of which the type is known."""

    def __init__(self, known: SessionSymbols, type_name: str) -> None:
        self._known = known
        self._is_collection = type_name in _COLLECTIONS
        self._type = parse_type(type_name)
        self._others = [parse_type(name) for name in _OF_MANY_KINDS]
        self._weights: dict[str, int] = {}

    def weight(self, function: str) -> int:
        """Return the weight of a function as a method of the value, a lower one is better.

        It is NEVER for a function that takes no such value.
        """
        found = self._known.builtin_function(function)
        if found is None:
            return GENERAL
        first = [texts[0] for each in found.signatures() if (texts := each.parameter_texts())]
        return min(map(self._of_parameter, first), default=NEVER)

    def _of_parameter(self, parameter: str) -> int:
        text = _type_text(parameter)
        if text not in self._weights:
            try:
                self._weights[text] = self._of_type(parse_type(text))
            except PuppetError:  # an alias of the function's own
                self._weights[text] = PERHAPS
        return self._weights[text]

    def _of_type(self, wanted: PuppetType) -> int:
        if not wanted.accepts_type(self._type):
            return PERHAPS if self._may_accept(wanted) else NEVER
        if wanted.name == "Any":
            return GENERAL
        is_general = all(wanted.accepts_type(other) for other in self._others)
        return GENERAL if is_general and not self._is_collection else FITTING

    def _may_accept(self, wanted: PuppetType) -> bool:
        """Tell whether some values of the receiver's type are instances of a narrower type."""
        wide = wanted.generalize()
        return wide.accepts_type(self._type) or self._type.accepts_type(wide)
