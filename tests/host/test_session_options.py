"""The options of a command line that describe a session."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import pytest

from puppet_repl.host.host import Host
from puppet_repl.host.session_options import (
    UsageError,
    add_session_options,
    host_of,
)
from puppet_repl.host.session_setup import may_name_file
from puppet_repl.language.runtime import puppet_settings
from puppet_repl.language.runtime.options import OPTIONS


def host(*arguments: str, warnings: list[str] | None = None) -> Host:
    parser = argparse.ArgumentParser()
    add_session_options(parser)
    given = parser.parse_args(arguments)
    return host_of(given, None if warnings is None else warnings.append)


def fact(made: Host, name: str) -> str | None:
    """Return the program text of a fact."""
    session = made.session
    return session.describe(session.execute(f"$facts['{name}']").value)["value"]


def test_of_several_files_of_facts_the_later_wins_fact_by_fact(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.yaml"
    first.write_text(json.dumps({"a": {"x": 1, "y": 2}, "b": 1}))
    second.write_text("a: {x: 3}\nc: 4\n")
    made = host("--facts", str(first), "--facts", str(second), "--fact", "b=[5]")
    assert [fact(made, name) for name in "abc"] == ["{'x' => 3}", "[5]", "4"]


def test_a_single_fact_is_on_top_of_those_of_this_machine() -> None:
    made = host("--fact", "role=web")
    assert fact(made, "role") == "'web'"
    assert fact(made, "os") != "undef"


def test_extensions_are_strings_and_keep_what_follows_the_first_equals_sign() -> None:
    options = host("--trusted", "pp_role=a=b", "--trusted", "1.3.6=4").session.options
    assert options.trusted == {"pp_role": "a=b", "1.3.6": "4"}


def test_settings_of_puppet_are_converted() -> None:
    options = host("--setting", "noop=true", "--setting", "ssldir=$confdir/tls").session.options
    assert options.puppet_settings == {"noop": True, "ssldir": "$confdir/tls"}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("ca_servr=x", "Puppet has no setting 'ca_servr'; did you mean ca_server?"),
        ("keylength=many", "Cannot convert '\"many\"' to an integer for parameter: keylength"),
        *[
            (f"{name}=x", f"the setting '{name}' is an option of its own: {OPTIONS[name].flag}")
            for name in puppet_settings.OPTIONS
        ],
        ("noop", "'noop' is not of the form NAME=VALUE"),
    ],
)
def test_a_setting_that_puppet_refuses(given: str, problem: str) -> None:
    with pytest.raises(UsageError) as refused:
        host("--setting", given)
    assert str(refused.value) == f"--setting: {problem}"
    assert not problem.endswith(" ")  # without a flag


def test_a_directory_of_modules_that_is_missing_is_a_warning(tmp_path: Path) -> None:
    warnings: list[str] = []
    missing = tmp_path / "missing"
    options = host("--modulepath", f"{missing}:{tmp_path}:", warnings=warnings).session.options
    assert warnings == [f"--modulepath: {missing} is not a directory and is ignored"]
    assert options.modulepath == (str(missing), str(tmp_path))


def test_a_directory_that_is_no_environment_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "envs" / "production" / "manifests").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    warnings: list[str] = []
    host("--environment", "envs", warnings=warnings)
    host("--environment", "envs/production", warnings=warnings)
    assert warnings == [
        "--environment: envs is not an environment: it has no manifests, modules, hiera.yaml or "
        "environment.conf; did you mean envs/production?"
    ]


def test_an_environment_is_named_like_its_directory_however_that_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "testing").mkdir()
    monkeypatch.chdir(tmp_path / "testing")
    for written in (".", "../testing/", str(tmp_path / "testing")):
        session = host("--environment", written).session
        assert session.execute("$environment").value == "testing"
        assert session.options.stdlib == "off"
    assert host("--environment", ".", "--stdlib", "8").session.options.stdlib == "8"


@pytest.mark.parametrize("option", ["--environment", "--stubs", "--hiera-config"])
def test_a_path_that_is_missing_is_named_with_its_option(option: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"{option}: .*missing"):
        host(option, str(tmp_path / "missing"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(
    ("option", "path", "reason"),
    [
        (
            "--stubs",
            "pipe",
            "is not a regular file, and must be one because it is read more than once",
        ),
        (
            "--hiera-config",
            "pipe",
            "is not a regular file, and must be one because it is read more than once",
        ),
        ("--stubs", "", "is a directory"),
    ],
)
def test_a_file_that_cannot_be_read_again_is_refused(
    option: str, path: str, reason: str, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    given = os.path.join(tmp_path, path)
    with pytest.raises(UsageError, match=f"{option}: {given} {reason}"):
        host(option, given)


@pytest.mark.parametrize(
    ("size", "bytes_"),
    [
        ("16777216", 1 << 24),
        ("16384k", 1 << 24),
        ("20M", 20 << 20),
        ("2g", 2 << 30),
        ("1T", 1 << 40),
        ("999999999999T", 1 << 60),
    ],
)
def test_sizes(size: str, bytes_: int) -> None:
    parser = argparse.ArgumentParser()
    add_session_options(parser)
    assert parser.parse_args(["--max-memory", size]).max_memory == bytes_


@pytest.mark.parametrize("size", ["", "G", "1.5G", "-1G", "²", "1P", "1 G"])
def test_what_is_no_size(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_session_options(parser)
    with pytest.raises(SystemExit):
        parser.parse_args([f"--max-memory={size}"])
    assert f"not a size: '{size}' (expected a number, with K, M, G or T)" in capsys.readouterr().err


def test_unknown_variables_may_be_undef() -> None:
    assert host().session.execute("$nix").error is not None
    assert host("--strict", "off").session.execute("$nix").error is not None
    assert host("--no-strict-variables").session.execute("$nix").error is not None
    made = host("--no-strict-variables", "--strict", "off")
    assert made.session.execute("$nix").error is None
    made.settings.apply_to(made.session.options)
    assert made.session.execute("$nix").error is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("web01.example.com", True),
        ("Web_01-x", True),
        (".hidden", True),
        ("a..b", True),
        ("1:2", True),
        ("ab:c", True),
        ("..", False),
        ("..web", False),
        ("a/b", False),
        ("/web", False),
        ("a\\b", False),
        ("a\0b", False),
        ("c:web", False),
        ("C:", False),
        # Puppet goes no further; these name no file of the directory.
        ("", False),
        (" ", False),
        (".", False),
    ],
)
def test_which_names_of_nodes_are_those_of_files(name: str, expected: bool) -> None:
    assert may_name_file(name) is expected
