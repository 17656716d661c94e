"""The machine interface: one JSON request a line in, one JSON answer a line out.

Requests and answers are described in docs/machine-interface.md; ``session`` names a session that
is kept between requests, without it every request has a new one. Every line that is not empty gets
an answer; one that is not a request gets an error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from puppet_repl.base.deadline import time_limit
from puppet_repl.base.defect import print_traceback
from puppet_repl.base.differences import is_warning_of_difference
from puppet_repl.base.errors import (
    NO_MEMORY,
    NO_TIME,
    PuppetError,
    Report,
    TimeLimitExceeded,
    ValidationErrors,
)
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.memory import ExtraMemory, tune_process
from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.base.stops import stop_code, stop_message
from puppet_repl.catalog.exports_file import ExportsError
from puppet_repl.catalog.json import check_numbers, contents, document
from puppet_repl.environment.facts.facts import FactsError
from puppet_repl.frontends.cli.batch_options import (
    further_keys,
    is_compiled_by_server,
    key_problem,
    session_problem,
)
from puppet_repl.frontends.cli.batch_schemas import KINDS, schema
from puppet_repl.frontends.cli.batch_sessions import Sessions
from puppet_repl.frontends.cli.invocation import refuse
from puppet_repl.frontends.cli.program_source import UnreadableError, input_lines
from puppet_repl.host.argument_parser import ArgumentParser, count_of
from puppet_repl.host.session_options import add_options
from puppet_repl.language.compiler.locations import stopped
from puppet_repl.language.runtime.options import MAX_MEMORY
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.pn import to_pn
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Outcome, Session

# The code of a line that is refused before any program runs.
_REFUSAL = "REQUEST"
MODES = ("eval", "parse", "parse_only", "catalog", "epp")


class _Refused(Exception):
    """A line is not a request; the message says why."""


def answer_lines(
    lines: Iterable[str | bytes],
    *,
    hermetic: bool = False,
    max_memory: int = MAX_MEMORY,
    max_seconds: float | None = None,
    max_sessions: int | None = None,
    cache: bool = True,
) -> Iterator[str]:
    """Yield the answer to each request of ``lines``; bytes are UTF-8.

    With ``hermetic`` the sessions of all requests are so. ``max_memory`` is the limit that the
    process has, in bytes, ``max_seconds`` that of the time of a request that names none,
    ``max_sessions`` that of the sessions with a name, ``cache`` the option of that name.
    """
    sessions = Sessions(
        hermetic=hermetic, max_memory=max_memory, max_sessions=max_sessions, cache=cache
    )
    try:
        for line in lines:
            if line.strip():
                yield _answer_line(line, sessions, max_seconds)
                sessions.tidy()
    finally:
        sessions.close()


def _answer_line(line: str | bytes, sessions: Sessions, max_seconds: float | None) -> str:
    """Return the answer to a line as JSON: the caller waits for one, whatever goes wrong."""
    request: dict[str, Any] = {}
    checked: dict[str, Any] = {}
    try:
        request.update(_request_of(line))
        problem = _problem(request)
        if problem is not None:
            raise _Refused(problem)
        checked = request
        own = request.get("max_seconds")
        with time_limit(own or max_seconds, "max_seconds" if own else "--max-seconds"):
            return _json(_with_remarks(request, _attempts(request, sessions), sessions))
    except (_Refused, FactsError, ExportsError) as error:
        reply = _refused(request.get("id"), str(error))
    except TimeLimitExceeded as error:  # while the value was described
        code = "" if request.get("mode") == "epp" else request.get("code") or ""
        fields = error_fields(stopped(error, NO_TIME, Source(code)))
        reply = _with_remarks(request, {"id": request.get("id"), "error": fields}, sessions)
    except Exception as error:
        with ExtraMemory():
            print_traceback(error)
            reply = _failed(request, stop_message(error), stop_code(error))
            reply = _with_remarks(request, reply, sessions)
    finally:
        sessions.end_request(checked)
    try:
        return _json(reply)
    except (RecursionError, MemoryError):  # of the id, which may be anything
        return _json({**reply, "id": None})


def _json(reply: dict[str, Any]) -> str:
    return json.dumps(reply, ensure_ascii=False, allow_nan=False)


def _request_of(line: str | bytes) -> dict[str, Any]:
    """Return the request in a line; raise _Refused for any other line."""
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        request = read_json(text, keep_half_pairs=True)
    except (UnicodeDecodeError, JsonDataError) as error:
        raise _Refused(f"not a JSON request: {error}") from None
    if not isinstance(request, dict):
        raise _Refused("a request is an object with a string 'code'")
    try:
        json.dumps(request.get("id"), allow_nan=False)
    except ValueError:  # 1e999 is JSON, and infinite in Python
        raise _Refused("'id' has a number that is too large to be repeated") from None
    return request


def _attempts(request: dict[str, Any], sessions: Sessions) -> dict[str, Any]:
    """Return the answer to a request, of the second attempt where garbage was in its way."""
    reply = _attempt(request, sessions)
    if _lacks_memory(reply) and sessions.collect():
        reply = _attempt(request, sessions)
    if "error" in reply and reply["error"]["code"] != _REFUSAL:
        sessions.count_failure(request)
    return reply


def _with_remarks(
    request: dict[str, Any], reply: dict[str, Any], sessions: Sessions
) -> dict[str, Any]:
    """Add to an answer that its session is a new one, and which keys of the request mean nothing.

    The caller knows by the first whether the session of earlier requests has ended.
    """
    remarks: dict[str, Any] = {"new_session": True} if sessions.has_begun else {}
    ignored = further_keys(request)
    if ignored:
        remarks["ignored"] = ignored
    return reply | remarks


def _attempt(request: dict[str, Any], sessions: Sessions) -> dict[str, Any]:
    problem = sessions.problem(request)
    return _refused(request.get("id"), problem) if problem else answer(request, sessions)


def _lacks_memory(reply: dict[str, Any]) -> bool:
    """Tell whether a request was rolled back because memory had run out."""
    return "error" in reply and reply["error"]["code"] == NO_MEMORY


def _failed(request: dict[str, Any], message: str, code: str) -> dict[str, Any]:
    return {"id": request.get("id"), "error": {"message": message, "code": code}}


def _refused(number: object, message: str) -> dict[str, Any]:
    return {"id": number, "error": {"message": message, "code": _REFUSAL}}


def _problem(request: dict[str, Any]) -> str | None:
    """Return the problem of a request, or None."""
    problem = key_problem(request)
    if problem is not None:
        return problem
    is_site = request.get("mode") == "catalog" and request.get("environment")
    code = request.get("code", "" if is_site else None)
    if not isinstance(code, str) and not (is_site and code is None):
        return "a request is an object with a string 'code'"
    for field in ("mode", "session"):
        if not isinstance(request.get(field), str | None):
            return f"'{field}' has to be a string"
    if request.get("session") == "":
        return "'session' is a name, which cannot be empty"
    for field in ("document", "redacted"):
        if not isinstance(request.get(field), bool | None):
            return f"'{field}' has to be true or false"
    if not isinstance(request.get("params"), dict | None):
        return "'params' has to be an object"
    problem = session_problem(request)
    if problem is not None:
        return problem
    mode = request.get("mode") or "eval"
    if mode not in MODES:
        return f"unknown mode '{mode}', expected one of {', '.join(MODES)}"
    return None


def answer(request: dict[str, Any], sessions: Sessions | None = None) -> dict[str, Any]:
    """Return the answer to a request that has been checked."""
    result: dict[str, Any] = {"id": request.get("id")}
    mode = request.get("mode") or "eval"
    if mode in ("parse", "parse_only"):
        language = request.get("language") or DEFAULT_LANGUAGE
        result.update(_parse(request["code"], language, validated=mode == "parse"))
        return result
    sessions = sessions or Sessions()
    session = sessions.session_of(request)
    notes: list[str] = []
    session.log = lambda level, text: notes.append(text) if level == NOTE else None
    try:
        result.update(_run(session, request, mode))
        if notes:
            result["notes"] = notes
        if "error" not in result:
            sessions.keep_exports(request)
    finally:
        if request.get("session") is None:
            session.close()
    return result


def _run(session: Session, request: dict[str, Any], mode: str) -> dict[str, Any]:
    code: str = request.get("code") or ""
    # What a request of a session leaves to its end would be lost for those after it.
    is_complete = mode == "catalog" or request.get("session") is not None
    if mode == "epp":
        outcome = session.render_epp(code, request.get("params"), complete=is_complete)
    elif mode == "catalog" and (is_compiled_by_server(request) or not code):
        outcome = session.compile_site(code)
    else:
        outcome = session.execute(code, complete=is_complete)
    if mode == "catalog":
        outcome = session.finish_catalog(outcome)
    result = _describe(session, outcome, mode)
    if mode == "catalog" and outcome.error is None:
        try:
            _add_catalog(session, request, result, outcome)
        except PuppetError as error:
            return _describe(session, Outcome(logs=outcome.logs, error=error), mode)
    return result


def _add_catalog(
    session: Session, request: dict[str, Any], result: dict[str, Any], outcome: Outcome
) -> None:
    """Add what a request wants of the catalog beside its resources, which are checked."""
    catalog = session.catalog
    redacted = bool(request.get("redacted"))
    if redacted:
        result["resources"], result["edges"] = contents(catalog, redacted=True)
    check_numbers(result["resources"], catalog.tables.members)
    if request.get("document"):
        written = None if redacted else outcome.rows
        result["document"] = document(catalog, redacted=redacted, written=written)


def _parse(code: str, language: str, *, validated: bool) -> dict[str, Any]:
    source = Source(code)
    reports: Sequence[Report] = ()
    answer: dict[str, Any] = {}
    try:
        if validated:
            from puppet_repl.tools.validation.file import Choices
            from puppet_repl.tools.validation.manifests import checked

            program, reports = checked(source, Choices(language))
        else:
            program = parse(source)
            reports = program.warnings
        answer["pn"] = to_pn(program.body)
    except PuppetError as error:
        reports = error.reports or reports
        answer["error"] = error_fields(error)
    if reports:
        answer["logs"] = [_of_report(report) for report in reports]
    return answer


def _without_location(text: str) -> str:
    """Return a message as the attribute of Puppet's log, which has file, line and column apart.

    A warning of a difference, which Puppet does not have, keeps its location.
    """
    if is_warning_of_difference(text):
        return text
    for first, last in (("file", "line"), ("line", "column")):
        head, mark, location = text.rpartition(f" ({first}: ")
        if mark and f", {last}: " in location and location.endswith(")"):
            return head
    return text


def _of_report(report: Report) -> list[str]:
    return [report.level, _without_location(report.logged)]


def error_fields(error: PuppetError) -> dict[str, Any]:
    """Return the ``error`` of an answer; ``file`` only where the location is in a file."""
    fields: dict[str, Any] = {
        "message": error.message,
        "line": error.line,
        "column": error.column,
        "code": error.code,
    }
    if error.file is not None:
        fields["file"] = error.file
    return fields


def _describe(session: Session, outcome: Outcome, mode: str) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if outcome.logs:
        result["logs"] = [
            [level, _without_location(text)] for level, text in outcome.logs if level != "debug"
        ]
    if outcome.error is not None:
        result["error"] = error_fields(outcome.error)
        # The function that renders a template raises them, where they are logged otherwise.
        if isinstance(outcome.error, ValidationErrors) and mode != "epp":
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


def make_parser(name: str = "batch") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Read requests from standard input, one JSON object per line, and write "
        "one response per line to standard output.",
    )
    parser.add_argument("--hermetic", action="store_true", help="make every session hermetic")
    parser.add_argument("--schema", choices=KINDS, help="print the JSON schema of one of these")
    parser.add_argument(
        "--max-sessions",
        type=partial(count_of, "sessions"),
        metavar="N",
        help="end the least recently used session with a name when there are more (default: none)",
    )
    add_options(parser, "max_memory", "max_seconds", "cache")
    return parser


def main(argv: list[str]) -> int:
    """Answer the requests on standard input; return the exit status."""
    given = make_parser().parse_args(argv)
    if given.schema is not None:
        sys.stdout.write(schema(given.schema))
        return 0
    tune_process(given.max_memory)
    answers = answer_lines(
        input_lines(),
        hermetic=given.hermetic,
        max_memory=given.max_memory,
        max_seconds=given.max_seconds,
        max_sessions=given.max_sessions,
        cache=given.cache,
    )
    try:
        for line in answers:
            # A lone surrogate is written as JSON writes it: \ud800.
            sys.stdout.buffer.write(line.encode("utf-8", "backslashreplace") + b"\n")
            sys.stdout.buffer.flush()
    except UnreadableError as error:
        return refuse(str(error))
    return 0
