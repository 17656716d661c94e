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
