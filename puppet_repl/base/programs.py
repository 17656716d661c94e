"""Other programs: find them, run them and wait for them."""

from __future__ import annotations

import errno
import os

from puppet_repl.base.limited_threads import WAIT, time_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from subprocess import CompletedProcess


def program_directories() -> str:
    """Return the directories of PATH that are absolute.

    Others are parts of the working directory, which may have programs of a stranger.
    """
    found = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join([each for each in found if os.path.isabs(each)])


def find_program(name: str) -> str:
    """Return the path of a program in these directories; a name that is a path already as it is.

    Raises FileNotFoundError.
    """
    import shutil  # only those who start a program wait for it

    if os.path.dirname(name):
        return name
    path = shutil.which(name, path=program_directories())
    if path is None or not os.path.isabs(path):  # Windows looks in the working directory, too
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return path


def run_in_time(
    command: str | Sequence[str], *, is_shell: bool = False, joins_errors: bool = True
) -> CompletedProcess[bytes]:
    """Run a program without input to its end, or to that of the time of the code.

    Its output and its errors are together if it ``joins_errors``. Raises OSError where it cannot be
    started.
    """
    from subprocess import DEVNULL, PIPE, STDOUT, CompletedProcess, Popen, TimeoutExpired

    errors = STDOUT if joins_errors else PIPE
    process = Popen(command, shell=is_shell, stdin=DEVNULL, stdout=PIPE, stderr=errors)
    with process:
        try:
            while True:
                try:
                    output, said = process.communicate(
                        timeout=None if time_left() is None else WAIT
                    )
                    return CompletedProcess(process.args, process.returncode, output, said)
                except TimeoutExpired:
                    continue
        except BaseException:
            process.kill()
            raise
