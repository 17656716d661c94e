"""What the checks of one file know of the files around it."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import bare, string_of
from puppet_repl.tools.validation.definitions import definitions_of, plain_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.profiles import Profile
    from puppet_repl.tools.advice.model import Context
    from puppet_repl.tools.validation.index import Index
    from puppet_repl.tools.validation.module_index import ModuleIndex

"""The least ratio of letters that a name has in common with the one that was meant."""
_NAME = re.compile(r"(?:::)?[A-Za-z]\w*(?:::\w+)*")
# Parts of a module whose code runs where the module is installed.
_INSTALLED = ("manifests/", "functions/", "types/", "templates/")
# Modules that nobody can depend on: parts of Puppet, and of Puppet Enterprise.
_NO_MODULES = ("environment", "main", "puppet_enterprise", "settings")


class History:
    """Findings of one module that a run reports once.

    ``needed`` are modules that the metadata do not name, ``told`` names without a namespace.
    """

    __slots__ = ("needed", "told")

    def __init__(self) -> None:
        self.needed: set[str] = set()
        self.told: set[str] = set()


class Surroundings:
    """The index that a file sees, the module that it belongs to, and the names that it tests for.

    ``guarded`` are names that the code asks for with ``defined``, ``profile`` is that of the
    language. ``is_alone`` tells whether the module is in no control repository, whose Puppetfile
    would name what it needs.
    """

    __slots__ = (
        "guarded",
        "in_plan",
        "index",
        "is_alone",
        "is_installed",
        "local",
        "module",
        "profile",
        "told",
        "used",
    )

    def __init__(
        self,
        index: Index,
        module: ModuleIndex | None,
        inside: str,
        program: ast.Program,
        history: History,
        *,
        profile: Profile,
        is_alone: bool,
    ) -> None:
        self.index = index
        self.profile = profile
        self.module = module
        self.is_alone = is_alone
        self.in_plan = inside.startswith("plans/")
        self.is_installed = inside.startswith(_INSTALLED)
        self.local = {(each.kind, each.name) for each in definitions_of(program)}
        self.guarded: set[str] = set()
        self.used = history.needed
        self.told = history.told

    def is_own(self, kind: str, name: str) -> bool:
        """Tell whether the file defines a name itself, or asks whether it is defined."""
        return (kind, name) in self.local or name in self.guarded

    def text_of(self, context: Context, node: ast.Node) -> str | None:
        """Return the value of a string, None if it varies.

        ``$module_name`` does not vary in a class or defined type of a module.
        """
        node = bare(node)
        if not isinstance(node, ast.ConcatenatedString):
            return string_of(node)
        module = _module_around(context) if self.is_installed else ""
        parts = []
        for segment in node.segments:
            if isinstance(segment, ast.LiteralString):
                parts.append(segment.value)
            elif module and _is_module_name(segment):
                parts.append(module)
            else:
                return None
        return "".join(parts)

    def may_be_elsewhere(self, name: str) -> bool:
        """Tell whether a name without a namespace is better not reported.

        Examples and tests of a module use other modules, and plans what Bolt has. In a module on
        its own each name is reported once.
        """
        if self.in_plan:
            return True
        if self.index.site is not None:
            return False
        is_known = name in self.told or not (self.is_installed and self.is_alone)
        self.told.add(name)
        return is_known

    def where(self, name: str) -> str:
        """Return what lacks a name, for messages."""
        module, qualified, _ = name.partition("::")
        if qualified:
            return f"the module {module} has none"
        if self.index.site is not None:
            return "the environment has no module with it"
        return "neither Puppet has it nor a module that metadata.json names"

    def need(self, context: Context, node: ast.Node, name: str, what: str) -> None:
        """Note that code needs a module, and warn if the metadata of its own do not name it."""
        own = self.module
        if own is None or not (self.is_installed and self.is_alone):
            return
        if name == own.name or name in _NO_MODULES or name.startswith("pe_"):
            return
        is_optional = any(each.partition("::")[0] == name for each in self.guarded)
        if name in self.used or is_optional or own.names_module(name):
            return
        self.used.add(name)
        message = f"{what} is of the module {name}, which metadata.json does not name"
        context.warn("undeclared_dependency", node, message)


def _module_around(context: Context) -> str:
    """Return the module of the class or defined type around, '' outside of any."""
    for scope in context.scope.outward():
        node = scope.node
        if isinstance(node, ast.HostClassDefinition | ast.ResourceTypeDefinition):
            return plain_name(node.name).partition("::")[0]
        if isinstance(node, ast.FunctionDefinition):
            break
    return ""


def _is_module_name(segment: ast.Node) -> bool:
    if isinstance(segment, ast.TextExpression):
        segment = segment.expr
    return isinstance(segment, ast.VariableExpression) and segment.name == "module_name"


def name_of(node: ast.Node | None) -> str | None:
    """Return a name that a literal string or bare word is, without leading colons; or None."""
    text = string_of(node)
    return None if text is None else name_in(text)


def name_in(text: str) -> str | None:
    """Return a text without leading colons, in small letters, if it is a name; or None."""
    return plain_name(text) if _NAME.fullmatch(text) else None


def file_of(kind: str, name: str) -> str:
    """Return the file of a module that would define a name; '' if Puppet looks for it elsewhere."""
    module, _, inner = name.partition("::")
    path = inner.replace("::", "/")
    if kind == "class":
        return f"{module}/manifests/{path or 'init'}.pp"
    directory = "manifests" if kind == "define" else f"{kind}s"
    return f"{module}/{directory}/{path}.pp" if path else ""


def hint(near: str | None) -> str:
    """Return the end of a message that offers a name, '' without one."""
    return f"; did you mean {near}?" if near else ""
