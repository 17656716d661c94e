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
