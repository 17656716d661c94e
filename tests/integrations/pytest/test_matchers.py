"""Assertions about all attributes, numbers of resources, lambdas, and systems without facts."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.integrations.pytest.fixture import Puppet
from puppet_repl.integrations.pytest.suite import Suite
from tests.integrations.pytest.test_plugin import module, run

__all__ = ["module"]
pytest_plugins = ["pytester"]


@pytest.fixture
def puppet(tmp_path: Path) -> Puppet:
    return Puppet(Suite(str(tmp_path), facts="debian-12"), {})


CODE = """
class web { file { 'motd': path => '/etc/motd', mode => '0644', require => Package['a'] } }
include web
package { 'a': ensure => installed }
define line($text) { } line { 'x': text => 'b' }
@notify { 'virtual': }
"""


def test_all_attributes(puppet: Puppet) -> None:
    """As only_with of rspec-puppet 2.9: the naming attribute counts only where it is expected."""
    catalog = puppet.compile(CODE)
    only = catalog.assert_contains_only
    assert only("File[motd]", mode="0644", require="Package[a]").title == "motd"
    only("File", "motd", mode="0644", require="Package[a]", path="/etc/motd", owner=None)
    only("Line", "x", text="b")
    with pytest.raises(AssertionError, match="require: not expected, but set to 'Package"):
        only("File", "motd", mode="0644")
    with pytest.raises(AssertionError, match=r"path: expected '/x', but it is '/etc/motd'"):
        only("File", "motd", mode="0644", require="Package[a]", path="/x")
    with pytest.raises(AssertionError, match=r"ensure: expected not to be set(.|\n)*no: expected"):
        only("Package", "a", ensure=None, no="1")


def test_numbers_of_resources(puppet: Puppet) -> None:
    """As have_resource_count and the like: classes are no resources, virtual ones neither."""
    catalog = puppet.compile(CODE)
    catalog.assert_count(3)
    catalog.assert_count(1, "File")
    catalog.assert_count(1, "class")
    catalog.assert_count(0, "Service")
    told = r"expected 2 resources of the type package, but found 1: Package\[a\]"
    with pytest.raises(AssertionError, match=told):
        catalog.assert_count(2, "package")
    with pytest.raises(AssertionError, match=r"expected 1 resource, but found 3: File\[motd\]"):
        catalog.assert_count(1)
    with pytest.raises(AssertionError, match="but found 0: none"):
        catalog.assert_count(1, "Service")


@pytest.mark.parametrize(
    ("function", "arguments", "block", "result"),
    [
        ("map", [[1, 2]], "|$x| { $x + 1 }", [2, 3]),
        ("map", [[1, 2]], lambda x: x + 1, [2, 3]),
        ("map", [{"a": 1}], lambda key, value: [value, key], [[1, "a"]]),
        ("map", [{"a": 1}], lambda pair: pair, [["a", 1]]),
        ("with", [1, "a"], lambda *all: len(all), 2),
        ("with", [1, "a"], lambda first, *rest: [first, rest], [1, ["a"]]),
        ("filter", [[1, 2]], lambda x, factor=2: x == factor, [2]),
        ("reduce", [[1, 2, 3]], lambda a, b: a * b, 6),
    ],
)
def test_lambdas(
    puppet: Puppet, function: str, arguments: list[Any], block: Any, result: Any
) -> None:
    assert puppet.call(function, *arguments, block=block) == result


def test_what_a_lambda_raises(puppet: Puppet) -> None:
    def fails(x: int) -> None:
        raise ValueError(f"not {x}")

    with pytest.raises(puppet.EvaluationError, match="not 1"):
        puppet.call("map", [1], block=fails)
    with pytest.raises(puppet.EvaluationError, match="can only concatenate str"):
        puppet.call("map", ["a"], block=lambda x: x + 1)
    with pytest.raises(puppet.EvaluationError, match="does not expect a block"):
        puppet.call("upcase", "a", block=lambda x: x)


SYSTEMS = """
@pytest.mark.puppet_systems
def test_all(catalog): pass

@pytest.mark.puppet_systems
def test_more(catalog): pass
"""
TOLD = (
    "*motd: tests are skipped on 1 of 4 systems, of which there are no facts: beos; "
    "name files of facts with puppet_facts_path"
)


def test_systems_without_facts_are_told_at_the_end(module: pytest.Pytester) -> None:
    result = run(module, SYSTEMS)
    result.assert_outcomes(passed=6, skipped=2, warnings=1)
    result.stdout.fnmatch_lines(["*warnings summary*", TOLD])


def test_systems_with_facts_of_others_are_told_once(module: pytest.Pytester) -> None:
    text = """
@pytest.mark.puppet_systems("debian-11", "debian-12")
def test_all(catalog, puppet):
    assert puppet.on("rocky-99").facts["os"]["name"] == "Rocky"

@pytest.mark.puppet(facts="freebsd-14")
def test_some(puppet):
    assert puppet.facts["os"]["family"] == "FreeBSD"
"""
    told = (
        "facts made from the nearest set: debian-11 (debian-12), freebsd-14 (debian-12), "
        "rocky-99 (rocky-9); the package puppet-repl-facts has more sets"
    )
    for options in ((), ("-n", "2")):
        result = run(module, text, *options)
        result.assert_outcomes(passed=3)
        assert [line for line in result.outlines if "nearest" in line] == [told]
    result = run(module, "def test_none(catalog): pass")
    assert "nearest" not in result.stdout.str()


def test_systems_without_facts_can_be_an_error(module: pytest.Pytester) -> None:
    (module.path / "pytest.ini").write_text(
        "[pytest]\nfilterwarnings = error::puppet_repl.integrations.pytest.systems.NoFactsWarning\n"
    )
    result = run(module, SYSTEMS)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(TOLD)


def git(directory: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments]
    subprocess.run(command, cwd=directory, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository of a module, whose release differs from its head."""
    place = tmp_path / "repository"
    for number in (1, 2):
        (place / "manifests").mkdir(parents=True, exist_ok=True)
        (place / "manifests/init.pp").write_text(f"class other {{ notify {{ 'v{number}': }} }}")
        if number == 1:
            git(place, "init", "--quiet")
        git(place, "add", ".")
        git(place, "commit", "--quiet", "-m", "change")
        git(place, "tag", f"v{number}")
    return place


USED = """
@pytest.mark.puppet("include other include newest")
def test_it(catalog): assert [each.title for each in catalog.resources("Notify")] == ["v1"]
"""


def test_fixtures_are_cloned_when_asked(module: pytest.Pytester, repository: Path) -> None:
    rows = f"other: {{repo: '{repository}', ref: v1}}\n    newest: 'file://{repository}'\n"
    fixtures = f"fixtures:\n  forge_modules:\n    far: 'a/far'\n  repositories:\n    {rows}"
    (module.path / ".fixtures.yml").write_text(fixtures)
    run(module, USED).assert_outcomes(errors=1)
    cloned = module.path / "spec/fixtures/modules"
    assert not (cloned / "other").exists()
    text = USED.replace(" include newest", "")
    run(module, text, "--puppet-fixtures").assert_outcomes(passed=1)
    assert "v2" in (cloned / "newest/manifests/init.pp").read_text()
    (cloned / "other/mark").write_text("kept")
    run(module, text, "--puppet-fixtures").assert_outcomes(passed=1)
    assert (cloned / "other/mark").read_text() == "kept"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("other: /nowhere/at/all", "--puppet-fixtures: *nowhere*"),
        ("../x: y", "*cannot fetch '../x'*"),
        ("other: {repo: x, subdir: a, flags: -q}", "*other: cannot follow subdir: a, flags: -q;*"),
        ("other: {repo: x, scm: hg, target: lib}", "*other: cannot follow scm: hg, target: lib;*"),
        ("other: {repo: x, puppet_version: new}", "*other: Unparsable version range: *new*"),
        ("other: {repo: x, scm: git, ref: a/b}", "*the 'branch' setting instead*"),
        ("other: {ref: v1}", "*other has no 'repo'*"),
        ("other: [", "*.fixtures.yml: *"),
    ],
)
def test_fixtures_that_cannot_be_cloned(module: pytest.Pytester, row: str, told: str) -> None:
    (module.path / ".fixtures.yml").write_text(f"fixtures:\n  repositories:\n    {row}\n")
    result = run(module, USED, "--puppet-fixtures")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (result.stderr if "ERROR" in result.stderr.str() else result.stdout).fnmatch_lines(f"*{told}")


def test_a_clone_without_its_revision_does_not_stay(
    module: pytest.Pytester, repository: Path
) -> None:
    fixtures = module.path / ".fixtures.yml"
    fixtures.write_text(f"fixtures: {{repositories: {{other: {{repo: '{repository}', tag: v9}}}}}}")
    text = USED.replace(" include newest", "")
    there = {*(module.path / "spec/fixtures/modules").iterdir()}
    for _ in range(2):
        assert run(module, text, "--puppet-fixtures").ret == pytest.ExitCode.USAGE_ERROR
    assert {*(module.path / "spec/fixtures/modules").iterdir()} == there


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".fixtures.yml", "fixtures: {repositories: {other: {repo: 'REPO', tag: v1}}}"),
        (".fixtures.yaml", "fixtures: {repositories: {other: {repo: 'REPO', branch: old}}}"),
        (
            ".fixtures.yml",
            "defaults: {repositories: {ref: v1}}\n"
            "fixtures: {repositories: {other: 'REPO', newer: {repo: no, puppet_version: '>= 9'}}}",
        ),
        (
            ".fixtures.yml",
            "fixtures: {repositories: {other: {repo: 'REPO', ref: v1, branch: main, scm: git, "
            "target: 'spec/fixtures/modules', puppet_version: '>= 7 < 9'}}}",
        ),
    ],
)
def test_the_revision_that_the_file_names_is_tested(
    module: pytest.Pytester, repository: Path, name: str, text: str
) -> None:
    git(repository, "branch", "old", "v1")
    (module.path / name).write_text(text.replace("REPO", str(repository)))
    used = USED.replace(" include newest", "")
    run(module, used, "--puppet-fixtures").assert_outcomes(passed=1)


def test_git_asks_nobody_for_a_password(
    module: pytest.Pytester, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transport of git's own says what environment git has."""
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext")
    url = "ext::sh -c echo% prompt=$GIT_TERMINAL_PROMPT>&2"
    (module.path / ".fixtures.yml").write_text(f'fixtures: {{repositories: {{other: "{url}"}}}}')
    result = run(module, USED, "--puppet-fixtures")
    result.stderr.fnmatch_lines("*prompt=0*")


TYPE = """Puppet::Type.newtype(:motd_line) do
  @doc = 'A line.'
  ensurable
  feature :coloured, 'Has colours.'
  newparam(:name, namevar: true) { desc 'Its name.' }
  newproperty(:colour, required_features: :coloured) { desc 'Its colour.' }
end
"""


def test_resource_types(module: pytest.Pytester) -> None:
    path = module.path / "lib/puppet/type/motd_line.rb"
    path.parent.mkdir(parents=True)
    path.write_text(TYPE)
    provider = module.path / "lib/puppet/provider/motd_line/plain.rb"
    provider.parent.mkdir(parents=True)
    provider.write_text("Puppet::Type.type(:motd_line).provide(:plain) { desc 'Plain.' }\n")
    puppet = Puppet(Suite(str(module.path), facts="debian-12"), {})
    entry = puppet.assert_type(
        "motd_line",
        properties=["ensure", "colour"],
        parameters=["name"],
        features=["coloured"],
        providers=["plain"],
    )
    assert entry.name == "motd_line"
    with pytest.raises(AssertionError, match=r"motd_line lacks properties: size \(found: colour, "):
        puppet.assert_type("motd_line", properties=["colour", "size"], parameters="name")
    with pytest.raises(AssertionError) as caught:
        puppet.assert_type("motd_line", properties=["a", "b"], features="x", providers=["plain"])
    assert str(caught.value).split("\n") == [
        "motd_line lacks properties: a, b (found: colour, ensure)",
        "  features: x (found: coloured)",
    ]
    with pytest.raises(TypeError, match="a resource type has no property; did you mean properti"):
        puppet.assert_type("motd_line", property=["colour"])
    with pytest.raises(AssertionError, match="has no resource type motd_lin"):
        puppet.assert_type("motd_lin")
