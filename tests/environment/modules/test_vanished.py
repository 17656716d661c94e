"""Environments whose directory is gone: an error, and not a catalog without anything."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from puppet_repl.frontends.shared.compiling import Plan, compile_node
from puppet_repl.host.node_facts import NodeFacts
from puppet_repl.language.runtime.options import Options
from puppet_repl.session import Session


def make_environment(parent: Path) -> Path:
    manifests = parent / "production" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text("notify { 'here': }")
    return parent / "production"


def message(directory: Path) -> str:
    return f"Could not read {directory}: No such file or directory"


def test_before_a_session_looks_at_it(tmp_path: Path) -> None:
    directory = make_environment(tmp_path)
    session = Session(Options(environment=directory, stdlib="off"))
    shutil.rmtree(directory)
    error = session.compile_site().error
    assert error is not None and error.message == message(directory)


def test_while_a_session_works(tmp_path: Path) -> None:
    directory = make_environment(tmp_path)
    session = Session(Options(environment=directory, stdlib="off"))
    assert session.execute("defined(a)").error is None
    shutil.rmtree(directory)
    error = session.execute("defined(a)").error
    assert error is not None and error.message == message(directory)
    assert session.execute("1 + 1").unwrap() == 2
    make_environment(tmp_path)
    assert session.execute("defined(a)").error is None


def test_a_node_of_a_command_has_failed(tmp_path: Path) -> None:
    directory = make_environment(tmp_path)
    plan = Plan(Options(environment=directory, stdlib="off"), {})
    assert compile_node(plan, NodeFacts("a")).error is None
    shutil.rmtree(directory)
    assert compile_node(plan, NodeFacts("a")).error == f"Error: {message(directory)}"


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = Session(Options(environment="environments/production", stdlib="off"))
    error = session.compile_site().error
    assert error is not None
    assert error.message == message(tmp_path / "environments" / "production")


def test_a_file_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "production").touch()
    session = Session(Options(environment=tmp_path / "production", stdlib="off"))
    error = session.compile_site().error
    assert error is not None
    assert error.message == f"Could not read {tmp_path / 'production'}: Not a directory"


def test_a_word_may_be_a_mere_name() -> None:
    session = Session(Options(environment="staging", stdlib="off"))
    assert session.execute("$environment").unwrap() == "staging"
    assert session.compile_site("notice(1)").error is None
