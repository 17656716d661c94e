"""A virtual environment that has what a test installs, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import venv
from pathlib import Path

PROJECT = Path(__file__).parents[2]
LEXERS = PROJECT / "lexer_pygments"


class Environment:
    """A virtual environment with what pip installs, and a home directory of its own."""

    def __init__(self, directory: Path, *requirements: str) -> None:
        self.directory = directory / "environment"
        self.variables = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("JUPYTER", "XDG", "PYTHON", "VIRTUAL_ENV"))
        }
        self.variables |= {"HOME": str(directory), "JUPYTER_PLATFORM_DIRS": "0"}
        venv.create(self.directory, with_pip=True)
        if requirements:
            self.run("python", "-m", "pip", "install", "--quiet", *requirements)

    def run(self, program: str, *arguments: str, **variables: str) -> str:
        """Standard output of a program of the environment, which has to succeed."""
        done = subprocess.run(
            [self.directory / "bin" / program, *arguments],
            env=self.variables | variables,
            cwd=self.directory.parent,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def kernels(self, **variables: str) -> dict[str, Path]:
        """The kernels that Jupyter finds, and where."""
        listed = json.loads(self.run("jupyter", "kernelspec", "list", "--json", **variables))
        return {name: Path(spec["resource_dir"]) for name, spec in listed["kernelspecs"].items()}

    def distributions(self) -> dict[str, str]:
        """The distributions that are installed, with their versions."""
        listed = json.loads(self.run("python", "-m", "pip", "list", "--format=json"))
        return {entry["name"].lower(): entry["version"] for entry in listed}
