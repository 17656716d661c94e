"""What is known about resource types."""

from __future__ import annotations

import pytest

from puppet_repl.catalog import core_types
from puppet_repl.catalog.resource_types import METAPARAMETERS
from tests.catalog.conftest import Catalogs


@pytest.mark.parametrize(
    ("title", "path"),
    [("/a", "/a"), ("/a/", "/a"), ("/", "/"), ("//", "/"), ("C:/", "C:/"), ("x/y//", "x/y")],
)
def test_title_of_a_file(title: str, path: str) -> None:
    file = core_types.find("file")
    assert file is not None
    assert file.title_values(title) == {"path": path}


@pytest.mark.parametrize("name", core_types.NAMES)
def test_types_are_complete(name: str) -> None:
    found = core_types.find(name)
    assert found is not None
    assert found.name == name
    assert set(found.namevars) <= found.attributes
    assert not found.attributes & set(METAPARAMETERS) - {"name"}
    assert not set(found.properties) & set(found.parameters)


def test_unknown_type() -> None:
    assert core_types.find("nosuch") is None


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "package { 'a': name => 'x' } package { 'b': name => 'x' }",
            'Cannot alias Package[b] to [nil, "x", nil] at (line: 1); '
            'resource ["Package", nil, "x", nil] already declared (line: 1)',
        ),
        (
            "notify { 'a': alias => 'b' } notify { 'c': alias => ['b', 'd'] }",
            'Cannot alias Notify[c] to "b" at (line: 1); '
            'resource ["Notify", "b"] already declared (line: 1)',
        ),
        (
            "notify { 'a': alias => 'b' } notify { 'b': }",
            "Duplicate declaration: Notify[b] is already declared at (line: 1); "
            "cannot redeclare (line: 1)",
        ),
        (
            "sshkey { 'h@rsa': } sshkey { 'h@dsa': } sshkey { 'x': name => 'h', type => 'rsa' }",
            'Cannot alias Sshkey[x] to ["h", "rsa"] at (line: 1); '
            'resource ["Sshkey", "h", "rsa"] already declared (line: 1)',
        ),
    ],
)
def test_names_taken(catalogs: Catalogs, code: str, message: str) -> None:
    start = "Evaluation Error: Error while evaluating a Resource Statement, "
    assert catalogs.refused(code) == start + message


def test_attributes_are_read_from_their_tables() -> None:
    cron = core_types.attributes_of("cron")
    ensure, special, user = cron["ensure"], cron["special"], cron["user"]
    assert (cron["name"].mark, ensure.mark, cron["provider"].mark) == ("!", "*", "")
    assert ensure.values == ("present", "absent") and not ensure.has_others
    assert ensure.text == "Whether the job is in the table."
    assert special.values == () and not special.has_others
    assert special.meanings["hourly"] == "At the beginning of each hour."
    assert list(special.meanings)[:2] == ["absent", "reboot"]
    assert (user.values, user.meanings, user.has_others) == ((), {}, False)
    assert core_types.attributes_of("nosuch") == {}


@pytest.mark.parametrize("name", core_types.NAMES)
def test_values_are_single_words(name: str) -> None:
    for attribute in core_types.attributes_of(name).values():
        words = (*attribute.values, *attribute.meanings)
        assert all(word == word.strip() and word and "|" not in word for word in words)
        assert "..." not in words
        assert attribute.text


def test_a_tidy_may_repeat_its_path(catalogs: Catalogs) -> None:
    catalogs.run("tidy { 'a': path => '/x' } tidy { 'b': path => '/x' }")


def test_exec_may_repeat_its_command(catalogs: Catalogs) -> None:
    catalogs.run("exec { 'a': command => '/x' } exec { 'b': command => '/x' }")


def test_package_of_another_provider_is_another(catalogs: Catalogs) -> None:
    catalogs.run("package { 'a': name => 'x' } package { 'b': name => 'x', provider => 'gem' }")
