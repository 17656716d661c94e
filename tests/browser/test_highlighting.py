"""The languages of the labextension in a real JupyterLab, against the Pygments lexers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from pygments.token import Generic

from puppet_pygments import EppLexer, PuppetConsoleLexer, PuppetLexer
from puppet_repl.commands import is_command
from tests import recorded
from tests.browser.token_classes import TAGS, TEXT, classes_of

SUITES = ("catalog", "epp", "evaluate", "functions", "parse", "random", "specification")
EXAMPLES = Path(__file__).parents[1] / "pygments" / "examples"
NAME = "puppet-repl"
PROGRAM, TEMPLATE, CONSOLE = PuppetLexer(), EppLexer(), PuppetConsoleLexer()
IS_THERE = f"window._JUPYTERLAB && window._JUPYTERLAB['{NAME}']"
# A word that ends its line after `${`: a variable, unless the next line goes on with an operator.
BY_THE_NEXT_LINE = {"specification.lex.interp.multi-line-1"}
# Parses each text with CodeMirror; how many characters were compared, and where classes differ.
COMPARE = """async ([name, tags, cases]) => {
  const made = (await window._JUPYTERLAB['puppet-repl'].get('./language'))();
  const { tags: t, tagHighlighter, highlightTree } = made.libraries.highlight;
  const tagOf = text => text.split(/[()]/).filter(part => part).reverse()
    .reduce((tag, part) => tag ? t[part](tag) : t[part], null);
  const highlighter = tagHighlighter(
    tags.map(([letter, text]) => ({ tag: tagOf(text), class: letter })));
  let compared = 0;
  const wrong = [];
  for (const [id, text, wanted] of JSON.parse(cases)) {
    const seen = Array(text.length).fill(' ');
    highlightTree(made[name].language.parser.parse(text), highlighter, (from, to, letter) => {
      seen.fill(letter, from, to);
    });
    let first = -1;
    for (let at = 0; at < text.length; at++) {
      if (!/\\s/.test(text[at])) {
        compared++;
        if (seen[at] !== wanted[at] && first < 0) first = at;
      }
    }
    if (first >= 0) {
      const around = text.slice(Math.max(first - 30, 0), first + 30);
      wrong.push([id, around, first, seen[first], wanted[first]]);
    }
  }
  return JSON.stringify({ compared, wrong });
}"""


@pytest.fixture(scope="module")
def lab(browser: Browser, server: tuple[str, Path]) -> Iterator[Page]:
    page = browser.new_page()
    page.goto(f"{server[0]}/lab")
    page.wait_for_function(IS_THERE, timeout=60_000)
    yield page
    page.close()


def differences(lab: Page, language: str, cases: list[tuple[str, str, str]]) -> list[list[object]]:
    answer = json.loads(lab.evaluate(COMPARE, [language, TAGS, json.dumps(cases)]))
    print(f"{language}: {len(cases)} texts, {answer['compared']} characters compared,")
    print(f"{len(answer['wrong'])} texts differ")
    assert answer["compared"] > 0
    return list(answer["wrong"])


def program(text: str) -> str:
    """Classes of a program; as in cells, each line has an end."""
    return classes_of(
        (kind, value) for _, kind, value in PROGRAM.get_tokens_unprocessed(f"{text}\n")
    )


def template(text: str) -> str:
    return classes_of(
        (kind, value) for _, kind, value in TEMPLATE.get_tokens_unprocessed(f"{text}\n")
    )


def command(text: str) -> str:
    """Classes of a command: those of an input at the prompt of a transcript."""
    first, *others = text.split("\n")
    lines = [f">> {first}\n", *(f".. {line}\n" for line in others)]
    tokens = CONSOLE.get_tokens_unprocessed("".join(lines))
    return classes_of((kind, value) for _, kind, value in tokens if kind is not Generic.Prompt)


def cell(text: str) -> str:
    return command(text) if is_command(text) else program(text)


@pytest.mark.parametrize("suite", SUITES)
def test_the_cases_have_the_tokens_of_pygments(lab: Page, suite: str) -> None:
    programs, templates = [], []
    for case in recorded.suite(suite):
        text = re.sub("\r\n?", "\n", case["code"])
        if case.get("mode") == "epp":
            templates.append((case["id"], text, template(text)))
        else:
            programs.append((case["id"], text, cell(text)))
    wrong = differences(lab, "cells", programs) if programs else []
    wrong += differences(lab, "templates", templates) if templates else []
    assert {each[0] for each in wrong} <= BY_THE_NEXT_LINE, wrong[:20]


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_the_examples_have_the_tokens_of_pygments(lab: Page, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    is_template = path.suffix == ".epp"
    wanted = template(text) if is_template else program(text)
    name = "templates" if is_template else "cells"
    assert not differences(lab, name, [(path.name, text, wanted)])


COMMANDS = (
    ":vars",
    "  %vars srv*",
    ":save! x.pp",
    ":type [1, 'a'].map |$x| {\n  $x / 2\n}",
    ":on debian-12 rocky-9 $facts['os']['family']",
    ":epp <%= $x %>",
    "::name",
    "% 2",
)


def test_commands_have_the_tokens_of_transcripts(lab: Page) -> None:
    assert not differences(lab, "cells", [(text, text, cell(text)) for text in COMMANDS])


def plain(text: str) -> str:
    return TEXT * len(text)


CODE = '$x = @("END"/n)\n  don\'t ${$y[1] / 2}\n  | END\nnotice($x, 4 / 2, /a/)'
EPP = "<%- | $x | -%>\nHi <%= $x / 2 %> don't\n<%# comment %>"
# The first line by its parts, each with its classes; then the body with its classes.
MAGICS = (
    ([("%%time", "k"), (" notice(1)", program)], CODE, program),
    ([("%%on", "k"), (" debian-12 rocky-9", plain)], CODE, program),
    ([("%%epp", "k"), (" x => 'a', y => 2", program)], EPP, template),
    ([("%%epp", "k"), (" {x: 1}", plain)], EPP, template),
    ([("%%facts", "k"), (" rocky-9", plain)], "os:\n  name: 'Rocky'", plain),
    ([("%%file", "k"), (" modules/a/templates/b.epp", plain)], EPP, template),
    ([("%%file", "k"), (" modules/a/manifests/init.pp", plain)], CODE, program),
    ([("%%file", "k"), (" hiera.yaml", plain)], "version: 5 # 'x", plain),
    ([("%%time\n", "k"), ("%%on", "k"), (" debian-12", plain)], CODE, program),
    ([("%%quiet\n", "k"), ("%%capture", "k"), (" $result", program)], CODE, program),
    ([("%%quiet", "k"), (" :type 1", command)], CODE, program),
)


def test_cell_magics_and_their_bodies(lab: Page) -> None:
    cases = []
    for parts, body, classes in MAGICS:
        head = "".join(text for text, _ in parts)
        wanted = "".join(
            kind * len(text) if isinstance(kind, str) else kind(text)[: len(text)]
            for text, kind in parts
        )
        text = f"{head}\n{body}"
        cases.append((head, text, f"{wanted} {classes(body)}"))
    assert not differences(lab, "cells", cases)


def test_commands_between_code(lab: Page) -> None:
    text = "$x = [1,\n:vars\n]\n:vars x\n$y = 1\n%facts os\n%size($x)\n%nix 2\n :vars"
    wanted = f"{program('$x = [1,')}{program(':vars')}{program(']')}"
    wanted += f"{command(':vars x')}{program('$y = 1')}{command('%facts os')}"
    wanted += program("%size($x)\n%nix 2\n :vars")
    assert not differences(lab, "cells", [("mixed", text, wanted)])
