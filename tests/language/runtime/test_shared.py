"""What sessions share: a lasting look, and the Ruby that one leaves to the next."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import puppet_repl as puppet
from puppet_repl.frontends.shared.fleet import new_run, shared_here
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
    assert shared.look.stamp(str(path)) is None
    path.touch()
    assert shared_here(first) is shared
    assert shared.look.stamp(str(path)) is None
    assert shared_here(second) is shared
    assert shared.look.stamp(str(path)) is not None


@pytest.mark.parametrize("is_lasting", [False, True])
def test_an_input_looks_anew_unless_the_look_lasts(tmp_path: Path, is_lasting: bool) -> None:
    path = tmp_path / "file"
    shared = puppet.Shared(is_lasting=is_lasting)
    assert shared.look.stamp(str(path)) is None
    path.touch()
    shared.begin_input()
    assert (shared.look.stamp(str(path)) is None) == is_lasting


@pytest.mark.parametrize("is_lasting", [False, True])
def test_each_thread_looks_for_itself_unless_the_look_lasts(
    tmp_path: Path, is_lasting: bool
) -> None:
    path = tmp_path / "file"
    seen: list[object] = []
    with puppet.Shared(is_lasting=is_lasting) as shared:
        shared.begin_input()
        thread = threading.Thread(target=lambda: seen.append(shared.look.stamp(str(path))))
        thread.start()
        thread.join()
        assert seen == [None]
        path.touch()
        assert (shared.look.stamp(str(path)) is None) == is_lasting
