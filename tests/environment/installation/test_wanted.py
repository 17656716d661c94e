"""A Puppetfile as r10k reads it; statements are those of its doc/puppetfile.mkd."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.environment.installation.wanted import (
    FORGE,
    Asked,
    PuppetfileError,
    forge_address,
    read_wanted,
    without_credentials,
)


def read(text: str, directory: Path, branch: str | None = None) -> Asked:
    (directory / "Puppetfile").write_text(text)
    return read_wanted(str(directory), None, lambda _: branch)


@pytest.mark.parametrize(
    ("text", "kind", "source", "version", "fallback"),
    [
        ("mod 'a/m', '1.2.3'", "forge", FORGE, "1.2.3", ""),
        ("mod 'a-m', :latest", "forge", FORGE, "latest", ""),
        ("mod 'a/m'", "forge", FORGE, "", ""),
        ("mod 'a/m', nil", "forge", FORGE, "", ""),
        ("mod 'a/m', type: 'forge', version: '1.0.0-rc1'", "forge", FORGE, "1.0.0-rc1", ""),
        ("forge 'https://f.example/'\nmod 'a/m'", "forge", "https://f.example", "", ""),
        ("mod 'm', :git => 'u', :ref => 'r'", "git", "u", "r", ""),
        ("mod 'a/m', git: 'u', tag: 'v1'", "git", "u", "v1", ""),
        ("mod 'm', git: 'u', commit: 'abc1234'", "git", "u", "abc1234", ""),
        ("mod 'm', git: 'u', branch: 'feature/x'", "git", "u", "feature/x", ""),
        ("mod 'm', git: 'u', branch: 'b', default_branch: 'd'", "git", "u", "b", "d"),
        ("mod 'm', git: 'u', default_branch: 'd'", "git", "u", "d", "d"),
        ("mod 'm', git: 'u'", "git", "u", "HEAD", ""),
        ("mod 'm', type: 'git', source: 'u', version: 'r'", "git", "u", "r", ""),
        (
            "mod 'm', git: 'u', branch: :control_branch, default_branch: 'd'",
            "git",
            "u",
            "mine",
            "d",
        ),
        ("mod 'm', git: 'u', branch: 'control_branch'", "git", "u", "control_branch", ""),
        ("mod 'm', type: 'tarball', source: 'u', version: 'AB'", "tarball", "u", "ab", ""),
        ("mod 'm', type: :tarball, source: 'u', checksum: 'ab'", "tarball", "u", "ab", ""),
    ],
)
def test_a_module(
    text: str, kind: str, source: str, version: str, fallback: str, tmp_path: Path
) -> None:
    asked = read(text, tmp_path, branch="mine")
    assert (asked.refused, asked.local) == ([], [])
    [found] = asked.wanted
    assert found[2:6] == (kind, source, version, fallback)
    assert (found.name, found.place) == ("m", os.path.realpath(tmp_path / "modules" / "m"))


def test_a_branch_that_is_not_known(tmp_path: Path) -> None:
    text = "mod 'm', git: 'u', branch: :control_branch, default_branch: 'd'"
    [found] = read(text, tmp_path).wanted
    assert found.version == "d"


def test_directories(tmp_path: Path) -> None:
    text = (
        "mod 'a/one'\nmoduledir 'thirdparty'\nmod 'a/two'\n"
        "mod 'three', git: 'u', install_path: 'site'\nmod 'four', local: true\n"
        "mod 'five', git: 'u', install_path: '.', exclude_spec: true\n"
    )
    asked = read(text, tmp_path)
    base = os.path.realpath(tmp_path)
    assert [(os.path.relpath(each.place, base), each.keeps_spec) for each in asked.wanted] == [
        ("modules/one", True),
        ("thirdparty/two", True),
        ("site/three", True),
        ("five", False),
    ]
    assert asked.local == ["four"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("mod 'm', svn: 'u', rev: '1'", "it is from svn"),
        ("mod 'm'", "Forge module names must match 'owner/modulename', instead got m"),
        ("mod 'a/m', '1.0'", "Module version 1.0 is not a valid Forge module version"),
        ("mod 'a/m', '>= 1.0.0'", "is not a valid Forge module version"),
        ("mod 'a/m', version", "because Ruby code computes its entry"),
        ("mod 'm', git: \"#{base}/m\", tag: 'x'", "because Ruby code computes its entry"),
        ("mod 'a/m', '1.0.0' if ENV['X']", "because Ruby code decides about its entry"),
        ("mod 'a/m', '1.0.0'\nmod 'b/m', '1.0.0'", "m is there more than once, in lines 1 and 2"),
        ("mod 'a/m' '1.0.0'", "a comma is missing after 'a/m'"),
        ("mod 'a/m', '1.0.0', git: 'u'", "wrong number of arguments (given 3, expected 1..2)"),
        ("mod 'a/m', 'latest'", "Module version latest is not a valid Forge module version"),
        ("mod 'm', type: 'tarball', source: 'u', ref: 'r'", "cannot handle option 'ref'"),
        ("mod 'a/m'\nmod 'n', git: 'u', install_path: 'modules/m'", "one inside of the other"),
        ("mod 'a/m'\nmod 'n', git: 'u', install_path: 'modules/M/x'", "one inside of the other"),
        ("mod '../m', git: 'u'", "must match either 'modulename'"),
        ("mod 'a/..', git: 'u'", "must match either 'modulename'"),
        ("mod 'm', git: 'u', install_path: '../x'", "cannot manage content 'm' outside of"),
        ("moduledir '/tmp'\nmod 'a/m'", "is outside of"),
        ("mod 'hooks', git: 'u', install_path: '.git'", "is one of git's own"),
        ("mod 'hooks', git: 'u', install_path: 'x/../.GIT'", "is one of git's own"),
        ("mod 'm', git: 'u', install_path: 'site/.git/modules'", "is one of git's own"),
        ("moduledir 'GIT~1/hooks'\nmod 'a/m'", "is one of git's own"),
        ("mod 'm', git: '--upload-pack=x'", "names no address"),
        ("mod 'm', git: 'u', ref: '--upload-pack=x'", "is not the name of a branch"),
        ("mod 'm', git: 'u', ref: 'a:b'", "is not the name of a branch"),
        ("mod 'm', git: 'u', ref: '+a'", "is not the name of a branch"),
        ("mod 'm', type: 'tarball'", "names no address"),
        ("mod 'm', type: 'other', source: 'u'", "its kind is unknown"),
    ],
)
def test_what_is_not_installed(text: str, reason: str, tmp_path: Path) -> None:
    asked = read(text, tmp_path)
    assert asked.wanted == []
    assert asked.refused
    assert all(reason in each.reason for each in asked.refused)


def test_each_refused_entry_is_told_once_with_its_line(tmp_path: Path) -> None:
    text = (
        "mod 'a/one', '1.0.0'\nmod 'a/two',\n  git: 'u',\n  ref: ref\nmod 'b/one', '1.0.0'\n"
        "mod 'three', git: 'u', install_path: 'modules/four'\nmod 'a/four'\n"
    )
    assert [each.text for each in read(text, tmp_path).refused][:2] == [
        "a/one: one is there more than once, in lines 1 and 5 (file: Puppetfile, line: 1)",
        "a/two: it is not installed, because Ruby code computes its entry"
        " (file: Puppetfile, line: 2)",
    ]
    assert [each.line for each in read(text, tmp_path).refused] == [1, 2, 6, 7]


def test_a_link_out_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "modules").symlink_to(tmp_path / "other")
    [refused] = read("mod 'a/m'", inner).refused
    assert "is outside of" in refused.reason


def test_a_link_to_what_git_runs(tmp_path: Path) -> None:
    (tmp_path / ".git" / "hooks").mkdir(parents=True)
    (tmp_path / "modules").symlink_to(".git/hooks")
    [refused] = read("mod 'a/m'", tmp_path).refused
    assert "is one of git's own" in refused.reason


def test_a_puppetfile_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PuppetfileError, match="has no Puppetfile"):
        read_wanted(str(tmp_path), None, lambda _: None)
    with pytest.raises(PuppetfileError, match=r"is not Ruby: .* \(line: 2\)"):
        read("mod 'a/n'\nmod 'a/m', %q(\n", tmp_path)
    (tmp_path / "Puppetfile").write_bytes(b"\xff")
    with pytest.raises(PuppetfileError, match="not UTF-8"):
        read_wanted(str(tmp_path), None, lambda _: None)


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("http://forge.puppetlabs.com", FORGE),
        ("https://forge.puppet.com/", FORGE),
        ("forgeapi.puppetlabs.com", FORGE),
        ("http://mirror.example:8080/forge/", "http://mirror.example:8080/forge"),
    ],
)
def test_names_of_the_forge(given: str, address: str) -> None:
    assert forge_address(given) == address


@pytest.mark.parametrize(
    "given",
    ["file:///x", "", "http://", "ftp://x", "http://[", "http://[bad", "http://me:secret@h:x"],
)
def test_what_is_no_forge(given: str, tmp_path: Path) -> None:
    with pytest.raises(PuppetfileError, match="is not the address of a Forge") as error:
        forge_address(given)
    assert "secret" not in str(error.value)
    if given:
        with pytest.raises(PuppetfileError, match="is not the address of a Forge"):
            read(f"forge '{given}'", tmp_path)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://me:secret@h/x.git", "https://h/x.git"),
        ("https://me:se@cret@h/x.git", "https://h/x.git"),
        ("https://me:se/cret@h/x.git", "https://h/x.git"),
        ("https://secret@h/x.git", "https://h/x.git"),
        ("https://secret:x-oauth-basic@h/x.git", "https://h/x.git"),
        ("http://me:secret@[bad", "http://[bad"),
        ("http://:secret@h", "http://h"),
        ("ssh://git:secret@h/x.git", "ssh://git@h/x.git"),
        ("no Password for 'https://secret@h': read", "no Password for 'https://h': read"),
        ("git@h:x.git", "git@h:x.git"),
        ("https://h:8443/x@y:z@", "https://h:8443/x@y:z@"),
        ("ssh://git@h:22/x.git", "ssh://git@h:22/x.git"),
    ],
)
def test_users_and_passwords_are_not_shown(address: str, shown: str) -> None:
    assert without_credentials(address) == shown
