"""The command line ``puppet-repl``: dispatch to its subcommands, a program or the prompt.

Exit status: 0 when all went well, 1 when Puppet code was refused or failed, 2 when the command
line or a file could not be used, 130 after an interrupt, 0 if the reader of the output has closed
it (``| head -1``).
"""

from __future__ import annotations

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper

from puppet_repl.base.memory import ExtraMemory
from puppet_repl.base.recursion import allow_long_integers
from puppet_repl.base.safe_text import to_wire, visible, visible_lines
from puppet_repl.base.unraisable import keep_interrupts
from puppet_repl.base.wording import failure_with_file, listed, why_unusable
from puppet_repl.environment.modules.checkout import options_file_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from _typeshed import ReadableBuffer

    from puppet_repl.frontends.cli.arguments import MainParser

INTERRUPTED = 130
# Subcommands that end with 1 for findings, and with 2 for errors.
_STATUS_2 = ("compile", "diff", "doctest", "format", "parse", "reference", "validate")


def main(argv: list[str] | None = None) -> int:
    """Run the command line, that of the process if none is given; return the exit status."""
    try:
        return _dispatch(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return INTERRUPTED


def main_of_process() -> int:
    """Run the command line in a process that ends with it; see ``puppet_repl.frontends.cli``."""
    import gc

    # A run of one program is short: collecting garbage would cost more than it frees.
    gc.disable()
    keep_interrupts()
    try:
        prepare_streams()
        allow_long_integers()
        status = _guarded(sys.argv[1:])
    except KeyboardInterrupt:  # while the output was written
        status = INTERRUPTED
    if status == INTERRUPTED:
        _ignore_interrupts()  # one is enough, also while Python ends
        # What the interrupt hit may have been written, and would be written again.
        drop_output()
    gc.freeze()
    if not _is_awaited():
        _flush_errors()  # the output is written already
        os._exit(status)
    return status


def _is_awaited() -> bool:
    """Return whether other code waits for the end of Python, not only of the process.

    Otherwise the tear-down of modules is skipped: it takes a tenth of the time of ``-e 1``. Code
    with exit functions has imported atexit; tracers, profilers and ``python -i`` have not.
    """
    monitoring = getattr(sys, "monitoring", None)
    return (
        not sys.modules.keys().isdisjoint(("atexit", "threading"))
        or sys.gettrace() is not None
        or sys.getprofile() is not None
        or bool(sys.flags.inspect)
        or (monitoring is not None and any(map(monitoring.get_tool, range(6))))
    )


def _guarded(arguments: list[str]) -> int:
    """Run the command line; report any failure in a line."""
    status = 0
    try:
        try:
            status = main(arguments)
        finally:
            if status != INTERRUPTED:
                sys.stdout.flush()
        return status
    except OutputError as error:
        return _without_output(str(error), error.error, arguments)
    except OSError as error:  # of the error output, or of a terminal that is gone
        return _without_output(failure_with_file(error), error, arguments)
    except Exception as error:
        with ExtraMemory():
            from puppet_repl.base.defect import print_traceback
            from puppet_repl.base.stops import stop_message

            print_traceback(error)
            return _failed(stop_message(error), arguments)


def _failed(message: str, arguments: list[str]) -> int:
    """Print an error; return the exit status."""
    _tell(f"Error: {visible_lines(message)}")
    return _status_of_trouble(arguments)


def _tell(text: str) -> None:
    """Print a line to the error output, where that is possible."""
    try:
        print(text, file=sys.stderr)
    except OSError:
        return


def _flush_errors() -> None:
    """Write what the error output holds back, where that is possible."""
    try:
        sys.stderr.flush()
    except OSError:
        return


def _status_of_trouble(arguments: list[str]) -> int:
    # Options may come before the subcommand. A broken parser is one of the defects.
    early = bool(arguments) and arguments[0].startswith("--")
    words = arguments if early else arguments[:1]
    return 1 if set(_STATUS_2).isdisjoint(words) else 2


def _take_interrupts() -> None:
    """Let interrupts raise KeyboardInterrupt again; see ``puppet_repl.frontends.cli``."""
    signals = sys.modules["_signal"]
    if signals.getsignal(signals.SIGINT) == signals.SIG_DFL:
        signals.signal(signals.SIGINT, signals.default_int_handler)


def _ignore_interrupts() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _without_output(message: str, error: OSError, arguments: list[str]) -> int:
    """Say that the output cannot be written, unless nobody reads it; return the exit status."""
    unread = isinstance(error, BrokenPipeError)
    if not unread:
        _tell(f"puppet-repl: {visible(message)}")
    drop_output()
    if unread:
        return 0
    return _status_of_trouble(arguments)


def _is_text(code: str) -> bool:
    """Tell whether an argument was UTF-8; Python keeps other bytes as lone surrogates."""
    return code.isascii() or to_wire(code) == code


def _dispatch(arguments: list[str]) -> int:
    if (
        len(arguments) == 2
        and arguments[0] == "-e"
        and _is_text(arguments[1])
        and options_file_here() is None
    ):
        # The fast path: no argument parser is imported for two words. The engine is imported here
        # and not above, when the collection of garbage is off.
        from puppet_repl.frontends.cli.program import host_of_program, run_program

        host = host_of_program()
        _take_interrupts()
        return run_program(arguments[1], None, host)
    from puppet_repl.frontends.cli.arguments import SUBCOMMANDS, make_parser, with_profile

    arguments = with_profile(arguments)

    if arguments[:1] == ["help"] and not os.path.exists("help"):
        of_command = [word for word in arguments[1:2] if word in SUBCOMMANDS]
        arguments = [*of_command, "--help"]
    parser = make_parser()
    given = _with_command_first(parser, arguments)
    if given is not None:
        module = _module_of(given[0])
        _take_interrupts()
        status: int = module.main(given if given[0] in ("parse", "validate") else given[1:])
        return status
    from puppet_repl.frontends.cli.invocation import run

    _refuse_early_options(parser, arguments)
    given_options = parser.parse_args(arguments)
    _take_interrupts()
    return run(given_options)


def _module_of(command: str) -> Any:
    from importlib import import_module

    from puppet_repl.frontends.cli.arguments import SUBCOMMANDS

    return import_module(SUBCOMMANDS[command][0])


def _options_of(command: str) -> Collection[str]:
    """Return the names of the options that a subcommand has."""
    names: Collection[str] = _module_of(command).make_parser(command)._option_string_actions
    return names


def _with_command_first(parser: MainParser, arguments: list[str]) -> list[str] | None:
    """Return a command line with its subcommand as the first word, None without one.

    Options before the subcommand move to after it. An unknown one ends with an error.
    """
    found = parser.subcommand(arguments)
    if found is None:
        return None
    name, early, rest = found
    if not early:
        return arguments
    from puppet_repl.frontends.cli.arguments import with_profile

    known = _options_of(name)
    ordered = with_profile([name, *rest])
    ordered[1:1] = [word for flag, words in early if flag in known for word in words]
    strange = list(dict.fromkeys(flag for flag, _ in early if flag not in known))
    if strange:
        parser.prog += f" {name}"
        works = _shell_words(ordered)
        parser.error(f"{name} does not take {listed(strange)}; without: {works}")
    return ordered


def _refuse_early_options(parser: MainParser, arguments: list[str]) -> None:
    """End with an error if an option that only a subcommand has comes before the subcommand."""
    from puppet_repl.frontends.cli.arguments import SUBCOMMANDS

    name = next((word for word in arguments if word in SUBCOMMANDS), None)
    if name is None:
        return
    _, unknown = parser.parse_known_args(arguments)
    if unknown and unknown[0].partition("=")[0] in _options_of(name):
        at = arguments.index(name)
        works = _shell_words([name, *arguments[:at], *arguments[at + 1 :]])
        parser.error(f"the options of a command come after it: {works}")


def _shell_words(arguments: list[str]) -> str:
    from shlex import join

    return join(["puppet-repl", *arguments])


# What the encoding of the output cannot write becomes an escape, as on the error output.
_ERRORS = "backslashreplace"


class OutputError(Exception):
    """The standard output cannot be written; ``error`` is that of the system.

    It is not an OSError: handlers of those are for files that a user has named.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(f"cannot write the output: {why_unusable(error)}")
        self.error = error


class _Output(FileIO):
    """The standard output, with its own type of error."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError(error) from None


def prepare_streams() -> None:
    """Make the standard streams usable; writing to the output then raises OutputError.

    Python has None for a stream that the caller has closed (``puppet-repl <&-``). It is replaced,
    so that no other file gets its number. Reading or writing it is an error, except for the error
    output, which is discarded.
    """
    for stream, mode, access in (
        ("stdin", "r", os.O_WRONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, stream) is None:
            null = os.open(os.devnull, access)
            setattr(sys, stream, os.fdopen(null, mode, encoding="utf-8", closefd=False))
    output = sys.__stdout__ or sys.stdout
    if isinstance(output, TextIOWrapper):
        output.reconfigure(errors=_ERRORS)
    if isinstance(output, TextIOWrapper) and output is sys.stdout and not output.isatty():
        output.flush()
        sys.stdout = TextIOWrapper(
            BufferedWriter(_Output(output.fileno(), "w", closefd=False)),
            encoding=output.encoding,
            errors=_ERRORS,
            line_buffering=output.line_buffering or output.write_through,
            write_through=output.write_through,
        )


def drop_output() -> None:
    """Discard all output that is not written yet."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(null, stream.fileno())
    os.close(null)
