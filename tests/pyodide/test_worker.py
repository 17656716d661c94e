"""The worker of a page: what a cell shows, completions, facts, and what a browser cannot do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.pyodide.conftest import Run

Content = dict[str, Any]
# On any machine; the goals are for one that does nothing else.
MAX_START = 120.0
MODULE = """%%file /site/modules/m/lib/puppet/functions/m/r.rb
Puppet::Functions.create_function(:'m::r') do
  def r()
    1
  end
end
"""


@pytest.fixture(scope="module")
def answers(run_in_browser: Run) -> dict[str, Content]:
    """Return what is sent and replied for each of REQUESTS, by its name."""
    requests = json.dumps([request for request, _ in REQUESTS.values()])
    lines = [json.loads(line) for line in run_in_browser("worker", requests)]
    return dict(zip((*REQUESTS, "loaded", "start"), lines, strict=True))


def cell(code: str) -> Content:
    return {"type": "execute", "code": code}


def shown(answer: Content) -> str:
    """Return the text of what a cell has sent."""
    parts = []
    for message in answer["sent"]:
        content = message["content"]
        parts.append(content.get("text") or content.get("evalue") or content["data"]["text/plain"])
    return "\n".join(parts)


def _shows(text: str) -> Any:
    return lambda answer: text in shown(answer)


def _matches(*wanted: str) -> Any:
    return lambda answer: set(wanted) <= set(answer["reply"]["matches"])


REQUESTS: dict[str, tuple[Content, Any]] = {
    "value": (cell("[1, 2].map |$x| { $x + 1 }"), _shows("[2, 3]")),
    "log": (cell("notice('hello')"), _shows("Notice: hello")),
    "error": (cell("1 + undef"), _shows("(file: cell 3, line: 1, column:")),
    "recursion": (cell("function f() { with(1) |$x| { f() } } f()"), _shows("too deep")),
    "after recursion": (cell("1 + 1"), _shows("2")),
    "help": (
        cell(":help all"),
        lambda answer: ":undo" in shown(answer) and ":quit" not in shown(answer),
    ),
    "zone": (
        cell("Timestamp('2024-07-01 12:00', '%F %R', 'CET').strftime('%F %R %Z')"),
        _shows("2024-07-01 11:00 UTC"),
    ),
    "other zone": (cell("Timestamp(0).strftime('%R', '+02:00')"), _shows("'02:00'")),
    "facts": (cell("$facts['os']['name']"), _shows("'Debian'")),
    "other facts": (cell("%%facts rocky-9"), _shows("the session was reset")),
    "their values": (cell("$facts['os']['name']"), _shows("'Rocky'")),
    "complete": (
        {"type": "complete", "code": "$facts['os']['fa", "cursor_pos": 16},
        _matches("family"),
    ),
    "complete names": (
        {"type": "complete", "code": "regsu", "cursor_pos": 5},
        _matches("regsubst"),
    ),
    "inspect": (
        {"type": "inspect", "code": "regsubst", "cursor_pos": 3},
        lambda answer: "regsubst" in answer["reply"]["data"]["text/markdown"],
    ),
    "is complete": (
        {"type": "is_complete", "code": "if true {"},
        lambda answer: answer["reply"] == {"status": "incomplete", "indent": "  "},
    ),
    "check": (
        {"type": "check", "code": "$a = [1,\n$b = 2", "cells": []},
        lambda answer: answer["reply"]["problems"][0]["severity"] == "error",
    ),
    "save": (cell(":set advice off --save"), _shows("a browser saves no settings")),
    "template": (cell("%%epp name: x\nHello <%= $name %>."), _shows("Hello x.")),
    "graph": (
        cell("file { '/a': } -> file { '/b': }\n:graph"),
        lambda answer: "<img" in answer["sent"][-1]["content"]["data"]["text/html"],
    ),
    "class": (
        cell("class web($port = 80) { file { '/etc/web': } } include web $web::port"),
        _shows("80"),
    ),
    "look-behind": (cell("'price $5' =~ /(?<=\\$)5/"), _shows("true")),
    "letters": (cell("'été'.regsubst('[[:alpha:]]', 'x', 'G')"), _shows("'xxx'")),
    "program": (cell("generate('/bin/date')"), _shows("there are no programs in a browser")),
    "hash": (
        cell("str2saltedpbkdf2('Pa55w0rd', 'Using s0m3 s@lt', 50000)['password_hex'][0, 8]"),
        _shows("'3577f79f'"),
    ),
    "file": (cell(MODULE), _shows("wrote /site/modules/m/lib/puppet/functions/m/r.rb")),
    "modules": (cell(":environment /site"), _shows("site: 1 module")),
    "Ruby": (cell("m::r()"), _shows("a browser runs no Ruby")),
    "ERB": (cell("inline_template('<%= 1 %>')"), _shows("a browser runs no Ruby")),
    "restore": (
        {"type": "restore", "cells": [[50, "$q = 5"], [51, "fail('x')"]], "count": 60},
        lambda answer: answer["sent"] == [] and answer["reply"] == {"status": "ok"},
    ),
    "restored": (cell("$q"), lambda answer: answer["reply"]["execution_count"] == 61),
    "no request": ({"type": "nope"}, lambda answer: answer["reply"]["status"] == "error"),
    "no code": (
        {"type": "execute"},
        lambda answer: "execute_request needs 'code'" in answer["reply"]["evalue"],
    ),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_answered(name: str, answers: dict[str, Content]) -> None:
    answer = answers[name]
    assert REQUESTS[name][1](answer), json.dumps(answer, indent=1)[:3000]


def test_nothing_is_loaded_that_a_browser_lacks(answers: dict[str, Content]) -> None:
    assert answers["loaded"] == {"loaded": []}


def test_the_first_answer_comes_soon(answers: dict[str, Content]) -> None:
    """The figures on the page are of a machine that does nothing else; here they are printed."""
    first, second = answers["value"]["t"], answers["after recursion"]["t"]
    print(
        f"start {answers['start']['start']:.1f} s, first answer {first:.1f} s, later {second:.3f} s"
    )
    assert answers["start"]["start"] + first < MAX_START
    assert second < 1.0
