"""Run the recorded cases: python -m tests.conformance.run [-v] [--readme] [FILE...]."""

from __future__ import annotations

import argparse
import base64
import json
import re
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from puppet_repl.cli.batch import answer
from puppet_repl.environment.stdlib import BUNDLED_STDLIBS
from tests.readme import table, write_section

HERE = Path(__file__).parent
# Cases that need the Ruby of modules.
RUBY_FILES = ("erb", "ruby")
FILES = (
    "specification",
    "functions",
    "parse",
    "evaluate",
    "catalog",
    "epp",
    "random",
    "stdlib",
    "stdlib8",
    *RUBY_FILES,
)
COMPARED = ("value", "str", "type", "pn", "resources", "edges")
REQUESTED = ("id", "code", "mode", "facts", "params", "strict", "node", "modulepath")
MAX_SECONDS = 10
# What the recorder put for objects of Ruby, which print their address.
ADDRESSES = (
    (
        re.compile(r"#<Puppet::Parser::TemplateWrapper:0x[0-9a-f]+ (?:(?!\\n)[^\"])*?>(?=\\|\")"),
        "#<Puppet::Parser::TemplateWrapper>",
    ),
    (
        re.compile(r"#<#<Class:0x[0-9a-f]+>:0x[0-9a-f]+(?:(?!\\n)[^\"])*?>(?=\\n|\"| \()"),
        "#<#<Class>>",
    ),
    (re.compile(r"(?<=:)0x(?:[0-9a-f]{8}){1,2}(?![0-9a-f])"), "0xADDRESS"),
)
RECORDED_TEMPLATE = re.compile(r"#<Puppet::Parser::TemplateWrapper:0xADDRESS [^\n]*>")
RECORDED_OBJECT = re.compile(r"#<#<Class:0xADDRESS>:0xADDRESS [^\n]*>")
Case = dict[str, Any]


def cases(name: str) -> list[Case]:
    """Return the cases of one file."""
    text = (HERE / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def listed(name: str) -> dict[str, str]:
    """Return the ids listed in pending.txt or divergent.txt, with their reasons."""
    path = HERE / name
    rows: dict[str, str] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                case, _, reason = line.partition("  ")
                rows[case.strip()] = reason.strip()
    return rows


def request_of(case: Case, directory: Path) -> Case:
    """Return the request of a case; its ``files`` are written and become a module path."""
    request: Case = {key: case[key] for key in REQUESTED if key in case}
    request["environment"] = "oracle"  # what the recorder called its own
    root = directory / "".join(c if c.isalnum() else "_" for c in case["id"])
    if "files" in case:
        write_files(root / "modules", case["files"])
        request["modulepath"] = [str(root / "modules")]
    if "environment_files" in case:
        request["environment"] = str(root / "oracle")
        write_files(root / "oracle", case["environment_files"])
    if "stdlib" in case:
        request["stdlib"] = case["stdlib"].partition(".")[0]
    return request


def write_files(root: Path, files: dict[str, Any]) -> None:
    """Write files by path: a text each, or {"base64": bytes}."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            path.write_bytes(base64.b64decode(content["base64"]))
        else:
            path.write_text(content, encoding="utf-8")


def recorded_form(request: Case, reply: Case) -> Case:
    """Return a reply with the placeholders of the recordings for what belongs to one machine."""
    text = json.dumps(reply, ensure_ascii=False)
    replaced = dict.fromkeys(request.get("modulepath", ()), "<modulepath>")
    if "/" in request["environment"]:
        replaced[request["environment"]] = "<environment>"
    for path in BUNDLED_STDLIBS.values():
        replaced[path] = "<modulepath>/stdlib"
    for path, placeholder in replaced.items():
        text = text.replace(json.dumps(path, ensure_ascii=False)[1:-1], placeholder)
    for pattern, placeholder in ADDRESSES:
        text = pattern.sub(placeholder, text)
    form: Case = json.loads(text)
    error = form.get("error")
    if error is not None and "file" in error and error.get("line") is None:
        # The recorder took locations out of messages where they had a line.
        error["message"] += f" (file: {error['file']})"
    return form


def differences(case: Case, reply: Case) -> list[str]:
    """Return where a reply differs from Puppet's: names of keys, with both sides."""
    lines = []
    if "error" in case:
        wanted, given = case["error"], reply.get("error")
        if given is None:
            shown = reply.get("value", reply.get("pn", reply.get("resources")))
            return [f"error: expected {wanted}, got the result {shown!r}"]
        lines += [
            f"error.{key}: expected {wanted[key]!r}, got {given.get(key)!r}"
            for key in compared_of_error(case)
            if wanted.get(key) != given.get(key)
        ]
    elif "error" in reply:
        return [f"error: unexpected {reply['error']}"]
    for key in COMPARED:
        if key in case and case[key] != reply.get(key):
            lines.append(f"{key}: expected {case[key]!r}, got {reply.get(key)!r}")
    logs = expected_logs(case)
    if logs != reply.get("logs", []):
        lines.append(f"logs: expected {logs!r}, got {reply.get('logs', [])!r}")
    return lines


def expected_logs(case: Case) -> list[list[str]]:
    """Return the logs of a case without its error, which Puppet logs too.

    The recorder takes it from the logs itself, unless the message shows objects of Ruby: then
    their variables are in the log, and only their class in the error.
    """
    logs: list[list[str]] = case.get("logs", [])
    if "#<" not in case.get("error", {}).get("message", ""):
        return logs
    message = case["error"]["message"]
    return [log for log in logs if without_variables(log[1]) != message]


def without_variables(text: str) -> str:
    """Return a message with the class of each object of Ruby, but without its variables."""
    text = RECORDED_TEMPLATE.sub("#<Puppet::Parser::TemplateWrapper>", text)
    return RECORDED_OBJECT.sub("#<#<Class>>", text)


def compared_of_error(case: Case) -> tuple[str, ...]:
    """Return which parts of an error have to be those of Puppet.

    Messages of Ruby's parser, and those that name a line of Puppet's own code, do not.
    """
    if case.get("internal") == "syntax":
        return ()
    if case.get("internal") == "place":
        return ("line", "column")
    return ("message", "line", "column", *(["file"] if "file" in case["error"] else ()))


class TooSlow(BaseException):
    """A case took longer than MAX_SECONDS."""


def _alarm(*_: object) -> None:
    raise TooSlow


def check(case: Case, directory: Path) -> list[str]:
    """Return the differences of one case; a Python exception is one too."""
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, _alarm)
        signal.alarm(MAX_SECONDS)
    try:
        request = request_of(case, directory)
        return differences(case, recorded_form(request, answer(request)))
    except Exception:
        return ["CRASH " + traceback.format_exc(limit=-4)]
    except TooSlow:
        return [f"CRASH no answer in {MAX_SECONDS} s"]
    finally:
        if sys.platform != "win32":
            signal.alarm(0)


def results(name: str, select: str = "") -> Iterator[tuple[Case, list[str]]]:
    """Yield every case of a file with its differences."""
    with tempfile.TemporaryDirectory() as directory:
        for case in cases(name):
            if select in case["id"]:
                yield case, check(case, Path(directory))


def run_file(name: str, options: argparse.Namespace) -> tuple[int, int]:
    """Run a file, show what was asked for, and return how many cases it has and how many pass."""
    passed = total = shown = 0
    for case, lines in results(name, options.k):
        total += 1
        passed += not lines
        if lines and options.ids:
            print(case["id"])
        elif lines and options.verbose and shown < options.n:
            shown += 1
            print(f"-- {case['id']}\n{case['code']}")
            for line in lines:
                print(f"   {line}"[:1500])
    return total, passed


def readme_table(counts: dict[str, tuple[int, int]]) -> str:
    """Return the table of README.md: cases and identical answers per file."""
    rows = []
    for name, (total, passed) in counts.items():
        share = "100 %" if passed == total else f"{100 * passed / total:.2f} %"
        rows.append((name, str(total), str(passed), share))
    return table(("file", "cases", "identical", "share"), rows)


def main() -> int:
    """Print the share that passes per file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help=f"of {', '.join(FILES)} (default: all)")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what fails")
    parser.add_argument("-k", default="", metavar="TEXT", help="only ids that contain TEXT")
    parser.add_argument("-n", type=int, default=20, help="failures to show per file")
    parser.add_argument("--ids", action="store_true", help="print only the ids that fail")
    parser.add_argument("--readme", action="store_true", help="write the table of README.md")
    options = parser.parse_args()
    if options.readme and (options.files or options.k):
        parser.error("--readme needs a run of all cases")
    counts = {}
    for name in options.files or FILES:
        total, passed = counts[name] = run_file(name, options)
        if not options.ids and total:
            print(f"{name:15} {passed:5} of {total:5}  {100 * passed / total:6.2f} %")
    if options.readme:
        write_section("conformance", readme_table(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
