"""Functions of stdlib that need programs or libraries outside: validations, a debugger, time."""

from __future__ import annotations

import re
import time as clock

from puppet_repl.base.browser import IN_BROWSER
from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.programs import run_in_time
from puppet_repl.language.functions.stdlib.declaring import stdlib_function, stdlib_legacy_function
from puppet_repl.language.values.ruby import no_conversion, no_method, ruby_inspect, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_PLACE = re.compile(r"\s%(\s|$)", re.MULTILINE)


@stdlib_legacy_function(
    "validate_cmd",
    "String $content, String $command, String $message?",
    returns="Undef",
    examples=(
        "validate_cmd('x')  # error: Evaluation Error: Error while evaluating a Function Call, "
        "validate_cmd(): wrong number of arguments (1; must be 2 or 3)",
    ),
    counts=False,
)
def validate_cmd(values: tuple[Value, ...], *, context: Context) -> None:
    """Stop with an error if a program does not accept a text.

    The program gets the path of a file with that text, at the place of a ``%`` in the command or
    at its end. Programs run only in sessions that were started with that permission; in others the
    text is taken as it is, with a warning.

    @param content the text
    @param command the program, with a % where the path of the text goes
    @param message the message of the error
    """
    if len(values) not in (2, 3):
        raise RuntimeFailure(
            f"validate_cmd(): wrong number of arguments ({len(values)}; must be 2 or 3)"
        )
    content, command = values[:2]
    failed = f"validate_cmd(): failed to validate content with command {ruby_inspect(command)}"
    message = ruby_text(values[2]) if len(values) > 2 else failed
    if type(command) is not str:
        problem = no_conversion(command, "String").message
        raise RuntimeFailure(f"{message}\nTypeError {problem}")
    if not context.options.may_run_programs:
        remedy = "; start it with --allow-generate to permit it"
        if IN_BROWSER or context.options.hermetic:
            remedy = ""
        context.warn_once(
            "validate_cmd",
            "validate_cmd(): texts are not validated, because running programs is not allowed in "
            f"this session{remedy}",
        )
        return
    refused = _run(command, ruby_text(content))
    if refused is not None:
        raise RuntimeFailure(f"{message}\n{refused}")


def _run(command: str, content: str) -> str | None:
    """Run a command on a file with the content; return what went wrong, or None."""
    import tempfile

    with tempfile.NamedTemporaryFile("w", encoding="utf-8", prefix="validate_cmd") as file:
        file.write(content)
        file.flush()
        whole = command.replace("%", file.name) if _PLACE.search(command) else None
        whole = whole or f"{command} {file.name}"
        done = run_in_time(whole, is_shell=True)
    if done.returncode == 0:
        return None
    output = done.stdout.decode("utf-8", "replace")
    return f"Execution of '{whole}' returned {done.returncode}: {output}"


@stdlib_legacy_function(
    "validate_augeas",
    "String $content, String $lens, Array[String] $tests?, String $message?",
    returns="Undef",
    examples=(
        "validate_augeas('a', 'Passwd.lns')"
        "  # error: Evaluation Error: Error while evaluating a Function Call, "
        "validate_augeas(): this function requires the augeas feature. See "
        "http://docs.puppetlabs.com/guides/augeas.html#pre-requisites for how to activate it.",
    ),
    counts=False,
)
def validate_augeas(values: tuple[Value, ...]) -> NoReturn:
    """Stop with an error if a lens of Augeas does not accept a text.

    Augeas is a library for Ruby that is not available here, so this function always fails, as it
    does in Puppet without that library.

    @param content the text
    @param lens the name of the lens
    @param tests paths that must not exist in the tree
    @param message the message of the error
    """
    raise RuntimeFailure(
        "validate_augeas(): this function requires the augeas feature. See "
        "http://docs.puppetlabs.com/guides/augeas.html#pre-requisites for how to activate it."
    )


@stdlib_legacy_function(
    "pry",
    "Any *$arguments",
    returns="Undef",
    examples=(
        "pry()  # error: Evaluation Error: Error while evaluating a Function Call, "
        "pry(): Requires the 'pry' rubygem to use, but it was not found",
    ),
    counts=False,
)
def pry(values: tuple[Value, ...]) -> NoReturn:
    """Start the debugger pry, which is a library for Ruby that is not available here.

    @param arguments mean nothing
    """
    raise RuntimeFailure("pry(): Requires the 'pry' rubygem to use, but it was not found")


# The time


@stdlib_legacy_function(
    "time",
    "String $timezone?",
    returns="Integer",
    examples=("time() =~ Integer[1600000000]  # => true",),
    counts=False,
    versions=(8,),
)
def time_8(values: tuple[Value, ...]) -> int:
    """Return the seconds since 1970, which a time zone does not change.

    @param timezone the name of a time zone, which means nothing
    """
    if len(values) > 1:
        raise RuntimeFailure(f"time(): Wrong number of arguments given {len(values)} for 0 or 1")
    if values and type(values[0]) is not str and values[0] is not None and values[0] is not False:
        raise no_method("empty?", values[0])
    return int(clock.time())


@stdlib_function(
    "time",
    "Any *$args",
    returns="Integer",
    examples=("time() =~ Integer[1600000000]  # => true",),
    versions=(9,),
)
def time(*args: Value, context: Context) -> Value:
    """Call stdlib::time(), which warns that it is deprecated.

    @param args what stdlib::time() takes
    """
    return context.call_function("stdlib::time", args)
