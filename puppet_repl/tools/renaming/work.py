"""What every renaming has: its edits, the reasons against one, and the names in data and texts."""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.yaml_nodes import Mapping, Scalar, Sequence
from puppet_repl.language.syntax import ast
from puppet_repl.language.values.regex import Regexp
from puppet_repl.tools.advice.nodes import called
from puppet_repl.tools.editing.scopes import plain
from puppet_repl.tools.renaming.sources import pairs_of, scalars_below
from puppet_repl.tools.renaming.values import Joined, Looked, Unknown, Values, Written, arguments
from puppet_repl.tools.validation.patterns import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from puppet_repl.base.yaml_nodes import Node
    from puppet_repl.tools.renaming.sources import Code, Data, Sources
    from puppet_repl.tools.renaming.values import Origin

OPTIONS = "lookup_options"
_INTERPOLATION = re.compile(r"%\{[^}\n]*\}")
# The code of Ruby before the name of a function that it calls.
_CALL = re.compile(r"call_function\(?\s*['\":]+\Z")
_WHOLE = re.compile(r"(?s).+")
TAG_OF_ERB = re.compile(r"<%(?![%#])(.*?)%>", re.DOTALL)


class Refused(Exception):
    """A sentence that says why a name stays."""


class Renaming:
    """The edits of files by their paths, and the file that gets another path, or None.

    ``unseen`` has sentences about code that computes names when it runs: it may mean the old name,
    and nobody can tell before that.
    """

    __slots__ = ("edits", "move", "unseen")

    def __init__(self) -> None:
        self.edits: dict[str, set[tuple[int, int, str]]] = {}
        self.move: tuple[str, str] | None = None
        self.unseen: dict[str, None] = {}

    def edit(self, path: str, start: int, end: int, text: str) -> None:
        """Replace a range of a file."""
        self.edits.setdefault(path, set()).add((start, end, text))

    def has(self, path: str, offset: int) -> bool:
        """Tell whether the text at an offset of a file is replaced."""
        return any(start <= offset < end for start, end, _ in self.edits.get(path, ()))


def mention(name: str) -> re.Pattern[str]:
    """Return the pattern of a qualified name in a text, with or without leading colons."""
    return re.compile(rf"(?<![\w:$])(?:::)?({re.escape(name)})(?!\w|::\w)")


class Work:
    """One renaming while it is made; ``old`` and ``new`` are the texts that replace each other."""

    def __init__(self, values: Values, old: str, new: str) -> None:
        self.values = values
        self.sources: Sources = values.sources
        self.settings = values.settings
        self.shown = values.sources.shown
        self.old = old
        self.new = new
        self.done = Renaming()

    # Code

    def write(self, code: Code, node: ast.Node, old: str = "", new: str = "") -> None:
        """Replace a name in a literal; one that is written with escapes cannot be replaced."""
        old, new = old or self.old, new or self.new
        start = code.text.find(old, node.start, node.end)
        if start < 0:
            start = code.text.lower().find(old, node.start, node.end)
        if start < 0:
            place = self.place(code, node)
            raise Refused(f"{place} has the name with escapes: write it without them first")
        self.done.edit(code.path, start, start + len(old), new)

    def place(self, code: Code, node: ast.Node) -> str:
        """Return file and line of a node, for sentences."""
        return f"{self.shown(code.path)}:{code.line(node.start)}"

    def note_unseen(self, code: Code, node: ast.Node, what: str) -> None:
        """Note a place that may mean the name, which only a run could tell."""
        self.done.unseen[f"{self.place(code, node)} {what}"] = None

    def refuse_if_broken(self, *words: str) -> None:
        """Refuse if a file of code or data that cannot be parsed has a word."""
        pattern = re.compile("|".join(rf"(?<![\w]){re.escape(each)}(?!\w)" for each in words), re.I)
        _ = self.sources.codes
        data = [each.path for each in self.sources.data if each.root is None]
        for path in (*self.sources.broken, *data):
            if pattern.search(self.sources.text(path)):
                raise Refused(f"{self.shown(path)} has a syntax error, and may use the name")

    # Data

    def data_keys(self, matches: Callable[[str], str | None]) -> list[str]:
        """Rename keys of the data and of lookup_options; return the old keys of the data.

        ``matches`` returns the new key for an old one, None for one that stays.
        """
        found = []
        for data in self.sources.data:
            for key, value in data.pairs:
                new = matches(key.text)
                if new is not None:
                    found.append(key.text)
                    self.write_scalar(data, key, key.text, new)
                if key.text == OPTIONS:
                    for option, _ in pairs_of(value):
                        self._option(data, option, matches)
        return found

    def _option(self, data: Data, option: Scalar, matches: Callable[[str], str | None]) -> None:
        new = matches(option.text)
        if new is not None:
            self.write_scalar(data, option, option.text, new)

    def check_patterns(self, keys: dict[str, str]) -> None:
        """Refuse if a pattern of lookup_options matches an old key and not its new one, or not.

        ``keys`` has the new keys by the old ones.
        """
        for data in self.sources.data:
            for key, value in data.pairs:
                if key.text != OPTIONS:
                    continue
                for option, _ in pairs_of(value):
                    if option.text.startswith("^") and _distinguishes(option.text, keys):
                        line = data.line(option.span[0])
                        raise Refused(
                            f"lookup_options in {self.shown(data.path)}:{line} have a pattern for "
                            "one of the two names only"
                        )

    def write_scalar(self, data: Data, scalar: Scalar, old: str, new: str) -> None:
        start, end = scalar.span
        at = data.text.find(old, start, end)
        if at < 0:
            line = data.line(start)
            raise Refused(f"{self.shown(data.path)}:{line} has the name with escapes")
        self.done.edit(data.path, at, at + len(old), new)

    def interpolations(self, pattern: re.Pattern[str], new: str) -> None:
        """Replace a name in ``%{...}`` of data and of hiera.yaml; group 1 is the name."""
        for data in self.sources.data:
            # The mapped_paths of a hiera.yaml have names of variables without braces.
            is_config = data.path.endswith("hiera.yaml")
            parts = _WHOLE if is_config else _INTERPOLATION
            for found in parts.finditer(data.text):
                for name in pattern.finditer(found.group()):
                    start, end = name.span(1)
                    self.done.edit(data.path, found.start() + start, found.start() + end, new)

    def values_of(self, key: str) -> Iterator[tuple[Data, Node]]:
        """Yield the values of a key in all data."""
        for data in self.sources.data:
            for name, value in data.pairs:
                if name.text == key:
                    yield data, value

    def scalars_of(self, key: str) -> Iterator[tuple[Data, Scalar]]:
        """Yield the texts below a key in all data."""
        for data, value in self.values_of(key):
            for scalar in scalars_below(value):
                yield data, scalar

    def nested_keys(self, origin: Looked, computed: list[str]) -> None:
        """Rename the keys of the hashes that are so many hashes inside of the values of a key.

        Add the places where nobody knows the keys.
        """
        reads = sum(
            isinstance(node, ast.LiteralString)
            and node.value.removeprefix("::").partition(".")[0] == origin.key
            for code in self.sources.codes
            for node in code.nodes
        )
        is_automatic = isinstance(origin.node, ast.VariableExpression)
        for data, value in self.values_of(origin.key):
            level: list[Node] = [value]
            for _ in range(origin.depth):
                level = [
                    inner
                    for node in _elements(level)
                    if isinstance(node, Mapping)
                    for _, inner in node.pairs
                ]
            for node in _elements(level):
                if isinstance(node, Scalar) and "%{" in node.text:
                    computed.append(f"{self.shown(data.path)}:{data.line(node.span[0])}")
                for key, _ in pairs_of(node):
                    if key.text != self.old:
                        continue
                    if data.has_aliases or reads > (not is_automatic):
                        line = data.line(key.span[0])
                        raise Refused(
                            f"{self.old} in {self.shown(data.path)}:{line} is also used for "
                            "something else"
                        )
                    self.write_scalar(data, key, self.old, self.new)

    # Names that are computed

    def texts(self, code: Code, node: ast.Node, name: str, subject: str) -> bool:
        """Rename a name that code computes from literals and data; return whether it does.

        Refuse if a run could compute this name in another way; note code that could compute any.
        """
        found = False
        for origin in self.values.texts(code, node):
            if isinstance(origin, Written):
                if plain(origin.text) == name:
                    found = True
                    self.write(origin.code, origin.node)
            elif isinstance(origin, Looked):
                found |= self._looked(origin, name, subject)
            elif isinstance(origin, Unknown):
                self.note_unseen(origin.code, origin.node, f"computes the name of {subject}")
            elif self.may_be(origin, name):
                raise Refused(
                    f"{self.place(origin.code, origin.node)} computes the name of {subject}"
                )
        return found

    def _looked(self, origin: Looked, name: str, subject: str) -> bool:
        found = False
        if not self.sources.has_key(origin.key):
            what = f"looks up the name of {subject}, and no file of data has the key {origin.key}"
            self.note_unseen(origin.code, origin.node, what)
        for data, scalar in self.scalars_of(origin.key):
            if plain(scalar.text) == name:
                found = True
                self.write_scalar(data, scalar, self.old, self.new)
            elif "%{" in scalar.text:
                parts = _INTERPOLATION.split(scalar.text.lower())
                if Pattern.of_parts(parts).matches(name):
                    line = data.line(scalar.span[0])
                    raise Refused(f"{self.shown(data.path)}:{line} computes the name of {subject}")
        return found

    def may_be(self, origin: Origin, *names: str) -> bool:
        """Tell whether a computed text may be one of some names, perhaps with leading colons."""
        if isinstance(origin, Unknown):
            return True
        if not isinstance(origin, Joined):
            return False
        pattern = Pattern.of_parts([each.lower() for each in origin.parts])
        return any(pattern.matches(start + name.lower()) for name in names for start in ("", "::"))

    # Ruby

    def refuse_in_ruby(self, *patterns: re.Pattern[str]) -> None:
        """Refuse if Ruby code of a module has a name."""
        for path, text in self.sources.others(".rb"):
            if "/spec/" in path.replace("\\", "/"):
                continue
            for number, line in enumerate(text.split("\n"), 1):
                code = line.partition("# ")[0]
                if any(each.search(code) for each in patterns):
                    raise Refused(f"the Ruby code in {self.shown(path)}:{number} has the name")

    def in_templates(
        self, pattern: re.Pattern[str], new: str, start: str, *, is_function: bool = False
    ) -> None:
        """Replace a name in the Ruby code of templates; group 1 of the pattern is the name.

        Refuse if a template computes a name that has the beginning ``start``.
        """
        files = [(path, text, 0, len(text)) for path, text in self.sources.others(".erb")]
        inline = [
            (code.path, code.text, node.start, node.end)
            for code, node in self._inline("inline_template")
        ]
        for path, text, begin, end in (*files, *inline):
            for tag in TAG_OF_ERB.finditer(text, begin, end):
                if f"{start}#{{" in tag[1]:
                    raise Refused(f"the template {self.shown(path)} computes a name")
                for found in pattern.finditer(tag[1]):
                    is_call = _CALL.search(tag[1], 0, found.start()) is not None
                    if is_call is not is_function:
                        continue
                    first, last = (tag.start(1) + each for each in found.span(1))
                    self.done.edit(path, first, last, new)

    def refuse_in_inline_epp(self, name: str) -> None:
        """Refuse if the text of a call of ``inline_epp`` has a name that stays."""
        pattern = re.compile(rf"(?<!\w)(?<!\w::){re.escape(name)}(?!\w)", re.IGNORECASE)
        for code, node in self._inline("inline_epp"):
            for tag in TAG_OF_ERB.finditer(code.text, node.start, node.end):
                for found in pattern.finditer(tag[1]):
                    at = tag.start(1) + found.end() - 1
                    if not self.done.has(code.path, at):
                        place = f"{self.shown(code.path)}:{code.line(at)}"
                        raise Refused(f"the template in {place} has the name")

    def _inline(self, function: str) -> Iterator[tuple[Code, ast.Node]]:
        """Yield the texts in the code that a function may render."""
        for code in self.sources.codes:
            for node in code.nodes:
                for each in arguments(node) if called(node) == function else ():
                    for origin in self.values.texts(code, each):
                        if isinstance(origin, Written | Joined):
                            yield origin.code, origin.node


def quoted(name: str) -> re.Pattern[str]:
    """Return the pattern of a name as Ruby code has it: a text, or the begin of a reference."""
    return re.compile(rf"""['"](?:::)?{re.escape(name)}(?:['"\[.]|::[a-z_]\w*['"])""")


def _elements(nodes: list[Node]) -> Iterator[Node]:
    """Yield nodes, and the elements of sequences instead of these."""
    pending = list(reversed(nodes))
    while pending:
        node = pending.pop()
        if isinstance(node, Sequence):
            pending += reversed(node.items)
        else:
            yield node


def _distinguishes(pattern: str, keys: dict[str, str]) -> bool:
    try:
        regexp = Regexp(pattern)
        return any(regexp.matches(old) != regexp.matches(new) for old, new in keys.items())
    except PuppetError:
        return False
