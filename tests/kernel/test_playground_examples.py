"""The programs in the menu of the playground, run as its worker runs them.

What they log, are and declare is what `puppet apply` gives for them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from puppet_kernel.worker import Worker

DIRECTORY = Path(__file__).parents[2] / "kernel" / "playground"
EXAMPLES = sorted(path.stem for path in (DIRECTORY / "examples").iterdir())
# What each logs, its value as text, and what it declares.
EXPECTED: dict[str, tuple[list[str], str, list[str]]] = {
    "classes": (
        [],
        "[Class[ntp]]",
        ["Class[Motd]", "Class[Ntp]", "File[/etc/motd]", "Service[chronyd]"],
    ),
    "error": (
        [],
        "Evaluation Error: The value '4096 files' cannot be converted to Numeric. "
        "(file: cell 1, line: 9, column: 3)",
        [],
    ),
    "iteration": (
        ["Notice: web: web01, web02", "Notice: database: db01"],
        "[\n"
        "  {'name' => 'web01', 'role' => 'web', 'share' => 9},\n"
        "  {'name' => 'web02', 'role' => 'web', 'share' => 18},\n"
        "  {'name' => 'db01', 'role' => 'database', 'share' => 72},\n"
        "]",
        [],
    ),
    "resources": (
        ["Notice: 2 sites on Rocky"],
        "[{'site' => 'shop.example.com', 'port' => 8080}, "
        "{'site' => 'blog.example.com', 'port' => 8081}]",
        [
            "File[/etc/nginx/sites-enabled/blog]",
            "File[/etc/nginx/sites-enabled/shop]",
            "Package[nginx]",
            "Service[nginx]",
        ],
    ),
    "template": (
        ["Notice: 4 lines"],
        "@(END)\n  upstream shop.example.com {\n    server 10.0.0.11:8080;\n"
        "    server 10.0.0.12:8080;\n  }\n  | END",
        ["File[/etc/nginx/conf.d/upstream.conf]"],
    ),
    "types": (
        ["Notice: port 8080", "Notice: host web01.example.com", "Notice: false"],
        "{'a number' => Integer, 'a list' => Array[ScalarData], 'ports' => [22, 80]}",
        [],
    ),
}


class Page:
    """A page that has run one program for the facts of Rocky."""

    def __init__(self, name: str) -> None:
        self.sent: list[dict[str, Any]] = []
        self.worker = Worker(lambda text: self.sent.append(json.loads(text)))
        self.ask(type="reset", facts="rocky-9")
        self.program = (DIRECTORY / "examples" / f"{name}.pp").read_text(encoding="utf-8")
        self.reply = self.ask(type="execute", code=self.program)

    def ask(self, **request: Any) -> dict[str, Any]:
        reply: dict[str, Any] = json.loads(self.worker.answer(json.dumps(request)))
        return reply

    def shown(self, kind: str) -> list[dict[str, Any]]:
        return [each["content"] for each in self.sent if each["type"] == kind]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_does_what_it_does_in_puppet(name: str) -> None:
    logs, value, resources = EXPECTED[name]
    page = Page(name)
    assert [line for each in page.shown("stream") for line in each["text"].split("\n")[:-1]] == logs
    if page.reply["status"] == "error":
        assert page.reply["evalue"] == value
    else:
        assert page.shown("execute_result")[-1]["data"]["text/plain"] == value
    page.ask(type="execute", code=":catalog json")
    if page.shown("display_data"):
        catalog = json.loads(page.shown("display_data")[-1]["data"]["text/plain"])
        titles = [f"{each['type']}[{each['title']}]" for each in catalog["resources"]]
        always = {"Stage[main]", "Class[Settings]", "Class[main]"}
        assert sorted({*titles} - always) == resources
    else:
        assert resources == []


def test_the_tab_of_the_catalog_has_the_whole_of_a_long_one() -> None:
    views = (DIRECTORY / "static" / "views.mjs").read_text(encoding="utf-8")
    command = re.search(r"catalog: '(:[^']+)'", views)
    assert command is not None
    page = Page(EXAMPLES[0])
    page.ask(type="execute", code='Integer[1, 40].each |$i| { file { "/srv/${i}": } }')
    page.ask(type="execute", code=command[1])
    shown = page.shown("display_data")[-1]["data"]
    catalog = json.loads(shown["text/plain"])
    assert {f"/srv/{i}" for i in range(1, 41)} <= {each["title"] for each in catalog["resources"]}
    assert "<details>" not in shown["text/html"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_is_marked_in_an_example(name: str) -> None:
    page = Page(name)
    assert page.ask(type="check", code=page.program, cells=[])["problems"] == []


def test_the_menu_has_each_example() -> None:
    menu = (DIRECTORY / "bundle" / "examples.mjs").read_text(encoding="utf-8")
    for name in EXAMPLES:
        assert f"'../examples/{name}.pp'" in menu
        assert f"text: {name} }}" in menu
