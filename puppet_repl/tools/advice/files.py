"""Checks of paths, sources and commands: those of file and exec."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import beginning_of, items, string_of, word_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.advice.attributes import Attributes
    from puppet_repl.tools.advice.model import Context, Edit

# Attributes that take fully qualified paths only, by type.
_ABSOLUTE_PATHS = frozenset((("exec", "creates"), ("exec", "cwd"), ("file", "path")))
_ABSOLUTE = re.compile(r"""["']?(?:/|[A-Za-z]:[/\\]|\\\\)""")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")
_MOUNT = re.compile(r"puppet://(?P<server>[^/]*)/(?P<mount>[^/]*)/(?P<rest>.*)", re.S)
_IN_MODULE = re.compile(r"(?P<module>[a-z]\w*)/(?P<directory>files|templates)/")
_MOUNTS = frozenset(("modules", "plugins", "pluginfacts", "locales", "scripts", "tasks"))
_CREATORS = ("content", "source", "target")
# Functions that always return a text.
_TEXTS = frozenset(("epp", "file", "inline_epp", "inline_template", "template", "sprintf"))


def paths(context: Context, given: Attributes) -> None:
    """Warn of paths that have to be fully qualified, and are not."""
    for operation in given.operations:
        if (given.type_name, operation.name) in _ABSOLUTE_PATHS:
            for node in items(operation.value):
                _relative(context, node, f"{operation.name} of {given.type_name}")
    if given.type_name == "file" and given.title is not None and not given.is_open:
        if given.get("path") is None and not context.may_default("file", "path"):
            for node in items(given.title):
                _relative(context, node, "the title of a file, which is its path,")


def _relative(context: Context, node: ast.Node, what: str) -> None:
    start = beginning_of(node)
    if start and not _ABSOLUTE.match(start):
        shown = context.written(node)
        message = f"{what} has to be a full path, such as '/etc/motd': {shown} is relative"
        context.warn("relative_path", node, message)


def sources(context: Context, given: Attributes) -> None:
    """Warn of sources that Puppet's file server does not have."""
    if given.type_name != "file":
        return
    value = given.get("source")
    for node in () if value is None else items(value):
        start = beginning_of(node)
        if not start:
            continue
        if _ABSOLUTE.match(start) or (_SCHEME.match(start) and not start.startswith("puppet:")):
            continue
        _source(context, node, start)


def _source(context: Context, node: ast.Node, start: str) -> None:
    rule = "puppet_url_without_modules"
    if not start.startswith("puppet:/"):
        wanted = start if start.startswith("modules/") else f"modules/MODULE/{start}"
        message = f"a source is a full path or a URL: write 'puppet:///{wanted}'"
        context.warn("relative_path", node, message)
        return
    found = _MOUNT.match(start)
    if found is None:
        return
    module = context.scope.definition_name().partition("::")[0]
    server, mount, rest = found.groups()
    if server == "modules":
        message = "'puppet://modules/' names a server called modules: write 'puppet:///modules/'"
        edits = _inserted(context, node, "puppet://", "/")
        context.warn(rule, node, message, *edits)
    elif mount == module and mount not in _MOUNTS:
        message = f"files of the module {mount} are at 'puppet:///modules/{mount}/'"
        edits = _inserted(context, node, f"puppet://{server}/", "modules/")
        context.warn(rule, node, message, *edits)
    elif mount == "modules":
        inner = _IN_MODULE.match(rest)
        if inner is not None and inner["directory"] == "files":
            name = inner["module"]
            context.warn(
                "directory_in_source",
                node,
                f"the directory files is left out: write 'puppet:///modules/{name}/...'",
            )


def _inserted(context: Context, node: ast.Node, beginning: str, new: str) -> list[Edit]:
    """Return the edit that writes something after the beginning of a string in quotes."""
    start = node.start + 1
    is_written = context.text[node.start] in "'\"" and context.text.startswith(beginning, start)
    at = start + len(beginning)
    return [(at, at, new)] if is_written else []


def template_calls(context: Context, node: ast.Node) -> None:
    """Warn of template('module/templates/...'): the directory is left out, as with files."""
    assert isinstance(node, ast.CallNamedFunctionExpression)
    name = string_of(node.functor)
    wanted = {"template": "templates", "epp": "templates", "file": "files"}.get(name or "")
    if wanted is None:
        return
    for argument in node.arguments[:1]:
        found = _IN_MODULE.match(beginning_of(argument) or "")
        if found is not None and found["directory"] == wanted:
            context.warn(
                "directory_in_source",
                argument,
                f"the directory {wanted} is left out: write {name}('{found['module']}/...')",
            )


def creators(context: Context, given: Attributes) -> None:
    """Warn of files with content from two sides, and of links that lead nowhere."""
    if given.type_name != "file":
        return
    sure = [each for each in given.operations if each.name in _CREATORS and _is_text(each.value)]
    if len(sure) > 1:
        names = " and ".join(each.name for each in sure)
        message = f"a file has content, source or target, only one of them: not {names}"
        context.warn("conflicting_attributes", sure[1], message)
    if given.title is None or given.is_open:
        return
    ensure = given.get("ensure")
    leads = any(given.get(name) is not None for name in ("target", "source"))
    leads = leads or context.may_default("file", "target", "source")
    if ensure is not None and word_of(ensure) == "link" and not leads:
        context.warn("link_without_target", ensure, "a link needs a target: target => '/path'")


def _is_text(node: ast.Node) -> bool:
    """Tell whether a value is a text for sure, and not perhaps undef."""
    if isinstance(node, ast.CallNamedFunctionExpression):
        return string_of(node.functor) in _TEXTS
    return isinstance(
        node, ast.LiteralString | ast.ConcatenatedString | ast.HeredocExpression | ast.LiteralList
    )


def commands(context: Context, given: Attributes) -> None:
    """Warn of commands without a directory where exec has no path to look them up."""
    if given.type_name != "exec" or given.title is None or given.is_open:
        return
    if context.may_default("exec", "path", "provider"):
        return
    if given.get("path") is not None or given.get("provider") is not None:
        return
    if context.scope.definition_name():
        return  # what declares the class or the define may set a default
    command = given.get("command")
    for node in items(given.title) if command is None else _programs(command):
        start = (beginning_of(node) or "").lstrip("\"'")
        if start and not _ABSOLUTE.match(start):
            program = start.split(" ")[0]
            context.warn(
                "exec_without_path",
                node,
                f"nobody says where {program} is: add path => ['/usr/bin', '/bin'], "
                "or write the command with its full path",
            )


def _programs(node: ast.Node) -> list[ast.Node]:
    """Return the possible names of the program; in an array the first element."""
    if isinstance(node, ast.LiteralList):
        return list(node.values[:1])
    return list(items(node))
