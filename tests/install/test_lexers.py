"""``pip install ./lexer_pygments``: the lexers without the rest of the project."""

from __future__ import annotations

import pytest

from tests.install.environment import LEXERS, Environment

TEMPLATE = "port = <%= $port %>\n"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("lexers"), str(LEXERS))


def test_pygments_is_all_that_comes_with_them(environment: Environment) -> None:
    assert set(environment.distributions()) - {"pip", "setuptools"} == {
        "puppet-pygments",
        "pygments",
    }


def test_pygments_finds_them_by_name_and_by_file_name(environment: Environment) -> None:
    (environment.directory.parent / "init.pp").write_text("$x = @(END)\n  text\n  | END\n")
    (environment.directory.parent / "app.epp").write_text(TEMPLATE)

    by_file_name = environment.run("pygmentize", "-f", "raw", "init.pp")
    assert "Token.Literal.String.Heredoc" in by_file_name
    assert environment.run("pygmentize", "-l", "puppet8", "-f", "raw", "init.pp") == by_file_name
    assert "Token.Name.Variable\t'$port'" in environment.run("pygmentize", "-f", "raw", "app.epp")


def test_uninstalling_leaves_nothing(environment: Environment) -> None:
    environment.run("python", "-m", "pip", "uninstall", "--quiet", "--yes", "puppet-pygments")
    assert list(environment.directory.rglob("*puppet*")) == []
