"""The pipelines of the page about CI: their steps pass for good code, and fail for bad."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.ci_files import Action, Component, Script, of_hook
from tests.docs.shell_blocks import DOCS, FIXTURES, File, steps

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


OURS = "OWNER/puppet-repl"


def scripts(pipeline: Any) -> Iterator[Script]:
    """Yield the commands of a pipeline, those of our action, component and hooks included."""
    for repository in pipeline.get("repos", ()):
        for hook in repository["hooks"]:
            script = of_hook(hook["id"], ["manifests/init.pp"], hook.get("args", ()))
            assert script is not None
            yield script
    for included in pipeline.get("include", ()):
        assert OURS in included["component"]
        yield from Component().scripts(included["inputs"])
    for job in pipeline.get("jobs", pipeline).values():
        if isinstance(job, dict):
            for step in job.get("steps", ()):
                if step.get("uses", "").startswith(OURS):
                    yield from Action().scripts(step.get("with", {}))
                elif "run" in step:
                    yield Script(step["run"])
            for text in (*job.get("before_script", ()), *job.get("script", ())):
                yield Script(text, {"FACTS": "rocky-9"})


def directory_of(name: str, directory: Path) -> Path:
    """Return where a pipeline runs: above the module, in it, or in the control repository."""
    shutil.copytree(FIXTURES / "docs-howto-ci", directory, dirs_exist_ok=True)
    below = {"puppet.yml": "", "catalogs.yml": "control"}
    return directory / below.get(Path(name).name, "motd")


def statuses(name: str, where: Path) -> list[int]:
    """Run a pipeline up to the first step that fails; return the exit statuses."""
    found = []
    for script in scripts(PIPELINES[name]):
        if script.installs or script.text.startswith("ln -s"):
            continue  # the module has its name here
        found.append(script.run(where).returncode)
        if found[-1]:
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
