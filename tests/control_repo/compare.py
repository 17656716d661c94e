"""The recorded answers of ``puppet lookup``, and those of ``puppet-repl lookup`` to the same."""

from __future__ import annotations

import contextlib
import difflib
import io
import json
import re
from pathlib import Path

import yaml

from puppet_repl.frontends.cli.lookup import main
from tests.environment.ruby.engine import ENGINE
from tests.recorded import Case, read

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.jsonl.gz"
DELIBERATE = HERE / "deliberate.json"

_FAILED = "Error: Could not run: "
_USAGE = re.compile(
    f"{_FAILED}(No keys were given|The --merge option|The options --knock-out|Unknown rendering)"
)
# What is printed here in addition: warnings of empty interpolations, and where facts come from.
_ADDITIONS = re.compile(r"(Warning: Nothing for |Info: The facts are ).*\n")


def cases() -> dict[str, Case]:
    """Return the recorded cases by name: the environment and the arguments."""
    return {name_of(case): case for case in read(RECORDED)}


def name_of(case: Case) -> str:
    """Return the name of a case."""
    return " ".join([case["environment"], *map(repr, case["arguments"])])


def deliberate() -> dict[str, Case]:
    """Return what differs on purpose, by the names of the cases.

    Each has a "reason", the "status", and what "output" or "errors" contain.
    """
    known: dict[str, Case] = json.loads(DELIBERATE.read_text("utf-8"))
    return known


def command_line(case: Case) -> list[str]:
    """Return the arguments for ``puppet-repl lookup``; paths are relative to this directory."""
    trusted = [f"--trusted={name}={value}" for name, value in case.get("trusted", {}).items()]
    return [
        *case["arguments"],
        "--environment=" + str(HERE / "environments" / case["environment"]),
        "--hiera-config=" + str(HERE / "global" / "hiera.yaml"),
        f"--ruby={ENGINE}",
        *trusted,
    ]


def answer(case: Case) -> Case:
    """Return the answer to a case, as it was recorded. The current directory has to be this one."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        status = main(command_line(case))
    shown = [text.getvalue().replace(str(HERE), "<repository>") for text in (output, errors)]
    return {"status": status, "output": shown[0], "errors": shown[1]}


def _form(case: Case, output: str) -> object:
    """Return an output as it is compared.

    In explanations as YAML, Ruby writes what it has twice in memory as an alias.
    """
    if {"yaml", "--explain"} <= {*case["arguments"]}:
        return json.dumps(yaml.load(output, yaml.BaseLoader))
    return output


def differences(case: Case, got: Case) -> list[str]:
    """Return in what an answer differs from Puppet's, one line each."""
    found = []
    # Wrong usage ends with 1 in Puppet, and with 2 here, as in all subcommands.
    status = 2 if _USAGE.match(case["errors"]) else case["status"]
    if got["status"] != status:
        found.append(f"status: expected {status}, got {got['status']}")
    if _form(case, case["output"]) != _form(case, got["output"]):
        expected_lines, lines = case["output"].splitlines(), got["output"].splitlines()
        found += difflib.unified_diff(expected_lines, lines, "expected", "got", n=1, lineterm="")
    expected, errors = case["errors"], _ADDITIONS.sub("", got["errors"])
    if expected.startswith(_FAILED):
        # Here the location stands behind the message, and the line of code below it.
        message = expected.removeprefix(_FAILED).split("\n")[0]
        if not errors.startswith(f"Error: {message}"):
            found.append(f"errors: expected {message!r}, got {errors!r}")
    elif case["status"]:
        # Puppet does not say why there is no value; here an error does, behind the warnings.
        if not errors.startswith(f"{expected}Error: "):
            found.append(f"errors: expected an error behind {expected!r}, got {errors!r}")
    elif errors != expected:
        found.append(f"errors: expected {expected!r}, got {errors!r}")
    return found
