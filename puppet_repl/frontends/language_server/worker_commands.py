"""The commands of the worker: evaluate, compile, draw, compare, explain."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.wording import counted
from puppet_repl.catalog.content import CatalogContent, relocated
from puppet_repl.catalog.difference import compare
from puppet_repl.frontends.commands.catalog import declared_in, table_of
from puppet_repl.frontends.commands.graph import graph_of
from puppet_repl.frontends.commands.lookup import report_of_key
from puppet_repl.frontends.language_server.edited_root import (
    EditedRoot,
    Refusal,
    cut,
    logs_of,
    only,
    text_of,
)
from puppet_repl.frontends.language_server.markdown import escaped, fenced, one_line
from puppet_repl.frontends.shared.results import render_outcome
from puppet_repl.frontends.shared.revision_trees import RevisionTree
from puppet_repl.frontends.shared.revisions import GitError
from puppet_repl.host.catalogs import content_now
from puppet_repl.host.command_registry import GRAPH_FORMATS
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.model.resource import capitalize_segments
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.reports.differences import render_difference
from puppet_repl.tools.reports.parts import Code, Report
from puppet_repl.tools.reports.report import render_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.frontends.language_server.edited_root import Answer
    from puppet_repl.session import Outcome, Session

_HEAD = "HEAD"
# Bytes of a revision that are written for a comparison.
_MAX_SIZE = 512 << 20
_OF_CLASS = re.compile(r"Unknown variable: '([\w:]+)::")
_MISSING = re.compile(r"expects a value for parameter '?([\w]+)'?")
# Every class has these, with values of its own.
_GIVEN = frozenset(("caller_module_name", "module_name", "name", "title"))
_LANGUAGES = {"mermaid": "mermaid", "dot": "dot", "svg": "svg"}


def _answer(
    edited: EditedRoot, title: str, text: str, language: str = "", **more: object
) -> Answer:
    """Return an answer: a title, and a text in Markdown."""
    shown = cut(edited.shown(text))
    text = f"# {escaped(title)}\n\n{fenced(shown, language)}"
    return {"title": one_line(title), "text": text, **more}


def _failed(edited: EditedRoot, title: str, outcome: Outcome, notes: str = "") -> Answer:
    """Return the answer to a command whose code has failed, with the messages before that."""
    assert outcome.error is not None
    text = notes + logs_of(outcome) + _error(edited, outcome.error)
    found = _OF_CLASS.search(outcome.error.message)
    if found is not None and not _has_node(edited):
        text += f"hint: choose a node whose catalog has class {found[1]}\n"
    text += _on_parameters(edited, outcome.error)
    return _answer(edited, title, text, failed=True)


def _on_parameters(edited: EditedRoot, error: PuppetError) -> str:
    """Return where the values of parameters come from that an error misses, '' for other errors."""
    kind, name = edited.request.get("kind"), edited.request.get("name")
    missing = _MISSING.findall(error.message)
    if not missing or not name:
        return ""
    title = capitalize_segments(name)
    if kind == "define" and f"{title}[example]:" in error.message:
        return (
            f"hint: {name} is compiled as {name} {{ 'example': }}, and needs values for "
            f"{', '.join(missing)}: ask for the catalog of a class or node that declares it\n"
        )
    if kind == "class" and f"Class[{title}]:" in error.message:
        keys = ", ".join(f"{name}::{each}" for each in missing)
        chosen = "this node" if _has_node(edited) else "no node: choose one"
        return f"hint: the data have no value of {keys} for {chosen}\n"
    return ""


def _has_node(edited: EditedRoot) -> bool:
    return bool(edited.request.get("node") or edited.settings.node)


def _error(edited: EditedRoot, error: PuppetError) -> str:
    return text_of(render_error(error, width=edited.settings.width))


# A selection


def evaluate(edited: EditedRoot) -> Answer:
    """Evaluate a range of the document; its value and its messages are the answer.

    The definitions of the document are known. Nothing else of it has run, but for the class around
    the range: its variables have the values that they have on the node. Code that needs variables
    of other classes is evaluated again after the manifests for the chosen node.
    """
    answer, error = _evaluated(edited, edited.session())
    session = _after_node(edited, error)
    if session is None:
        return answer
    second, error = _evaluated(edited, session)
    return second if error is None else answer


def _evaluated(edited: EditedRoot, session: Session) -> tuple[Answer, PuppetError | None]:
    start, end = edited.request.get("span") or (0, len(edited.text))
    path = edited.place()
    notes = ""
    if edited.request.get("is_template"):
        outcome = session.render_epp(edited.text[start:end], name=path)
    else:
        before = edited.definitions(session, edited.text, path, range(start, end))
        if before.strip():
            outcome = session.execute(before, path, record=False)
            if outcome.error is not None:
                return _failed(edited, "Evaluation failed", outcome), outcome.error
        around = _class_around(edited, start, end)
        if around is not None:
            notes = _take_variables(edited, session, around)
        outcome = session.execute(only(edited.text, [(start, end)]), path)
    if outcome.error is not None:
        return _failed(edited, "Evaluation failed", outcome, notes), outcome.error
    with session.deadline():
        width = edited.settings.width
        value = text_of(render_outcome(session, outcome, "", width, show_type=True))
    text = notes + logs_of(outcome) + value
    return _answer(edited, "Value", text, "puppet", value=cut(edited.shown(value))), None


def _after_node(
    edited: EditedRoot, error: PuppetError | None, directory: str | None = None
) -> Session | None:
    """Return a session with the catalog of the chosen node, for code that failed without it.

    None for an error other than an unknown variable of a class, without a chosen node, and for a
    node that has no catalog.
    """
    found = None if error is None else _OF_CLASS.search(error.message)
    if found is None or not _has_node(edited):
        return None
    session = edited.session(directory)
    outcome = session.compile_site()
    return session if outcome.error is None else None


def _class_around(edited: EditedRoot, start: int, end: int) -> str | None:
    """Return the name of the innermost class whose body has a range in it."""
    try:
        found = parse(Source(edited.text)).definitions
    except PuppetError:
        return None
    around = [
        each
        for each in found
        if isinstance(each, ast.HostClassDefinition) and each.start < start and end < each.end
    ]
    inner = max(around, key=lambda each: each.start, default=None)
    return None if inner is None else inner.name.removeprefix("::")


def _take_variables(edited: EditedRoot, session: Session, name: str) -> str:
    """Bind the variables of a class in a session; return a remark where they cannot be had.

    The class is evaluated in another session, whose resources are not in the way.
    """
    other = edited.session()
    path = edited.place()
    code = edited.definitions(other, edited.text, path)
    include = f"include {name}\n"
    outcome = other.compile_site(f"{code}\n{include}" if code else include, path if code else None)
    with_node = None if code else _after_node(edited, outcome.error)
    if with_node is not None:
        other = with_node
        outcome = other.execute(include, record=False)
    if outcome.error is not None:
        return f"# The variables of class {name} are not known: {outcome.error.message}\n"
    for variable, value in SessionSymbols(other).class_variables().items():
        owner, _, local = variable.rpartition("::")
        if owner == name and local not in _GIVEN:
            session.assign(local, value)
    return ""


# A catalog


def compiled(
    edited: EditedRoot, session: Session, directory: str | None = None
) -> tuple[Session, Outcome]:
    """Compile the catalog that a request asks for, in a session; the outcome has it finished.

    A class or defined type that needs variables of other classes is compiled in another session,
    after the manifests for the chosen node. The session that has the catalog is returned.
    """
    kind, name = edited.request.get("kind"), edited.request.get("name")
    path = edited.place(directory)
    text = edited.text if directory is None else _text_at(path, edited)
    if kind in ("class", "define"):
        own = edited.definitions(session, text, path)
        code = f"include {name}\n" if kind == "class" else f"{name} {{ 'example': }}\n"
        outcome = session.compile_site(f"{own}\n{code}" if own else code, path if own else None)
        with_node = None if own else _after_node(edited, outcome.error, directory)
        if with_node is not None:
            session, outcome = with_node, with_node.execute(code, record=False)
    elif path is None or _is_of_site(session, path):
        outcome = session.compile_site("" if path is not None else text, path)
    else:
        outcome = session.compile_site(text, path)
    return session, session.finish_catalog(outcome)


def _text_at(path: str | None, edited: EditedRoot) -> str:
    """Return the text of the document in another directory."""
    try:
        if path is None:
            return edited.text
        edited.opened.reach.check(path)
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except OSError:
        return ""


def _is_of_site(session: Session, path: str) -> bool:
    """Tell whether the manifests of the session's environment have a file among them."""
    environment = None if session.options.environment is None else session.environment
    if environment is None:
        return False
    wanted = os.path.realpath(path)
    sources = environment.manifests()
    return any(each.name and os.path.realpath(each.name) == wanted for each in sources)


def _title(edited: EditedRoot, session: Session) -> str:
    kind, name = edited.request.get("kind"), edited.request.get("name")
    subject = f"{kind} {name}" if kind in ("class", "define") else "site"
    return f"{subject} on {session.catalog.context.node_name}"


def catalog(edited: EditedRoot) -> Answer:
    """Compile a catalog; the table of its resources and their numbers are the answer."""
    session = edited.session()
    session, outcome = compiled(edited, session)
    if outcome.error is not None:
        return _failed(edited, f"No catalog: {_title(edited, session)}", outcome)
    found = declared_in(session)
    counts = Counter(each.type for each in found)
    numbers = ", ".join(f"{number} {name}" for name, number in counts.most_common())
    with session.deadline():
        fragments = render_report(Report(table_of(found)), edited.settings.width)
    text = f"{logs_of(outcome)}{text_of(fragments)}\n{counted(len(found), 'resource')}"
    text += f": {numbers}\n" if numbers else "\n"
    return _answer(edited, f"Catalog: {_title(edited, session)}", text, counts=dict(counts))


def graph(edited: EditedRoot) -> Answer:
    """Compile a catalog; its graph in a format of ``:graph`` is the answer."""
    format_ = edited.request.get("format") or "mermaid"
    if format_ not in GRAPH_FORMATS:
        raise Refusal(f"there is no format '{format_}': {', '.join(GRAPH_FORMATS)}")
    session = edited.session()
    session, outcome = compiled(edited, session)
    if outcome.error is not None:
        return _failed(edited, f"No catalog: {_title(edited, session)}", outcome)
    with session.deadline():
        report = graph_of(session, format_)
        first = report.parts[0]
        drawn = first.text if isinstance(first, Code) else text_of(render_report(report))
    title = f"Graph: {_title(edited, session)}"
    drawn = edited.shown(drawn)
    return _answer(edited, title, drawn, _LANGUAGES.get(format_, ""), graph=cut(drawn))


# The difference from the last commit


def difference(edited: EditedRoot) -> Answer:
    """Compare the catalog of the text in the editor with that of the last commit."""
    if edited.real is None or edited.directory is None:
        raise Refusal("the document is in no environment and no module: there is no other catalog")
    reach = edited.opened.reach
    try:
        tree = RevisionTree(edited.real, _HEAD, _new_scratch(edited), reach, max_size=_MAX_SIZE)
    except (GitError, OSError) as error:
        raise Refusal(f"no comparison with {_HEAD}: {error}") from None
    edited.name_as(os.path.join(tree.root, ""), f"{_HEAD}:")
    sides = (
        (_HEAD, tree.directory, tree.root, tree.checkout),
        ("now", None, edited.directory, edited.real),
    )
    contents: list[CatalogContent] = []
    text = "".join(f"{each}\n" for each in tree.notes)
    session = edited.session(tree.directory)
    title = f"Difference from {_HEAD}: {_title(edited, session)}"
    for name, directory, old, new in sides:
        session = session if name == _HEAD else edited.session()
        session, outcome = compiled(edited, session, directory)
        if outcome.error is not None:
            text += f"no catalog for {name}:\n{_error(edited, outcome.error)}"
            text += _on_parameters(edited, outcome.error)
            continue
        contents.append(relocated(content_now(session), old, new))
    if len(contents) < len(sides):
        return _answer(edited, title, text, failed=True)
    found = compare(contents[0], contents[1], from_name=_HEAD, to_name="now")
    text += text_of(render_difference(found, edited.settings.width))
    return _answer(edited, title, text, "diff", same=found.is_empty)


def _new_scratch(edited: EditedRoot) -> str:
    return os.path.realpath(tempfile.mkdtemp(dir=edited.scratch))


# The value of a key


def explain(edited: EditedRoot) -> Answer:
    """Look a key up; its value, and where it comes from, are the answer."""
    key = edited.request["key"]
    session = edited.session()
    asked = _as_one_segment(key)
    with session.deadline():
        report = report_of_key(asked, session)
        text = text_of(render_report(report, edited.settings.width))
    default = _default_of(session, key) if report.failed else None
    node = session.catalog.context.node_name
    has_failed = report.failed and default is None
    return _answer(edited, f"{key} on {node}", text + (default or ""), failed=has_failed)


def _as_one_segment(key: str) -> str:
    """Return a key as lookup() takes it, which takes a key with dots apart. Raises Refusal."""
    if all(part.isidentifier() for part in key.split("::")):
        return key
    for sign in ("'", '"'):
        if sign not in key:
            return f"{sign}{key}{sign}"
    raise Refusal(f"no lookup can ask for the key {key}: the key has quotes of both kinds")


def _default_of(session: Session, key: str) -> str | None:
    """Return what to say about the default value of a parameter that a key is for."""
    class_name, _, parameter = key.rpartition("::")
    found = SessionSymbols(session).in_module_file(class_name)
    if found is None:
        return None
    source, definition = found
    for each in definition.parameters:
        if each.name == parameter and each.value is not None:
            code = source.text[each.value.start : each.value.end]
            line = source.position(each.value.start)[0]
            return f"\nThe default counts: {code} ({source.name}:{line})\n"
    return None


COMMANDS: dict[str, Callable[[EditedRoot], Answer]] = {
    "evaluate": evaluate,
    "catalog": catalog,
    "graph": graph,
    "difference": difference,
    "explain": explain,
}
