"""Words that are meant as a bundled fact set: slips and other versions, but no names of nodes."""

from __future__ import annotations

import pytest

from puppet_repl.environment.facts.facts import FactsError, factset_names, load_facts
from puppet_repl.environment.facts.factset_words import meant_set


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("rokcy-9", "rocky-9"),
        ("rocki-9", "rocky-9"),
        ("rock-9", "rocky-9"),
        ("rocky9", "rocky-9"),
        ("Rocky-9", "rocky-9"),
        ("rocky_9", "rocky-9"),
        ("rocky", "rocky-9"),
        ("rocky-8.10", "rocky-9"),
        ("rockylinux-9", "rocky-9"),
        ("Debian-12", "debian-12"),
        ("debain-12", "debian-12"),
        ("debian-11", "debian-12"),
        ("debian", "debian-12"),
        ("ubuntu-22.04", "ubuntu-24.04"),
        ("ubuntu2404", "ubuntu-24.04"),
        ("ubunut-24.04", "ubuntu-24.04"),
        ("Fedora", "fedora"),
        ("fedora-41", "fedora"),
        ("fedroa", "fedora"),
        ("macOS", "macos"),
        ("windows", "windows-2022"),
        ("windows-server-2019", "windows-2022"),
        ("window-2022", "windows-2022"),
    ],
)
def test_what_is_meant(word: str, meant: str) -> None:
    assert meant_set(word) == meant


@pytest.mark.parametrize(
    "word",
    [
        *factset_names(),
        *("web01", "db01", "node1", "host-12", "mac", "marcos", "rock", "docker9", "bastion-9"),
        *("debian-web", "rocky-db-9", "ubuntu-ci", "window-cleaner", "rocky-9.lan", "rocky9a"),
        *("", "-", "9", "12-debian", "$x", "rocky::install", "./debian-11", "debian-11.yaml"),
    ],
)
def test_other_words(word: str) -> None:
    assert meant_set(word) is None


def test_a_file_of_facts_that_is_not_there() -> None:
    with pytest.raises(FactsError, match=r"rokcy-9: No such file.*; did you mean rocky-9\? \(the"):
        load_facts("rokcy-9")
    with pytest.raises(FactsError, match=r"web01: No such file or directory \(the sets"):
        load_facts("web01")
    more = r"windows-2022\); the package puppet-repl-facts has more sets\Z"
    with pytest.raises(FactsError, match=more):
        load_facts("sles-15")
