"""What programs become in Python: the short cuts that speed rests on."""

from __future__ import annotations

import ast
import gc
from _ast import FunctionDef
from contextlib import suppress
from pathlib import Path

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.compiler.program import SourceTree, lower_program
from puppet_repl.language.compiler.unit import READS_VARIABLES_BY_NAME
from puppet_repl.language.syntax.ast import Program
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Session
from tests import recorded


def python_of(text: str) -> str:
    session = Session(facts={})
    return python_text(parse(Source(text)), session)


def python_text(program: Program, session: Session) -> str:
    """Return the Python source of a program."""
    lowered = lower_program(SourceTree(program.source, program), session._context)
    return ast.unparse(lowered.module)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$x = 1", "scope.assign('x', 1)"),
        ("with(1) |$x| { $x }", "return v_x"),
        ("with(1) |$x| { $y = $x $y }", "v_y = v_x"),
        ("with(1) |Integer $x| { $x < 2 }", "return v_x < 2"),
        ("with(1) |Integer $x| { $x % 7 }", "return v_x % 7"),
        ('with(1) |String $x| { "a${x}" }', "return f'a{v_x}'"),
        ("with(1) |$x| { $x == undef }", "return v_x is None"),
        ("with(1) |$x| { next($x) }", "return v_x"),
        ("function f($x) { return($x) }", "return v_x"),
        ("function f($x) { f($x) }", "return f_f_1(v_x)"),
        ("[1].map |$x| { $x }", "map_with1(C, "),
        ("$x = {a => 1}", "hash_of_strings({'a': 1})"),
        ("[1, *[2]]", "(1, *(2,))"),
        ("notify { 'a': message => 'b' }", "declare_titled(scope, shape_0, 'a', ('b',))"),
        ('notify { "a${1}": }', "declare_titled(scope, shape_0, "),
        ('notify { "${1}": }', "declare_body(scope, shape_0, titles("),
        ("class c { 'a' =~ /b/ } 1", "\ndef main(scope):\n    V = scope.variables\n    None"),
    ],
)
def test_contains(text: str, expected: str) -> None:
    assert expected in python_of(text)


@pytest.mark.parametrize("text", ["class c { $x = 1 }", "function f() { 1 }", "define d { }"])
def test_a_file_that_is_one_definition_has_no_code_outside_of_it(text: str) -> None:
    assert "def main" not in python_of(text)
    assert "def main" in python_of(f"{text}\n1")


@pytest.mark.parametrize("name", sorted(READS_VARIABLES_BY_NAME))
def test_a_call_that_may_read_matches_keeps_them(name: str) -> None:
    assert "m1 := " in python_of(f"with('a') |$x| {{ $x =~ /a/ {name}('b') }}")


def test_matches_are_kept_only_where_they_can_be_read() -> None:
    assert "m1" not in python_of("with('a') |$x| { $x =~ /a/ }")
    assert "m1 := " in python_of("with('a') |$x| { $x =~ /a/ $0 }")


def test_a_signal_is_caught_only_where_it_can_be_raised() -> None:
    assert "except NextSignal" not in python_of("with(1) |$x| { $x }")
    assert "except ReturnSignal" in python_of("function f() { [1].each |$x| { return($x) } }")


@pytest.mark.parametrize("text", ["$x = [1, ['a', true], undef]", "notify { 'a': message => 'b' }"])
def test_literals_are_one_node(text: str) -> None:
    context = Session(facts={})._context
    tree = SourceTree(Source(text), parse(Source(text)))
    module = lower_program(tree, context).module
    assert not [node for node in ast.walk(module) if isinstance(node, ast.Tuple)]


def test_a_program_looks_for_matches_in_what_it_runs_itself() -> None:
    assert "m0" not in python_of("class c { 'a' =~ /b/ notice($0) } 1").partition("def main")[2]


def test_trees_are_gone_when_a_program_has_run() -> None:
    session = Session(facts={})
    text = "class c { notify { [1].map |$x| { '$x' }: } } $a = 'a' =~ /a/ ? { true => 1 }"
    gc.collect()
    gc.disable()
    try:
        before = trees()
        assert session.execute(text).error is None
        assert trees() == before
    finally:
        gc.enable()


def trees() -> int:
    """Return how many nodes of Python's syntax trees there are in memory."""
    return sum(isinstance(each, ast.AST) for each in gc.get_objects())


def test_types_of_the_language_are_constants() -> None:
    text = python_of("with(1) |$x| { $x =~ Integer[1, 5] }")
    assert "is_instance_" in text
    assert "access_many" not in text


def test_types_of_the_user_are_made_once() -> None:
    session = Session(facts={})
    assert session.execute("type P = Integer[1, 5]").error is None
    text = "[1, 9].map |$x| { $x =~ Array[P] or $x =~ P }"
    assert session.execute(text).value == (True, False)
    assert session.execute("type P = Integer[6, 9]").error is None
    assert session.execute(text).value == (False, True)


def test_showing_a_program_changes_nothing() -> None:
    session = Session(facts={})
    tree = parse(Source("function f($x = 1) { $x } f() + 1"))
    assert "def f_f" in python_text(tree, session)
    assert session.execute("f()").error is not None
    assert session.execute("function f($x = 1) { $x } f() + 1").value == 2
    assert python_text(tree, session) == python_text(tree, session)


@pytest.mark.parametrize("suite", ["parameter_defaults", "documents", "create_resources"])
def test_constants_and_functions_have_names_of_their_own(suite: str) -> None:
    path = Path(__file__).parents[2] / "catalog" / f"{suite}.jsonl"
    for case in recorded.read(path):
        code = case.get("code", "")
        with suppress(PuppetError):
            lowered = lower_program(SourceTree(Source(code)), Session()._context)
            functions = {each.name for each in lowered.module.body if isinstance(each, FunctionDef)}
            assert functions.isdisjoint(lowered.lowering.constants), case["id"]
