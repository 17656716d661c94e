"""The hooks, the action and the component of this project, as the services that read them do.

Of an action the ``run`` steps are executed. A step that ``uses`` another action cannot be executed
here: ``Action.uses`` names them.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parents[2]
_OURS = re.compile("PYTHON|VIRTUAL_ENV|PUPPET|GITHUB|XDG")
_OF_GITHUB = re.compile(r"\$\{\{\s*inputs\.([\w-]+)\s*\}\}")
_OF_GITLAB = re.compile(r"\$\[\[\s*inputs\.([\w-]+)\s*\]\]")
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
SH = ("sh", "-e", "-c")

HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}


class Script(NamedTuple):
    """A text for a shell, with its variables."""

    text: str
    variables: Mapping[str, str] = {}

    @property
    def installs(self) -> bool:
        """Tell whether pip is called."""
        return re.search(r"\bpip install\b", self.text) is not None

    def run(
        self,
        where: Path,
        shell: tuple[str, ...] = BASH,
        programs: Path = Path(sys.executable).parent,
    ) -> subprocess.CompletedProcess[str]:
        """Run the text in a directory, with the programs of a directory before all others."""
        return subprocess.run(
            [*shell, self.text],
            cwd=where,
            env={
                **{name: value for name, value in os.environ.items() if not _OURS.match(name)},
                "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
                "HOME": os.fspath(where),
                "LANG": "C.UTF-8",
                "GITHUB_ACTION_PATH": os.fspath(ROOT),
                **self.variables,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )


def of_hook(name: str, paths: Iterable[str], arguments: Iterable[str] = ()) -> Script | None:
    """Return what pre-commit runs for changed files, None if it passes over the hook."""
    hook = HOOKS[name]
    matching = [path for path in paths if re.search(hook["files"], path)]
    if not matching:
        return None
    names = matching if hook.get("pass_filenames", True) else []
    return Script(f"{hook['entry']} {shlex.join([*arguments, *names])}")


class Action:
    """A composite action of GitHub."""

    def __init__(self, path: Path = ROOT / "action.yml") -> None:
        self.data = yaml.safe_load(path.read_text(encoding="utf-8"))
        self.inputs = self.data["inputs"]
        self.steps = self.data["runs"]["steps"]
        self.uses = [step["uses"] for step in self.steps if "uses" in step]

    def scripts(self, given: Mapping[str, str]) -> Iterator[Script]:
        """Yield the steps that are scripts, with the inputs of a workflow."""
        values = _values(self.inputs, given)
        for step in self.steps:
            if "run" in step:
                yield Script(
                    _fill_in(_OF_GITHUB, step["run"], values),
                    {
                        name: _fill_in(_OF_GITHUB, text, values)
                        for name, text in step.get("env", {}).items()
                    },
                )


class Component:
    """A component of GitLab, which has one job."""

    def __init__(self, path: Path = ROOT / "templates" / "validate.yml") -> None:
        head, self.text = path.read_text(encoding="utf-8").split("\n---\n")
        self.inputs = yaml.safe_load(head)["spec"]["inputs"]

    def job(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Return the job: inputs are replaced in the text, before it is read."""
        values = _values(self.inputs, given)
        for name, value in values.items():
            assert value in self.inputs[name].get("options", [value]), (name, value)
        ((_, job),) = yaml.safe_load(_fill_in(_OF_GITLAB, self.text, values)).items()
        return dict(job)

    def scripts(self, given: Mapping[str, str]) -> Iterator[Script]:
        """Yield the commands of the job, in their order."""
        job = self.job(given)
        for text in (*job["before_script"], *job["script"]):
            yield Script(text, job["variables"])


def inputs_in(text: str) -> set[str]:
    """Return the names of the inputs that a text has expressions for."""
    return {*_OF_GITHUB.findall(text), *_OF_GITLAB.findall(text)}


def _values(inputs: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, str]:
    assert set(given) <= set(inputs), f"no such input: {set(given) - set(inputs)}"
    return {name: given.get(name, declared["default"]) for name, declared in inputs.items()}


def _fill_in(expression: re.Pattern[str], text: str, values: Mapping[str, str]) -> str:
    return expression.sub(lambda found: values[found[1]], text)
