"""The same program in each front end, in long-lived processes or sessions."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from puppet_repl.frontends.cli import main as command_line
from puppet_repl.frontends.cli.batch import answer
from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.session.debugging.debugger import Debugger
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.values import render_value
from tests.differential.answers import FACTS, Answer, answer_of, catalog_text, of_session
from tests.differential.relations import (
    Pair,
    Relation,
    Trial,
    has_catalog,
    has_value,
    is_plain,
    is_plain_with_value,
)

__all__ = ["FRONT_ENDS", "OTHER_PYTHON"]

_NAME = re.compile(r'"name": "[^"]*", "code_id"')


def of_reply(reply: dict[str, Any]) -> Answer:
    """Return the answer in a reply of batch."""
    error = reply.get("error")
    return Answer(
        reply.get("value"),
        reply.get("str"),
        reply.get("type"),
        logs=tuple((level, text) for level, text in reply.get("logs", ())),
        error=error and (error["message"], error.get("line"), error.get("column")),
        catalog=catalog_text(reply["document"]) if "document" in reply else None,
    )


def batch(trial: Trial) -> Iterator[Pair]:
    """A process with another seed of its hashes, which has run all programs before."""
    has_catalog = trial.program.has_resources
    request: dict[str, Any] = {"code": trial.program.text, "facts": FACTS}
    if has_catalog:
        request |= {"mode": "catalog", "document": True}
    expected = trial.base
    if has_catalog:  # the catalog is all of the answer
        expected = expected._replace(value=None, text=None, type=None)
    elif expected.error is None and not has_catalog:
        reply = trial.workshop.batch({**request, "session": "one"})
        yield expected.without_deprecations, of_reply(reply).without_deprecations
    yield expected, of_reply(trial.workshop.batch(request))


def kernel(trial: Trial) -> Iterator[Pair]:
    """A kernel that is reset before."""
    yield _shown(trial), _of_cell(*trial.workshop.cell(trial.program.text))


def other_python(trial: Trial) -> Iterator[Pair]:
    """Another Python, in WebAssembly: Pyodide under Node.js."""
    request: dict[str, Any] = {"code": trial.program.text, "facts": FACTS}
    if trial.program.has_resources:
        request |= {"mode": "catalog", "document": True}
    yield of_reply(answer(request)), of_reply(trial.workshop.other_python(request))


def compiled(trial: Trial) -> Iterator[Pair]:
    """``puppet-repl compile`` for three nodes, by one process and by two."""
    directory = trial.workshop.directory
    names = directory / "nodes"
    names.write_text("a\nb\nc\n", encoding="utf-8")
    arguments = ["compile", "--quiet", "--format", "ndjson", "--facts", FACTS, "--stdlib", "off"]
    arguments += ["--nodes", os.fspath(names), "-e", trial.program.text]
    for jobs in ("1", "2") if trial.random.random() < 0.2 else ("1",):
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        errors = io.StringIO()
        with redirect_stdout(output), redirect_stderr(errors):
            status = command_line([*arguments, "--jobs", jobs])
        output.seek(0)
        found = [Answer(catalog=catalog_text(json.loads(line))) for line in output]
        assert (status, len(found)) == (0, 3), errors.getvalue()
        for each in found:
            yield Answer(catalog=trial.base.catalog).mapped(_unnamed), each.mapped(_unnamed)


def _unnamed(text: str) -> str:
    return _NAME.sub('"name": "", "code_id"', text)


def _of_cell(reply: dict[str, Any], sent: list[dict[str, Any]]) -> Answer:
    if reply["status"] == "error":
        return Answer(error=(reply["evalue"].split("\n")[0], None, None))
    results = [
        each["content"]["data"]["text/plain"] for each in sent if each["type"] == "execute_result"
    ]
    return Answer(text="".join(results))


def _shown(trial: Trial) -> Answer:
    """Return the answer with the text of the value as front ends show it."""
    base = trial.base
    if base.error is not None:
        return Answer(error=(base.error[0].split("\n")[0], None, None))
    session = Session(facts=FACTS)
    value = session.execute(trial.program.text).value
    return Answer(text=plain(render_value(value)))


def line_mode(trial: Trial) -> Iterator[Pair]:
    """The prompt reads the program line by line; the value is shown when it is complete."""
    host = Host(Options(), facts=trial.session.facts)
    output = io.StringIO()
    lines = io.StringIO(trial.program.text + ":quit\n")
    LineMode(host, lines, output).run()
    last = host.session.inputs[-1] if host.session.inputs else None
    assert last is not None, output.getvalue()
    found = answer_of(host.session, last[2], (), has_catalog=False)
    yield trial.base._replace(logs=()), found


def saved_and_loaded(trial: Trial) -> Iterator[Pair]:
    """The inputs of a session are saved, and loaded into another one, where the result is asked."""
    program = trial.program
    host, facts = Host(Options(), facts=trial.session.facts), trial.session.facts
    *parts, last = program.split(trial.random)
    for text in parts:
        host.session.execute(text)
    if not host.session.inputs:
        return
    for ending in (".pp", ".ipynb"):
        path = trial.workshop.directory / f"saved{ending}"
        _command(host, f":save! {path}")
        other = Host(Options(), facts=facts)
        _command(other, f":load {path}")
        found = of_session(other.session, [last], has_catalog=program.has_resources)
        expected = trial.base._replace(logs=())
        if program.has_resources:  # bodies of defines ran earlier
            expected, found = expected._replace(catalog=None), found._replace(catalog=None)
        yield expected, found._replace(logs=())


def _command(host: Host, text: str) -> None:
    from puppet_repl.frontends.commands import run

    report = run(host.session, text, host)
    assert not report.failed, (text, report.parts)


def command(trial: Trial) -> Iterator[Pair]:
    """A file and the option -e, in this process."""
    path = trial.workshop.directory / "program.pp"
    path.write_text(trial.program.text, encoding="utf-8")
    for arguments in (["-e", trial.program.text], [os.fspath(path)]):
        options = ["--facts", FACTS, "--stdlib", "off", "--format", "puppet"]
        output, errors = io.StringIO(), io.StringIO()
        with redirect_stdout(output), redirect_stderr(errors):
            status = command_line([*options, *arguments])
        expected = _shown(trial)
        if status != 0:
            assert expected.error is not None, errors.getvalue()
            is_told = expected.error[0] in errors.getvalue()
            yield expected, expected if is_told else Answer(text=errors.getvalue())
        else:
            yield expected, Answer(text=output.getvalue().rstrip("\n"))


def stepped(trial: Trial) -> Iterator[Pair]:
    """Random steps through the program, and expressions that are evaluated where it stops."""
    session = trial.session
    stops = 0

    def look() -> None:
        nonlocal stops
        stops += 1
        stack = debugger.stack
        assert stack is not None
        if trial.random.random() < 0.3:
            stack.evaluate("[1, 2].map |$x| { $x + 1 }")
        debugger.resume(trial.random.choice(("in", "over", "out", "in")) if stops < 60 else "")

    debugger = Debugger(session, look)
    session.on_break = debugger.stop_here
    debugger.start()
    try:
        outcome = session.execute("debug::break()\n" + trial.program.text)
    finally:
        debugger.end()
    assert stops > 0 or outcome.error is not None
    logs = outcome.logs
    found = answer_of(session, outcome, logs, has_catalog=trial.program.has_resources)
    yield trial.base, found


FRONT_ENDS: list[Relation] = [
    Relation("batch", batch),
    Relation("kernel", kernel, is_plain),
    Relation("line mode", line_mode, is_plain_with_value),
    Relation("saved and loaded", saved_and_loaded, has_value),
    Relation("command line", command, is_plain),
    Relation("compile", compiled, has_catalog, compares_locations=True),
    Relation("stepped", stepped),
]
# Where the engine can run in it; make test-pyodide installs what it needs.
OTHER_PYTHON = Relation("other Python", other_python, compares_locations=True)
