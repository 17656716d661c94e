"""The variables that templates in Ruby, and templates in the code, may read by their names."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import called, string_of
from puppet_repl.tools.renaming.values import arguments
from puppet_repl.tools.renaming.work import TAG_OF_ERB, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.tools.renaming.sources import Code, Sources

_INLINE = frozenset(("inline_epp", "inline_template"))
# A template that asks for all variables.
_ALL = re.compile(r"\bto_hash\b|\binstance_variable|\bbinding\b")
_INNER = re.compile(r"""\b(?:function_template|template|call_function)\b""")


class Templates:
    """The templates in ERB of all modules.

    Those in EPP that are files know only global variables, qualified ones and their own parameters.
    """

    def __init__(self, sources: Sources) -> None:
        self.sources = sources

    def refuse_variable(self, scopes: Iterable[tuple[Code, ast.Node]], *names: str) -> None:
        """Refuse if a template that a definition uses may read one of some variables."""
        words = "|".join(map(re.escape, names))
        in_ruby = re.compile(rf"@({words})(?!\w)|(?:['\"]|(?<!:):)({words})(?!\w)")
        in_code = re.compile(rf"[@$]\{{?({words})(?!\w)|(?:['\"]|(?<!:):)({words})(?!\w)")
        for code, definition in scopes:
            for node in definition.walk():
                name = called(node)
                if name in _INLINE:
                    found = in_code.search(code.text, node.start, node.end)
                    if found is not None:
                        place = f"{self.sources.shown(code.path)}:{code.line(found.start())}"
                        raise Refused(f"the template in {place} may use {_named(found)}")
                elif name == "template":
                    for path, text in self._of_call(node):
                        self._refuse_in(path, text, in_ruby)

    def _of_call(self, call: ast.Node) -> Iterator[tuple[str, str]]:
        """Yield the templates that a call may render: all if the name is computed."""
        for each in arguments(call):
            reference = string_of(each)
            ending = ".erb"
            if reference is not None:
                module, _, rest = reference.partition("/")
                ending = f"/{module}/templates/{rest}"
            of_module = list(self._ending(ending))
            if not of_module and reference is not None:
                # The directory of a checkout may have another name than its module.
                of_module = list(self._ending(f"/templates/{reference.partition('/')[2]}"))
            yield from of_module
            if any(_INNER.search(text) for _, text in of_module):
                yield from self._ending(".erb")

    def _ending(self, ending: str) -> Iterator[tuple[str, str]]:
        for path, text in self.sources.others(".erb"):
            if path.replace("\\", "/").endswith(ending):
                yield path, text

    def _refuse_in(self, path: str, text: str, pattern: re.Pattern[str]) -> None:
        for tag in TAG_OF_ERB.finditer(text):
            found = pattern.search(tag[1]) or _ALL.search(tag[1])
            if found is not None:
                line = text.count("\n", 0, tag.start()) + 1
                place = f"{self.sources.shown(path)}:{line}"
                raise Refused(f"the template {place} may use {_named(found)}")


def _named(found: re.Match[str]) -> str:
    return f"@{found[1] or found[2]}" if found.lastindex else "all variables"
