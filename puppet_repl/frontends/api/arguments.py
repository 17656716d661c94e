"""The arguments that the functions have in common: which node, with which code and data."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from puppet_repl.base.matching import nearest
from puppet_repl.environment.facts.facts import load_facts, overlaid
from puppet_repl.environment.facts.sample_facts import SampleFacts
from puppet_repl.host.session_options import may_name_file, problem_with_file
from puppet_repl.language.runtime.options import DEFAULT_STDLIB, Options
from puppet_repl.language.runtime.shared import Shared
from puppet_repl.language.syntax.source_files import read_source
from puppet_repl.language.values.python import from_python, to_python
from puppet_repl.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import PuppetError
    from puppet_repl.catalog.exports import ExportStore
    from puppet_repl.language.runtime.options import Strictness, Unknown

Path: TypeAlias = "str | os.PathLike[str]"
Code: TypeAlias = "str | os.PathLike[str]"
"""Code itself, or the path of a file with it: no string is one."""
FactSource: TypeAlias = "str | os.PathLike[str] | Mapping[str, Any]"
"""The name of a bundled set (``debian-12``), a file of facts, or facts by name."""
FactLayer: TypeAlias = "str | os.PathLike[str] | dict[str, Any]"
Facts: TypeAlias = "FactSource | Sequence[FactSource]"
"""Facts, or several layers of them, of which a later one wins, fact by fact."""
ModulePath: TypeAlias = "Path | Sequence[Path]"
Log: TypeAlias = Callable[[str, str], None]


class SessionOptions(TypedDict, total=False):
    """The options of a session that are seldom needed; ``Options`` says what each means."""

    allow_generate: bool
    bind_once: bool
    cache: bool
    hermetic: bool
    language: str
    max_memory: int
    max_seconds: float | None
    references: Unknown
    ruby: str
    ruby_seconds: int
    stdlib: str
    storeconfigs: bool
    strict: Strictness
    strict_variables: bool
    stubs: Sequence[Path]
    trusted: Mapping[str, object]
    unknown_functions: Unknown
    unknown_types: Unknown


# Names that options have elsewhere, with those of the arguments.
_NAMED_ELSEWHERE = {"certname": "node", "hiera_config": "hiera", "module_path": "modulepath"}


def check_names(
    function: Callable[..., object], options: SessionOptions, otherwise: str = ""
) -> None:
    """Raise TypeError for an option that no session has, as for an argument of the function.

    ``otherwise`` is the hint where no argument has a name like it.
    """
    known = SessionOptions.__annotations__
    given = next((name for name in options if name not in known), None)
    if given is None:
        return
    names = {*known, *function.__annotations__} - {"options", "return"}
    near = _NAMED_ELSEWHERE.get(given) or nearest(given, names)
    hint = f"did you mean '{near}'?" if near else otherwise
    message = f"{function.__name__}() has no argument '{given}'"
    raise TypeError(f"{message}; {hint}" if hint else message)


def make_session(
    *,
    node: str | None,
    facts: Facts | None,
    modulepath: ModulePath,
    environment: Path | None,
    hiera: Path | None,
    log: Log | None,
    shared: Shared | None,
    options: SessionOptions,
    exports: ExportStore | None = None,
) -> Session:
    """Return a session for a node, whose caller closes it.

    As on the command line the bundled stdlib counts unless there is an environment. Raises
    ValueError or TypeError for what cannot be used, FactsError for facts.
    """
    if node is not None:
        check_node(node)
    _check_path("hiera", hiera)
    _check_path("environment", environment)
    if hiera is not None:
        problem = problem_with_file(os.fspath(hiera))
        if problem is not None:
            raise ValueError(f"hiera: {problem}")
    if environment is not None and not os.path.isdir(environment):
        raise ValueError(f"environment: {os.fspath(environment)} is not a directory")
    chosen: dict[str, Any] = {"stdlib": DEFAULT_STDLIB if environment is None else "off", **options}
    made = Options(
        node=node,
        modulepath=modulepath,
        environment=None if environment is None else os.path.abspath(environment),
        hiera_config=hiera,
        **chosen,
    )
    return Session(made, facts=facts_of(facts), log=log, shared=shared, exports=exports)


def check_node(node: object) -> None:
    """Raise TypeError or ValueError for what cannot be the name of a node."""
    if not isinstance(node, str):
        raise TypeError(f"node is the name of a node, a string, not {node!r}")
    if not may_name_file(node):
        raise ValueError(f"node: {node!r} is no name of a node")


def _check_path(name: str, given: object) -> None:
    if not isinstance(given, str | os.PathLike | None):
        raise TypeError(f"{name} is a path, not {given!r}, a {type(given).__name__}")


def facts_of(facts: Facts | None) -> Mapping[str, Any] | None:
    """Return facts as a session takes them, None for those of this machine. Raises FactsError."""
    found: Mapping[str, Any] | None = None
    for layer in layers_of(facts):
        known = layer if isinstance(layer, dict) else load_facts(os.fspath(layer))
        found = overlaid(found, known)
    return found


def layers_of(facts: Facts | None) -> list[FactLayer]:
    """Return facts as layers: names and files as they are, mappings with the values of facts.

    Raises TypeError or ValueError for what are no facts.
    """
    if facts is None:
        return []
    if isinstance(facts, (str, os.PathLike, Mapping)):
        return [_layer(facts)]
    if not isinstance(facts, Iterable):
        raise _no_facts(facts)
    return [_layer(layer) for layer in facts]


def _layer(source: FactSource) -> FactLayer:
    if isinstance(source, (str, os.PathLike, SampleFacts)):
        return source
    if isinstance(source, Mapping):
        return {str(name): to_python(from_python(value)) for name, value in source.items()}
    raise _no_facts(source)


def _no_facts(given: object) -> TypeError:
    return TypeError(f"facts are the name of a set, a file or a mapping, not {given!r}")


def text_of(code: Code) -> tuple[str, str | None]:
    """Return a text and the name of its file: a string is the text, a path names a file.

    Raises OSError, and ParseError for what is no UTF-8.
    """
    if isinstance(code, str):
        return code, None
    if not isinstance(code, os.PathLike):
        raise TypeError(f"code is a string, or the path of a file, not {code!r}")
    path = os.fspath(code)
    return read_source(path).text, path


def note_of_file(code: Code | None, error: PuppetError) -> None:
    """Note with the error of a text that it is the name of a file, where it is one."""
    if isinstance(code, str) and "\n" not in code and "\0" not in code and os.path.isfile(code):
        error.notes += (f"{code!r} is the name of a file: pass a pathlib.Path for what is in it",)
