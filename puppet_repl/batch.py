"""The machine interface: one JSON request a line in, one JSON answer a line out.

Requests and answers are described in tests/conformance/README.md; ``session`` names a session that
is kept between requests, without it every request has a fresh one. A line that cannot be read as a
request is answered with an error, never with silence.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from puppet_repl.errors import PuppetError, ValidationErrors
from puppet_repl.session import Options, Outcome, Session
from puppet_repl.syntax.source import Source

MODES = ("eval", "parse", "parse_only", "catalog", "epp")
DEFAULT_FACTS: dict[str, Any] = {
    "os": {
        "family": "Debian",
        "name": "Debian",
        "release": {"major": "12", "minor": "5", "full": "12.5"},
    },
    "kernel": "Linux",
    "networking": {"fqdn": "node.example.com", "hostname": "node", "ip": "10.0.0.1"},
}


def answer_lines(lines: Iterable[str]) -> Iterator[str]:
    """Answer each request of ``lines`` in turn."""
    sessions: dict[str, Session] = {}
    for line in lines:
        if line.strip():
            yield json.dumps(_answer_line(line, sessions), ensure_ascii=False)


def _answer_line(line: str, sessions: dict[str, Session]) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except ValueError as error:
        return {"id": None, "error": {"message": f"not a JSON request: {error}", "code": "REQUEST"}}
    if not isinstance(request, dict) or not isinstance(request.get("code"), str):
        return {
            "id": request.get("id") if isinstance(request, dict) else None,
            "error": {"message": "a request is an object with a text 'code'", "code": "REQUEST"},
        }
    return answer(request, sessions)


def answer(request: dict[str, Any], sessions: dict[str, Session] | None = None) -> dict[str, Any]:
    """Answer one request."""
    result: dict[str, Any] = {"id": request.get("id")}
    mode = request.get("mode") or "eval"
    if mode not in MODES:
        result["error"] = {"message": f"unknown mode '{mode}', expected one of {', '.join(MODES)}"}
        return result
    if mode in ("parse", "parse_only"):
        result.update(_parse(request["code"], validated=mode == "parse"))
        return result
    session = _session_of(request, sessions)
    if mode == "epp":
        outcome = session.render_epp(request["code"], request.get("params"))
    else:
        outcome = session.execute(request["code"], complete=mode == "catalog")
        if mode == "catalog" and outcome.error is None:
            outcome = session.finish_catalog(outcome)
    result.update(_describe(session, outcome, mode))
    return result


def _session_of(request: dict[str, Any], sessions: dict[str, Session] | None) -> Session:
    name = request.get("session")
    if name is not None and sessions is not None and name in sessions:
        return sessions[name]
    options = Options(
        modulepath=tuple(request.get("modulepath") or ()),
        environment=request.get("environment"),
        node=request.get("node"),
    )
    session = Session(options, facts=request.get("facts") or DEFAULT_FACTS)
    if name is not None and sessions is not None:
        sessions[name] = session
    return session


def _parse(code: str, *, validated: bool) -> dict[str, Any]:
    from puppet_repl.syntax.parser import parse
    from puppet_repl.syntax.pn import to_pn
    from puppet_repl.syntax.validate import validate

    logs: list[list[str]] = []
    answer: dict[str, Any] = {}
    try:
        program = parse(Source(code))
        logs.extend(["warning", w.message] for w in program.warnings)
        if validated:
            logs.extend([w.level, w.message] for w in validate(program))
        answer["pn"] = to_pn(program.body)
    except PuppetError as error:
        logs.extend(error_logs(error))
        answer["error"] = error_fields(error)
    if logs:
        answer["logs"] = logs
    return answer


def _without_place(text: str) -> str:
    """A message without the file and line at its end."""
    head, mark, place = text.rpartition(" (file: ")
    return head if mark and ", line: " in place and place.endswith(")") else text


def error_logs(error: PuppetError) -> list[list[str]]:
    """What Puppet logs for an error that stands for several."""
    if isinstance(error, ValidationErrors):
        return [[each.level, each.message] for each in error.reports]
    return []


def error_fields(error: PuppetError) -> dict[str, Any]:
    """The ``error`` of an answer."""
    return {
        "message": error.message,
        "line": error.line,
        "column": error.column,
        "code": error.code,
    }


def _describe(session: Session, outcome: Outcome, mode: str) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if outcome.logs:
        result["logs"] = [
            [level, _without_place(text)] for level, text in outcome.logs if level != "debug"
        ]
    if outcome.error is not None:
        result["error"] = error_fields(outcome.error)
        if isinstance(outcome.error, ValidationErrors):
            result["logs"].append(["err", outcome.error.message])
        return result
    if mode == "catalog":
        result["resources"] = outcome.resources
        result["edges"] = outcome.edges
        return result
    if mode == "epp":
        result["str"] = session.describe(outcome.value)["str"]
        return result
    result.update(session.describe(outcome.value))
    return result


def main(argv: list[str]) -> int:
    """``puppet-repl batch``: requests on standard input, answers on standard output."""
    if argv:
        print(
            "puppet-repl batch takes no arguments; it reads requests from its input",
            file=sys.stderr,
        )
        return 2
    for line in answer_lines(sys.stdin):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0
