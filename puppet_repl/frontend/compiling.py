"""Catalogs of nodes: one compiled and written in a format, or many in parallel processes.

What one node exports another collects. So that the order of the nodes does not count, nodes that
collect are compiled again when others have exported something new, as if each agent had run twice.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import active_children, get_context
from signal import SIG_IGN, SIGINT, signal

from puppet_repl.base.defect import print_traceback
from puppet_repl.base.memory import ExtraMemory, collect_garbage, tune_process
from puppet_repl.base.safe_text import visible_lines
from puppet_repl.base.stops import stop_message
from puppet_repl.catalog.export_data import ExportedResource, exported_by
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.catalog.json import document, document_text, is_real
from puppet_repl.catalog.puppet_code import code_of
from puppet_repl.catalog.tree import tree_text
from puppet_repl.commands import run
from puppet_repl.errors import PuppetError, TimeLimitExceeded
from puppet_repl.frontend.host import Host
from puppet_repl.rendering.diagnostics import error_text
from puppet_repl.rendering.fragments import ansi, plain
from puppet_repl.rendering.report import render_report
from puppet_repl.runtime.shared import Shared
from puppet_repl.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.session import Options, Outcome

FORMATS = ("json", "code", "table", "graph", "dot", "svg", "tree")
# What Puppet code declares in another way than as a resource.
_NOT_DECLARED = ("Class", "Node")
_COMMANDS = {
    "table": ":resources",
    "graph": ":graph mermaid",
    "dot": ":graph dot",
    "svg": ":graph svg",
}


class Job:
    """The catalog of one node, to be compiled.

    ``code`` takes the place of the manifests of the environment, ``file`` is where it is from.
    ``width`` is that of tables, in columns. ``color`` is for the catalog, ``error_color`` for the
    error, which goes elsewhere. ``problem`` is what is wrong with the node's own facts: it is not
    compiled then. ``redacted`` hides what is Sensitive in JSON, for a screen.
    """

    __slots__ = (
        "code",
        "color",
        "error_color",
        "exports",
        "facts",
        "file",
        "format",
        "name",
        "options",
        "problem",
        "redacted",
        "width",
    )

    def __init__(
        self,
        name: str,
        options: Options,
        facts: Mapping[str, object] | None,
        *,
        code: str | None = None,
        file: str | None = None,
        format: str = "json",
        color: bool = False,
        error_color: bool = False,
        width: int = 80,
    ) -> None:
        self.name = name
        self.options = options
        self.facts = facts
        self.code = code
        self.file = file
        self.format = format
        self.color = color
        self.error_color = error_color
        self.width = width
        self.exports: tuple[ExportedResource, ...] = ()
        self.problem: str | None = None
        self.redacted = False


class Compiled:
    """What came of a job: ``text`` is the catalog in the format, or ``error`` says what is wrong.

    ``name`` is that of the node in lower case, as the catalog has it. ``collects`` says that the
    catalog depends on what other nodes export.
    """

    __slots__ = ("collects", "error", "exports", "logs", "name", "resources", "text")

    def __init__(self, name: str) -> None:
        self.name = name
        self.text = ""
        self.error: str | None = None
        self.logs: list[tuple[str, str]] = []
        self.exports: tuple[ExportedResource, ...] = ()
        self.collects = False
        self.resources = 0


def compile_job(job: Job, shared: Shared | None = None) -> Compiled:
    """Compile the catalog of one node and write it in its format; nothing is raised."""
    result = Compiled(job.name)
    if job.problem is not None:
        result.error = visible_lines(f"Error: {job.problem}")
        return result
    session = Session(job.options, facts=job.facts, shared=shared, exports=ExportStore(job.exports))
    try:
        with session.deadline():
            _compile(session, job, result)
    except (Exception, TimeLimitExceeded) as error:
        # One node must not keep the others from being compiled.
        with ExtraMemory():
            result.error = f"Error: {stop_message(error)}"
            print_traceback(error)
    finally:
        session.close()
        del session
        collect_garbage(is_all=False)  # or a hundred nodes would take the memory of a hundred
    return result


def _compile(session: Session, job: Job, result: Compiled) -> None:
    outcome = session.compile_site(job.code or "", job.file)
    result.logs = list(outcome.logs)
    if outcome.error is None:
        outcome = session.finish_catalog(outcome)
    result.collects = _collects(session, outcome)
    if outcome.error is not None:
        result.error = _shown(outcome.error, job)
        return
    catalog = session.catalog
    result.name = catalog.bodies.node_name
    result.exports = tuple(exported_by(catalog))
    result.resources = len(outcome.resources)
    try:
        result.text = _written(session, job)
    except PuppetError as error:
        result.error = _shown(error, job)


def _shown(error: PuppetError, job: Job) -> str:
    return error_text(error, text=job.code, color=job.error_color).rstrip("\n")


def _collects(session: Session, outcome: Outcome) -> bool:
    """Tell whether a catalog depends on what others export; one that failed may do so."""
    if outcome.error is not None:
        return True
    return any(collector.exported for collector in session.catalog.tables.collectors)


def _written(session: Session, job: Job) -> str:
    if job.format == "json":
        return document_text(document(session.catalog, redacted=job.redacted))
    if job.format == "code":
        return visible_lines("\n\n".join(code_of(each) for each in _declared(session)))
    if job.format == "tree":
        return visible_lines(tree_text(session.catalog))
    report = run(session, _COMMANDS[job.format], Host(session=session))
    fragments = render_report(report, job.width)
    return ansi(fragments) if job.color else plain(fragments)


def _declared(session: Session) -> list[Resource]:
    """Return the resources of a catalog that Puppet code declares one by one."""
    return [
        member
        for member in session.catalog.tables.members
        if is_real(member)
        and member.type not in _NOT_DECLARED
        and (member.type, member.title) != ("Stage", "main")
    ]


def compile_jobs(
    jobs: Sequence[Job],
    store: ExportStore,
    *,
    processes: int = 1,
    done: Callable[[Compiled], None] | None = None,
) -> list[Compiled]:
    """Compile the catalogs of all jobs, in their order; ``store`` keeps what the nodes export.

    ``done`` is called with each result of the first round as it comes.
    """
    with _Workers(min(processes, len(jobs)), jobs[0].options.max_memory) as workers:
        before = store.copy()
        results = _round(jobs, store, workers, done)
        again = [
            index
            for index, result in enumerate(results)
            if result.collects and before.offered(result.name) != store.offered(result.name)
        ]
        if again:
            renewed = _round([jobs[index] for index in again], store, workers, None)
            for index, result in zip(again, renewed, strict=True):
                results[index] = result
        return results


def _round(
    jobs: Sequence[Job],
    store: ExportStore,
    workers: _Workers,
    done: Callable[[Compiled], None] | None,
) -> list[Compiled]:
    exported = tuple(store.resources())
    for job in jobs:
        job.exports = exported
    results = workers.run(jobs, done)
    for result in results:
        if result.error is None:
            store.keep(result.name, result.exports)
    return results


class _Workers:
    """The processes that compile; with one process it is done in this one."""

    def __init__(self, processes: int, max_memory: int) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._shared = Shared()
        if processes > 1:
            self._pool = ProcessPoolExecutor(
                processes,
                mp_context=get_context("spawn"),
                initializer=_begin_worker,
                initargs=(max_memory,),
            )

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=kind is None, cancel_futures=True)
            if kind is not None:
                for process in active_children():
                    process.terminate()

    def run(self, jobs: Sequence[Job], done: Callable[[Compiled], None] | None) -> list[Compiled]:
        """Return the results of jobs, in their order."""
        if self._pool is None:
            results = []
            for job in jobs:
                results.append(compile_job(job, self._shared))
                if done is not None:
                    done(results[-1])
            return results
        futures = {self._pool.submit(_compile_in_worker, job): job for job in jobs}
        for future in as_completed(futures):
            if done is not None:
                done(_result(future, futures[future]))
        return [_result(future, job) for future, job in futures.items()]


def _result(future: Future[Compiled], job: Job) -> Compiled:
    try:
        return future.result()
    except BrokenProcessPool:
        result = Compiled(job.name)
        result.error = "Error: the process that compiles has been killed (out of memory?)"
        return result


def _begin_worker(max_memory: int) -> None:
    """Prepare a process: an interrupt is for the one that waits for it, which ends it."""
    signal(SIGINT, SIG_IGN)
    tune_process(max_memory)


def _compile_in_worker(job: Job) -> Compiled:
    return compile_job(job, _shared())


@cache
def _shared() -> Shared:
    """Return what the sessions of a worker have in common; a process cannot keep it otherwise."""
    return Shared()


def default_processes() -> int:
    """Return how many processes compile unless it is chosen: one for each processor."""
    return os.cpu_count() or 1


def joined(results: Iterable[Compiled], format: str) -> str:
    """Return the catalogs of several nodes as one text, those that failed left out.

    As JSON it is an object with a document for each node, and null for those that failed.
    """
    if format == "json":
        entries = [
            f"{json.dumps(result.name)}: {'null' if result.error is not None else result.text}"
            for result in results
        ]
        return "{" + ",\n".join(entries) + "}"
    mark = {"code": "# ", "graph": "%% ", "dot": "// "}.get(format, "")
    texts = [f"{mark}{result.name}\n{result.text}" for result in results if result.error is None]
    return "\n\n".join(texts)
