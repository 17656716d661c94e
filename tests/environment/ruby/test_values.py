"""Values come back from Ruby as they went there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from puppet_repl.environment.ruby.functions import RubyFunction
from puppet_repl.environment.ruby.host import RubyHost
from puppet_repl.environment.ruby.values import TAG
from puppet_repl.language.runtime.context import Context
from puppet_repl.language.runtime.options import Options
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.semver_range import SemVerRange
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.time import Timespan, Timestamp
from puppet_repl.language.values.uri import URI
from puppet_repl.session.top_scope import attach
from tests.environment.ruby.engine import ENGINE, needs_ruby

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

pytestmark = needs_ruby

ECHO = """
Puppet::Functions.create_function(:'m::echo') do
  def echo(value)
    value
  end
end
"""
TYPES = ("Integer[1, 5]", "Notify['a']", "Class['b']", "Array[String]", "Struct[{'a' => Integer}]")
SCALARS: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8")),
    st.sampled_from(["\ud800", "a\udcff", "\0", "~", "\u2028", '"\\']),
    st.just(DEFAULT),
    st.binary().map(Binary),
    st.integers(-(2**60), 2**60).map(Timestamp),
    st.integers(-(2**60), 2**60).map(Timespan),
    st.sampled_from([SemVer.parse("1.2.3-rc.1+b"), SemVerRange.parse(">=1.0.0 <2.0.0")]),
    st.sampled_from([URI.parse("http://a/b?c=d"), Regexp("a(b|c)+")]),
    st.sampled_from(TYPES).map(parse_type),
)
KEYS = st.one_of(st.text(max_size=5), st.integers(-9, 9), st.just(TAG), st.just(DEFAULT))


def _containers(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.one_of(
        st.lists(inner, max_size=4).map(tuple),
        st.lists(st.tuples(KEYS, inner), max_size=4).map(PuppetHash),
        inner.map(Sensitive),
    )


VALUES = st.recursive(SCALARS, _containers, max_leaves=12)


def file_of_module(modulepath: Path, text: str) -> Path:
    """Write a file where Ruby in the sandbox can read it."""
    path = modulepath / "m" / "lib" / "f.rb"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


def context_of(modulepath: Path) -> Context:
    context = Context(Options(ruby=ENGINE, modulepath=(str(modulepath),)))
    attach(context)
    return context


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RubyFunction]:
    directory = tmp_path_factory.mktemp("values")
    path = file_of_module(directory, ECHO)
    host = RubyHost(context_of(directory))
    yield host.function("m::echo", str(path))
    host.close()


def form(value: Any) -> object:
    """What tells values apart, classes of strings and secrets included."""
    if type(value) is tuple:
        return [form(item) for item in value]
    if type(value) is PuppetHash:
        return {form(key): form(item) for key, item in value.items()}, list(map(form, value.keys()))
    if type(value) is Sensitive:
        return "Sensitive", form(value.value)
    return type(value), value if type(value) is str else program_text(value)


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(value=VALUES)
def test_round_trip(echo: RubyFunction, value: Value) -> None:
    returned = echo.call(echo.names.context, (value,))
    assert form(returned) == form(value)


def test_floats_that_are_no_numbers(echo: RubyFunction) -> None:
    for value in (float("inf"), float("-inf")):
        assert echo.call(echo.names.context, (value,)) == value
    returned = echo.call(echo.names.context, (float("nan"),))
    assert returned != returned
    assert str(echo.call(echo.names.context, (-0.0,))) == "-0.0"


def test_handles_are_released(tmp_path: Path) -> None:
    path = file_of_module(
        tmp_path,
        "Puppet::Functions.create_function(:'m::f') do\n"
        "  def f(a)\n    a.nil? ? (1..2) : GC.start\n    1..2\n  end\nend\n",
    )
    context = context_of(tmp_path)
    host = RubyHost(context)
    function = host.function("m::f", str(path))
    for _ in range(50):
        function.call(context, (None,))
    assert not host.codec.refers_to_ruby
    assert len(host.codec.take_released()) <= 1
    host.close()
