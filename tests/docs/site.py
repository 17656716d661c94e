"""The documentation site, built as warnings were errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
WARNINGS_FAIL = ("-W", "--keep-going", "-n", "-q", "--no-color")


def build(target: Path, *settings: str, tags: tuple[str, ...] = ()) -> Path:
    """Build the site below a directory; examples that do not hold are among the warnings.

    ``settings`` are values of conf.py: ``name=value``; with the tag ``playground`` the site expects
    the playground beside it.
    """
    command = [sys.executable, "-m", "sphinx", *WARNINGS_FAIL, "-b", "html"]
    overriding = [word for setting in settings for word in ("-D", setting)]
    overriding += [word for tag in tags for word in ("-t", tag)]
    done = subprocess.run(
        [*command, *overriding, "-d", str(target / "trees"), str(DOCS), str(target / "html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return target / "html"
