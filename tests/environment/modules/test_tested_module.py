"""The module that a file belongs to, and the module path of its tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.environment.modules.listings import Listings
from puppet_repl.environment.modules.modules import find_modules
from puppet_repl.environment.modules.tested_module import (
    metadata_problem,
    module_of,
    module_path,
)

METADATA = '{"name": "me-web"}'


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_the_module_of_a_file(tmp_path: Path) -> None:
    write(tmp_path, {"checkout/metadata.json": METADATA, "checkout/docs/a/x.md": ""})
    for name in ("checkout", "checkout/docs/a/x.md", "checkout/docs/a", "checkout/none.md"):
        module = module_of(str(tmp_path / name))
        assert module is not None
        assert (module.name, module.path) == ("web", str(tmp_path / "checkout"))
    assert module_of(str(tmp_path)) is None
    write(tmp_path, {"checkout/metadata.json": "{"})
    assert module_of(str(tmp_path / "checkout")) is None


def test_the_module_path(tmp_path: Path) -> None:
    fixtures = (
        "fixtures:\n  symlinks:\n    web: '#{source_dir}'\n    base: '#{source_dir}/../base'\n"
    )
    write(
        tmp_path,
        {
            "modules/web/metadata.json": METADATA,
            "modules/web/.fixtures.yml": fixtures + "    gone: ../gone\n",
            "modules/web/spec/fixtures/modules/stdlib/metadata.json": '{"name": "a-stdlib"}',
            "modules/base/metadata.json": '{"name": "me-base"}',
        },
    )
    module = module_of(str(tmp_path / "modules/web"))
    assert module is not None
    home = tmp_path / "modules/web"
    paths = module_path(module)
    assert paths == (
        str(home),
        str(home / "spec/fixtures/modules"),
        str(tmp_path / "modules/base"),
        str(tmp_path / "modules"),
    )
    found = find_modules(paths, Listings())
    assert {name: os.path.relpath(found[name].path, tmp_path) for name in found} == {
        "web": "modules/web",
        "stdlib": "modules/web/spec/fixtures/modules/stdlib",
        "base": "modules/base",
    }


def test_fixtures_that_cannot_be_read(tmp_path: Path) -> None:
    for text in ("{", "- a", "fixtures:\n  symlinks:\n    a: [b]\n", "fixtures: 1"):
        write(tmp_path, {"metadata.json": METADATA, ".fixtures.yml": text})
        module = module_of(str(tmp_path))
        assert module is not None
        assert module_path(module) == (str(tmp_path),)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (METADATA, None),
        ("{", "not JSON: "),
        ("[]", "not a JSON object"),
        ("{}", "it has no name"),
        ('{"name": 1}', "its name is not that of a module: 1"),
        ('{"name": "me-a b"}', 'its name is not that of a module: "me-a b"'),
    ],
)
def test_why_metadata_names_no_module(text: str, problem: str | None, tmp_path: Path) -> None:
    write(tmp_path, {"metadata.json": text})
    found = metadata_problem(str(tmp_path))
    assert found == problem if problem is None else str(found).startswith(problem)
