"""What Ruby code calls is told of changed arrays and hashes only if it may read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.ruby.host import RubyHost
from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import ENGINE, needs_ruby

pytestmark = needs_ruby

FILE = """Puppet::Functions.create_function(:'m::f') do
  dispatch :f do
    param 'Array', :a
    optional_block_param
  end
  def f(a)
    CODE
  end
end
"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of requests for what has changed."""
    found: list[str] = []
    request = RubyHost.request

    def noting(self: RubyHost, do: str, **fields: object) -> object:
        if do == "changes":
            found.append(do)
        return request(self, do, **fields)

    monkeypatch.setattr(RubyHost, "request", noting)
    return found


@pytest.mark.parametrize(
    ("code", "block", "count"),
    [
        ("a << call_function('downcase', 'X')", "", 0),
        ("a << call_function('m::length')", "", 1),
        ("a << call_function('inline_epp', '<%= 1 %>')", "", 1),
        ("call_function('m::length')", "", 0),  # this code changes nothing
        ("2.times { a << yield(a[0]) }", "|$x| { $x + 1 }", 0),
        ("2.times { a << yield(a[0]) }", "|$x| { $x + $v.length }", 2),
        ("2.times { a << yield(a[0]) }", "|$x| { m::length() }", 2),
        ("2.times { a << yield(a[0]) }", "|$x| { Class['m']['a'].length }", 2),
    ],
)
def test_changes_are_asked_for_where_they_may_be_read(
    code: str, block: str, count: int, asked: list[str], tmp_path: Path
) -> None:
    here = session(tmp_path, code)
    outcome = here.execute(f"class {{ 'm': a => [3, 4] }} $v = [1] m::f([5]) {block}")
    assert outcome.error is None, outcome.error
    assert len(asked) == count


def session(path: Path, code: str) -> Session:
    """Return a session with a module that has a function in Ruby."""
    for name, text in {
        "lib/puppet/functions/m/f.rb": FILE.replace("CODE", code),
        "functions/length.pp": "function m::length() { $m::a.length }",
        "manifests/init.pp": "class m($a = ['x']) { }",
    }.items():
        file = path / "m" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return Session(Options(ruby=ENGINE, modulepath=(str(path),)), facts={})
