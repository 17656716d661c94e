"""The pipelines of the page about CI: their steps pass for good code, and fail for bad."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.shell_blocks import DOCS, FIXTURES, File, run, steps

PAGE = DOCS / "howto" / "ci.md"
PIPELINES = {
    step.name: yaml.safe_load(step.text)
    for step in steps(PAGE.read_text(encoding="utf-8"))
    if isinstance(step, File)
}
BAD = {
    "motd/manifests/init.pp": ("'0644'", "0644"),
    "control/manifests/site.pp": ("['family']", "['family'"),
}


def commands(pipeline: Any) -> Iterator[str]:
    """Yield the commands of a pipeline, without what installs something."""
    if "repos" in pipeline:
        (hook,) = pipeline["repos"][0]["hooks"]
        yield f"{hook['entry']} manifests/init.pp"
        return
    for job in pipeline.get("jobs", pipeline).values():
        if isinstance(job, dict):
            for step in [
                *job.get("steps", ()),
                *job.get("before_script", ()),
                *job.get("script", ()),
            ]:
                command = step.get("run") if isinstance(step, dict) else step
                if command is not None and not command.startswith("pip install "):
                    yield command


def directory_of(name: str, directory: Path) -> Path:
    """Return where a pipeline runs: above the module, in it, or in the control repository."""
    shutil.copytree(FIXTURES / "docs-howto-ci", directory, dirs_exist_ok=True)
    below = {"puppet.yml": "", "catalogs.yml": "control"}
    return directory / below.get(Path(name).name, "motd")


def statuses(name: str, where: Path) -> list[int]:
    """Run a pipeline up to the first step that fails; return the exit statuses."""
    found = []
    for command in commands(PIPELINES[name]):
        if command.startswith("ln -s"):
            continue  # the module has its name here
        _, status = run(f"set -e; FACTS=rocky-9; {command}", where)
        found.append(status)
        if status:
            break
    return found


def test_the_page_has_these_pipelines() -> None:
    assert set(PIPELINES) == {
        ".github/workflows/puppet.yml",
        ".gitlab-ci.yml",
        ".github/workflows/catalogs.yml",
        ".pre-commit-config.yaml",
    }


@pytest.mark.parametrize("name", PIPELINES)
def test_good_code_passes(name: str, tmp_path: Path) -> None:
    found = statuses(name, directory_of(name, tmp_path))
    assert found and not any(found)


@pytest.mark.parametrize("name", PIPELINES)
def test_bad_code_fails(name: str, tmp_path: Path) -> None:
    where = directory_of(name, tmp_path)
    for file, (old, new) in BAD.items():
        text = (tmp_path / file).read_text(encoding="utf-8")
        (tmp_path / file).write_text(text.replace(old, new), encoding="utf-8")
    assert statuses(name, where)[-1] == 1


def test_what_a_pipeline_makes_is_there(tmp_path: Path) -> None:
    where = directory_of(".github/workflows/catalogs.yml", tmp_path)
    statuses(".github/workflows/catalogs.yml", where)
    catalogs = sorted(path.name for path in (where / "catalogs").iterdir())
    assert catalogs == ["db01.example.com.json", "web01.example.com.json"]
