"""What sessions share: a lasting look, and the Ruby that one leaves to the next."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import puppet_repl as puppet
from puppet_repl.frontends.shared.fleet import new_run, shared_here
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import ENGINE, needs_ruby

RUBY = """
Puppet::Functions.create_function(:'app::ruby') do
  dispatch(:run) {}
  def run
    '%s'
  end
end
"""
CODE = "notify { [app::native(), app::ruby()]: }"


def write(directory: Path, word: str) -> None:
    functions = directory / "app" / "functions"
    ruby = directory / "app" / "lib" / "puppet" / "functions" / "app"
    for each in (functions, ruby):
        each.mkdir(parents=True, exist_ok=True)
    (functions / "native.pp").write_text(f"function app::native() {{ 'native {word}' }}")
    (ruby / "ruby.rb").write_text(RUBY % f"ruby {word}")


def titles(directory: Path, shared: puppet.Shared) -> list[str]:
    catalog = puppet.compile(CODE, facts={}, modulepath=directory, shared=shared, ruby=ENGINE)
    return [each.title for each in catalog.resources("notify")]


@needs_ruby
def test_files_count_as_they_were_until_it_is_closed(tmp_path: Path) -> None:
    write(tmp_path, "old")
    shared = puppet.Shared(is_lasting=True)
    assert titles(tmp_path, shared) == ["native old", "ruby old"]
    write(tmp_path, "newer")
    assert titles(tmp_path, shared) == ["native old", "ruby old"]
    shared.close()
    assert titles(tmp_path, shared) == ["native newer", "ruby newer"]
    shared.close()
    shared.close()


@needs_ruby
def test_one_ruby_serves_one_session_after_the_other(tmp_path: Path) -> None:
    write(tmp_path, "old")
    shared = puppet.Shared(is_lasting=True)
    titles(tmp_path, shared)
    assert shared.engines is not None
    (left,) = shared.engines.values()
    titles(tmp_path, shared)
    assert list(shared.engines.values()) == [left]
    shared.close()
    assert not shared.engines
    assert not left.engine.is_alive


@needs_ruby
def test_without_a_lasting_look_changes_count(tmp_path: Path) -> None:
    write(tmp_path, "old")
    shared = puppet.Shared()
    assert titles(tmp_path, shared) == ["native old", "ruby old"]
    write(tmp_path, "newer")
    assert titles(tmp_path, shared) == ["native newer", "ruby newer"]


def test_what_a_thread_keeps_looks_anew_for_each_run(tmp_path: Path) -> None:
    path = tmp_path / "file"
    first, second = new_run(), new_run()
    shared = shared_here(first)
    look = shared.new_look()
    assert look.stamp(str(path)) is None
    path.touch()
    assert shared_here(first) is shared
    assert look.stamp(str(path)) is None
    assert shared_here(second) is shared
    assert look.stamp(str(path)) is not None


@pytest.mark.parametrize("is_lasting", [False, True])
def test_an_input_looks_anew_unless_the_look_lasts(tmp_path: Path, is_lasting: bool) -> None:
    shared = puppet.Shared(is_lasting=is_lasting)
    one, other = (
        Session(Options(modulepath=(str(tmp_path),)), facts={}, shared=shared) for _ in range(2)
    )
    assert not one.execute("defined(late)").value
    write_files(tmp_path, {"late/manifests/init.pp": "class late { }"})
    assert [each.execute("defined(late)").value for each in (other, one)] == [not is_lasting] * 2


def test_other_threads_of_a_session_see_what_its_last_input_saw(tmp_path: Path) -> None:
    def names() -> list[str]:
        found = session.complete("include l", 9).items
        return [each.text for each in found if each.text.startswith("late")]

    write_files(tmp_path, {"late/manifests/init.pp": "class late { }"})
    session = Session(Options(modulepath=(str(tmp_path),)), facts={})
    with ThreadPoolExecutor(max_workers=1) as pool:
        assert pool.submit(names).result() == ["late"]
        write_files(tmp_path, {"later/manifests/init.pp": "class later { }"})
        session.execute("$x = 1")
        assert pool.submit(names).result() == ["late", "later"]
