"""Checks of templates and files that code names, and a module may lack."""

from __future__ import annotations

import os
import re

from puppet_repl.base.matching import nearest
from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.attributes import attributes_of
from puppet_repl.tools.advice.nodes import bare, outcomes, string_of
from puppet_repl.tools.validation.index import LIKENESS
from puppet_repl.tools.validation.surroundings import hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.advice.model import Context, Edit
    from puppet_repl.tools.validation.module_index import ModuleIndex
    from puppet_repl.tools.validation.surroundings import Surroundings

_TEMPLATES = {"epp": ".epp", "template": ""}
_IN_MODULE = re.compile(r"(?P<module>[a-z]\w*)/(?P<path>[^\0]+)", re.ASCII)
_SOURCE = re.compile(r"puppet://[^/]*/modules/(?P<module>[a-z]\w*)/(?P<path>[^\0?%]+)", re.ASCII)
_ENDING = re.compile(r"\.(?:epp|erb)\Z")
_MISSPELT_ENDING = re.compile(r"(?:\.e\w{0,3})+\Z")
# A path that has the same form in all strings.
_PLAIN = re.compile(r"[\w./-]+", re.ASCII)
# The types whose attribute source is that of a file.
_WITH_SOURCE = frozenset(("concat::fragment", "file"))


def call(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the templates and files that a call reads."""
    assert isinstance(node, ast.CallNamedFunctionExpression)
    name = string_of(node.functor)
    if name in _TEMPLATES:
        arguments = node.arguments if name == "template" else node.arguments[:1]
        for argument in arguments:
            _template(around, context, argument, _TEMPLATES[name])
    elif name == "file":
        _files(around, context, node.arguments)


def method(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the template or file that is read by a call with a dot."""
    assert isinstance(node, ast.CallMethodExpression)
    name = string_of(node.functor.right)
    if name in _TEMPLATES:
        _template(around, context, node.functor.left, _TEMPLATES[name])
    elif name == "file":
        _files(around, context, (node.functor.left, *node.arguments))


def _template(around: Surroundings, context: Context, node: ast.Node, ending: str) -> None:
    for item in outcomes(node):
        found = named_template(around, context, item, ending)
        if found is None:
            continue
        name, path = found
        around.need(context, item, name, f"the template {name}/{path}")
        module = around.index.modules.get(name)
        if module is not None and _lacks(module, "templates", path):
            is_epp = bool(ending)
            _warn_of(context, "missing_template", item, module, "templates", path, wants_epp=is_epp)


def named_template(
    around: Surroundings, context: Context, node: ast.Node, ending: str = ".epp"
) -> tuple[str, str] | None:
    """Return the module and the file of a template that is named; None if the name varies."""
    text = around.text_of(context, node)
    found = None if text is None else _IN_MODULE.fullmatch(text)
    if found is None:
        return None
    path = found["path"]
    return found["module"], path if path.endswith(ending) else path + ending


def _files(around: Surroundings, context: Context, nodes: tuple[ast.Node, ...]) -> None:
    """Check a list of files, of which the first that exists is read."""
    _check(around, context, [(each, _IN_MODULE) for each in nodes])


def sources(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the sources of files."""
    for given in attributes_of(node):
        value = given.get("source") if given.type_name in _WITH_SOURCE else None
        for one in () if value is None else outcomes(value):
            nodes = one.values if isinstance(one, ast.LiteralList) else (one,)
            _check(around, context, [(each, _SOURCE) for each in nodes])


def _check(
    around: Surroundings, context: Context, nodes: list[tuple[ast.Node, re.Pattern[str]]]
) -> None:
    """Warn if none of the files that are named can exist."""
    missing: list[tuple[ast.Node, ModuleIndex, str]] = []
    for node, pattern in nodes:
        text = around.text_of(context, bare(node))
        found = None if text is None else pattern.fullmatch(text)
        if found is None:
            return
        name, path = found["module"], found["path"]
        around.need(context, node, name, f"the file {name}/{path}")
        module = around.index.modules.get(name)
        if module is None or not _lacks(module, "files", path):
            return
        missing.append((node, module, path))
    for node, module, path in missing[:1]:
        _warn_of(context, "missing_file", node, module, "files", path)


def _warn_of(
    context: Context,
    rule: str,
    node: ast.Node,
    module: ModuleIndex,
    directory: str,
    path: str,
    *,
    wants_epp: bool | None = None,
) -> None:
    """Warn of a file that a module lacks, and name the nearest one that the function takes."""
    near = _near(module, directory, path, wants_epp)
    message = f"the module {module.name} has no file {directory}/{path}{hint(near)}"
    start = context.start_of(node)
    meant: tuple[Edit, ...] = ()
    for written in (path, path.removesuffix(".epp")):
        at = context.text.rfind(f"/{written}", start, node.end) + 1
        if at and near is not None:
            meant = ((at, at + len(written), near),)
            break
    missing = f"{module.name}/{directory}/{path}"
    context.warn(rule, node, message, replacements=meant, missing=missing)


def _near(module: ModuleIndex, directory: str, path: str, wants_epp: bool | None) -> str | None:
    """Return the file whose path is most like one; the endings of templates say nothing."""
    known = {
        _ENDING.sub("", each): each
        for each in module.module.files(directory, "")
        if _PLAIN.fullmatch(each) and wants_epp in (None, each.endswith(".epp"))
    }
    wanted = _MISSPELT_ENDING.sub("", path)
    near = nearest(wanted, known, likeness=LIKENESS)
    if near is None:
        last = wanted.rpartition("/")[2]
        elsewhere = [each for each in known if each.rpartition("/")[2] == last]
        near = elsewhere[0] if len(elsewhere) == 1 else None
    return None if near is None else known[near]


def _lacks(module: ModuleIndex, directory: str, path: str) -> bool:
    """Tell whether a file is missing, and not in a directory that is empty, as of a submodule."""
    parts = path.split("/")
    if not module.is_whole or module.has(directory, *parts):
        return False
    places = [module.module.file(directory, *parts[:length]) for length in range(1, len(parts))]
    return not any(os.path.isdir(each) and _is_empty(module, each) for each in places)


def _is_empty(module: ModuleIndex, directory: str) -> bool:
    found = module.listings.of(directory)
    return not (found.directories or found.links or found.files or found.broken)
