"""Calls in eight threads: with sessions of their own, and with one ``Shared()``."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

import puppet_repl as puppet
from tests.environment.ruby.engine import needs_ruby

THREADS = 8
LONGER = ("functions/twice.pp", "data/common.yaml")
"""Files that are written with and without another line."""
ROUNDS = 3
FILES = {
    "manifests/init.pp": """\
class app (Array[String] $parts, Integer $port = app::twice(40)) {
  $parts.each |$part| { file { "/etc/${part}": content => epp('app/part.epp', { name => $part }) } }
  notify { $facts['os']['family']: message => $port }
}
""",
    "functions/twice.pp": "function app::twice(Integer $x) >> Integer { $x * 2 }\n",
    "templates/part.epp": "<%- | String $name | -%>\npart <%= $name %>\n",
    "data/common.yaml": "app::parts: [one, two, three]\n",
    "hiera.yaml": "version: 5\nhierarchy: [{name: all, path: common.yaml}]\n",
    "lib/puppet/functions/app/up.rb": """\
Puppet::Functions.create_function(:'app::up') do
  def up(text)
    text.upcase
  end
end
""",
}
PROGRAMS = (
    "$facts['os']['family'].downcase",
    "1 +",
    "fail('x')",
    "upcas('x')",
    "app::twice('x')",
    "app::twice(21)",
    "lookup('app::parts')",
    "function f($n) { if $n > 0 { f($n - 1) + 1 } else { 0 } } f(99)",
    "Integer[1, 99].map |$x| { $x * 3 }.reduce |$a, $b| { $a + $b }",
)
Work = Callable[[puppet.Shared | None], object]


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "app" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def _quick_turns() -> Iterator[None]:
    """Threads take turns after a few steps: what cannot be shared shows."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def works(modules: Path) -> list[Work]:
    def compiled(shared: puppet.Shared | None) -> object:
        made = puppet.compile("include app", facts="rocky-9", modulepath=modules, shared=shared)
        return [each.to_dict() for each in made], made.logs

    def evaluated(code: str) -> Work:
        def work(shared: puppet.Shared | None) -> object:
            return puppet.evaluate(code, facts="debian-12", modulepath=modules, shared=shared)

        return work

    def stopped(shared: puppet.Shared | None) -> object:
        endless = "Integer[1, 99999999].reduce |$a, $b| { $a + $b }"
        with pytest.raises(puppet.EvaluationError) as caught:
            puppet.evaluate(endless, facts={}, max_seconds=0.05, shared=shared)
        return caught.value.code  # where it was stopped may differ

    return [compiled, stopped, *map(evaluated, PROGRAMS)]


def answer(work: Work, shared: puppet.Shared | None) -> object:
    try:
        return work(shared)
    except puppet.PuppetError as error:
        return type(error), error.message, error.line, error.code, error.notes


def in_threads(work: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.usefixtures("_quick_turns")
@pytest.mark.parametrize("kind", ["own", "shared", "lasting"])
def test_answers_are_those_of_one_thread(kind: str, modules: Path) -> None:
    todo = works(modules)
    expected = [answer(each, None) for each in todo]
    shared = None if kind == "own" else puppet.Shared(is_lasting=kind == "lasting")
    different: list[object] = []
    done: list[int] = []

    def work(number: int) -> None:
        order = list(range(len(todo))) * ROUNDS
        Random(number).shuffle(order)
        for which in order:
            if (found := answer(todo[which], shared)) != expected[which]:
                different.append((which, found, expected[which]))
            done.append(which)
            name = list(FILES)[which % 4]  # a line more changes no answer
            written = modules / "app" / f"new{number}"
            written.write_text(
                FILES[name] + "\n" * (which % 3) if name in LONGER else FILES[name],
                encoding="utf-8",
            )
            os.replace(written, modules / "app" / name)

    in_threads(work)
    assert different == []
    assert len(done) == THREADS * ROUNDS * len(todo)
    if shared is not None:
        shared.close()


@needs_ruby
@pytest.mark.usefixtures("_quick_turns")
@pytest.mark.parametrize("is_lasting", [False, True])
def test_threads_start_rubies_at_once(is_lasting: bool, modules: Path) -> None:
    before = threading.stack_size()
    running = threading.active_count()
    found: dict[int, object] = {}
    with puppet.Shared(is_lasting=is_lasting) as shared:

        def work(number: int) -> None:
            code = f"app::up('n{number}')"
            found[number] = puppet.evaluate(code, facts={}, modulepath=modules, shared=shared)

        in_threads(work)
    assert found == {number: f"N{number}" for number in range(THREADS)}
    assert threading.stack_size() == before
    assert threading.active_count() <= running
