"""The command line: ``puppet-repl``.

Exit status: 0 when all went well, 1 when Puppet code was refused or failed, 2 when the command
line or a file could not be used.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from puppet_repl.frontend.host import Host
    from puppet_repl.session import Options

FAILED = 1
USAGE = 2
MIN_MEMORY = 16 << 20
PROGRAM = "puppet-repl"
STRICTNESS = ("error", "warning", "off")

SUBCOMMANDS = {
    "batch": ("puppet_repl.cli.batch", "answer JSON requests, one a line"),
    "parse": ("puppet_repl.cli.syntax_commands", "print syntax trees"),
    "validate": ("puppet_repl.cli.syntax_commands", "check files for errors"),
    "doctest": ("puppet_repl.doctest", "run the Puppet examples in documents"),
    "kernel": ("puppet_kernel.install", "install the Jupyter kernel"),
    "completion": ("puppet_repl.cli.shell_completion", "print completion for bash, zsh or fish"),
}

EPILOG = """\
examples:
  puppet-repl                              open the prompt
  puppet-repl -e '[1, 2].map |$x| { $x * 2 }'
  puppet-repl site.pp                      run a manifest
  echo '1 + 1' | puppet-repl               run what is piped in
  puppet-repl --facts rocky-9 -e '$facts["os"]["family"]'
  puppet-repl validate manifests/*.pp      check files
  puppet-repl -e ':doc split'              run a command of the prompt

files (below ~/.config and ~/.local/share, or where the system keeps such files):
  puppet-repl/config.toml                  settings, written by :set NAME VALUE --save
  puppet-repl/startup.pp                   Puppet code that is run before the first input
  puppet-repl/history                      earlier inputs of all sessions

environment:
  NO_COLOR                                 no colours
  TERM=dumb                                plain lines, as with --plain
  VISUAL, EDITOR                           the editor of :edit and Ctrl-X Ctrl-E
  PAGER                                    the pager for what is taller than the screen

exit status:
  0  all went well     1  code was refused or failed     2  wrong usage, unreadable file

other commands (each with --help):
"""


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    if argv is None:
        return _main_of_process()
    try:
        return _dispatch(argv)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _main_of_process() -> int:
    """Run the command line in a process that ends with it."""
    import gc

    # A run of one program is short: collecting garbage would cost more than it frees.
    gc.disable()
    try:
        return main(sys.argv[1:])
    finally:
        gc.freeze()


def _dispatch(arguments: list[str]) -> int:
    if len(arguments) == 2 and arguments[0] == "-e":
        # The fast path: no argument parser is imported for two words.
        return _run_text(arguments[1], None, _host())
    if arguments and arguments[0] in SUBCOMMANDS:
        from importlib import import_module

        module = import_module(SUBCOMMANDS[arguments[0]][0])
        given = arguments if arguments[0] in ("parse", "validate") else arguments[1:]
        status: int = module.main(given)
        return status
    return _run(make_parser().parse_args(arguments))


def make_parser() -> ArgumentParser:
    """Return the parser of a command line without a subcommand."""
    import argparse

    listing = "".join(
        f"  puppet-repl {name:12} {text}\n" for name, (_, text) in SUBCOMMANDS.items()
    )
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Evaluate Puppet 8 code: at a prompt, from a file, or from a pipe.",
        epilog=EPILOG + listing,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", metavar="FILE.pp", help="a manifest to run, - for input")
    add_options(parser)
    return parser


def add_options(parser: ArgumentParser) -> None:
    """Add the options of a command line without a subcommand."""
    from puppet_repl.version import __version__

    parser.add_argument("-e", metavar="CODE", dest="code", help="evaluate CODE and print its value")
    parser.add_argument(
        "--modulepath", metavar="DIRS", help="directories of modules, joined by ':'"
    )
    parser.add_argument(
        "--environment", metavar="DIR", help="an environment (environment.conf, ...)"
    )
    parser.add_argument(
        "--facts", metavar="FILE", help="facts from a JSON or YAML file, or the name of a set"
    )
    parser.add_argument("--node", metavar="NAME", help="the name of the node")
    parser.add_argument(
        "--stubs",
        metavar="FILE",
        action="append",
        help="Puppet functions that replace functions written in Ruby",
    )
    parser.add_argument(
        "--strict",
        choices=STRICTNESS,
        help="Puppet's setting strict: how doubtful code is reported (default: error)",
    )
    parser.add_argument("--allow-generate", action="store_true", help="let generate() run programs")
    parser.add_argument(
        "--max-memory",
        type=_size,
        default=1 << 30,
        metavar="SIZE",
        help="memory limit of Puppet code: 512M, 2G",
    )
    parser.add_argument("--plain", action="store_true", help="a line mode without a full screen")
    parser.add_argument("--no-color", action="store_true", help="no colours")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")


def _size(text: str) -> int:
    from argparse import ArgumentTypeError

    scale = {"K": 10, "M": 20, "G": 30}.get(text[-1:].upper())
    digits = text[:-1] if scale else text
    if not digits.isdigit():
        raise ArgumentTypeError(f"not a size: '{text}' (expected a number, with K, M or G)")
    size = int(digits) << (scale or 0)
    if size < MIN_MEMORY:
        raise ArgumentTypeError(f"{text} is too little: at least {MIN_MEMORY >> 20}M are needed")
    return size


def _options(given: Namespace) -> Options:
    import os

    from puppet_repl.session import Options

    path = given.modulepath.split(os.pathsep) if given.modulepath else []
    return Options(
        strict=given.strict or "error",
        allow_generate=given.allow_generate,
        max_memory=given.max_memory,
        modulepath=tuple(path),
        environment=given.environment,
        node=given.node,
        stubs=tuple(given.stubs or ()),
    )


def _paths_problem(given: Namespace) -> str | None:
    """Return what is wrong with the files and directories that options name, None if nothing is.

    A directory of modules may be missing, as in Puppet; that is only a warning.
    """
    import os

    if given.environment and not os.path.isdir(given.environment):
        return f"--environment: {given.environment} is not a directory"
    for path in given.stubs or ():
        if not os.path.isfile(path):
            return f"--stubs: there is no file {path}"
    for path in (given.modulepath or "").split(os.pathsep):
        if path and not os.path.isdir(path):
            _usage(f"--modulepath: {path} is not a directory and is ignored")
    return None


def _run(given: Namespace) -> int:
    problem = _paths_problem(given)
    if problem is not None:
        return _usage(problem)
    facts = None
    if given.facts:
        from puppet_repl.environment.facts import FactsError, load_facts

        try:
            facts = load_facts(given.facts)
        except FactsError as error:
            return _usage(str(error))
    if given.code is not None and given.file is not None:
        return _usage("give either -e CODE or a file, not both")
    if given.code is not None:
        return _run_text(given.code, None, _host(given, facts), color=not given.no_color)
    if given.file is not None and given.file != "-":
        text = _read_file(given.file)
        if text is None:
            return USAGE
        return _run_text(text, given.file, _host(given, facts), color=not given.no_color)
    if given.file == "-" or not sys.stdin.isatty():
        return _run_text(_read_input(), None, _host(given, facts), color=not given.no_color)
    return _open_prompt(given, facts)


def _host(given: Namespace | None = None, facts: dict[str, object] | None = None) -> Host:
    """Make the host of one program that is run: every log message is shown."""
    from puppet_repl.frontend.host import Host

    options = None if given is None else _options(given)
    return Host(options, facts=facts, overrides={"log_level": "debug"})


def _open_prompt(given: Namespace, facts: dict[str, object] | None) -> int:
    from puppet_repl.base.memory import tune_process
    from puppet_repl.frontend.host import Host
    from puppet_repl.terminal import run_terminal

    tune_process(given.max_memory)
    overrides = {} if given.strict is None else {"strict": given.strict}
    host = Host(_options(given), facts=facts, overrides=overrides)
    host.read_user_files()
    return run_terminal(host, plain=given.plain, color=not given.no_color)


def _usage(message: str) -> int:
    print(f"puppet-repl: {message}", file=sys.stderr)
    return USAGE


def _read_file(path: str) -> str | None:
    """Return the text of a file; None after printing why it cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        _usage(f"cannot read {path}: {error.strerror or error}")
        return None
    return _decode(data, path)


def _decode(data: bytes, path: str) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8")) + 1
        _usage(f"invalid UTF-8 (file: {path}, line: {line}, column: {column})")
        return None


def _read_input() -> str:
    text = _decode(sys.stdin.buffer.read(), "standard input")
    if text is None:
        sys.exit(USAGE)
    return text


def _run_text(
    text: str,
    name: str | None,
    host: Host,
    *,
    color: bool = True,
) -> int:
    """Run one program: logs go to standard error as they come, the value to standard output."""
    from puppet_repl.base.memory import ExtraMemory, clear_frames, tune_process
    from puppet_repl.session import NOTHING

    session = host.session
    host.show_logs(_show_log(color=color))
    tune_process(session.options.max_memory)
    if name is None and text.lstrip()[:1] in (":", "%"):
        from puppet_repl.commands import is_command

        if is_command(text):
            return _run_command(host, text, color=color and _colored(sys.stdout))
    outcome = session.run_site() or session.execute(text, name)
    if outcome.error is not None:
        with ExtraMemory():
            from puppet_repl.render.diagnostics import error_text

            shown = error_text(outcome.error, text=text, color=color and _colored(sys.stderr))
            sys.stderr.write(shown.rstrip("\n") + "\n")
        return FAILED
    if outcome.value is not NOTHING and outcome.value is not None:
        from puppet_repl.render.values import value_text

        try:
            shown = value_text(outcome.value, color=color and _colored(sys.stdout))
        except MemoryError as error:
            clear_frames(error)
            print("Error: Memory limit exceeded (see --max-memory)", file=sys.stderr)
            return FAILED
        sys.stdout.write(shown + "\n")
    return 0


def _run_command(host: Host, text: str, *, color: bool) -> int:
    """Run a command of the prompt: ``puppet-repl -e ':doc split'``."""
    from puppet_repl.commands import run
    from puppet_repl.render.fragments import ansi, plain
    from puppet_repl.render.report import render_report

    report = run(host.session, text, host)
    fragments = render_report(report)
    shown = ansi(fragments) if color else plain(fragments)
    if shown:
        (sys.stderr if report.failed else sys.stdout).write(shown + "\n")
    return FAILED if report.failed else 0


def _show_log(*, color: bool) -> Callable[[str, str], None]:
    def show(level: str, message: str) -> None:
        from puppet_repl.render.logs import log_line

        sys.stdout.flush()
        sys.stderr.write(log_line(level, message, color=color and _colored(sys.stderr)) + "\n")

    return show


def _colored(stream: object) -> bool:
    import os

    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty() and not os.environ.get("NO_COLOR"))
