"""Facts of systems without a fact set."""

from __future__ import annotations

import pytest

from puppet_repl.environment.facts.facts import bundled_facts, factset_names
from puppet_repl.environment.facts.nearest_facts import (
    name_of,
    nearest_facts,
    nearest_set,
    release_of,
)

# What Facter reports there, according to facterdb: name, family, major release, architecture,
# kernel, its release where it is that of the system; and what Puppet's providers say in
# `defaultfor`. The first two are the name and the release in metadata.json.
SYSTEMS = [
    ("Amazon", "2023", "Amazon RedHat 2023 x86_64 Linux", "systemd dnf"),
    ("Amazon", "2", "Amazon RedHat 2 x86_64 Linux", "systemd yum"),
    ("Archlinux", "", "Archlinux Archlinux 6 x86_64 Linux", "systemd pacman"),
    ("Darwin", "20", "Darwin Darwin 20 arm64 Darwin", "launchd pkgdmg"),
    ("Debian", "13", "Debian Debian 13 amd64 Linux", "systemd apt"),
    ("Fedora", "43", "Fedora RedHat 43 x86_64 Linux", "systemd dnf"),
    ("FreeBSD", "14", "FreeBSD FreeBSD 14 amd64 FreeBSD", "freebsd pkgng"),
    ("Gentoo", "", "Gentoo Gentoo 2 x86_64 Linux", "openrc portage"),
    ("OpenBSD", "7", "OpenBSD OpenBSD 7 amd64 OpenBSD", "openbsd openbsd"),
    ("OpenSUSE", "15", "openSUSE Suse 15 x86_64 Linux", "systemd zypper"),
    ("Scientific", "7", "Scientific RedHat 7 x86_64 Linux", "systemd yum"),
    ("SLES", "15", "SLES Suse 15 x86_64 Linux", "systemd zypper"),
    ("Solaris", "11", "Solaris Solaris 11 x86_64 SunOS", "smf pkg"),
    ("Ubuntu", "20.04", "Ubuntu Debian 20.04 amd64 Linux", "systemd apt"),
    ("Windows", "2019", "windows windows 2019 x64 windows", "windows windows"),
]


@pytest.mark.parametrize(("word", "release", "told", "providers"), SYSTEMS)
def test_facts_that_modules_decide_by(word: str, release: str, told: str, providers: str) -> None:
    facts = nearest_facts(name_of(word), release_of(word, release))
    system = facts["os"]
    major = system["release"]["major"]
    found = (system["name"], system["family"], major, system["architecture"], facts["kernel"])
    assert " ".join(found) == told
    assert f"{facts['service_provider']} {facts['package_provider']}" == providers
    assert ("distro" in system) == ("selinux" in system) == (facts["kernel"] == "Linux")
    assert system["release"]["full"].startswith(major)
    if facts["kernel"] in ("Darwin", "FreeBSD", "OpenBSD"):
        assert facts["kernelrelease"] == system["release"]["full"]


def test_what_is_of_no_set() -> None:
    assert nearest_facts("AIX", "7.2")["os"]["release"] == {"full": "7200", "major": "7200"}
    assert nearest_facts("AIX", "7200-05-01-2038")["kernelmajversion"] == "7200"
    assert nearest_facts("Solaris", "11")["kernelrelease"] == "5.11"
    full = {"full": "14.0-RELEASE", "major": "14", "minor": "0", "branch": "RELEASE"}
    assert nearest_facts("FreeBSD", "14")["os"]["release"] == full
    assert nearest_facts("SLES", "12")["os"]["release"]["full"] == "12.5"  # the last service pack
    assert nearest_set("BeOS", "5") == ""
    assert release_of("Windows", "Server 2012R2") == "2012 R2"


@pytest.mark.parametrize(
    ("release", "wanted"),
    [
        ("10.15", "19"),
        ("10.15.7", "19"),
        ("11", "20"),
        ("14.5", "23"),
        ("10", "10"),
        ("10.x", "10.x"),
    ],
)
def test_releases_of_macos(release: str, wanted: str) -> None:
    assert release_of("macOS", release) == wanted
    assert release_of("Darwin", release) == release
    assert nearest_facts("Darwin", wanted)["os"]["name"] == "Darwin"


def test_sets_are_left_as_they_are() -> None:
    before = {name: dict(bundled_facts(name)["os"]) for name in factset_names()}
    for word, release, *_ in SYSTEMS:
        nearest_facts(name_of(word), release)
    assert {name: bundled_facts(name)["os"] for name in factset_names()} == before
