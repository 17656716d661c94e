"""Requests of batch that see the same files run in one Ruby, as long as it runs only files."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from puppet_repl.frontends.cli.batch import answer
from puppet_repl.frontends.cli.batch_sessions import Sessions
from tests.environment.ruby.engine import ENGINE, needs_ruby, needs_sandbox

if TYPE_CHECKING:
    from puppet_repl.environment.ruby.engine import Engine

pytestmark = needs_ruby

FUNCTION = """\
require 'site_helper'
Puppet::Functions.create_function(:'site::say') do
  def say(*args) = "%s %s" % [SiteHelper::GREETING, args.join(' ')]
end
"""
LEGACY = """\
Puppet::Parser::Functions.newfunction(:site_old, type: :rvalue) { |args| "old #{args.first}" }
"""


class Batch:
    """Answers requests as one process does; ``rubies`` are those that wait for the next."""

    def __init__(self, modulepath: Path) -> None:
        self.modulepath = modulepath
        self.sessions = Sessions()

    def ask(self, code: str, **fields: Any) -> dict[str, Any]:
        request = {"code": code, "modulepath": [str(self.modulepath)], "ruby": ENGINE}
        return answer({**request, **fields}, self.sessions)

    def text(self, code: str, **fields: Any) -> str:
        found = self.ask(code, **fields)
        assert "error" not in found, found
        text: str = found["str"]
        return text

    @property
    def rubies(self) -> list[Engine]:
        return [each.engine for each in (self.sessions.shared.engines or {}).values()]

    def write(self, name: str, text: str) -> None:
        path = self.modulepath / "site" / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def batch(tmp_path: Path) -> Iterator[Batch]:
    made = Batch(tmp_path)
    made.write("puppet/functions/site/say.rb", FUNCTION)
    made.write("puppet/parser/functions/site_old.rb", LEGACY)
    made.write("site_helper.rb", "module SiteHelper; GREETING = 'hello'; end")
    yield made
    made.sessions.close()


def test_one_ruby_answers_all(batch: Batch) -> None:
    assert batch.text("site::say('a')") == "hello a"
    (first,) = batch.rubies
    assert batch.text("site::say('b')") == "hello b"
    assert batch.text("site_old('c')") == "old c"
    assert batch.text("site_old('d')") == "old d"
    assert batch.rubies == [first]


def test_other_files_have_another(batch: Batch, tmp_path: Path) -> None:
    assert batch.text("site::say('a')") == "hello a"
    (first,) = batch.rubies
    other = tmp_path / "other"
    shutil.copytree(tmp_path / "site", other / "site")
    assert batch.text("site::say('b')", modulepath=[str(other)]) == "hello b"
    assert len(batch.rubies) == 1
    assert batch.rubies != [first]
    assert not first.is_alive


ONE = "{ type => Callable[[], Any], annotations => { RubyMethod => { body => '1' } } }"


@pytest.mark.parametrize(
    "code",
    [
        "inline_template('<%= 1 %>')",
        "inline_template('<%= scope.function_inline_template([%q(<%= 1 %%>)]) %>')",
        f"type T = Object[{{ functions => {{ f => {ONE} }} }}] T().f",
    ],
)
def test_one_that_has_run_text_is_not_used_again(batch: Batch, code: str) -> None:
    assert batch.text("site::say('a')") == "hello a"
    assert batch.text(code) == "1"
    assert batch.rubies == []


@needs_sandbox
def test_a_hermetic_session_takes_none_and_leaves_none(batch: Batch) -> None:
    assert batch.text("site::say('a')") == "hello a"
    (first,) = batch.rubies
    assert batch.text("site::say('b')", hermetic=True) == "hello b"
    assert batch.rubies == [first]


@pytest.mark.parametrize(
    ("name", "text", "after"),
    [
        ("puppet/functions/site/say.rb", FUNCTION.replace("%s %s", "<%s> %s"), "<hello> a"),
        ("site_helper.rb", "module SiteHelper; GREETING = 'good day'; end", "good day a"),
    ],
)
def test_changed_files_count(batch: Batch, name: str, text: str, after: str) -> None:
    assert batch.text("site::say('a')") == "hello a"
    batch.write(name, text)
    assert batch.text("site::say('a')") == after


def test_a_changed_3x_function_counts(batch: Batch) -> None:
    assert batch.text("site_old('a')") == "old a"
    batch.write("puppet/parser/functions/site_old.rb", LEGACY.replace('"old ', '"new and longer '))
    assert batch.text("site_old('a')") == "new and longer a"


@pytest.mark.parametrize(
    "template",
    [
        '@facts["role"]',
        'scope["facts"]["role"]',
        'scope.lookupvar("::facts")["role"]',
        'scope.to_hash["facts"]["role"]',
        'scope.call_function("fact", ["role"])',
    ],
)
def test_each_has_its_facts(batch: Batch, template: str) -> None:
    code = f"inline_template('<%= {template} %>')"
    stdlib = {"stdlib": "9"}
    assert batch.text(code, facts={"role": "web"}, **stdlib) == "web"
    assert batch.text(code, facts={"role": "database"}, **stdlib) == "database"


def test_each_has_its_settings(batch: Batch) -> None:
    code = "inline_template('<%= Puppet[:strict].inspect %>')"
    assert batch.text(code, strict="error") == ":error"
    assert batch.text(code, strict="warning") == ":warning"


def test_blocks_and_objects_end_with_their_session(batch: Batch) -> None:
    batch.write(
        "puppet/functions/site/keep.rb",
        "Puppet::Functions.create_function(:'site::keep') do\n"
        "  dispatch(:keep) { block_param }\n"
        "  def keep(&block) = ($kept ||= []).push(block).size\n"
        "end\n",
    )
    batch.write(
        "puppet/functions/site/replay.rb",
        "Puppet::Functions.create_function(:'site::replay') { def replay = $kept.first.call }\n",
    )
    assert batch.text("site::keep() || { 'the first' }") == "1"
    assert batch.text("site::keep() || { 'the second' }") == "2"
    found = batch.ask("site::replay()")
    assert "no longer available" in found["error"]["message"]


def test_one_that_has_failed_is_not_used_again(batch: Batch) -> None:
    assert batch.text("site::say('a')") == "hello a"
    code = "inline_template('<% def deep(x) = [x].each { |each| deep(each) }; deep(1) %>')"
    assert "error" in batch.ask(code)
    assert batch.text("site::say('b')") == "hello b"


@needs_sandbox
def test_files_end_with_their_session(batch: Batch) -> None:
    write = "inline_template('<%= File.write(%q{/tmp/note}, %q{abc}) %>')"
    assert batch.text(write) == "3"
    assert batch.text("inline_template('<%= File.exist?(%q{/tmp/note}) %>')") == "false"
    assert batch.text(write) == "3"
