"""One process that answers for many sessions, each with a Ruby of its own: nothing piles up."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.environment.ruby.engine import needs_sandbox

REQUEST = {"code": "inline_template('<%= 6 * 7 %>')", "ruby": "sandbox"}
WARM, SESSIONS = 3, 24
# What 21 further sessions may take together, where each that is not let go takes 58 MB; the arenas
# that malloc makes for threads count too.
MAX_GROWTH = 400 << 20


def address_space(pid: int) -> int:
    """Return the size of the address space of a process, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[0])
    return pages * 4096


@needs_sandbox
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_sandboxes_of_ended_sessions_are_released(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "puppet_repl", "batch", "--max-memory", "100M"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sizes = []
        for number in range(SESSIONS):
            # Sessions that see the same files would share one.
            path = [str(tmp_path / str(number))]
            process.stdin.write(json.dumps({**REQUEST, "modulepath": path}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["str"] == "42"
            # A request that needs nothing: the session before it has been let go.
            process.stdin.write('{"code": "1"}\n')
            process.stdin.flush()
            process.stdout.readline()
            sizes.append(address_space(process.pid))
        process.stdin.close()
    assert process.returncode == 0
    assert max(sizes[WARM:]) - min(sizes[:WARM]) < MAX_GROWTH
