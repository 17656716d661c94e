"""Code that was kept on the disk: it answers as code that was just compiled, or it is not used."""

from __future__ import annotations

import os
import random
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.compiler import cache, constants, stored
from puppet_repl.language.compiler.program import (
    LoweredProgram,
    ProgramCode,
    SourceTree,
    compile_tree,
    lower_program,
)
from puppet_repl.language.runtime.context import Context
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Options, Outcome, Session
from tests.conformance.run import FILES
from tests.recorded import check, suite

MODULE = {
    "manifests/init.pp": """
        # What it does.
        class m(
          Optional[Enum['a', 'b']] $mode = undef,
          Hash[String[1], Variant[Integer[0], Pattern[/^x/]]] $limits = { 'one' => 1 },
          M::Port $port = 80,
        ) inherits m::params {
          m::thing { 'first': size => $size, * => { mode => $mode } }
          M::Thing['first'] -> Notify['end'] ~> Exec <| tag == 'm' |>
          notify { 'end': message => epp('m/text.epp', { 'n' => m::twice($port) }) }
          if $facts['kernel'] =~ /^(L)inux/ { notify { "matched ${1}": } }
          $limits.each |String $name, Integer $limit = 3| { notify { "${name} ${limit}": } }
          Notify { loglevel => 'debug' }
          Notify['end'] { withpath => true }
        }
    """,
    "manifests/params.pp": "class m::params { $size = 3  $none = undef }",
    "manifests/thing.pp": """
        define m::thing(Integer $size, $mode = 'b', String $all = "${size}-${mode}") {
          notify { "thing ${name} ${all}": tag => 'x' }
        }
    """,
    "manifests/fixed.pp": """
        class m::fixed($size = $m::params::size, $list = [1, {a => undef}], $t = Integer[1, 2]) {
          include m::params
          notify { "${size} ${list} ${t}": }
        }
    """,
    "manifests/unset.pp": "class m::unset(\n  $x = $m::params::missing,\n) { }",
    "functions/twice.pp": "function m::twice(Numeric $x) >> Numeric { $x * 2 }",
    "functions/count.pp": "function m::count(Integer $n, *$rest) { $rest.map |$x| { $x + $n } }",
    "functions/wrong.pp": "function m::wrong($x) {\n  [1, 2].map |$y| {\n    $x + nothing\n  }\n}",
    "functions/deep.pp": "function m::deep($x) {\n  m::deep($x + 1)\n}",
    "functions/late.pp": "function m::late(Integer $x = 1, $y) { $y }",
    "functions/text.pp": "function m::text() { inline_epp('<%= $x %>', { x => 4 }) }",
    "functions/reads.pp": "function m::reads() { $a = 3 getvar('a') }",
    "types/port.pp": "type M::Port = Integer[1, 65535]",
    "types/tree.pp": "type M::Tree = Variant[String, Array[M::Tree]]",
    "types/pair.pp": "type M::Pair = Object[{attributes => {left => Integer, right => M::Port}}]",
    "templates/text.epp": "<%- | Integer $n, $m = $n + 1 | -%>\n<%= $n %> and <%= $m -%>\n",
    "templates/bare.epp": "no parameters: <%= $facts['kernel'] %>",
    "templates/bad.epp": "<%- | Integer $n | -%>\n\n<%= $n + [1] %>",
}
INPUTS = (
    "include m",
    "include m::params, m::fixed",
    "include m::unset",
    "m::twice(4)",
    "m::twice('a')",
    "m::count(1, 2, 3)",
    "m::count",
    "m::wrong(1)",
    "m::deep(1)",
    "m::late(1, 2)",
    "m::text()",
    "m::reads()",
    "epp('m/text.epp', { n => 1 })",
    "epp('m/text.epp', { n => 'a' })",
    "epp('m/text.epp', { q => 1, n => 1 })",
    "epp('m/bare.epp', { q => 1 })",
    "epp('m/bad.epp', { n => 1 })",
    "['a', ['b', ['c']]] =~ M::Tree",
    "[1] =~ M::Tree",
    "M::Pair.new(1, 2).right",
    "M::Pair.new(1, 0)",
    "m::thing { 'x': size => 'big' }",
    "class { 'm': mode => 'c' }",
    "class { 'm': limits => { 'a' => 'y' } }",
    "type(m::twice(1.5))",
    "Integer[1, 9000000000].each |$x| { m::twice($x) break() }",
)

INLINE = {"inline", "inlined-epp-text"}


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """A directory with the module."""
    write(tmp_path / "modules", MODULE)
    return tmp_path / "modules"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of compiled files, which is still to be made."""
    monkeypatch.delenv(cache.NO_CACHE)
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path / "cache"))
    cache.programs().clear()
    files = cache.store()
    assert files is not None
    return Path(files.directory)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were parsed to be compiled."""
    names: list[str] = []

    def counted(source: Source, **options: Any) -> Any:
        names.append(Path(source.name or "inline").name)
        return parse(source, **options)

    monkeypatch.setattr("puppet_repl.language.compiler.cache.parse", counted)
    return names


def write(root: Path, files: dict[str, str], module: str = "m") -> None:
    for name, text in files.items():
        path = root / module / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def session_of(modules: Path, **options: Any) -> Session:
    """A session of another process: nothing is in memory."""
    cache.programs().clear()
    return Session(Options(modulepath=(os.fspath(modules),), **options), facts={"kernel": "Linux"})


def entries(kept: Path) -> list[Path]:
    return sorted(path for path in kept.rglob("*") if path.is_file())


def told(outcome: Outcome) -> dict[str, Any]:
    """All that a user can see of an outcome."""
    error = outcome.error
    return {
        "value": repr(outcome.value),
        "logs": outcome.logs,
        "resources": outcome.resources,
        "edges": outcome.edges,
        "error": None if error is None else described(error),
    }


def described(error: PuppetError) -> dict[str, Any]:
    return {
        "message": error.message,
        "code": error.code,
        "file": None if error.source is None else error.source.name,
        "span": (error.start, error.end, error.line, error.column),
        "notes": error.notes,
        "frames": [(each.name, each.file, each.line, each.column) for each in error.frames],
    }


def answers(modules: Path, **options: Any) -> list[dict[str, Any]]:
    return [told(session_of(modules, **options).execute(text)) for text in INPUTS]


# What is kept is as good as new


def test_files_that_were_kept_answer_as_new_ones(
    modules: Path, kept: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setenv(cache.NO_CACHE, "1")
        expected = answers(modules)
        assert not kept.exists()
    assert sum(each["error"] is not None for each in expected) > 8
    parsed.clear()
    assert answers(modules) == expected
    assert sorted({*parsed} - INLINE) == sorted(Path(name).name for name in MODULE)
    assert len(entries(kept)) == len(MODULE)
    parsed.clear()
    assert answers(modules) == expected
    assert {*parsed} <= INLINE


def test_modules_may_be_moved(modules: Path, kept: Path, parsed: list[str]) -> None:
    """Environments have the same modules, in directories of their own."""
    first = answers(modules)
    other = modules.with_name("production")
    shutil.move(modules, other)
    parsed.clear()
    moved = answers(other)
    assert {*parsed} <= INLINE
    assert moved == eval(repr(first).replace(f"{modules}/", f"{other}/"))
    assert f"{other}/m/functions/wrong.pp" in repr(moved)


def test_what_was_logged_is_logged_again(tmp_path: Path, kept: Path, parsed: list[str]) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, {"functions/f.pp": "function m::f() { $x = {a => 1, a => 2} }"})
    logs = [
        session_of(tmp_path / name, strict="warning").execute("m::f()").logs
        for name in ("one", "one", "two")
    ]
    assert logs[0] == logs[1]
    assert f"(file: {tmp_path}/one/m/functions/f.pp, line: 1," in logs[0][0][1]
    assert logs[2] == [(level, text.replace("/one/", "/two/")) for level, text in logs[0]]
    assert [level for level, _ in logs[0]] == ["warning"]
    assert parsed == ["f.pp"]
    assert len(entries(kept)) == 1


def test_manifests_of_an_environment(tmp_path: Path, kept: Path) -> None:
    site = tmp_path / "manifests"
    site.mkdir()
    (site / "a.pp").write_text("node /^web(\\d)/ { include role }\nnode default { notify { x: } }")
    (site / "b.pp").write_text("class role { notify { \"web${trusted['certname']}\": } }")
    titles = []
    for name in ("web1", "web1", "db"):
        cache.programs().clear()
        session = Session(Options(environment=os.fspath(tmp_path), node=name), facts={})
        outcome = session.finish_catalog(session.compile_site(""))
        titles.append([one["title"] for one in outcome.resources if one["type"] == "Notify"])
    assert titles == [["webweb1"], ["webweb1"], ["x"]]
    assert len(entries(kept)) == 2


def test_functions_that_a_session_has_replaced(modules: Path, kept: Path) -> None:
    """Code that was compiled for them is kept for nobody, and code without them not used."""
    write(modules, {"functions/shout.pp": "function m::shout() { [1].map |$x| { $x } }"})
    mine = "function map($list) { 'mine' }"
    for first, second in ((mine, ""), ("", mine)):
        shutil.rmtree(kept, ignore_errors=True)
        for text in (first, second, first):
            session = session_of(modules)
            assert session.execute(text).error is None
            outcome = session.execute("m::shout()")
            if text:  # a function in Puppet takes no block
                assert outcome.error is not None and "'map'" in outcome.error.message
            else:
                assert outcome.value == (1,)
        assert len(entries(kept)) == 1


@pytest.mark.parametrize("case", [case for name in FILES[:10] for case in suite(name)[::60]])
def test_programs_that_went_through_bytes(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample of the recorded programs, which Puppet has answered."""
    expected = check(case, tmp_path / "new")
    through_bytes(monkeypatch)
    assert check(case, tmp_path / "kept") == expected


def through_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all programs be kept, whether they are files or not, and run what comes back."""

    def compile_and_load(
        tree: SourceTree,
        context: Context,
        lower: Callable[[SourceTree, Context], LoweredProgram] = lower_program,
    ) -> ProgramCode:
        made = compile_tree(tree, context, lower)
        data = stored.dump(made, ())
        if data is None:
            assert not made.is_general
            return made
        is_epp = lower is not lower_program
        loaded = stored.load(data, tree.source, is_epp=is_epp)
        assert loaded is not None
        return loaded[0]

    for module in ("compiler", "compiler.cache"):
        monkeypatch.setattr(f"puppet_repl.language.{module}.compile_tree", compile_and_load)


TWICE = "m::twice(2) include m"


def told_and_kept(modules: Path) -> dict[str, Any]:
    """Return the answer to TWICE; its files are on the disk then, and not in memory."""
    answer = told(session_of(modules).execute(TWICE))
    cache.programs().clear()
    return answer


def test_constants_that_could_not_be_made_are_made_later(
    modules: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = told_and_kept(modules)
    make = constants.constant_of

    def fail(*_: object) -> object:
        raise MemoryError

    first = session_of(modules)
    monkeypatch.setattr(constants, "constant_of", fail)
    assert first.execute(TWICE).error is not None
    monkeypatch.setattr(constants, "constant_of", make)
    assert told(first.execute(TWICE)) == expected


def test_threads_that_make_the_constants_of_one_program(
    modules: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = told_and_kept(modules)
    make = constants.constant_of
    barrier = threading.Barrier(2, timeout=5)

    def meet(*given: Any) -> object:
        with suppress(threading.BrokenBarrierError):
            barrier.wait(0.2)
        return make(*given)

    monkeypatch.setattr(constants, "constant_of", meet)
    with ThreadPoolExecutor(2) as executor:
        answers = list(executor.map(lambda _: told(session_of(modules).execute(TWICE)), range(2)))
    assert answers == [expected, expected]


# What must not be used


def test_a_text_that_was_changed(tmp_path: Path, kept: Path) -> None:
    for number in (1, 2, 1, 3):
        write(tmp_path, {"functions/f.pp": f"function m::f() {{ {number} }}"})
        assert session_of(tmp_path).execute("m::f()").value == number
    assert len(entries(kept)) == 3


@pytest.mark.parametrize("seed", range(3))
def test_damaged_files_are_made_again(
    modules: Path, kept: Path, parsed: list[str], seed: int
) -> None:
    expected = answers(modules)
    whole = {path: path.read_bytes() for path in entries(kept)}
    for path, data in whole.items():
        path.write_bytes(damaged(data, random.Random(f"{seed} {data[-8:].hex()}")))
        path.chmod(0o600)
    parsed.clear()
    assert answers(modules) == expected
    assert len({*parsed} - INLINE) == len(whole)
    parsed.clear()
    assert answers(modules) == expected
    assert {*parsed} <= INLINE


def damaged(data: bytes, dice: random.Random) -> bytes:
    """Return bytes that are changed, cut off, longer, empty or in another order."""
    made = bytearray(data)
    kind = dice.choice(("byte", "byte", "bytes", "cut", "longer", "empty", "swapped", "zeros"))
    at = dice.randrange(len(data))
    if kind == "byte":
        made[at] ^= 1 << dice.randrange(8)
    elif kind == "bytes":
        made[at : at + 16] = dice.randbytes(16)
    elif kind == "cut":
        del made[at:]
    elif kind == "longer":
        made += b"\0"
    elif kind == "empty":
        made.clear()
    elif kind == "swapped":
        made = made[at:] + made[:at] if at > 0 else made[1:]
    else:
        made[at:] = bytes(len(made) - at)
    return bytes(made)


def test_a_file_under_another_name(tmp_path: Path, kept: Path) -> None:
    files = {f"functions/{name}.pp": f"function m::{name}() {{ '{name}' }}" for name in "ab"}
    write(tmp_path, files)
    for name in "ab":
        session_of(tmp_path).execute(f"m::{name}()")
    one, two = entries(kept)
    shutil.copy(one, two)
    for name in "ab":
        assert session_of(tmp_path).execute(f"m::{name}()").value == name


def test_another_compiler_begins_anew(
    modules: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for digest in (b"one", b"two", None):
        monkeypatch.setattr(stored, "compiler_digest", lambda digest=digest: digest)
        assert session_of(modules).execute("m::twice(2)").value == 4
    assert len(entries(kept)) == 2  # None is a compiler without files


def test_the_compiler_is_told_by_its_files() -> None:
    assert stored.compiler_digest() == stored.compiler_digest.__wrapped__()
    made = bytearray()
    root = Path(stored.__file__).parents[2]
    for part in stored._DECISIVE:
        stored._add_files(os.fspath(root / part), made.extend)
    for file in ("compiler/unit.py", "syntax/parser.py", "types/making/access.py"):
        assert f"{root / 'language' / file}\0".encode() in made
    assert b"__pycache__" not in made


# When nothing is kept


@pytest.mark.parametrize("reason", ["option", "variable", "hermetic"])
def test_nothing_is_kept(
    modules: Path, kept: Path, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason == "variable":
        monkeypatch.setenv(cache.NO_CACHE, "1")
    options = {"option": {"cache": False}, "hermetic": {"hermetic": True}}.get(reason, {})
    assert session_of(modules, **options).execute("m::twice(2)").value == 4
    assert not kept.parent.exists()
    # Nor is anything taken that is there.
    monkeypatch.delenv(cache.NO_CACHE, raising=False)
    session_of(modules).execute("m::twice(2)")
    (entry,) = entries(kept)
    before = entry.stat()
    os.utime(entry, (0, 0))
    if reason == "variable":
        monkeypatch.setenv(cache.NO_CACHE, "1")
    session_of(modules, **options).execute("m::twice(2)")
    assert entry.stat().st_mtime == 0 != before.st_mtime


def test_texts_that_are_no_files_are_not_kept(modules: Path, kept: Path) -> None:
    """They may hold what nobody wants to be kept: the argument of inline_epp() is a value."""
    session = session_of(modules)
    session.execute("$x = 'secret' inline_epp(\"<%= 1 %> ${x}\")")
    session.compile_site("notify { 'secret': }")
    assert not kept.exists()


def test_files_that_are_refused_are_not_kept(tmp_path: Path, kept: Path) -> None:
    write(
        tmp_path,
        {
            "functions/f.pp": "function m::f() { 1 +",
            "functions/g.pp": "function m::other() { 1 }",
            "functions/h.pp": "function m::h() { $x = 1 $x = 2 }  notify { 'x': }",
        },
    )
    for name in "fgh":
        messages = {
            session_of(tmp_path).execute(f"m::{name}()").error.message  # type: ignore[union-attr]
            for _ in range(2)
        }
        assert len(messages) == 1
    assert not kept.exists()


@pytest.fixture(autouse=True)
def _no_programs() -> Iterator[None]:
    yield
    cache.programs().clear()
