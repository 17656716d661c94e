"""Makes requests of recorded cases, and compares answers with Puppet's."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

from puppet_repl.base.differences import ENDS_IN_ERROR
from puppet_repl.environment.modules.stdlib import BUNDLED_STDLIBS
from puppet_repl.language.types.text.format import with_readable_exponents

COMPARED = ("value", "str", "type", "pn", "resources", "edges")
REQUESTED = (
    *("id", "code", "mode", "language", "facts", "params", "strict", "node"),
    "modulepath",
)
WITHOUT_WARNING = "(without the warning that Puppet ends in an error)"
"""What a case may not be that Puppet ends in an error of, whether it may differ or not."""
FAILURES = ("INTERNAL", "REQUEST")
"""Codes of errors that are no answers, whatever a case expects."""
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
    if reply.get("error", {}).get("code") in FAILURES:
        return [f"CRASH {reply['error']['message']}"]
    if "error" in case:
        wanted, given = case["error"], reply.get("error")
        if given is None:
            shown = reply.get("value", reply.get("pn", reply.get("resources")))
            warned = any(ENDS_IN_ERROR in text for _, text in reply.get("logs", ()))
            end = "" if warned else f" {WITHOUT_WARNING}"
            return [f"error: expected {wanted}, got the result {shown!r}{end}"]
        lines += [
            f"error.{key}: expected {wanted[key]!r}, got {given.get(key)!r}"
            for key in compared_of_error(case)
            if wanted.get(key) != given.get(key)
        ]
    elif "error" in reply:
        return [f"error: unexpected {reply['error']}"]
    for key in COMPARED:
        wanted = case.get(key)
        if key == "value" and wanted is not None:
            # Puppet's 1.0e+16 is no Puppet code; what a reply has can be pasted into a program.
            wanted = with_readable_exponents(wanted)
        if key in case and wanted != reply.get(key):
            lines.append(f"{key}: expected {wanted!r}, got {reply.get(key)!r}")
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

    Messages of Ruby's parser, those of failures inside of Puppet, and those that name a line of
    its own code, do not.
    """
    if case.get("internal") in ("syntax", "failure"):
        return ()
    if case.get("internal") == "place":
        return ("line", "column")
    given = [key for key in ("file", "code") if key in case["error"]]
    return ("message", "line", "column", *given)
