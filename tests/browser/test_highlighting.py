"""The languages of the labextension in a real JupyterLab, against the Pygments lexers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from puppet_pygments import EppLexer, PuppetCellLexer, PuppetLexer
from tests import recorded
from tests.browser.token_classes import TAGS, classes_of

SUITES = ("catalog", "epp", "evaluate", "functions", "parse", "random", "specification")
EXAMPLES = Path(__file__).parents[1] / "pygments" / "examples"
NAME = "puppet-repl"
PROGRAM, TEMPLATE, CELL = PuppetLexer(), EppLexer(), PuppetCellLexer()
IS_THERE = f"window._JUPYTERLAB && window._JUPYTERLAB['{NAME}']"
# A number that ends its line after `${`: a variable, unless the next line goes on with an operator.
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


def cell(text: str) -> str:
    """Classes of a cell, which may be a command."""
    return classes_of((kind, value) for _, kind, value in CELL.get_tokens_unprocessed(f"{text}\n"))


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
    "::name",
    "% 2",
)
CODE = '$x = @("END"/n)\n  don\'t ${$y[1] / 2}\n  | END\nnotice($x, 4 / 2, /a/)'
EPP = "<%- | $x | -%>\nHi <%= $x / 2 %> don't\n<%# comment %>"
MAGICS = (
    f"%%time notice(1)\n{CODE}",
    f"%%on debian-12 facts/*.yaml\n{CODE}\n:vars",
    f"%%check\n{CODE}",
    f"%%epp x => 'a', y => 2\n{EPP}",
    f"%%epp {{x: 1}}\n{EPP}",
    "%%facts rocky-9\nos:\n  name: 'Rocky'",
    f"%%file modules/a/templates/b.epp\n{EPP}",
    f"%%file modules/a/manifests/init.pp\n{CODE}",
    "%%file hiera.yaml\nversion: 5 # 'x",
    f"%%time\n%%on debian-12\n{CODE}",
    f"%%quiet\n%%capture $result\n{CODE}\n:vars $x / 2",
    f"%%quiet :type 1\n{CODE}",
    f"%%capture $r %%on debian-12\n{CODE}",
    f"%%capture r :type 5\n{CODE}",
    f"%%capture $r 1 / 2\n{CODE}",
    f"\n  %%time\n\n:vars\n{CODE}",
)
BETWEEN = "$x = [1,\n:vars\n]\n:vars x\n$y = 1\n%facts os\n%size($x)\n%nix 2\n :vars"


@pytest.mark.parametrize("text", [*COMMANDS, *MAGICS, BETWEEN])
def test_cells_have_the_tokens_of_pygments(lab: Page, text: str) -> None:
    assert not differences(lab, "cells", [(text, text, cell(text))])
