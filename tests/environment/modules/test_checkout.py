"""The module or environment that a directory belongs to, and what is left out of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.environment.modules.checkout import checkout_of
from tests.conformance.judge import write_files
from tests.environment.modules.checkouts import metadata

MODULE = {"metadata.json": metadata("me-web"), "manifests/init.pp": ""}
ENVIRONMENT = {
    "environment.conf": "modulepath = site-modules:modules\n",
    "site-modules/profile/manifests/init.pp": "",
}


def below(directory: str, files: dict[str, str]) -> dict[str, str]:
    return {f"{directory}/{name}": text for name, text in files.items()}


@pytest.mark.parametrize(
    ("files", "where", "found"),
    [
        (MODULE, ".", "module web"),
        (MODULE, "manifests", "module web"),
        (ENVIRONMENT, ".", "environment top"),
        (ENVIRONMENT, "site-modules/profile/manifests", "environment top"),
        ({"Puppetfile": "", "hiera.yaml": ""}, ".", "environment top"),
        ({"Puppetfile": "", "manifests/site.pp": ""}, "manifests", "environment top"),
        ({"Puppetfile": "", "data/common.yaml": ""}, ".", None),
        ({"hiera.yaml": "", "manifests/init.pp": ""}, ".", None),
        ({"a.txt": ""}, ".", None),
        # A module on the module path is part of the environment, and no other is.
        (ENVIRONMENT | below("modules/web", MODULE), "modules/web/manifests", "environment top"),
        (ENVIRONMENT | below("vendor/web", MODULE), "vendor/web", "module web"),
        # A repository ends the search, also one in another.
        (ENVIRONMENT | below("modules/web", MODULE | {".git": ""}), "modules/web", "module web"),
        (ENVIRONMENT | {"tools/.git": "", "tools/a/b": ""}, "tools/a", None),
        (MODULE | {"sub/.git/HEAD": ""}, "sub", None),
        # What says that a module is one is told, if it is wrong.
        ({"metadata.json": "{"}, ".", "metadata.json: not JSON: "),
        ({"metadata.json": "{}"}, ".", "metadata.json: it has no name"),
    ],
)
def test_what_a_directory_belongs_to(
    files: dict[str, str], where: str, found: str | None, tmp_path: Path
) -> None:
    write_files(tmp_path / "top", files)
    checkout = checkout_of(str(tmp_path / "top" / where))
    if found is None or checkout is None:
        assert found is checkout
    else:
        assert checkout.text.startswith(found)


def modules_of(directory: Path) -> list[str]:
    checkout = checkout_of(str(directory))
    assert checkout is not None
    return [os.path.relpath(path, directory) for path in checkout.modulepath]


def test_modules_beside_a_module_that_it_needs(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "puppet-web/metadata.json": metadata("me-web", "you/base", "you-far", "a/../x", "\0"),
            "base/metadata.json": metadata("you-base", "me/deep", "me/web"),
            "me-deep/metadata.json": metadata("me-deep"),
            "puppet-other/metadata.json": metadata("me-other"),
            "far/metadata.json": metadata("you-farther"),
        },
    )
    assert modules_of(tmp_path / "puppet-web") == [".", "../base", "../me-deep"]


def test_a_directory_of_modules(tmp_path: Path) -> None:
    write_files(tmp_path, below("modules/web", MODULE))
    assert modules_of(tmp_path / "modules" / "web") == [".", ".."]


def test_nothing_is_far(tmp_path: Path) -> None:
    """Links and fixtures of a repository may name any directory: those outside are left out."""
    fixtures = "".join(
        f"    {name}: '{path}'\n"
        for name, path in {
            "away": tmp_path / "away" / "modules" / "secret",
            "beside": "#{source_dir}/../puppet-beside",
            "no_module": "#{source_dir}/../away",
            "own": "#{source_dir}/extra",
            "root": "/",
        }.items()
    )
    write_files(
        tmp_path,
        {
            "web/metadata.json": metadata("me-web", "me/linked"),
            "web/.git/HEAD": "",
            "web/.fixtures.yml": f"fixtures:\n  symlinks:\n{fixtures}",
            "web/extra/metadata.json": metadata("me-own"),
            "web/spec/fixtures/modules/near/manifests/init.pp": "",
            "puppet-beside/metadata.json": metadata("me-beside"),
            "away/modules/secret/metadata.json": metadata("me-secret"),
        },
    )
    fixture_modules = tmp_path / "web/spec/fixtures/modules"
    (fixture_modules / "web").symlink_to(tmp_path / "web")
    assert modules_of(tmp_path / "web") == [
        *(".", "spec/fixtures/modules", "../puppet-beside", "extra"),
    ]
    (fixture_modules / "secret").symlink_to(tmp_path / "away/modules/secret")
    (tmp_path / "linked").symlink_to(tmp_path / "away/modules/secret")
    found = modules_of(tmp_path / "web")
    assert sorted(found) == [
        *(".", "../puppet-beside", "extra"),
        *("spec/fixtures/modules/near", "spec/fixtures/modules/web"),
    ]


def test_a_file_that_leads_away_makes_no_checkout(tmp_path: Path) -> None:
    write_files(
        tmp_path, below("away", MODULE | {"environment.conf": ""}) | {"web/manifests/init.pp": ""}
    )
    for name in ("metadata.json", "environment.conf"):
        (tmp_path / "web" / name).symlink_to(tmp_path / "away" / name)
    assert checkout_of(str(tmp_path / "web")) is None


def test_where_everybody_may_write_nothing_counts(tmp_path: Path) -> None:
    write_files(tmp_path, ENVIRONMENT)
    (tmp_path / "mine").mkdir()
    assert checkout_of(str(tmp_path / "mine")) is not None
    tmp_path.chmod(0o1777)
    assert checkout_of(str(tmp_path / "mine")) is None
