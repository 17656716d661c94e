"""The arguments that the functions have in common: which node, with which code and data."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from puppet_repl.base.differences import is_warning_of_difference
from puppet_repl.base.errors import PuppetError
from puppet_repl.base.matching import nearest
from puppet_repl.base.python_warnings import DifferenceWarning, warn_of_all
from puppet_repl.environment.facts.facts import layered_facts
from puppet_repl.environment.facts.sample_facts import SampleFacts
from puppet_repl.host.session_setup import default_stdlib, problem_of
from puppet_repl.language.runtime.option_values import taken
from puppet_repl.language.runtime.options import OPTIONS, Options
from puppet_repl.language.runtime.shared import Shared
from puppet_repl.language.syntax.source_files import read_source
from puppet_repl.language.values.python import from_python, to_python
from puppet_repl.session import Session
from puppet_repl.session.symbols import SessionSymbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack

    from puppet_repl.base.python_warnings import Gathered
    from puppet_repl.catalog.exports import ExportStore
    from puppet_repl.language.runtime.options import SessionOptions as SessionOptions
    from puppet_repl.language.values.protocols import Value

Path: TypeAlias = "str | os.PathLike[str]"
Code: TypeAlias = "str | os.PathLike[str]"
"""Code itself, or the path of a file with it: no string is one."""
FactSource: TypeAlias = "str | os.PathLike[str] | Mapping[str, Any]"
"""The name of a bundled set (``debian-12``), a file of facts, or facts by name."""
FactLayer: TypeAlias = "str | dict[str, Any]"
Facts: TypeAlias = "FactSource | Sequence[FactSource]"
"""Facts, or several layers of them, of which a later one takes precedence, fact by fact."""
ModulePath: TypeAlias = "Path | Sequence[Path]"
HieraSource: TypeAlias = "str | os.PathLike[str] | Mapping[str, object]"
"""A hiera.yaml, or data by key."""
Hiera: TypeAlias = "HieraSource | Sequence[HieraSource]"
"""The hiera.yaml of the global layer, and data that come before all layers, the last ones first."""
Log: TypeAlias = "Callable[[str, str], None]"

_VARIABLE = re.compile(r"[a-z_][A-Za-z0-9_]*")

# The options that are arguments of their own, under these names.
ARGUMENTS = {
    "data": "hiera",
    "environment": "environment",
    "hiera_config": "hiera",
    "modulepath": "modulepath",
    "node": "node",
}
# Names that options have elsewhere, with those of the arguments.
_NAMED_ELSEWHERE = {"certname": "node", "hiera_config": "hiera", "module_path": "modulepath"}


def check_names(
    function: Callable[..., object], options: SessionOptions, otherwise: str = ""
) -> None:
    """Raise TypeError for an option that no session has, as for an argument of the function.

    ``otherwise`` is the hint where no argument has a name like it.
    """
    known = OPTIONS.keys() - ARGUMENTS.keys()
    given = next((name for name in options if name not in known), None)
    if given is not None:
        raise unknown_name(function.__name__, given, names_of(function), otherwise)


def unknown_name(function: str, given: str, names: Iterable[str], otherwise: str = "") -> TypeError:
    """Return the error about an argument that a function with arguments of these names lacks."""
    near = _NAMED_ELSEWHERE.get(given) or nearest(given, names)
    hint = f"did you mean '{near}'?" if near else otherwise
    message = f"{function}() has no argument '{given}'"
    return TypeError(f"{message}; {hint}" if hint else message)


def names_of(function: Callable[..., object]) -> set[str]:
    """Return the names of the arguments of a function, with the options of a session."""
    own = function.__annotations__.keys() - {"options", "return"}
    return {*own, *(OPTIONS.keys() - ARGUMENTS.keys())}


def make_session(
    *,
    node: str | None,
    facts: Facts | None,
    modulepath: ModulePath,
    environment: Path | None,
    hiera: Hiera | None,
    log: Log | None,
    shared: Shared | None,
    options: SessionOptions,
    exports: ExportStore | None = None,
    variables: Mapping[str, object] | None = None,
) -> SessionOfCall:
    """Return a session for a node, to be used in a ``with``.

    As on the command line the bundled stdlib counts unless there is an environment. ``variables``
    are bound in the top scope. Raises ValueError or TypeError for what cannot be used, FactsError
    for facts.
    """
    values = values_of(variables)
    made = options_of(
        node=node, modulepath=modulepath, environment=environment, hiera=hiera, **options
    )
    found = layered_facts(layers_of(facts))
    differences: Gathered = []

    def tell(level: str, text: str) -> None:
        if is_warning_of_difference(text):
            differences.append((text, DifferenceWarning))
        if log is not None:
            log(level, text)

    session = Session(made, facts=found, log=tell, shared=shared, exports=exports)
    for name, value in values.items():
        session.assign(name, value).unwrap()
    return SessionOfCall(session, differences)


def options_of(
    *,
    node: str | None = None,
    modulepath: ModulePath = (),
    environment: Path | None = None,
    hiera: Hiera | None = None,
    **options: Unpack[SessionOptions],
) -> Options:
    """Return the options of a session. Raises ValueError or TypeError for unusable arguments."""
    chosen: SessionOptions = {"stdlib": default_stdlib(environment), **options}
    made = Options(node=node, modulepath=modulepath, environment=environment, **chosen)
    if hiera is not None:
        _set_hiera(made, hiera)
    _refuse_problem(vars(made))
    if made.environment is not None:
        made.environment = os.path.abspath(made.environment)
    return made


def _set_hiera(options: Options, hiera: Hiera) -> None:
    """Set the options of data: a path is the hiera.yaml, mappings are on top of all layers."""
    sources: Sequence[Any] = hiera if isinstance(hiera, (list, tuple)) else [hiera]
    mappings = [each for each in sources if isinstance(each, Mapping)]
    options.data = taken(OPTIONS["data"], "hiera", mappings)
    paths = [each for each in sources if not isinstance(each, Mapping)]
    for each in paths:
        options.hiera_config = taken(OPTIONS["hiera_config"], "hiera", each)
    if len(paths) > 1:
        raise ValueError(f"hiera: one path of a hiera.yaml, not {len(paths)}")


def values_of(variables: Mapping[str, object] | None) -> dict[str, Value]:
    """Return the values of variables. Raises ValueError for a name that none can have."""
    variables = variables or {}
    for name in variables:
        if not isinstance(name, str) or _VARIABLE.fullmatch(name) is None:
            raise ValueError(f"variables: no variable can have the name {name!r}")
    return {name: from_python(value) for name, value in variables.items()}


class SessionOfCall:
    """A session that is closed after a call, which then warns where Puppet ends in an error."""

    def __init__(self, session: Session, differences: Gathered) -> None:
        self._session = session
        self._differences = differences

    def __enter__(self) -> Session:
        return self._session

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, PuppetError):
            error.notes += tuple(self._unused_functions())
        self._session.close()
        warn_of_all(self._differences, has_failed=error is not None)

    def _unused_functions(self) -> list[str]:
        """Return a note for each given function whose name is probably misspelt.

        Nothing has called the function, and a function with a similar name exists. Valid code may
        have its call in a branch that this session did not reach.
        """
        unused = self._session.names.unused_functions()
        if not unused:
            return []
        known = SessionSymbols(self._session).function_names()
        hints = {name: nearest(name, known, likeness=0.8) for name in {*unused} - {*known}}
        return [
            f"functions: no call of the unknown function '{name}'; did you mean '{near}'?"
            for name, near in sorted(hints.items())
            if near is not None
        ]


def check_node(node: object) -> None:
    """Raise TypeError or ValueError for what cannot be the name of a node."""
    if not isinstance(node, str):
        raise TypeError(f"node is a string, not {node!r}")
    _refuse_problem({"node": node})


def _refuse_problem(values: Mapping[str, Any]) -> None:
    """Raise ValueError where a value cannot be used."""
    problem = problem_of(values)
    if problem is not None:
        raise ValueError(f"{ARGUMENTS.get(problem[0], problem[0])}: {problem[1]}")


def layers_of(facts: Facts | None) -> list[FactLayer]:
    """Return facts as layers: names and files as they are, mappings with the values of facts.

    Raises TypeError or ValueError for other values.
    """
    if facts is None:
        return []
    if isinstance(facts, (str, os.PathLike, Mapping)):
        return [_layer(facts)]
    if not isinstance(facts, Iterable):
        raise _no_facts(facts)
    return [_layer(layer) for layer in facts]


def _layer(source: FactSource) -> FactLayer:
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    if isinstance(source, SampleFacts):
        return source
    if isinstance(source, Mapping):
        return {str(name): to_python(from_python(value)) for name, value in source.items()}
    raise _no_facts(source)


def _no_facts(given: object) -> TypeError:
    return TypeError(f"facts are the name of a set, a file or a mapping, not {given!r}")


def text_of(code: Code) -> tuple[str, str | None]:
    """Return a text and the name of its file: a string is the text, a path names a file.

    Raises OSError, and ParseError for a file that is not UTF-8.
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
