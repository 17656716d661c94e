"""``compile_nodes``: many nodes by executors of every kind; what cannot be used, what fails."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import puppet_repl as puppet

CODE = """
case $trusted['certname'] {
  'bad': { fail('no') }
  default: { notify { "${trusted['certname']} ${facts['role']} ${facts['os']['family']}": } }
}
"""
NAMES = [f"n{number:02}" for number in range(12)]


def titles(results: dict[str, puppet.NodeResult]) -> dict[str, str]:
    return {name: result.unwrap().resources("notify")[0].title for name, result in results.items()}


def by_node(results: list[puppet.NodeResult]) -> dict[str, puppet.NodeResult]:
    found = {result.node: result for result in results}
    assert len(found) == len(results)
    return found


def processes() -> Executor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


@pytest.mark.parametrize("kind", ["none", "threads", "processes", "function"])
def test_every_executor_makes_the_same(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "facts.json"
    path.write_text('{"role": "file"}')
    nodes = {**{name: {"role": "own"} for name in NAMES}, "of-file": path, "n00": ["rocky-9", path]}
    given = {"none": None, "threads": ThreadPoolExecutor(3), "processes": processes()}
    executor = given.get(kind, processes)
    results = puppet.compile_nodes(nodes, CODE, facts="debian-12", executor=executor, jobs=2)
    assert titles(by_node(list(results))) == {
        **{name: f"{name} own Debian" for name in NAMES},
        "of-file": "of-file file Debian",
        "n00": "n00 file RedHat",
    }
    for each in given.values():
        if each is not None:
            each.shutdown()


def test_what_fails_is_the_error_of_its_node(tmp_path: Path) -> None:
    nodes = {"bad": "debian-12", "good": "debian-12", "odd": tmp_path / "nope.json"}
    with ThreadPoolExecutor(1) as executor:
        results = by_node(list(puppet.compile_nodes(nodes, CODE, executor=executor)))
    assert results["good"].error is None and results["good"].unwrap().name == "good"
    assert isinstance(results["bad"].error, puppet.CompileError)
    with pytest.raises(puppet.CompileError, match="no"):
        results["bad"].unwrap()
    assert isinstance(results["odd"].error, puppet.FactsError)
    copied = pickle.loads(pickle.dumps(results["bad"]))
    assert (copied.node, str(copied.error)) == ("bad", str(results["bad"].error))


def test_catalogs_with_values_of_every_kind_come_back() -> None:
    code = """
    notify { 'd': message => Deferred('upcase', ['x']) }
    notify { 's': message => Sensitive('secret') }
    notify { 't': message => [Timestamp('2020-01-01'), Integer[1, 2], /a/, Binary('aGk=')] }
    """
    (result,) = puppet.compile_nodes(["a"], code, facts="debian-12", jobs=1)
    here = puppet.compile(code, node="a", facts="debian-12")
    assert not here.diff(result.unwrap())
    assert result.unwrap()["Notify[d]"]["message"] == here["Notify[d]"]["message"]


def test_what_others_export_is_given() -> None:
    exporting = puppet.compile("@@notify { 'of a': }", node="a", facts={})
    code = "@@notify { $trusted['certname']: } Notify <<| |>>"
    with ThreadPoolExecutor(1) as executor:
        results = puppet.compile_nodes(
            ["b", "c"], code, facts={}, exports=[exporting], executor=executor
        )
        for result in results:
            assert "Notify[of a]" in result.unwrap()
            assert len([each for each in result.unwrap() if not each.exported]) == 1


def shouted(text: str) -> str:
    return text.upper()


def test_functions_go_to_the_processes() -> None:
    code = "notify { shop::shout('a'): }"
    (result,) = puppet.compile_nodes(
        ["a"], code, facts={}, jobs=1, functions={"shop::shout": shouted}
    )
    assert "Notify[A]" in result.unwrap()
    given: dict[str, Any] = {"functions": {"shop::shout": lambda text: f"{text}!"}}
    told = r"'shop::shout' cannot be sent to other processes \(.*lambda.*ThreadPoolExecutor\(\)"
    with ThreadPoolExecutor(1) as threads, ProcessPoolExecutor(1) as processes:
        for executor in (None, processes):
            with pytest.raises(TypeError, match=told):
                puppet.compile_nodes(["a"], code, facts={}, executor=executor, **given)
        (result,) = puppet.compile_nodes(["a"], code, facts={}, executor=threads, **given)
    assert "Notify[a!]" in result.unwrap()


def test_what_cannot_be_used_is_refused_at_once() -> None:
    for arguments, error in (
        ({"nodes": ["a"]}, "needs code, or an environment"),
        ({"nodes": ["a/b"], "code": "1"}, "'a/b' is not a valid node name"),
        ({"nodes": ["a"], "environment": "nowhere"}, "nowhere is not a directory"),
        ({"nodes": ["a"], "code": "1", "strict": "yes"}, "strict is one of"),
        ({"nodes": ["a"], "code": "1", "jobs": -1}, "jobs: -1 processes cannot work"),
        ({"nodes": ["a"], "code": "1", "jobs": 0}, "jobs: 0 processes cannot work"),
    ):
        with pytest.raises(ValueError, match=error):
            puppet.compile_nodes(**arguments)
    with pytest.raises(TypeError, match="has no argument 'enviroment'"):
        puppet.compile_nodes(["a"], enviroment="x")
    for nodes in ("a", b"a", None, 7):
        with pytest.raises(TypeError, match="nodes are several names"):
            puppet.compile_nodes(nodes, "1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="executor is one of concurrent"):
        puppet.compile_nodes(["a"], "1", executor=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="jobs is how many processes work"):
        puppet.compile_nodes(["a"], "1", jobs="2")
    assert list(puppet.compile_nodes([], "1")) == []


@pytest.mark.parametrize("facts", [{"x": object()}, ["debian-12", {"x": object()}], 7])
def test_facts_that_are_none_are_refused_as_in_compile(facts: object) -> None:
    with pytest.raises(TypeError) as expected:
        puppet.compile("1", node="a", facts=facts)  # type: ignore[arg-type]
    with pytest.raises(TypeError) as of_all:
        puppet.compile_nodes(["a"], "1", facts=facts)  # type: ignore[arg-type]
    with pytest.raises(TypeError) as of_one:
        puppet.compile_nodes({"a": facts}, "1")  # type: ignore[dict-item]
    assert str(of_all.value) == str(of_one.value) == str(expected.value)
    assert of_one.value.__notes__ == ["these are the facts of the node 'a'"]


def test_an_executor_that_is_shut_down() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(puppet.FleetError, match="the executor takes no work"):
        list(puppet.compile_nodes(["a"], "1", facts={}, executor=executor))


def test_a_function_that_makes_no_executor() -> None:
    with pytest.raises(TypeError, match="executor is a function that has made no executor, but 5"):
        list(puppet.compile_nodes(["a"], "1", facts={}, executor=lambda: 5))  # type: ignore[arg-type,return-value]


def test_a_program_that_is_run_again_by_each_process(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import puppet_repl as puppet\n"
        "for made in puppet.compile_nodes(['a', 'b'], '1', facts={}): print(made)\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    name = "puppet_repl.frontends.shared.fleet.FleetError: "
    (said,) = [line for line in done.stderr.splitlines() if line.startswith(name)]
    assert "if __name__" in said


def test_a_process_that_outlives_a_run_sees_what_is_new(tmp_path: Path) -> None:
    manifests = tmp_path / "one" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class one { notify { 'one': } }")
    code = "['one', 'two'].each |$name| { if defined($name) { include $name } }"
    with ThreadPoolExecutor(1) as executor:
        found = []
        for _ in range(2):
            (result,) = puppet.compile_nodes(
                ["a"], code, facts={}, modulepath=tmp_path, executor=executor
            )
            found.append(result.unwrap().classes)
            new = tmp_path / "two" / "manifests"
            new.mkdir(parents=True, exist_ok=True)
            (new / "init.pp").write_text("class two { }")
    assert found == [["one"], ["one", "two"]]


@pytest.mark.parametrize("kind", ["none", "threads", "processes"])
def test_warnings_come_at_the_line_of_the_loop(kind: str) -> None:
    """However the process of the caller warns: the others know neither its filters nor its line."""
    code = "notice(\"${true}\") if $trusted['certname'] == 'bad' { fail('no') }"
    given = {"none": None, "threads": ThreadPoolExecutor(2), "processes": processes()}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        asked = puppet.compile_nodes(
            ["a", "b", "bad"], code, facts={}, modulepath="nowhere", executor=given[kind], jobs=2
        )
        results = by_node(list(asked))
    first, *others = warned
    assert "nowhere is not a directory" in str(first.message)
    assert [each.category for each in others] == [puppet.DifferenceWarning] * 3
    assert {each.filename for each in warned} == {__file__}
    assert {each.lineno - first.lineno for each in others} == {3}
    assert [name for name in sorted(results) if results[name].error is not None] == ["bad"]
    with warnings.catch_warnings():
        warnings.simplefilter("error", puppet.DifferenceWarning)
        asked = puppet.compile_nodes(["bad"], code, facts={}, executor=given[kind], jobs=1)
        assert "no" in str(next(asked).error)
        with pytest.raises(puppet.DifferenceWarning, match="true or false in"):
            list(puppet.compile_nodes(["a"], code, facts={}, executor=given[kind], jobs=1))
    for each in given.values():
        if each is not None:
            each.shutdown()


def test_code_need_not_call_every_function() -> None:
    """A name like that of a known function is no reason to refuse code that works."""
    given: dict[str, Any] = {"lookups": len}
    with ThreadPoolExecutor(1) as executor:
        results = puppet.compile_nodes(
            ["a", "b"],
            "if $trusted['certname'] == 'a' { notify { String(lookups('x')): } }",
            facts={},
            functions=given,
            executor=executor,
        )
        found = by_node(list(results))
    assert [each.title for each in found["a"].unwrap().resources("notify")] == ["1"]
    assert not found["b"].unwrap().resources("notify")
