"""``:watch``: which files count, and that the session stays as it is."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.watch import Watch
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report
from tests.conformance.judge import write_files

SECONDS = 15
FILES = {
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: common, path: common.yaml}\n",
    "data/common.yaml": "web::port: 80\n",
    "modules/web/manifests/init.pp": "class web($port) {\n  include web::part\n}\n",
    "modules/web/manifests/part.pp": "class web::part { notice(epp('web/a.epp'), web::one()) }\n",
    "modules/web/templates/a.epp": "text",
    "modules/web/functions/one.pp": "function web::one() { 1 }\n",
    "site.pp": "$mine = 5\ninclude web\n",
}


@pytest.fixture
def session(tmp_path: Path) -> Session:
    write_files(tmp_path, FILES)
    made = Session(Options(environment=str(tmp_path)), facts={})
    assert made.execute("$before = 1").error is None
    return made


@pytest.fixture(autouse=True)
def time_limit() -> Iterator[None]:
    """End a test that waits for a change that nobody sees."""

    def give_up(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("no change was seen")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def outcome_of(watch: Watch) -> tuple[object, PuppetError | None, list[str]]:
    """Run what is watched; return its value, its error and its messages."""
    with watch.running() as (outcome, seconds):
        assert seconds > 0
        return outcome.value, outcome.error, [text for _, text in outcome.logs]


USED = [
    "site.pp",
    "hiera.yaml",
    "data/common.yaml",
    *("modules/web/manifests/init.pp", "modules/web/manifests/part.pp"),
    *("modules/web/templates/a.epp", "modules/web/functions/one.pp"),
]


@pytest.mark.parametrize("name", USED)
def test_each_file_that_is_used_counts(session: Session, tmp_path: Path, name: str) -> None:
    watch = Watch(session, str(tmp_path / "site.pp"))
    _, error, messages = outcome_of(watch)
    assert (error, messages) == (None, ["text 1"])
    assert watch.count == len(USED)
    os.utime(tmp_path / name, (1_700_000_000, 1_700_000_000))
    assert watch.wait() == [str(tmp_path / name)]


def test_the_session_stays_as_it_is(session: Session, tmp_path: Path) -> None:
    watch = Watch(session, str(tmp_path / "site.pp"))
    for text in ("text", "again"):
        (tmp_path / "modules/web/templates/a.epp").write_text(text)
        assert outcome_of(watch)[2] == [f"{text} 1"]
    assert [text for _, text, _ in session.inputs] == ["$before = 1"]
    assert session.execute("[defined('$mine'), defined(Class[web])]").value == (False, False)


def test_what_failed_is_waited_for_too(session: Session, tmp_path: Path) -> None:
    part = tmp_path / "modules/web/manifests/part.pp"
    part.write_text("class web::part {\n  nix()\n}\n")
    watch = Watch(session, "include web")
    error = outcome_of(watch)[1]
    assert error is not None and (error.file, error.line) == (str(part), 2)
    part.write_text("class web::part {\n  notice('repaired')\n}\n")
    assert watch.wait() == [str(part)]
    assert outcome_of(watch)[1:] == (None, ["repaired"])


@pytest.mark.parametrize("level", ["data_hash: yaml_data", "lookup_key: eyaml_lookup_key"])
@pytest.mark.parametrize("name", ["data/common.yaml", "hiera.yaml"])
def test_data_that_cannot_be_parsed_are_waited_for(tmp_path: Path, name: str, level: str) -> None:
    hiera = f"version: 5\nhierarchy:\n  - {{name: common, path: common.yaml, {level}}}\n"
    write_files(tmp_path, {**FILES, "hiera.yaml": hiera})
    file = tmp_path / name
    good = file.read_text()
    watch = Watch(Session(Options(environment=str(tmp_path)), facts={}), "lookup('web::port')")
    assert outcome_of(watch)[:2] == (80, None)
    assert watch.count == 2
    for broken in ("[1, 2 3: {\n", "] no\n"):
        file.write_text(broken)
        assert watch.wait() == [str(file)]
        error = outcome_of(watch)[1]
        assert error is not None and str(file) in str(error)
        assert watch.count == 2
    file.write_text(good)
    assert watch.wait() == [str(file)]
    assert outcome_of(watch)[:2] == (80, None)


def test_a_file_or_a_module_that_comes_later(session: Session, tmp_path: Path) -> None:
    watch = Watch(session, "include web::more")
    assert outcome_of(watch)[1] is not None
    more = tmp_path / "modules/web/manifests/more.pp"
    more.write_text("class web::more { notice('more') }\n")
    assert str(more) in watch.wait()
    assert outcome_of(watch)[1:] == (None, ["more"])
    watch = Watch(session, "include db")
    assert outcome_of(watch)[1] is not None
    write_files(tmp_path, {"modules/db/manifests/init.pp": "class db { notice('db') }\n"})
    assert watch.wait()
    assert outcome_of(watch)[1:] == (None, ["db"])


MODULES = "modules"
CHANGES = [
    ("lookup('web::port')", "data/common.yaml", "web::port: 8080\n"),
    ("lookup('web::port')", "hiera.yaml", "version: 5\n"),
    ("epp('web/a.epp')", "modules/web/templates/a.epp", "other text"),
    ("web::one()", "modules/web/functions/one.pp", "function web::one() { 11 }\n"),
    ("lookup('a', {default_value => 1})", "data/common.yaml", "a: 2\n"),
    ("1", "modules/db/manifests/init.pp", "class db { }\n"),
]


@pytest.mark.parametrize(("code", "name", "text"), CHANGES)
def test_what_changes_during_the_run(
    session: Session, tmp_path: Path, code: str, name: str, text: str
) -> None:
    def change(level: str, message: str) -> None:
        if message == "run":
            write_files(tmp_path, {name: text})

    session.log = change
    watch = Watch(session, f"$a = {code}\nnotice('run')\n$b = {code}\n$c = {code}\nfail('x')")
    outcome_of(watch)
    session.log = None
    assert watch.wait() == [str(tmp_path / (MODULES if "db" in name else name))]


def test_a_file_that_is_gone_is_not_waited_for(session: Session, tmp_path: Path) -> None:
    watch = Watch(session, "lookup('web::port', {default_value => 1})")
    assert outcome_of(watch)[0] == 80
    (tmp_path / "hiera.yaml").unlink()
    assert outcome_of(watch)[0] == 1
    (tmp_path / "hiera.yaml").write_text(FILES["hiera.yaml"])
    assert watch.wait() == [str(tmp_path / "hiera.yaml")]


def test_a_file_that_an_editor_replaces(session: Session, tmp_path: Path) -> None:
    site = tmp_path / "site.pp"
    watch = Watch(session, str(site))
    outcome_of(watch)
    (tmp_path / "new").write_text("40 + 2\n")
    os.replace(tmp_path / "new", site)
    assert watch.wait() == [str(site)]
    assert outcome_of(watch)[0] == 42


def test_code_that_uses_no_file() -> None:
    watch = Watch(Session(Options(stdlib="off"), facts={}), "1 + 1")
    assert outcome_of(watch)[0] == 2
    assert not watch.can_change


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("", "what?"),
        ("missing.pp", "cannot read missing.pp: No such file or directory"),
        ("$mine + 1", ""),
        ("site.pp + 1", ""),
    ],
)
def test_arguments(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    host = Host(session=session)
    host.has_screen = True
    report = run(session, f":watch {argument}", host)
    assert report.failed == bool(message)
    assert message in plain(render_report(report))
    assert (report.action is not None) == (not message)


def test_nobody_watches_without_a_screen(session: Session) -> None:
    assert "there is no screen" in plain(render_report(run(session, ":watch 1")))
