"""Write a JupyterLite with the lessons and the Puppet kernel: python -m playground.lite TARGET.

It is a directory for any static host, below any path. All that it loads is in it: JupyterLab, our
two extensions, the engine with Pyodide, the notebooks with the files that they use.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playground.directory import SiteError, replaced, run_writer
from playground.engine import ROOT
from playground.site import LABEXTENSION, write_worker

PARTS = ROOT / "kernel" / "jupyterlite"
LOGOS = ROOT / "kernel" / "puppet_kernel" / "logos"
LESSONS = ROOT / "notebooks"
PLAYGROUND = "playground/index.html"


def write_lite(target: Path) -> None:
    """Write the directory anew."""
    with replaced(target, "jupyter-lite.json") as new, tempfile.TemporaryDirectory() as made:
        site = Path(made) / "site"
        extensions = Path(made) / "labextensions"
        lessons = Path(made) / "lessons"
        shutil.copytree(PARTS / "site", site)
        if (target.parent / PLAYGROUND).is_file():
            name_playground(site / "jupyter-lite.json")
        shutil.copytree(LABEXTENSION, extensions / "puppet-repl")
        write_extension(extensions / "puppet-repl-jupyterlite")
        write_lessons(lessons)
        _build(site, extensions, lessons, new)
        # Opens the first notebook; that of JupyterLite opens a launcher.
        shutil.copy(PARTS / "site" / "index.html", new)


def name_playground(settings: Path) -> None:
    """Tell the labextension the address of the playground beside the directory."""
    written = json.loads(settings.read_text(encoding="utf-8"))
    written["jupyter-config-data"]["puppetPlaygroundUrl"] = f"./../{PLAYGROUND}"
    settings.write_text(json.dumps(written), encoding="utf-8")


def write_extension(target: Path) -> None:
    """Write the extension with the kernel, and the engine in it."""
    static = target / "static"
    shutil.copytree(PARTS / "static", static)
    shutil.copy(PARTS / "package.json", target)
    shutil.copy(LABEXTENSION / "static" / "remoteEntry.js", static)
    shutil.copytree(LOGOS, static, dirs_exist_ok=True)
    write_worker(static / "engine")


def write_lessons(target: Path) -> None:
    """Write the notebooks and the files beside them."""
    shutil.copytree(LESSONS, target, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    for path in target.glob("*.ipynb"):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            for output in cell.get("outputs", ()):
                _join_lines(output)
        path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")


def _join_lines(output: dict[str, Any]) -> None:
    """Make texts of lists of lines, as a server of Jupyter does.

    JupyterLite shows what is in the file, with a comma before each line of such a list.
    """
    for bundle in (output, output.get("data", {})):
        for kind, text in bundle.items():
            if kind == "text" or (kind.startswith(("text/", "image/")) and isinstance(text, list)):
                bundle[kind] = "".join(text)


def _build(site: Path, extensions: Path, lessons: Path, target: Path) -> None:
    configuration = {
        "LiteBuildConfig": {
            # Links open "notebooks": JupyterLab may restore another document than a link names.
            # That application leads to the others.
            "apps": ["lab", "notebooks", "tree", "edit", "consoles"],
            "contents": [str(lessons)],
            "ignore_contents": (),  # by itself it leaves out directories such as lib
            "ignore_sys_prefix": True,  # extensions of the environment
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
            "output_dir": str(target),
        },
        "FederatedExtensionAddon": {"extra_labextensions_path": [str(extensions)]},
    }
    (site / "jupyter_lite_config.json").write_text(json.dumps(configuration), encoding="utf-8")
    command = [sys.executable, "-m", "jupyterlite_core", "build"]
    done = subprocess.run(command, cwd=site, capture_output=True, text=True)
    if done.returncode:
        raise SiteError(f"jupyter lite build failed:\n{done.stdout}{done.stderr}".rstrip())


if __name__ == "__main__":
    sys.exit(run_writer(write_lite, "python -m playground.lite", __doc__))
