"""Other programs that code runs and waits for."""

from __future__ import annotations

from puppet_repl.base.limited_threads import WAIT, time_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from subprocess import CompletedProcess


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
