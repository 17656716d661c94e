"""Compiling the catalogs of many nodes, within this process and in others."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from puppet_repl.catalog.exports import ExportStore
from puppet_repl.frontend import compiling
from puppet_repl.frontend.compiling import Compiled, Job, compile_job, compile_jobs
from puppet_repl.session import Options

# b exports more when it has collected what a exports; c shows what it sees.
CHAIN = """
case $trusted['certname'] {
  'a': { @@notify { 'of a': } }
  'b': { Notify <<| title == 'of a' |>> @@notify { 'of b': } }
  default: { Notify <<| |>> }
}
"""


def jobs(code: str, *names: str) -> list[Job]:
    """Return a job for each node."""
    return [Job(name, Options(node=name), {}, code=code, format="code") for name in names]


@pytest.mark.parametrize("processes", [1, 2])
def test_nodes_collect_what_others_export_in_any_order(processes: int) -> None:
    for names in (("c", "b", "a"), ("a", "b", "c")):
        store = ExportStore()
        results = {
            each.name: each
            for each in compile_jobs(jobs(CHAIN, *names), store, processes=processes)
        }
        assert list(results) == list(names)
        assert sorted(results["c"].text.split("\n\n")) == [
            "notify { 'of a': }",
            "notify { 'of b': }",
        ]
        assert sorted(each.title for each in store.resources()) == ["of a", "of b"]


def test_nodes_are_compiled_again_only_if_others_export(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []

    def counting(job: Job, shared: object = None) -> Compiled:
        compiled.append(job.name)
        return compile_job(job)

    monkeypatch.setattr(compiling, "compile_job", counting)
    compile_jobs(jobs("@@notify { 'n': } Notify <<| |>>", "a"), ExportStore())
    assert compiled == ["a"]
    store = ExportStore()
    compile_jobs(jobs(CHAIN, "a", "c"), store)
    assert compiled == ["a", "a", "c", "c"]
    compile_jobs(jobs(CHAIN, "a", "c"), store)
    assert compiled == ["a", "a", "c", "c", "a", "c"]


def test_a_node_that_needs_what_another_exports() -> None:
    code = """
    if $trusted['certname'] == 'a' { @@notify { 'n': } }
    else { Notify <<| |>> notify { 'm': require => Notify['n'] } }
    """
    results = compile_jobs(jobs(code, "b", "a"), ExportStore())
    assert [each.error for each in results] == [None, None]


def test_every_result_is_told_once() -> None:
    told: list[str] = []
    compile_jobs(
        jobs(CHAIN, "c", "b", "a"), ExportStore(), done=lambda result: told.append(result.name)
    )
    assert told == ["c", "b", "a"]


def test_a_process_that_is_killed_fails_its_node() -> None:
    future: Future[Compiled] = Future()
    future.set_exception(BrokenProcessPool())
    result = compiling._result(future, Job("a", Options(), {}))
    assert result.name == "a"
    assert result.error is not None and "has been killed" in result.error


def test_a_defect_fails_its_node(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> str:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(compiling, "_written", broken)
    result = compile_job(jobs("notify { 'n': }", "a")[0])
    assert result.error is not None
    assert "this is a defect of puppet-repl: ZeroDivisionError" in result.error
