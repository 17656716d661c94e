"""Options are checked where they are made, and name what could have been meant."""

from __future__ import annotations

import ast
import json
import os
import warnings
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest

import puppet_repl as puppet
from puppet_repl.frontends.api.arguments import ARGUMENTS
from puppet_repl.frontends.cli.batch import answer_lines
from puppet_repl.host.session_options import UsageError, add_session_options, host_of
from puppet_repl.language.runtime import options
from puppet_repl.language.runtime.option_values import taken


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"strict": "bogus"}, "strict is one of error, warning, off, not 'bogus'"),
        ({"strict": None}, "strict is one of error, warning, off, not None"),
        ({"stdlib": 9}, "stdlib is one of 9, 8, off, not 9"),
        ({"language": "puppet-7"}, "language is one of puppet-8"),
        ({"unknown_functions": "ignore"}, "unknown_functions is one of error, warn"),
        ({"unknown_types": "ignore"}, "unknown_types is one of error, warn"),
        ({"references": "ignore"}, "references is one of error, warn"),
        ({"max_memory": 0}, "max_memory is a whole number, at least 1, not 0"),
        ({"max_memory": "1G"}, "max_memory is a whole number, at least 1, not '1G'"),
        ({"ruby_seconds": 0}, "ruby_seconds is a whole number from 1 to"),
        ({"ruby_seconds": True}, "ruby_seconds is a whole number from 1 to"),
        ({"max_seconds": 0}, "max_seconds is a number of seconds above 0"),
        ({"hermetic": True, "ruby": "system"}, "a hermetic session does not run 'system'"),
    ],
)
def test_values_out_of_range(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        puppet.Options(**arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"modulepath": 5}, "modulepath is a path, or a sequence of paths, not 5"),
        ({"modulepath": [5]}, r"modulepath is a path, or a sequence of paths, not \[5\]"),
        ({"modulepath": [b"/tmp"]}, "modulepath is a path, or a sequence of paths, not"),
        ({"stubs": 5}, "stubs is a path, or a sequence of paths, not 5"),
        ({"puppet_settings": ["a=b"]}, r"puppet_settings are values by name, not \['a=b'\]"),
        ({"puppet_settings": {1: 2}}, "puppet_settings are values by name, not {1: 2}"),
        ({"environment": 5}, "environment is a path, not 5, a int"),
        ({"hiera_config": ["x"]}, "hiera_config is a path, not"),
        ({"node": 5}, "node is a string, not 5"),
        ({"nonsense": 5}, "nonsense"),
    ],
)
def test_values_of_another_kind(arguments: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        puppet.Options(**arguments)


def test_options_have_values_of_their_own() -> None:
    one, other = puppet.Options(), puppet.Options(ruby=Path("/usr/bin/ruby"))
    assert one.trusted == {}
    assert one.trusted is not other.trusted
    assert other.ruby == "/usr/bin/ruby"
    with pytest.raises(AttributeError, match="'Options' object has no attribute 'max_secnds'"):
        one.max_secnds = 5  # type: ignore[attr-defined]


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("one", "two"):
        manifests = tmp_path / name / name / "manifests"
        manifests.mkdir(parents=True)
        (manifests / "init.pp").write_text(f"class {name} {{ }}")
    return tmp_path / "one", tmp_path / "two"


def test_a_module_path_has_several_forms(two: tuple[Path, Path]) -> None:
    one, other = map(str, two)
    for given, wanted in (
        (one, (one,)),
        (two[0], (one,)),
        (f"{one}{os.pathsep}{other}", (one, other)),
        ([one, two[1]], (one, other)),
        ((), ()),
        ("", ()),
    ):
        assert puppet.Options(modulepath=given).modulepath == wanted  # type: ignore[arg-type]
    code = "include one, two"
    for modulepath in (list(two), f"{one}{os.pathsep}{other}"):
        assert puppet.compile(code, facts={}, modulepath=modulepath).classes == ["one", "two"]


def test_a_module_path_that_is_not_there(two: tuple[Path, Path]) -> None:
    with pytest.warns(UserWarning, match="modulepath: /nowhere is not a directory") as caught:
        puppet.Options(modulepath=[two[0], "/nowhere"])
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="/nowhere is not a directory") as caught:
        made = puppet.compile("include one", facts={}, modulepath=[two[0], "/nowhere"])
    assert caught[0].filename == __file__
    assert made.classes == ["one"]


def test_paths_are_texts_afterwards(tmp_path: Path) -> None:
    file = tmp_path / "hiera.yaml"
    file.write_text("version: 5\n")
    made = puppet.Options(environment=tmp_path, hiera_config=file, stubs=file)
    assert (made.environment, made.hiera_config) == (str(tmp_path), str(file))
    assert made.stubs == (str(file),)
    assert made.copy().stubs == made.stubs


@pytest.mark.parametrize("given", [{"strict": "off"}, "off", 5])
def test_a_session_takes_options(given: Any) -> None:
    with pytest.raises(TypeError, match=r"a Session takes Options\(\.\.\.\), not a"):
        puppet.Session(given)


def test_what_is_right_is_quiet(two: tuple[Path, Path]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        puppet.Options(modulepath=two, strict="warning", max_seconds=1.5, ruby_seconds=5)


def test_type_checkers_know_each_option_of_the_functions() -> None:
    """The class is there for them only, so that it is read and not imported."""
    tree = ast.parse(Path(options.__file__).read_text(encoding="utf-8"))
    (declared,) = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name == "SessionOptions"
    )
    names = [ast.unparse(line.target) for line in declared.body if isinstance(line, ast.AnnAssign)]
    assert sorted([*names, *ARGUMENTS]) == sorted(options.OPTIONS)


@pytest.mark.parametrize("row", options.OPTIONS.values(), ids=lambda row: row.name)
def test_a_default_is_a_value_of_its_kind(row: options.Option) -> None:
    assert taken(row, row.name, row.default) == row.default
    assert getattr(puppet.Options(), row.name) == row.default


def test_an_option_that_there_is_not() -> None:
    with pytest.raises(TypeError, match=r"Options\(\) has no option 'nonsense'"):
        puppet.Options(nonsense=5)  # type: ignore[call-arg]


def test_options_show_what_is_not_the_default() -> None:
    assert repr(puppet.Options(strict="off", ruby_seconds=5)) == (
        "Options(strict='off', ruby_seconds=5)"
    )


def test_the_command_line_the_requests_and_the_functions_refuse_alike(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    for name, value, problem in (
        ("node", "../web", "'../web' is not a valid node name"),
        ("environment", missing, f"{missing} is not a directory"),
        ("hiera_config", missing, f"there is no file {missing}"),
        ("stubs", missing, f"there is no file {missing}"),
    ):
        parser = ArgumentParser()
        add_session_options(parser)
        flag = options.OPTIONS[name].flag
        with pytest.raises(UsageError) as refused:
            host_of(parser.parse_args([flag, value]))
        assert str(refused.value) == f"{flag}: {problem}"
        key: Any = [value] if name == "stubs" else value
        (line,) = answer_lines([json.dumps({"code": "1", name: key})])
        assert json.loads(line)["error"]["message"] == f"'{name}': {problem}"
        argument = ARGUMENTS.get(name, name)
        given: Any = {argument: value}
        with pytest.raises(ValueError) as failed:
            puppet.evaluate("1", facts={}, **given)
        assert str(failed.value) == f"{argument}: {problem}"
