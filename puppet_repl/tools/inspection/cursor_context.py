"""The site at the cursor: the kind of expected text, from the tokens before it.

Completion asks for texts to insert there, inspection for the meaning of the word there.
"""

from __future__ import annotations

import itertools
import re

from puppet_repl.language.syntax.brackets import enclosing_bracket, outside_brackets
from puppet_repl.language.syntax.scan import Scan, Token
from puppet_repl.tools.inspection.bindings import comparison_at_end
from puppet_repl.tools.inspection.open_call import argument_after, key_of_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    SiteKind: TypeAlias = Literal[
        "none",
        "variable",
        "interpolation",
        "method",
        "key",
        "title",
        "data key",
        "module file",
        "text",
        "class",
        "class or type",
        "attribute",
        "parameter",
        "value",
        "query",
        "query value",
        "compared value",
        "type",
        "resource type",
        "node",
        "expression",
        "statement",
    ]

_WORD = re.compile(r"(?:::)?[A-Za-z_]\w*(?:::\w+)*(?:::)?\Z|::\Z")
_VARIABLE = re.compile(r"\$(?:::)?(?:\w+(?:::\w+)*(?:::)?)?\Z")
_BRACED = re.compile(r"\$\{((?:::)?(?:\w+(?:::\w+)*(?:::)?)?)\Z")

# The words before the name of a definition: ``define foo {`` opens a body, no resource.
_DEFINING = frozenset(
    [
        "and",
        "case",
        "class",
        "define",
        "elsif",
        "function",
        "if",
        "in",
        "inherits",
        "node",
        "or",
        "plan",
        "type",
        "unless",
    ]
)
# Names before an opening brace that are not resource types.
_NO_TYPE = _DEFINING | frozenset(
    [
        "application",
        "attr",
        "consumes",
        "default",
        "else",
        "false",
        "private",
        "produces",
        "site",
        "true",
        "undef",
    ]
)
_COLLECTORS = {"|>": "<|", "|>>": "<<|"}
LOOKUPS = frozenset(("hiera", "hiera_array", "hiera_hash", "hiera_include", "lookup"))
"""Functions whose first argument is a key of data."""
# Functions whose first argument is a file of a module, and the directory that it is in.
_FILE_FUNCTIONS = {
    "binary_file": "files",
    "epp": "templates",
    "file": "files",
    "find_file": "files",
    "find_template": "templates",
    "template": "templates",
}
MODULE_FILES = "puppet:///modules/"
CLASS_FUNCTIONS = frozenset(("include", "contain", "require", "inherits"))
# Functions whose first argument is the type of the resources that they declare.
_CREATING = frozenset(("create_resources", "ensure_resource", "ensure_resources"))
# Kinds of sites that arguments of functions are, whether strings or bare words.
_ARGUMENTS: dict[str, SiteKind] = {
    **dict.fromkeys(CLASS_FUNCTIONS - {"inherits"}, "class"),
    **dict.fromkeys(_CREATING, "resource type"),
    "defined": "class or type",
}
# The hashes in arguments whose keys are parameters: function, argument, depth in nested hashes.
_PARAMETERS = frozenset(
    (
        ("epp", 1, 1),
        ("ensure_resource", 2, 1),
        *[(name, 1, 2) for name in ("create_resources", "ensure_resources")],
        *[(name, 2, 1) for name in ("create_resources", "ensure_resources")],
    )
)


class Site:
    """What is expected at the cursor.

    ``prefix`` is what was typed of it so far, from ``start`` on; ``quote`` the quote of the string
    that it is in, or ''. ``subject`` depends on the kind: type and title of the resource of an
    "attribute" or a "value", the type of a "title", type and '' of what a "query" collects, the
    path (variable, then keys) of the hash of a "key", or of the receiver of a "method".
    ``attribute`` is the one that gets a "value", or the directory of a "module file", whose
    ``subject`` is the function that takes it, if one does; ``given`` are those that the resource
    sets already. A "parameter" is a key of a hash with arguments: of the template or type that
    ``subject`` names after the kind ('template' or 'type'). A "compared value" has the variable as
    its subject, and 'option' in case and selectors. A "resource type" is a name in small
    letters, after ``@`` or as the argument of a function; a "node" is the name after ``node``.

    An "interpolation" is the start of the code after ``${``; a "text" is a string of which
    nothing is known, "none" a site at which nothing can be offered.
    """

    __slots__ = ("attribute", "given", "kind", "prefix", "quote", "start", "subject")

    def __init__(
        self,
        kind: SiteKind,
        prefix: str = "",
        start: int = 0,
        *,
        quote: str = "",
        subject: tuple[str, ...] = (),
        attribute: str = "",
        given: frozenset[str] = frozenset(),
    ) -> None:
        self.kind: SiteKind = kind
        self.prefix = prefix
        self.start = start
        self.quote = quote
        self.subject = subject
        self.attribute = attribute
        self.given = given


def site_of(text: str) -> tuple[Site, Scan]:
    """Return the site at the end of a text, and the scan that it was found with."""
    scan = Scan(text)
    return _Finder(text, scan).find(), scan


def resource_type_before(text: str) -> str | None:
    """Return the type whose resources or defaults begin with the brace at the end of a text."""
    scan = Scan(text)
    if scan.where != "code" or not scan.brackets:
        return None
    found = _Finder(text, scan).resource_type_before(scan.brackets[-1][1])
    return None if found is None else found[0]


class _Finder:
    """Finds the site at the end of a text."""

    def __init__(self, text: str, scan: Scan) -> None:
        self.text = text
        self.scan = scan

    def find(self) -> Site:
        """Return the site at the end."""
        scan, text = self.scan, self.text
        if scan.in_regex or (scan.where == "code" and scan.in_tag):
            return Site("none", start=len(text))
        if scan.where == "code":
            return self._in_code()
        if scan.where in ("double", "heredoc"):
            braced = _BRACED.search(text)
            if braced is not None:
                return Site("variable", "$" + braced.group(1), braced.start(1))
            variable = _VARIABLE.search(text)
            if variable is not None and not _is_escaped(text, variable.start()):
                return Site("variable", variable.group(), variable.start())
        if scan.where in ("single", "double"):
            return self._in_string(text[scan.string_start - 1])
        return Site("none", start=len(text))

    def _in_string(self, quote: str) -> Site:
        """Return the site in an open string: a key, a title, a value, or just any text."""
        scan = self.scan
        start = scan.string_start
        prefix = self.text[start:]
        tokens = scan.tokens
        if not tokens:
            return Site("none", start=start)
        last = tokens[-1]
        if last.text == "[" and last.kind == "operator":
            found = self._inside_access(len(tokens) - 1, prefix, start, quote)
            if found.kind != "expression":
                return found
        function, number = argument_after(self.scan, tokens)
        function = "" if number else function
        if function in LOOKUPS:
            return Site("data key", prefix, start, quote=quote)
        if function in _FILE_FUNCTIONS:
            directory = _FILE_FUNCTIONS[function]
            subject = (function,)
            return Site(
                "module file", prefix, start, quote=quote, subject=subject, attribute=directory
            )
        if prefix.startswith(MODULE_FILES):
            path, start = prefix.removeprefix(MODULE_FILES), start + len(MODULE_FILES)
            return Site("module file", path, start, quote=quote, attribute="files")
        if (last.kind == "name" and last.text in CLASS_FUNCTIONS) or self._lists_classes(tokens):
            return Site("class", prefix, start, quote=quote)
        if last.text == "," and scan.brackets and scan.brackets[-1][0] == "[":
            opening = scan.brackets[-1][1]
            found = self._inside_access(opening, prefix, start, quote)
            if found.kind in ("class", "title"):
                return found
        return (
            self._of_argument(prefix, start, quote, tokens)
            or self._inside_query(prefix, start, quote, tokens)
            or self._inside_resource(prefix, start, quote, tokens)
            or self._compared(prefix, start, quote, tokens)
            or Site("text", prefix, start, quote=quote)
        )

    def _inside_access(self, opening: int, prefix: str, start: int, quote: str) -> Site:
        """Return the site after ``receiver[``; ``opening`` is the index of the bracket."""
        tokens = self.scan.tokens
        if opening == 0:
            return Site("expression", prefix, start, quote=quote)
        before = tokens[opening - 1]
        if before.kind == "type":
            if before.text.lstrip(":") == "Class":
                return Site("class", prefix, start, quote=quote)
            return Site("title", prefix, start, quote=quote, subject=(before.text,))
        path = self._path_before(opening)
        if path is None:
            return Site("expression", prefix, start, quote=quote)
        return Site("key", prefix, start, quote=quote, subject=path)

    def _path_before(self, index: int) -> tuple[str, ...] | None:
        """Return ``$facts['os']`` before the token at ``index`` as ('facts', 'os')."""
        tokens = self.scan.tokens
        keys: list[str] = []
        at = index - 1
        while at >= 2 and tokens[at].text == "]" and tokens[at].kind == "operator":
            if tokens[at - 1].kind not in ("string", "number") or tokens[at - 2].text != "[":
                return None
            keys.append(tokens[at - 1].text)
            at -= 3
        if at < 0:
            return None
        base = tokens[at]
        if base.kind == "variable":
            return (base.text[1:], *reversed(keys))
        if base.kind == "name" and at == 0 and self.scan.interpolating:
            return (base.text, *reversed(keys))
        return None

    def _in_code(self) -> Site:
        scan, text = self.scan, self.text
        tokens = list(scan.tokens)
        word: Token | None = None
        if tokens and tokens[-1].kind in ("variable", "name", "type"):
            last = tokens[-1]
            if last.start + len(last.text) == len(text):
                word = tokens.pop()
        prefix = word.text if word is not None else ""
        start = word.start if word is not None else len(text)
        if prefix.startswith("$"):
            return Site("variable", prefix, start)
        before = tokens[-1] if tokens else None
        if before is not None and before.kind == "operator":
            if before.text == ".":
                return Site(
                    "method", prefix, start, subject=self._path_before(len(tokens) - 1) or ()
                )
            if before.text in ("@", "@@"):
                return Site("resource type", prefix, start)
            if before.text == "[":
                found = self._inside_access(len(tokens) - 1, prefix, start, "")
                if found.kind in ("class", "title", "key"):
                    return found
        if before is not None and before.kind == "name" and before.text in CLASS_FUNCTIONS:
            return Site("class", prefix, start)
        if self._lists_classes(tokens):
            return Site("class", prefix, start)
        found_here = (
            self._inside_query(prefix, start, "", tokens)
            or self._inside_resource(prefix, start, "", tokens)
            or self._of_argument(prefix, start, "", tokens)
        )
        if found_here is not None:
            return found_here
        if prefix[:1].isupper() or (prefix.startswith("::") and prefix[2:3].isupper()):
            return Site("type", prefix, start)
        if scan.interpolating and not tokens:
            return Site("interpolation", prefix, start)
        compared = self._compared(prefix, start, "", tokens)
        return compared or Site(self._position(tokens), prefix, start)

    def _compared(self, prefix: str, start: int, quote: str, tokens: list[Token]) -> Site | None:
        """Return the site of a value that a variable is compared with."""
        found = comparison_at_end(self.scan, tokens)
        if found is None:
            return None
        subject = (found.variable, "option" if found.is_option else "")
        return Site(
            "compared value", prefix, start, quote=quote, subject=subject, given=found.given
        )

    def _position(self, tokens: list[Token]) -> SiteKind:
        """Tell whether a statement can begin after the tokens, or only an operand."""
        if not tokens:
            return "statement"
        last = tokens[-1]
        if last.kind == "operator" and last.text in ("{", "}", ";", ")", "]", "|"):
            if last.text == "|" or last.text == "{":
                return "statement"
            between = self.text[last.start + 1 :]
            return "statement" if "\n" in between or last.text in "};" else "expression"
        if last.kind == "operator":
            return "expression"
        if last.kind == "name" and last.text in _NO_TYPE:
            return "expression"
        between = self.text[last.start + len(last.text) :]
        return "statement" if "\n" in between else "expression"

    def _lists_classes(self, tokens: list[Token]) -> bool:
        """Tell whether the cursor is after ``include a, b,`` or ``class { ['a',``."""
        brackets = self.scan.brackets[-2:]
        if len(brackets) > 1 and brackets[1] == ("[", brackets[0][1] + 1):
            return self.resource_type_before(brackets[0][1]) == ("class", True)
        at = len(tokens) - 1
        while at >= 1 and tokens[at].text == "," and tokens[at - 1].kind in ("name", "string"):
            if at >= 2 and tokens[at - 2].text in CLASS_FUNCTIONS:
                return True
            at -= 2
        return False

    def _of_argument(self, prefix: str, start: int, quote: str, tokens: list[Token]) -> Site | None:
        """Return the site of an argument that names something, or of a key of an argument."""
        if _names_nodes(tokens):
            return Site("node", prefix, start, quote=quote)
        function, number = argument_after(self.scan, tokens)
        kind = _ARGUMENTS.get(function)
        is_name = quote or prefix[:1].islower() or kind == "class"
        if kind is not None and is_name and not (number and function in _CREATING):
            return Site(kind, prefix, start, quote=quote)
        return self._key_of_argument(prefix, start, quote, tokens)

    def _key_of_argument(
        self, prefix: str, start: int, quote: str, tokens: list[Token]
    ) -> Site | None:
        """Return the site of a key in the hash with the parameters of a template or a resource."""
        found = key_of_argument(self.scan, tokens)
        if found is None or (found.function, found.argument, found.depth) not in _PARAMETERS:
            return None
        kind = "template" if found.function == "epp" else "type"
        subject = (kind, found.first.removeprefix("::"))
        return Site("parameter", prefix, start, quote=quote, subject=subject, given=found.given)

    def _inside_query(
        self, prefix: str, start: int, quote: str, tokens: list[Token]
    ) -> Site | None:
        """Return the site between ``<|`` and ``|>``: an attribute, or a value for it."""
        opening = next((i for i in range(len(tokens) - 1, 0, -1) if _is_collector(tokens[i])), None)
        if opening is None or tokens[opening].text in _COLLECTORS:
            return None
        if tokens[opening - 1].kind != "type":
            return None
        type_name = tokens[opening - 1].text.removeprefix("::").lower()
        last = tokens[-1]
        if last.text in ("==", "!=") and tokens[-2].kind == "name":
            subject = (type_name, "")
            attribute = tokens[-2].text
            return Site(
                "query value", prefix, start, quote=quote, subject=subject, attribute=attribute
            )
        begins = last.operator in ("<|", "<<|", "(") or last.text in ("and", "or")
        if not begins or quote:
            return None
        return Site("query", prefix, start, subject=(type_name, ""))

    def _inside_resource(
        self, prefix: str, start: int, quote: str, tokens: list[Token]
    ) -> Site | None:
        """Return the site inside the braces of a resource, of defaults or of an override."""
        brackets = self.scan.brackets
        if not brackets or brackets[-1][0] != "{":
            return None
        opening = brackets[-1][1]
        kind = self.resource_type_before(opening)
        if kind is None:
            return None
        type_name, has_title = kind
        body = _split_last(tokens[opening + 1 :], ";")
        title = ""
        if has_title:
            colon = next((i for i, t in enumerate(body) if t.text == ":"), None)
            if colon is None:
                if type_name == "class" and not body:
                    return Site("class", prefix, start, quote=quote)
                return None
            title = body[0].text if body[0].kind in ("string", "name") else ""
            body = body[colon + 1 :]
        given = frozenset(
            token.text
            for token, following in itertools.pairwise(body)
            if following.text in ("=>", "+>") and token.kind == "name"
        )
        subject = (type_name, title)
        operation = _split_last(body, ",")
        if not operation and not quote:
            return Site("attribute", prefix, start, subject=subject, given=given)
        if len(operation) == 2 and operation[1].text in ("=>", "+>"):
            return Site(
                "value", prefix, start, quote=quote, subject=subject, attribute=operation[0].text
            )
        return None

    def resource_type_before(self, opening: int) -> tuple[str, bool] | None:
        """Return the type whose body begins at ``opening``, and whether titles come first."""
        tokens = self.scan.tokens
        if opening == 0:
            return None
        before = tokens[opening - 1]
        earlier = tokens[opening - 2] if opening >= 2 else None
        if before.kind == "name":
            if before.text == "class" and earlier is not None and earlier.text == "define":
                return None
            if before.text in _NO_TYPE and before.text != "class":
                return None
            if earlier is not None and (
                earlier.text in _DEFINING or earlier.text in (".", "=", "==", "?", ">>")
            ):
                return None
            return before.text.removeprefix("::"), True
        if before.kind == "type":
            if earlier is not None and earlier.text in (">>", "=", "?", "=~", "|"):
                return None
            return before.text.removeprefix("::").lower(), False
        if before.operator in _COLLECTORS:
            return self._collected_type(opening - 1)
        if before.text == "]" and before.kind == "operator":
            at = _opening_of(tokens, opening - 1)
            if at is not None and at > 0 and tokens[at - 1].kind == "type":
                return tokens[at - 1].text.removeprefix("::").lower(), False
        return None

    def _collected_type(self, closing: int) -> tuple[str, bool] | None:
        """Return the type of a collector that ends at a token, in front of its overrides."""
        tokens = self.scan.tokens
        wanted = _COLLECTORS[tokens[closing].text]
        at = next((i for i in range(closing - 1, 0, -1) if tokens[i].operator == wanted), None)
        if at is None or tokens[at - 1].kind != "type":
            return None
        return tokens[at - 1].text.removeprefix("::").lower(), False


def _names_nodes(tokens: list[Token]) -> bool:
    """Tell whether the next token is a name of a node: after ``node 'a', ``."""
    at = len(tokens) - 1
    while at > 0 and tokens[at].operator == "," and tokens[at - 1].kind == "string":
        at -= 2
    return at >= 0 and tokens[at].kind == "name" and tokens[at].text == "node"


def _is_collector(token: Token) -> bool:
    return token.operator in ("<|", "<<|", "|>", "|>>")


def _is_escaped(text: str, at: int) -> bool:
    backslashes = len(text[:at]) - len(text[:at].rstrip("\\"))
    return backslashes % 2 == 1


def _opening_of(tokens: list[Token], closing: int) -> int | None:
    """Return the index of the bracket that belongs to the closing one."""
    distance = enclosing_bracket(token.operator for token in reversed(tokens[:closing]))
    return None if distance is None else closing - 1 - distance


def _split_last(tokens: list[Token], separator: str) -> list[Token]:
    """Return the tokens after the last separator that is outside of all brackets."""
    begin = 0
    for index, operator in outside_brackets(token.operator for token in tokens):
        if operator == separator:
            begin = index + 1
    return tokens[begin:]
