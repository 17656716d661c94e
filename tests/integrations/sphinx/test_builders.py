"""Other builders than HTML, and builds in several processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.integrations.sphinx.building import MISTAKES, Documentation

FILES = {
    "latex": "*.tex",
    "epub": "*.epub",
    "man": "*.1",
    "texinfo": "*.texi",
    "gettext": "index.pot",
    "xml": "index.xml",
}


@pytest.mark.slow
@pytest.mark.parametrize("builder", FILES)
def test_builders(tmp_path: Path, builder: str) -> None:
    found = Documentation(
        tmp_path, ".. puppet:automodule:: widget\n   :signature: long\n", "version = '1'\n"
    )
    found.write({"conf.py": found.text("conf.py") + "copyright = 'nobody'\n"})
    out = found.build(builder)
    assert found.warnings == MISTAKES
    assert list(out.glob(FILES[builder]))


@pytest.mark.slow
def test_several_processes_write_the_same_pages(tmp_path: Path) -> None:
    Documentation(
        tmp_path,
        ".. toctree::\n\n   reference/index\n",
        'puppet_reference_pages = "reference"\nextensions += ["sphinx.ext.viewcode"]\n',
    )
    built = {}
    for name in ("serial", "parallel"):
        out = tmp_path / f"out-{name}"
        options = ["-j2"] if name == "parallel" else []
        done = subprocess.run(
            [*(sys.executable, "-m", "sphinx", "-q", "-E", "--no-color", "-d", f"{out}-doctrees"),
             *options, str(tmp_path), str(out)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        warnings = done.stderr.replace(f"{tmp_path}/", "").split("\n")
        assert sorted(filter(None, warnings)) == MISTAKES
        built[name] = {
            path.relative_to(out): path.read_bytes()
            for path in out.rglob("*")
            if path.is_file() and path.name not in (".buildinfo", "searchindex.js")
        }
    assert len(built["serial"]) > 40
    assert built["parallel"] == built["serial"]
