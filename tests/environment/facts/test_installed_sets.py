"""The fact sets of other distributions, and those of puppet-repl-facts."""

from __future__ import annotations

import gzip
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from puppet_repl.environment.facts.core_facts import AGENT_FACTS, CORE_FACTS, MODULE_FACTS
from puppet_repl.environment.facts.facts import FactsError, factset_names, load_facts
from puppet_repl.environment.facts.factset_words import (
    BUNDLED,
    installed_sets,
    meant_set,
    told_sets,
)
from puppet_repl.environment.facts.nearest_facts import nearest_facts, nearest_set
from puppet_repl.host.host import Host
from puppet_repl.host.machines import UnknownFactSet, machine_of
from puppet_repl.integrations.pytest.systems import System
from tests.environment.facts.make_factsets import DISTRIBUTION, FILE, ROOT, main

PROJECT = tomllib.loads((DISTRIBUTION / "pyproject.toml").read_text("utf-8"))["project"]


def install(directory: Path, package: str, data: bytes) -> None:
    """Write files as pip installs a distribution with fact sets."""
    (directory / package).mkdir()
    (directory / package / "factsets.gz").write_bytes(data)
    metadata = directory / f"{package}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {package}\nVersion: 1.0\n")
    ((group, entries),) = PROJECT["entry-points"].items()
    ((name, _),) = entries.items()
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {package}\n")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    installed_sets.cache_clear()
    yield tmp_path
    installed_sets.cache_clear()


@pytest.fixture
def facterdb(site: Path) -> Path:
    install(site, "puppet_repl_facts", FILE.read_bytes())
    return site


@pytest.mark.usefixtures("facterdb")
def test_each_set_has_facts_of_one_system() -> None:
    names = factset_names()
    assert names[: len(BUNDLED)] == list(BUNDLED)
    assert len(names) == len(set(names)) > 60
    assert told_sets() == f"{', '.join(BUNDLED)}, and {len(names) - len(BUNDLED)} installed ones"
    for name in names[len(BUNDLED) :]:
        facts = load_facts(name)
        assert {"kernel", "os", "networking", "puppetversion", "is_virtual"} <= facts.keys(), name
        assert set(facts) <= CORE_FACTS | AGENT_FACTS | MODULE_FACTS, name
        assert facts["clientcert"] == facts["networking"]["fqdn"]
        release = name.partition("-")[2].removesuffix("-core").replace("-", " ").upper()
        number = facts["os"]["release"]["major"]
        assert release in (number, facts["os"]["release"]["full"], ""), name


@pytest.mark.usefixtures("facterdb")
@pytest.mark.parametrize(
    ("os_name", "release", "nearest", "full"),
    [
        ("SLES", "15", "sles-15", "15.2"),
        ("SLES", "11.3", "sles-12", "11.3"),
        ("FreeBSD", "14", "freebsd-14", "14.3-RELEASE"),
        ("FreeBSD", "10", "freebsd-11", "10.0-RELEASE"),
        ("windows", "2012 R2", "windows-2012-r2", "2012 R2"),
        ("windows", "2019", "windows-2019", "2019"),
        ("CentOS", "7", "oraclelinux-7", "7.9"),
        ("Scientific", "6", "scientific-7", "6.0"),
        ("Fedora", "", "fedora", "40"),
        ("Fedora", "43", "fedora-43", "43"),
        ("Debian", "12", "debian-12", "12.5"),
        ("Darwin", "", "macos", "23.5.0"),
        ("AIX", "7.2", "debian-12", "7200"),
        ("Solaris", "10", "solaris-11", "10.0"),
    ],
)
def test_installed_sets_come_before_those_of_other_systems(
    os_name: str, release: str, nearest: str, full: str
) -> None:
    facts = nearest_facts(os_name, release)
    assert nearest_set(os_name, release) == nearest
    assert (facts["os"]["name"], facts["os"]["release"]["full"]) == (os_name, full)
    assert facts["service_provider"]


@pytest.mark.usefixtures("facterdb")
def test_prompt_and_tests_know_installed_sets() -> None:
    assert System("Archlinux").adapted_from == ""
    assert meant_set("sles-15") is None
    assert (meant_set("sles-16"), meant_set("oracle-1"), meant_set("sles")) == (
        "sles-15",
        None,
        None,
    )
    with pytest.raises(UnknownFactSet, match="did you mean sles-15"):
        machine_of("sles-16", None)
    with pytest.raises(FactsError, match="did you mean sles-15"):
        load_facts("sles-16")
    host = Host(facts=load_facts("openbsd-7"))
    assert host.session.execute("$facts['os']['family']").value == "OpenBSD"
    assert "openbsd-7" in [item.text for item in host.session.complete(":facts openb", 12).items]


def test_sets_are_found_in_any_distribution(site: Path) -> None:
    facts = json.dumps({"os": {"name": "Plan9", "family": "Plan9"}})
    install(
        site,
        "plan9_facts",
        gzip.compress(f"plan9-4\t{facts}\ndebian-12\t{{}}\nplan9-5\t\n".encode()),
    )
    assert factset_names() == [*BUNDLED, "plan9-4", "plan9-5"]
    assert load_facts("plan9-4")["os"]["name"] == "Plan9"
    assert load_facts("debian-12")["os"]["name"] == "Debian"
    with pytest.raises(FactsError, match="plan9-5: not JSON: "):
        load_facts("plan9-5")


@pytest.mark.parametrize("text", ["[]", "1", "{}", '{"os": "Plan9"}'])
def test_a_set_without_facts_is_told(site: Path, text: str) -> None:
    install(site, "plan9_facts", gzip.compress(f"plan9-4\t{text}\n\n".encode()))
    assert factset_names() == [*BUNDLED, "plan9-4"]
    with pytest.raises(FactsError, match="plan9-4: not facts: they lack Facter's 'os'"):
        load_facts("plan9-4")


def test_no_code_of_a_package_with_sets_runs(site: Path) -> None:
    facts = json.dumps({"os": {"name": "Plan9"}})
    install(site, "plan9_facts", gzip.compress(f"plan9-4\t{facts}\n".encode()))
    (site / "plan9_facts" / "__init__.py").write_text("raise AssertionError('it runs')")
    assert load_facts("plan9-4")["os"]["name"] == "Plan9"
    assert "plan9_facts" not in sys.modules


@pytest.mark.parametrize("lacks", ["plan9_facts", "plan9_facts/factsets.gz"])
def test_a_distribution_without_its_file_is_told(site: Path, lacks: str) -> None:
    install(site, "plan9_facts", b"")
    (site / lacks).rename(site / "elsewhere")
    with pytest.warns(UserWarning, match="^plan9_facts: its fact sets cannot be read: ."):
        assert factset_names() == list(BUNDLED)


@pytest.mark.parametrize(
    "data",
    [b"x", gzip.compress(b"\xff"), gzip.compress(b"a" * 999)[:-9], b"\x1f\x8b\x08" + b"\xff" * 99],
    ids=["short", "not UTF-8", "cut off", "not gzip"],
)
def test_a_damaged_distribution_is_told(site: Path, data: bytes) -> None:
    install(site, "plan9_facts", data)
    with pytest.warns(UserWarning, match="^plan9_facts: its fact sets cannot be read: "):
        assert factset_names() == list(BUNDLED)


@pytest.mark.usefixtures("site")
def test_there_are_the_bundled_sets_without_a_distribution() -> None:
    assert factset_names() == list(BUNDLED)
    assert told_sets() == ", ".join(BUNDLED)


def test_there_are_the_bundled_sets_without_the_whole_library(
    facterdb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "importlib.metadata", None)
    assert factset_names() == list(BUNDLED)


def test_the_newest_facts_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = tmp_path / "lib" / "facterdb" / "version.rb"
    version.parent.mkdir(parents=True)
    version.write_text(f"STRING = '{PROJECT['version']}'\n")
    for name, number in (
        ("4.9/windows-2012 r2-x86_64", "4.9.0"),
        ("4.10/windows-2012 r2-x86_64", "4.10.0"),
        ("5.1/windows-2012 r2-arm64", "5.1.0"),
        ("4.0/solaris-11-sun4v", "4.0.0"),
    ):
        path = tmp_path / "facts" / f"{name}.facts"
        path.parent.mkdir(parents=True, exist_ok=True)
        given = {"facterversion": number, "networking": {"fqdn": "a.b"}, "mine": 1}
        path.write_text(json.dumps(given))
    file = tmp_path / "factsets.gz"
    monkeypatch.setattr("tests.environment.facts.make_factsets.FILE", file)
    main(tmp_path)
    made = dict(
        line.split("\t") for line in gzip.decompress(file.read_bytes()).decode().split("\n")[:-1]
    )
    assert list(made) == ["solaris-11", "windows-2012-r2"]
    facts = json.loads(made["windows-2012-r2"])
    assert (facts["facterversion"], facts["clientcert"], "mine" in facts) == (
        "4.10.0",
        "a.b",
        False,
    )
    version.write_text("STRING = '0.1'\n")
    with pytest.raises(SystemExit, match=PROJECT["version"]):
        main(tmp_path)


def test_the_notice_has_the_version_of_facterdb() -> None:
    notice = " ".join((DISTRIBUTION / "NOTICE").read_text("utf-8").split())
    assert f"FacterDB {PROJECT['version']} (https://github.com/voxpupuli/facterdb)" in notice
    count = len(gzip.decompress(FILE.read_bytes()).splitlines())
    assert f"Facts of {count} systems" in (DISTRIBUTION / "README.md").read_text("utf-8")
    assert (DISTRIBUTION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
