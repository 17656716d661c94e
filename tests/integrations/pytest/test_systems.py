"""The systems that a module supports, and their facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.environment.facts.facts import FactsError, bundled_facts
from puppet_repl.environment.modules.modules import Module
from puppet_repl.integrations.pytest.systems import (
    System,
    facts_of_layers,
    supported_systems,
    system_named,
)

# What Facter 4 says of these systems: name, family, full and major release, codename.
SYSTEMS = [
    ("debian-11", "Debian", "Debian", "11.11", "11", "bullseye"),
    ("debian-12", "Debian", "Debian", "12.5", "12", "bookworm"),
    ("ubuntu-22.04", "Ubuntu", "Debian", "22.04", "22.04", "jammy"),
    ("almalinux-8", "AlmaLinux", "RedHat", "8.10", "8", None),
    ("AlmaLinux-9", "AlmaLinux", "RedHat", "9.4", "9", None),
    ("oraclelinux-9", "OracleLinux", "RedHat", "9.4", "9", None),
    ("redhat-8", "RedHat", "RedHat", "8.10", "8", None),
    ("centos-7", "CentOS", "RedHat", "7.9", "7", None),
    ("centos-9", "CentOS", "RedHat", "9", "9", None),
    ("windows-2019", "windows", "windows", "2019", "2019", None),
]


@pytest.mark.parametrize(("name", "os_name", "family", "full", "major", "codename"), SYSTEMS)
def test_what_the_facts_say(
    name: str, os_name: str, family: str, full: str, major: str, codename: str | None
) -> None:
    system = system_named(name)
    facts = system.facts["os"]
    assert (facts["name"], facts["family"], system.family) == (os_name, family, family)
    assert (facts["release"]["full"], facts["release"]["major"]) == (full, major)
    assert facts.get("distro", {}).get("codename") == codename
    assert facts.get("distro", {}).get("id", os_name) == os_name


@pytest.mark.parametrize(
    ("word", "release", "name", "os_name", "major", "adapted_from"),
    [
        ("Rocky", "9", "rocky-9", "Rocky", "9", ""),
        ("rocky", "", "rocky", "Rocky", "9", ""),
        ("Fedora", "", "fedora", "Fedora", "40", ""),
        ("Rocky", "99", "rocky-99", "Rocky", "99", "rocky-9"),
        ("RedHat", "", "redhat", "RedHat", "9", "rocky-9"),
        ("OpenSuSE", "15.4", "opensuse-15.4", "openSUSE", "15", "debian-12"),
        ("SLES", "12 SP3", "sles-12.3", "SLES", "12", "debian-12"),
        ("macOS", "10.15", "darwin-19", "Darwin", "19", "macos"),
        ("OSX", "", "darwin", "Darwin", "23", ""),
        ("Windows", "Server 2012 R2", "windows-2012-r2", "windows", "2012 R2", "windows-2022"),
        ("windows", "2012R2", "windows-2012-r2", "windows", "2012 R2", "windows-2022"),
        ("AmazonLinux", "", "amazon", "Amazon", "2023", "rocky-9"),
    ],
)
def test_names_in_metadata(
    word: str, release: str, name: str, os_name: str, major: str, adapted_from: str
) -> None:
    system = System(word, release)
    facts = system.facts["os"]
    assert (system.name, system.adapted_from, system.problem) == (name, adapted_from, "")
    assert (facts["name"], facts["release"]["major"]) == (os_name, major)
    assert facts.get("distro", {}).get("id", os_name) == os_name


def test_what_is_not_changed() -> None:
    facts, of_the_set = system_named("almalinux-9").facts, bundled_facts("rocky-9")
    assert facts.keys() == of_the_set.keys()
    assert [name for name in facts if facts[name] != of_the_set[name]] == ["os"]
    for name in ("debian-12", "rocky-9", "ubuntu-24.04", "windows-2022", "fedora", "macos"):
        assert system_named(name).facts == bundled_facts(name)
    product = system_named("windows-2019").facts["os"]["windows"]["product_name"]
    assert product == "Windows Server 2019 Standard"


def test_systems_without_facts() -> None:
    system = System("BeOS", "5")
    assert system.problem.startswith("there are no facts of beos-5")
    with pytest.raises(FactsError, match="beos-5"):
        _ = system.facts
    with pytest.raises(FactsError, match=r"there are no facts of 'debain-12'; the sets are"):
        system_named("debain-12")
    for name in ("debian-foo", "windows-server-2019"):
        with pytest.raises(FactsError, match=f"there are no facts of '{name}'"):
            system_named(name)


def test_files_come_first(tmp_path: Path) -> None:
    facts = {"os": {"family": "RedHat", "name": "AlmaLinux"}, "real": True}
    (tmp_path / "almalinux-9-x86_64.facts").write_text(json.dumps(facts))
    (tmp_path / "almalinux-90.json").write_text("{}")
    (tmp_path / "debian-12.yaml").write_text("real: true\n")
    for name in ("almalinux-9", "debian-12"):
        assert system_named(name, [str(tmp_path)]).facts["real"] is True
    assert "real" not in system_named("rocky-9", [str(tmp_path)]).facts


@pytest.mark.parametrize(
    ("support", "names"),
    [
        (
            [
                {"operatingsystem": "RedHat", "operatingsystemrelease": ["8", "9"]},
                {"operatingsystem": "Windows", "operatingsystemrelease": ["2012 R2"]},
                {"operatingsystem": "FreeBSD"},
                {"operatingsystem": "Ubuntu", "operatingsystemrelease": []},
            ],
            ["redhat-8", "redhat-9", "windows-2012-r2", "freebsd", "ubuntu"],
        ),
        ([{"operatingsystem": 1}, "Debian", {}], []),
        ({"operatingsystem": "Debian"}, []),
        (None, []),
    ],
)
def test_what_metadata_support(tmp_path: Path, support: object, names: list[str]) -> None:
    metadata = {"name": "me-motd", "operatingsystem_support": support}
    (tmp_path / "metadata.json").write_text(json.dumps(metadata))
    module = Module("motd", str(tmp_path))
    assert [each.name for each in supported_systems(module)] == names


def test_layers_of_facts(tmp_path: Path) -> None:
    (tmp_path / "more.json").write_text('{"role": "db", "site": "x"}')
    layers = ["almalinux-9", str(tmp_path / "more.json"), {"role": "web"}]
    facts = facts_of_layers(layers)
    assert (facts["os"]["name"], facts["role"], facts["site"]) == ("AlmaLinux", "web", "x")


def test_the_newest_file_counts(tmp_path: Path) -> None:
    for version in ("4.9", "4.10"):
        facts = {"os": {"name": "Plan9", "family": "Plan9", "release": {}}, "version": version}
        (tmp_path / f"plan9-4-{version}.json").write_text(json.dumps(facts))
    assert system_named("plan9-4", [str(tmp_path)]).facts["version"] == "4.10"
