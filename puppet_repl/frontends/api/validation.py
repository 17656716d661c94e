"""``validate``: the findings in files or a text, as data."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import overload

from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.base.recursion import deep_calls
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.validation.diagnostic import Diagnostic as Diagnostic
from puppet_repl.tools.validation.diagnostic import Edit as Edit
from puppet_repl.tools.validation.diagnostic import RelatedLocation as RelatedLocation
from puppet_repl.tools.validation.diagnostic import diagnostics
from puppet_repl.tools.validation.file import Choices, File
from puppet_repl.tools.validation.file_rules import ignored_rule
from puppet_repl.tools.validation.kinds import CODE, KINDS, PUPPET_CODE, kind_of_given
from puppet_repl.tools.validation.manifests import fix
from puppet_repl.tools.validation.walk import Walk, findings_of
from puppet_repl.tools.validation.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.api.arguments import Path
    from puppet_repl.language.runtime.options import Strictness


@overload
def validate(
    path: Path | Iterable[Path],
    *,
    strict: Strictness = "error",
    language: str = DEFAULT_LANGUAGE,
    tasks: bool = False,
    advice: bool = False,
    ignore: Iterable[str] = (),
) -> list[Diagnostic]: ...


@overload
def validate(
    *,
    text: str,
    name: str | None = None,
    strict: Strictness = "error",
    language: str = DEFAULT_LANGUAGE,
    tasks: bool = False,
    advice: bool = False,
    ignore: Iterable[str] = (),
) -> list[Diagnostic]: ...


def validate(
    path: Path | Iterable[Path] | None = None,
    *,
    text: str | None = None,
    name: str | None = None,
    strict: Strictness = "error",
    language: str = DEFAULT_LANGUAGE,
    tasks: bool = False,
    advice: bool = False,
    ignore: Iterable[str] = (),
) -> list[Diagnostic]:
    """Return the findings in files, or in a text.

    The verdicts are those of ``puppet-repl validate``: the list is empty where all is well, and a
    file is refused where one of its findings is an error. Nothing runs. Raises OSError for a path
    that does not exist, ValueError for an unknown rule.

    :param path: a file, a directory, below which all files are checked that the command checks, or
        several of these
    :param text: a text to check in place of files
    :param name: the name of the text, which decides its kind, as for a file: ``x.epp``, ``x.yaml``;
        without a name it is a manifest
    :param strict: Puppet's setting
    :param language: the profile of the language
    :param tasks: whether plans are allowed everywhere; they are below a directory ``plans``
    :param advice: whether to warn of probable mistakes in valid code, too (``--warn``)
    :param ignore: rules to leave out, or one
    """
    OPTIONS["strict"].taken(strict)
    OPTIONS["language"].taken(language)
    if (path is None) is (text is None):
        raise TypeError("validate() takes a path, or a text")
    rules = [ignore] if isinstance(ignore, str) else ignore
    workspace = Workspace(
        Choices(language, strict, tasks, advice, ignore=frozenset(map(ignored_rule, rules)))
    )
    try:
        with deep_calls:
            if text is not None:
                root = workspace.roots.of(name) if name else None
                kind = kind_of_given(name, root) if name else CODE
                files = [File(name, kind, root, workspace, Source(text, name))]
                return list(_found(files, workspace))
            walk = Walk(workspace, KINDS)
            for each in [path] if isinstance(path, (str, os.PathLike)) else path or ():
                given = os.fspath(each)
                os.stat(given)
                walk.add(given)
            return [*walk.findings, *_found(walk.files, workspace)]
    finally:
        workspace.close()


def fix_text(
    text: str, *, name: str | None = None, tasks: bool = False, fix_all: bool = False
) -> str:
    """Return a manifest with the changes of ``puppet-repl validate --fix``, or of ``--fix-all``.

    Only manifests and templates are changed. Raises PuppetError for a text that is not valid.

    :param text: the text to change
    :param name: its name, which decides its kind: ``x.epp`` is a template
    :param tasks: whether plans are allowed everywhere
    :param fix_all: whether to make the changes of ``--fix-all``, too
    """
    workspace = Workspace(Choices(tasks=tasks))
    with deep_calls:
        root = workspace.roots.of(name) if name else None
        kind = kind_of_given(name, root) if name else CODE
        file = File(name, kind, root, workspace, Source(text, name))
        if kind in PUPPET_CODE:
            fix(file, asked=fix_all)
    return file.text


def _found(files: Iterable[File], workspace: Workspace) -> Iterator[Diagnostic]:
    for file in files:
        for found in findings_of(file):
            yield from diagnostics(found)
    if workspace.no_ruby is not None:
        yield workspace.no_ruby
