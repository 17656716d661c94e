"""Running the shipped command in a child whose time and memory are measured, apart from all others.

A small process starts the command and waits for it: what it measures is that of this command alone,
where the test process has had other children, and a fork of it would begin with its own size.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import NamedTuple

# Where even the limits of puppet-repl fail: the system ends the process.
_MAX_SECONDS = 300
_MAX_BYTES = 4 << 30
_MEASURING = f"""
import os, resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_CPU, ({_MAX_SECONDS}, {_MAX_SECONDS}))
resource.setrlimit(resource.RLIMIT_AS, ({_MAX_BYTES}, {_MAX_BYTES}))
done = subprocess.run(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
figures = f"{{done.returncode}} {{used.ru_utime + used.ru_stime}} {{used.ru_maxrss / 1024}}"
os.write(int(sys.argv[1]), figures.encode())
"""


class Measured(NamedTuple):
    """What a command has written, how it ended, its CPU seconds and its largest size in MB."""

    status: int
    output: str
    errors: str
    seconds: float
    megabytes: float


def measured(arguments: list[str], text: str = "") -> Measured:
    """Run ``puppet-repl`` with these arguments, and a text as standard input."""
    read, write = os.pipe()
    command = [sys.executable, "-I", "-S", "-c", _MEASURING, str(write)]
    command += [sys.executable, "-m", "puppet_repl", *arguments]
    with tempfile.TemporaryFile() as given:
        given.write(text.encode())
        given.seek(0)
        with subprocess.Popen(
            command,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            pass_fds=(write,),
        ) as child:
            os.close(write)
            output, errors = child.communicate(timeout=1800)
    with os.fdopen(read) as pipe:
        figures = pipe.read().split()
    status, seconds, megabytes = int(figures[0]), float(figures[1]), float(figures[2])
    return Measured(status, output, errors, seconds, megabytes)
