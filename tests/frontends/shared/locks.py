"""A lock that is not released."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def lock_of_a_stopped_process(path: Path) -> Iterator[None]:
    """Let another process lock a file or a directory, and stop that process."""
    code = (
        "import fcntl, os, signal, sys;"
        "flags = os.O_RDONLY if os.path.isdir(sys.argv[1]) else os.O_RDONLY | os.O_CREAT;"
        "file = os.open(sys.argv[1], flags, 0o600);"
        "fcntl.flock(file, fcntl.LOCK_EX); print('locked', flush=True);"
        "os.kill(os.getpid(), signal.SIGSTOP)"
    )
    with subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        try:
            yield
        finally:
            process.send_signal(signal.SIGKILL)
