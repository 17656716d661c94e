"""Which functions take the value in front of a dot, by the types of their first parameters."""

from __future__ import annotations

from puppet_repl.errors import PuppetError
from puppet_repl.syntax.brackets import enclosing_bracket
from puppet_repl.types.algebra.infer import infer
from puppet_repl.types.making.parse import parse_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.inspection.site import Site
    from puppet_repl.inspection.symbols import SessionSymbols
    from puppet_repl.syntax.scan import Scan, Token
    from puppet_repl.types.model.base import PuppetType

# What takes all of these is for values of any kind: it says little about a single String.
_OF_MANY_KINDS = ("String", "Integer", "Array[Any]")
# Values that are mostly walked over.
_COLLECTIONS = ("Array", "Hash")
_KINDS = {"string": "String", "text": "String", "regex": "Regexp"}
# The weights of functions: for such values, for any value, and for others.
FITTING, GENERAL, OTHERS = 0, 2, 6


def receiver_type(known: SessionSymbols, site: Site, scan: Scan) -> str:
    """Return the name of the type of what stands in front of the dot, '' where it is not known."""
    tokens = scan.tokens[:-1] if site.prefix else scan.tokens
    before = tokens[:-1]
    if site.subject:
        found, value = known.variable(site.subject)
        return str(infer(value).name) if found else ""
    if not before:
        return ""
    last = before[-1]
    if last.kind == "number":
        return "Float" if "." in last.text else "Integer"
    if last.operator == "]":
        return "Array" if _is_array(before) else ""
    return _KINDS.get(last.kind, "")


def _is_array(tokens: list[Token]) -> bool:
    """Tell whether the bracket at the end closes an array, and not the access to a value."""
    distance = enclosing_bracket(token.operator for token in reversed(tokens[:-1]))
    if distance is None:
        return False
    opening = len(tokens) - 2 - distance
    if opening == 0:
        return True
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
        """Return the weight of a function as a method of the value, a lower one is better."""
        found = self._known.builtin_function(function)
        if found is None:
            return GENERAL
        first = [texts[0] for each in found.signatures() if (texts := each.parameter_texts())]
        return min(map(self._of_parameter, first), default=OTHERS)

    def _of_parameter(self, parameter: str) -> int:
        text = parameter.rpartition("$")[0].strip(" *")
        if text not in self._weights:
            try:
                self._weights[text] = self._of_type(parse_type(text))
            except PuppetError:  # an alias of the function's own
                self._weights[text] = OTHERS
        return self._weights[text]

    def _of_type(self, wanted: PuppetType) -> int:
        if not wanted.accepts_type(self._type):
            return OTHERS
        if wanted.name == "Any":
            return GENERAL
        is_general = all(wanted.accepts_type(other) for other in self._others)
        return GENERAL if is_general and not self._is_collection else FITTING
