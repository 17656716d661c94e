"""``compile_nodes``: the catalogs of many nodes, by any executor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pickle import PicklingError, dumps
from typing import Any, NamedTuple

from puppet_repl.base.errors import CompileError, PuppetError
from puppet_repl.base.python_warnings import gathering, warn_of_all
from puppet_repl.environment.facts.facts import FactsError
from puppet_repl.frontends.api.arguments import (
    check_names,
    check_node,
    layers_of,
    make_session,
    text_of,
)
from puppet_repl.frontends.api.catalog import Catalog
from puppet_repl.frontends.api.compilation import compile  # noqa: A004
from puppet_repl.frontends.shared.fleet import Fleet, Lost, new_run, work_for
from puppet_repl.frontends.shared.worker_processes import default_processes
from puppet_repl.language.runtime.options import MAX_MEMORY, OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from typing import TypeAlias, Unpack

    from puppet_repl.base.python_warnings import Gathered
    from puppet_repl.frontends.api.arguments import (
        Code,
        FactLayer,
        Facts,
        Hiera,
        ModulePath,
        Path,
        SessionOptions,
    )
    from puppet_repl.session import Shared

    _NodeFacts: TypeAlias = tuple[str, list[FactLayer]]
    _Made: TypeAlias = tuple["NodeResult", Gathered]


class NodeResult(NamedTuple):
    """What came of a node: a ``catalog``, or else an ``error``."""

    node: str
    catalog: Catalog | None
    error: PuppetError | FactsError | None

    def unwrap(self) -> Catalog:
        """Return the catalog, or raise the error."""
        if self.catalog is None:
            assert self.error is not None
            raise self.error
        return self.catalog


def compile_nodes(
    nodes: Iterable[str] | Mapping[str, Facts],
    code: Code | None = None,
    *,
    facts: Facts | None = None,
    modulepath: ModulePath = (),
    environment: Path | None = None,
    hiera: Hiera | None = None,
    exports: Iterable[Catalog] = (),
    executor: Executor | Callable[[], Executor] | None = None,
    jobs: int | None = None,
    origins: bool = False,
    **options: Unpack[SessionOptions],
) -> Iterator[NodeResult]:
    """Compile the catalogs of many nodes, and yield each as it is done.

    Each node is compiled by itself: it collects what the catalogs in ``exports`` export, and
    nothing of the others. A program that uses processes needs ``if __name__ == "__main__":``, and
    ``functions`` are then defined with ``def`` at the top of a module. The nodes of a process that
    has died are compiled again; a node whose process dies again and again has an error.

    What cannot be used raises ValueError or TypeError at once; FleetError is raised where the
    executor takes no work, for example because it is shut down.

    :param nodes: their names, or a mapping from the names to facts on top of ``facts``; a file of
        facts is read where its node is compiled
    :param code: Puppet code, or a ``pathlib.Path`` of a manifest; by default the manifests of the
        environment
    :param facts: those of all nodes: a bundled set, a file, a mapping, or a list of these in which
        later facts take precedence; by default the facts of this machine
    :param modulepath: the directory with modules, or several
    :param environment: the directory of an environment
    :param hiera: the hiera.yaml of the global layer, a mapping with data on top of all layers, or
        a list of these
    :param exports: catalogs whose exported resources are collected
    :param executor: any of ``concurrent.futures``, or of others such as Dask
        (``client.get_executor()``), which stays open; or a function that makes one, and is called
        again when it breaks; by default processes of this machine
    :param jobs: the number of processes, by default one for each processor; with an executor the
        number of calls that it is given at a time
    :param origins: whether resources know where their attributes come from (``Resource.origins``)
    :param options: further options of the session, by the names in ``Options``
    """
    check_names(compile_nodes, options)
    _check_jobs(jobs)
    _check_executor(executor)
    _check_code(code, environment)
    functions: Mapping[str, Callable[..., Any]] = {}
    if "functions" in options:  # an iterator gives them only once
        options["functions"] = functions = OPTIONS["functions"].taken(options["functions"])
    named = _with_facts(nodes)
    of_all = layers_of(facts)
    # What cannot be used is refused here, and not by each process.
    with (
        gathering() as told,
        make_session(
            node=None,
            facts={},
            modulepath=modulepath,
            environment=environment,
            hiera=hiera,
            log=None,
            shared=None,
            options=options,
        ),
    ):
        pass
    warn_of_all(told, has_failed=False)
    if executor is None or isinstance(executor, ProcessPoolExecutor):
        _check_functions(functions)
    exported = [_Exports(catalog.exports) for catalog in exports]
    places = {"modulepath": modulepath, "environment": environment, "hiera": hiera}
    arguments = {**places, "exports": exported, "origins": origins, **options}
    work = partial(_compiled, code, of_all, arguments)
    processes = jobs or default_processes()
    fleet = Fleet(
        min(processes, max(len(named), 1)),
        options.get("max_memory", MAX_MEMORY),
        executor=executor,
        window=jobs,
    )
    return _results(fleet, work, named, told)


def _check_jobs(jobs: object) -> None:
    if jobs is None:
        return
    if not isinstance(jobs, int):
        raise TypeError(f"jobs is how many processes work, a number, not {jobs!r}")
    if jobs < 1:
        raise ValueError(f"jobs: {jobs} processes cannot work")


def _check_executor(executor: object) -> None:
    if executor is not None and not callable(executor) and not hasattr(executor, "submit"):
        raise TypeError(
            f"executor is one of concurrent.futures, or a function that makes one, not {executor!r}"
        )


def _check_functions(functions: Mapping[str, Callable[..., Any]]) -> None:
    """Raise TypeError for a function that other processes cannot be sent, such as a lambda."""
    for name, function in functions.items():
        try:
            dumps(function)
        except (AttributeError, PicklingError, TypeError) as error:
            raise TypeError(
                f"functions: '{name}' cannot be sent to other processes ({error}); define it with "
                "def at the top of a module, or let threads work: executor=ThreadPoolExecutor()"
            ) from None


def _check_code(code: Code | None, environment: Path | None) -> None:
    if code is not None:
        text_of(code)
    elif environment is None:
        raise ValueError("compile_nodes() needs code, or an environment with manifests")


def _with_facts(nodes: Iterable[str] | Mapping[str, Facts]) -> list[_NodeFacts]:
    """Return the nodes, each once, with the layers of facts that they have of their own."""
    if isinstance(nodes, str | bytes) or not isinstance(nodes, Iterable):
        raise TypeError(f"nodes are several names, or a mapping from names to facts, not {nodes!r}")
    named = nodes if isinstance(nodes, Mapping) else dict.fromkeys(nodes)
    found: list[_NodeFacts] = []
    for name, facts in named.items():
        check_node(name)
        try:
            found.append((name, layers_of(facts)))
        except (TypeError, ValueError) as error:
            error.add_note(f"these are the facts of the node {name!r}")
            raise
    return found


class _Exports(NamedTuple):
    """What a catalog exports, without the catalog."""

    exports: tuple[Any, ...]


def _results(
    fleet: Fleet,
    work: Callable[[_NodeFacts, Shared], _Made],
    nodes: list[_NodeFacts],
    told: Gathered,
) -> Iterator[NodeResult]:
    """Yield the results, and give the warnings of each here; those of ``told`` were given."""
    with fleet:
        for (name, _), made in work_for(nodes, work, fleet, new_run()):
            if isinstance(made, Lost):
                yield NodeResult(name, None, CompileError(str(made)))
                continue
            result, gathered = made
            new = [each for each in gathered if each not in told]
            warn_of_all(new, has_failed=result.error is not None)
            yield result


def _compiled(
    code: Code | None,
    facts: list[FactLayer],
    arguments: dict[str, Any],
    node: _NodeFacts,
    shared: Shared,
) -> _Made:
    name, own = node
    with gathering() as gathered:
        try:
            layers = [*facts, *own] or None
            catalog = compile(code, node=name, facts=layers, shared=shared, **arguments)
        except (PuppetError, FactsError) as error:
            return NodeResult(name, None, error.with_traceback(None)), gathered
    return NodeResult(name, catalog, None), gathered
