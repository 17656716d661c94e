"""Mutations, odd types and the comparison with Puppet, as far as they need no Puppet."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
from pathlib import Path

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from tests.corpus import long_programs, mutations, odd_types, spec_programs
from tests.corpus.random_programs import visible_cases
from tests.corpus.referee import Comparison, for_node, located, tidied, usable
from tests.recorded import Case

PROGRAM = """function f(Integer $a, $b = 2) { $a + $b }
$x = [1, 2, 3]
notify { 'a': message => "${x[0]}", * => { withpath => true } }
$x.map |$each| { f($each, 3) } == [4, 5, 6]
"""


def test_mutations_are_made_again_from_their_seed() -> None:
    made = [mutations.mutated(PROGRAM, random.Random(seed)) for seed in range(200)]
    assert made == [mutations.mutated(PROGRAM, random.Random(seed)) for seed in range(200)]
    assert None not in made
    assert len(set(made)) > 150


def test_most_mutations_can_be_parsed() -> None:
    valid = 0
    for seed in range(200):
        text = mutations.mutated(PROGRAM, random.Random(seed))
        try:
            parse(Source(text or ""))
            valid += 1
        except PuppetError:
            pass
    assert valid > 150


def test_long_programs_are_made_again_from_their_seed() -> None:
    made = list(long_programs.programs(40, 1))
    assert made == list(long_programs.programs(40, 1))
    assert len({request["code"] for request in made}) == 40


def test_long_programs_are_long_and_can_be_parsed() -> None:
    made = [request["code"] for request in long_programs.programs(100, 2)]
    lengths = [code.count("\n") for code in made]
    assert min(lengths) >= 10
    assert sum(lengths) / len(lengths) > 20
    assert max(lengths) <= 80
    for code in made:
        parse(Source(code))


def test_what_is_no_program_has_no_mutation() -> None:
    assert mutations.mutated("if {", random.Random(1)) is None
    assert mutations.mutated("", random.Random(1)) is None


def test_requests_keep_what_cases_are_given() -> None:
    case: Case = {"id": "a", "code": "1 + 2", "mode": "catalog", "facts": {"a": 1}, "value": "3"}
    made = list(mutations.programs([case], 20, seed=1))
    assert len({request["code"] for request in made}) == 20
    assert all(request.keys() == {"id", "code", "mode", "facts"} for request in made)


def test_visible_cases_need_neither_a_node_nor_an_environment() -> None:
    cases = visible_cases()
    assert len(cases) > 19_000
    assert not any({"node", "environment_files"} & case.keys() for case in cases)


def test_each_type_has_each_odd_parameter() -> None:
    singles = [request["code"] for request in odd_types.programs(0, seed=1)]
    assert len(odd_types.PARAMETERS) >= 50
    assert len(singles) == len(odd_types.names()) * len(odd_types.PARAMETERS)
    assert "Integer[undef]" in singles and "Struct[{'a' => 1}]" in singles
    more = list(itertools.islice(odd_types.programs(100, seed=1), len(singles), None))
    assert len({request["code"] for request in more}) == 100


@pytest.mark.parametrize("text", odd_types.ARGUMENTS)
def test_odd_arguments_are_valid(text: str) -> None:
    try:
        parse(Source(f"f({text})"))
    except PuppetError:
        assert text == "/[/"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, False),
        ({"crash": "no answer in time"}, False),
        ({"value": "#<Foo:0xADDRESS>"}, False),
        ({"error": {"message": "no", "line": 1, "column": 1}}, True),
        ({"value": "1"}, True),
    ],
)
def test_only_stable_answers_count(answer: Case | None, expected: bool) -> None:
    assert usable(answer) is expected


def test_the_place_of_an_error_is_the_last_one() -> None:
    text = "a (line: 1, column: 2) b (file: x.pp, line: 3, column: 4) on node n"
    assert located(text) == {"message": "a (line: 1, column: 2) b", "line": 3, "column": 4}
    assert located("a (line: 3)") == {"message": "a", "line": 3, "column": None}
    assert located("a") == {"message": "a", "line": None, "column": None}


def test_answers_have_the_form_of_cases() -> None:
    logs = [["notice", "x (line: 1)"], ["debug", "y"], ["err", "no on node n"]]
    assert tidied({"error": "no (line: 1)", "logs": logs}) == {
        "error": {"message": "no", "line": 1, "column": None},
        "logs": [["notice", "x"]],
    }
    failure = tidied({"error": "undefined method `x' for nil:NilClass"})
    assert failure["internal"] == "failure"


def test_a_comparison_counts_and_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answers = [
        ({"id": "1", "code": "1"}, {"value": "1"}),
        ({"id": "2", "code": "2"}, {"value": "3"}),
        ({"id": "3", "code": "4"}, {"value": "5"}),
        ({"id": "4", "code": "nope()"}, {"error": {"message": "?"}, "internal": "failure"}),
        ({"id": "5", "code": "5"}, {"crash": "no answer"}),
    ]
    monkeypatch.setattr("tests.corpus.referee.ask", lambda _: iter(answers))
    comparison = Comparison(tmp_path / "answers.jsonl")
    comparison.run([])
    assert [each.request["id"] for each in comparison.differences] == ["2", "3"]
    assert comparison.report().split("\n") == [
        "    2 value: expected _, got _",
        "2 of 4 programs agree (50.00%); Puppet refused 1, 1 of them with a failure inside",
    ]
    assert len((tmp_path / "answers.jsonl").read_text("utf-8").split("\n")) == 5


def test_programs_of_specs_are_asked_once_for_each_mode(tmp_path: Path) -> None:
    path = tmp_path / "specs.jsonl"
    rows = [("parse", "1"), ("eval", "1"), ("parse", "1"), ("catalog", "notify { 'a': }")]
    lines = [json.dumps({"mode": mode, "code": code}) for mode, code in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    made = list(spec_programs.programs(path))
    assert [request["mode"] for request in made] == ["parse", "eval", "catalog"]


def test_catalogs_are_for_a_node() -> None:
    assert for_node({"id": "a", "mode": "catalog"})["node"] == "node.example.com"
    assert for_node({"id": "a", "mode": "catalog", "node": "b"})["node"] == "b"
    assert for_node({"id": "a"}) == {"id": "a"}


def test_of_a_suite_the_most_different_cases_are_kept() -> None:
    rows = [("x", "1"), ("x", "2"), ("y", "1"), ("x", "3"), ("y", "3")]
    cases = [{"facts": facts, "code": code} for facts, code in rows]
    kept = spec_programs.most_different(cases, 3)
    assert [(case["facts"], case["code"]) for case in kept] == [("x", "1"), ("x", "2"), ("y", "3")]
    assert spec_programs.most_different(cases, 9) == cases


SUITE = """require 'spec_helper'
describe 'web' do
  on_supported_os.each do |os, os_facts|
    context "on #{os}" do
      let(:facts) { os_facts.merge(role: os_facts['os']['name']) }
      it { is_expected.to compile }
      context 'with parameters' do
        let(:params) { { port: 80, name: "it's", secret: sensitive('x'), rest: { a: [nil, 1] } } }
        let(:pre_condition) { '$x = 1' }
        it { is_expected.to compile.with_all_deps }
        it { fail 'examples are not run' }
      end
    end
  end
end
"""


@pytest.mark.skipif(
    shutil.which("rspec") is None or "PUPPET_LIB" not in os.environ,
    reason="needs rspec-core, and PUPPET_LIB has to name the lib directory of Puppet",
)
def test_a_suite_is_harvested(tmp_path: Path) -> None:
    module, facts = tmp_path / "web", tmp_path / "facts"
    (module / "spec" / "classes").mkdir(parents=True)
    (module / "spec" / "classes" / "web_spec.rb").write_text(SUITE)
    supported = [{"operatingsystem": "Debian", "operatingsystemrelease": ["12"]}]
    metadata = {"name": "a-web", "operatingsystem_support": supported}
    (module / "metadata.json").write_text(json.dumps(metadata))
    facts.mkdir()
    for name in ("Debian", "Rocky"):
        (facts / f"{name}.json").write_text(json.dumps({"os": {"name": name}, "kernel": "Linux"}))
    code = (
        "$x = 1\nclass { 'web':\n  port => 80,\n  name => 'it\\'s',\n"
        "  secret => Sensitive('x'),\n  rest => { 'a' => [undef, 1] },\n}"
    )
    common = {"node": "foo.example.com", "facts": "Debian", "own_facts": {"role": "Debian"}}
    assert spec_programs.suite_of(module, facts) == [
        {"code": "include web", **common},
        {"code": code, **common},
    ]
