"""A real editor with the real program: Neovim with nvim-dap. Neither is installed here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.frontends.debug_adapter.client import COMMAND

HERE = Path(__file__).parent
NVIM_DAP = os.environ.get("NVIM_DAP", "")
"""A checkout of https://github.com/mfussenegger/nvim-dap that the version of Neovim can load."""

MANIFEST = """\
class web(Integer $port = 80) {
  $doubled = $port * 2
}
[1, 2, 3].each |$n| {
  notice("n is ${n}")
  $m = $n
}
include web
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="there is no Neovim")
@pytest.mark.skipif(not NVIM_DAP, reason="NVIM_DAP names no checkout of nvim-dap")
def test_neovim(tmp_path: Path) -> None:
    file = tmp_path / "a.pp"
    file.write_text(MANIFEST)
    environment = {
        **os.environ,
        "COMMAND": json.dumps(list(COMMAND)),
        "FILE": str(file),
        "HOME": str(tmp_path),
    }
    command = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n"]
    command += ["--cmd", f"set rtp+={NVIM_DAP}", "-S", str(HERE / "neovim.lua")]
    done = subprocess.run(
        command,
        env=environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "stops": [["lambda", 5], ["lambda", 6]],
        "value": "42",
        "output": "Notice: n is 1\nNotice: n is 2\nNotice: n is 3\n[Class[web]]\n",
        "status": 0,
    }
