"""What tells the directory of an environment from others."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.modules.layout import Layout, doubt_of


@pytest.mark.parametrize(
    ("paths", "hint"),
    [
        (["README"], None),
        (["envs/a/manifests/site.pp"], None),
        (["production/manifests/site.pp", "a/hiera.yaml"], "{0}/production"),
        (["environments/b/hiera.yaml", "environments/a/modules/m/x"], "{0}/environments/a or {0}/"),
        # Modules are not environments, though they have manifests and data.
        (["apache/manifests/init.pp", "apache/hiera.yaml"], None),
        (["apache/manifests/x.pp", "apache/metadata.json"], None),
    ],
)
def test_what_is_no_environment(tmp_path: Path, paths: list[str], hint: str | None) -> None:
    write(tmp_path, paths)
    doubt = doubt_of(str(tmp_path))
    assert doubt is not None
    assert doubt.startswith(f"{tmp_path} is not an environment: it has no manifests")
    _, asks, found = doubt.partition("; did you mean ")
    assert bool(asks) == (hint is not None)
    assert found.startswith((hint or "").format(tmp_path))
    assert Layout(str(tmp_path)).hints == [doubt]


@pytest.mark.parametrize(
    "paths",
    [
        [],
        ["manifests/site.pp"],
        ["site-modules/m/x"],
        ["environment.conf"],
        ["data/x.yaml"],
        ["functions/f.pp"],
        ["Puppetfile"],
    ],
)
def test_what_may_be_one(tmp_path: Path, paths: list[str]) -> None:
    write(tmp_path, paths)
    assert doubt_of(str(tmp_path)) is None
    assert doubt_of(str(tmp_path / "missing")) is None


def write(directory: Path, paths: list[str]) -> None:
    for name in paths:
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def test_what_an_environment_has(tmp_path: Path) -> None:
    assert Layout(str(tmp_path)).texts == ["0 modules", "no hiera.yaml", "no manifests"]
    (tmp_path / "environment.conf").write_text("modulepath = own:modules:gone\nmanifest = a.pp\n")
    write(tmp_path, ["own/a/manifests/x.pp", "own/b/manifests/x.pp", "modules/c/manifests/x.pp"])
    write(tmp_path, ["a.pp"])
    (tmp_path / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: a}, {name: b}]\n")
    layout = Layout(str(tmp_path))
    assert layout.texts == [
        "3 modules: 2 in own, 1 in modules",
        "hiera.yaml with 2 levels",
        "1 manifest",
    ]
    assert layout.modulepath_texts == [
        "own (2 modules)",
        "modules (1 module)",
        "gone (no such directory)",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"version: 5", "hiera.yaml"),
        (b"[", "hiera.yaml that cannot be read"),
        (b"a: \xff", "hiera.yaml that cannot be read"),
    ],
)
def test_a_hiera_yaml_without_levels(text: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "hiera.yaml").write_bytes(text)
    assert Layout(str(tmp_path)).data_text == told


def test_modules_that_are_not_on_the_module_path(tmp_path: Path) -> None:
    (tmp_path / "environment.conf").write_text("modulepath = modules\n")
    write(tmp_path, ["site-modules/m/manifests/init.pp", "modules/apache/manifests/init.pp"])
    wanted = "modulepath = site-modules:modules:$basemodulepath"
    hint = f"site-modules is not on the module path; environment.conf has to say: {wanted}"
    assert Layout(str(tmp_path)).hints == [hint]


@pytest.mark.parametrize(
    ("puppetfile", "hints"),
    [
        (b"# \xe9t\xe9\nmod 'puppetlabs-apache'\n", []),
        (b"mod 'ntp', local: true\n=begin\nmod 'x'\n=end\n", []),
        (
            b"mod 'puppetlabs-apache'\n# \xe9t\xe9\nmod 'puppetlabs/ntp', '1.0.0'\n",
            [
                "Puppetfile names 1 module that is not there (ntp); "
                "'puppet-repl modules install' installs them"
            ],
        ),
        (
            b"\n".join(b"mod 'x-m%d'" % number for number in range(5)),
            [
                "Puppetfile names 5 modules that are not there (m0, m1, m2, m3, ...); "
                "'puppet-repl modules install' installs them"
            ],
        ),
        (
            b"moduledir 'thirdparty'\nmod 'puppetlabs-apache'\n",
            ["Puppetfile installs modules in thirdparty, which is not on the module path"],
        ),
    ],
)
def test_a_puppetfile(
    puppetfile: bytes, hints: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, ["modules/apache/manifests/init.pp", "environment.conf"])
    (tmp_path / "Puppetfile").write_bytes(puppetfile)
    assert Layout(str(tmp_path)).hints == hints
