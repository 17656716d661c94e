"""A call is reported if it fails for its literals, whatever else the arguments are."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.frontends.api.validation import validate
from puppet_repl.session import Options, Session

FUNCTIONS = {
    "twice": "function app::twice(Integer $n, String $unit = 'm') { \"${n}${unit}\" }",
    "all": "function app::all(String *$texts) { $texts }",
}
FAILING = (
    "split('a')",
    "split('a', 'b', 'c')",
    "split(1, ',')",
    "'a'.split(1)",
    "regsubst('a', 'b', 1)",
    "each([1])",
    "[1].each(2) |$x| { $x }",
    "upcase('a') |$x| { $x }",
    "versioncmp('1')",
    "fqdn_rand()",
    "join('a', ',')",
    "sprintf()",
    "app::twice('1')",
    "app::twice()",
    "app::twice(1, 2)",
    "app::twice(1, 'm', 3)",
)
RIGHT = (
    "split('a', 'b')",
    "'a'.split(/b/)",
    "regsubst('a', 'b', 'c')",
    "[1].each |$x| { $x }",
    "['a', 'b'].upcase",
    "sprintf('%d', 1)",
    "app::twice(1)",
    "2.app::twice('km')",
    "app::all()",
    "app::all('a', 'b', 'c')",
    "lookup('a', undef, undef, 'b')",
    "md5('a')",
)
# Nobody knows these arguments before the code runs.
UNKNOWN = (
    "split(*$facts['x'])",
    "split($facts['x'], ',')",
    "app::twice($facts['x'])",
    "app::elsewhere(1, 2, 3)",
    "merge(1)",
)


@pytest.fixture
def module(tmp_path: Path) -> Path:
    for name, text in FUNCTIONS.items():
        path = tmp_path / f"modules/app/functions/{name}.pp"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "modules/app/manifests").mkdir()
    return tmp_path / "modules/app"


def is_reported(module: Path, code: str) -> bool:
    path = module / "manifests/init.pp"
    path.write_text(f"class app {{ $x = {code} }}\n")
    found = validate(path, advice=True)
    return any(each.code == "wrong_argument" for each in found)


@pytest.mark.parametrize(
    ("code", "fails"), [*[(each, True) for each in FAILING], *[(each, False) for each in RIGHT]]
)
def test_what_fails_is_reported(module: Path, code: str, fails: bool) -> None:
    session = Session(Options(modulepath=(str(module.parent),)), facts={})
    assert (session.execute(f"$x = {code}").error is not None) == fails
    assert is_reported(module, code) == fails


@pytest.mark.parametrize("code", UNKNOWN)
def test_what_may_be_right_is_not_reported(module: Path, code: str) -> None:
    assert not is_reported(module, code)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("split('a')", "the function split takes 2 arguments, not 1"),
        ("app::twice(1, 'm', 3)", "the function app::twice takes 1 to 2 arguments, not 3"),
        ("sprintf()", "the function sprintf takes at least 1 argument, not 0"),
        ("each([1])", "the function each needs a block with 1 argument"),
        ("app::twice('1')", "the parameter n of the function app::twice is Integer, not '1'"),
        (
            "'a'.split(1)",
            "the function split takes String or Regexp or Type[Regexp] here, not 1",
        ),
    ],
)
def test_messages(module: Path, code: str, message: str) -> None:
    path = module / "manifests/init.pp"
    path.write_text(f"class app {{ $x = {code} }}\n")
    found = validate(path, advice=True)
    assert [each.message for each in found if each.code == "wrong_argument"] == [message]


def test_a_submodule_that_was_not_fetched_may_have_the_file(module: Path) -> None:
    path = module / "manifests/init.pp"
    path.write_text("class app { file { '/x': source => 'puppet:///modules/app/sub/x' } }\n")
    (module / "files/other").mkdir(parents=True)
    assert [each.code for each in validate(path, advice=True)] == ["missing_file"]
    (module / "files/sub").mkdir()
    assert validate(path, advice=True) == []
