"""The limit of memory of a process counts what it may write, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="no memory is limited here"
)

LIMITED = "from puppet_repl.base.memory import *; tune_process(64 << 20);"


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("print(len(bytes(32 << 20)))", "33554432"),
        ("bytes(128 << 20)", "MemoryError"),
        ("bytes(32 << 20) and (bytes(32 << 20), bytes(40 << 20))", "MemoryError"),
        # 4 GB of addresses without memory behind them: what WebAssembly reserves.
        ("import mmap; mmap.mmap(-1, 4 << 30, mmap.MAP_PRIVATE | 0x20, 0); print('ok')", "ok"),
        ("\nwith ExtraMemory(): print(len(bytes(100 << 20)))", "104857600"),
        ("\nwith ExtraMemory(): pass\nbytes(100 << 20)", "MemoryError"),
        ("raise_limit(64 << 20); print(len(bytes(100 << 20)))", "104857600"),
        ("raise_limit(64 << 20); raise_limit(-(64 << 20)); bytes(100 << 20)", "MemoryError"),
        ("raise_limit(64 << 20); tune_process(64 << 20); bytes(100 << 20)", "MemoryError"),
        ("\nwith UnlimitedMemory(): raise_limit(64 << 20)\nbytes(200 << 20)", "MemoryError"),
        # A Ruby that ends in another thread changes the limit while an editor is started.
        (
            "\nwith UnlimitedMemory(): raise_limit(-(8 << 20)); print(len(bytes(128 << 20)))",
            "134217728",
        ),
        (
            "\nwith UnlimitedMemory():\n with UnlimitedMemory(): pass\n"
            " print(len(bytes(128 << 20)))",
            "134217728",
        ),
    ],
)
def test_what_counts(code: str, printed: str) -> None:
    command = [sys.executable, "-c", LIMITED + code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout + done.stderr).rstrip().endswith(printed)


@pytest.mark.parametrize("size", [80, 100])
def test_a_nearer_hard_limit_leaves_room_to_report(size: int) -> None:
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_DATA, ({size << 20},) * 2);"
        "from puppet_repl.base.memory import *; tune_process(1 << 30)\n"
        f"try: bytes({size // 2} << 20), [bytes(1 << 20) for _ in range({size // 2})]\n"
        "except MemoryError:\n"
        "    with ExtraMemory(): print(len(bytes(20 << 20)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "20971520\n"


def test_other_programs_have_no_limit() -> None:
    code = (
        "import subprocess, sys; child = [sys.executable, '-c', 'print(len(bytes(128 << 20)))']\n"
        "with UnlimitedMemory(): subprocess.run(child)\n"
        "print(subprocess.run(child, stderr=subprocess.DEVNULL).returncode)"
    )
    command = [sys.executable, "-c", LIMITED + code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "134217728\n1\n"
