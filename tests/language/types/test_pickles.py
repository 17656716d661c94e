"""Types and objects that another process gets, which has other hashes of strings."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest

from puppet_repl.session import Session

ELSEWHERE = """
import pickle, sys
from puppet_repl.session import Session

value, same = pickle.loads(sys.stdin.buffer.read())
print(Session().describe(value)["value"])
print(value == same, type(value) is not tuple and hash(value) == hash(same))
"""


@pytest.mark.parametrize(
    "code",
    [
        "type A = Array[Integer] A",
        "type A = Variant[Integer, Array[A]] A",
        "Data",
        "Object[{attributes => {a => Integer}}]",
        "type T = Object[{attributes => {a => Any, b => {type => String, value => 'x'}}}] T",
        "type T = Object[{attributes => {a => Any, b => {type => String, value => 'x'}}}] T(T(1))",
        "type T = Object[{type_parameters => {p => Any}, attributes => {p => Any}}] T[Integer]",
        "type S = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {A => Any}}] S",
        "$t = Struct[{a => Integer}] $x = ({a => 1} =~ $t) $t",
        "Error('x')",
        "RubyMethod",
        "Pcore::IntegerType",
    ],
)
def test_a_copy_for_another_process(code: str) -> None:
    session = Session()
    outcome = session.execute(code)
    assert outcome.error is None
    hash(outcome.value)
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=pickle.dumps((outcome.value, outcome.value)),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "77"},
    )
    expected = f"{session.describe(outcome.value)['value']}\nTrue True\n"
    assert done.stdout.decode("utf-8").replace("\r\n", "\n") == expected


@pytest.mark.parametrize(
    "code",
    [
        "[1, 2, 3].reverse_each",
        "Integer[1, 9].step(2)",
        "[[1], [2], [3]].step(2)",
        "{a => 1}.reverse_each",
        "[1, [2]].tree_each",
        "{a => [1, 2].reverse_each}['a']",
    ],
)
def test_iterators_go_on_in_a_copy(code: str) -> None:
    session = Session()
    outcome = session.execute(f"$i = {code} $i")
    copied = pickle.loads(pickle.dumps(outcome.value))
    assert str(copied) == str(outcome.value)
    for use in ("Array($x)", "$x.slice(2)", "type($x)", "String($x)", "$x.map |$y| { $y }"):
        apply = session.execute(f"function use($x) {{ {use} }}")
        assert apply.error is None
        function = session.names.functions()["use"]
        found = [function.call(session._context, (one,)) for one in (outcome.value, copied)]
        assert found[0] == found[1], use
