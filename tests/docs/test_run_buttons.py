"""The examples that have a run button do what their pages say, as a worker of a page runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sphinx")

from puppet_kernel.worker import Worker
from puppet_repl.frontends.doctest.documents import all_blocks
from puppet_repl.frontends.doctest.examples import examples_of
from tests.docs.site import DOCS, build
from tests.process_state import restored_process

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("docs")]
_DATA = re.compile(r'<script type="application/json" id="try-examples">(.*?)</script>', re.S)
Pages = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it is where the playground is beside it."""
    return build(tmp_path_factory.mktemp("site"), tags=("playground",))


@pytest.fixture(scope="module")
def pages(site: Path) -> Pages:
    """The examples with a button, by page."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        data = _DATA.search(path.read_text(encoding="utf-8"))
        if data is not None:
            found[path.relative_to(site).with_suffix("").as_posix()] = json.loads(data[1])
    return found


@pytest.fixture(scope="module")
def shown(
    pages: Pages, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[tuple[str, list[dict[str, Any]]]]]:
    """For each page its inputs in the order in which they were run, with what they have shown."""
    sent: list[str] = []
    found: dict[str, list[tuple[str, list[dict[str, Any]]]]] = {}

    def ask(request: dict[str, Any]) -> list[dict[str, Any]]:
        sent.clear()
        worker.answer(json.dumps(request))
        return [json.loads(each) for each in sent]

    with pytest.MonkeyPatch.context() as patch, restored_process():
        worker = Worker(sent.append)
        patch.chdir(tmp_path_factory.mktemp("empty"))
        for page, examples in pages.items():
            found[page] = []
            begun = False
            for example in sorted(examples, key=lambda each: not each["session"]):
                if not (example["session"] and begun):
                    ask({"type": "reset", "facts": "debian-12"})
                    begun = True
                for code in example["inputs"]:
                    found[page].append((code, ask({"type": "execute", "code": code})))
    return found


def test_most_examples_have_a_button(site: Path, pages: Pages) -> None:
    assert {"getting-started", "guide/types", "guide/catalog", "reference/functions/math"} <= set(
        pages
    )
    assert sum(map(len, pages.values())) > 750
    for name in ("guide/types", "notebooks/03-arrays-and-hashes-in-pipelines"):
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        assert text.count("try-example ") == len(pages[name])
        assert '<script type="module" src="../playground/try.mjs">' in text
    assert "howto/ci" not in pages


def test_programs_for_the_playground_have_the_results_of_their_examples(
    pages: Pages, shown: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sent: list[dict[str, Any]] = []
    worker = Worker(lambda text: sent.append(json.loads(text)))
    compared = 0
    for page, examples in pages.items():
        stated: dict[str, list[tuple[str, str]]] = {}
        for code, messages in shown[page]:
            stated.setdefault(code, []).append(_end(messages))
        for example in examples:
            if example["program"]:
                inputs = [examples[number]["inputs"][at] for number, at in example["program"]]
                worker.answer(json.dumps({"type": "reset", "facts": "debian-12"}))
                sent.clear()
                worker.answer(json.dumps({"type": "execute", "code": "\n".join(inputs)}))
                assert _end(sent) in stated[inputs[-1]], (page, inputs)
                compared += 1
    assert compared > 500


def test_no_example_meets_a_defect(shown: dict[str, Any]) -> None:
    for page, inputs in shown.items():
        for code, messages in inputs:
            text = json.dumps(messages)
            assert "internal error" not in text and "InternalError" not in text, (page, code, text)


def test_transcripts_are_those_of_the_pages(shown: dict[str, Any]) -> None:
    compared = 0
    for page in ("getting-started", "guide/catalog", "guide/functions", "guide/nodes", "terminal"):
        path = DOCS / f"{page}.md"
        stated: dict[str, list[str]] = {}
        for block in all_blocks(path.name, path.read_text(encoding="utf-8")):
            if block.is_console and block.is_tested:
                for example in examples_of(block):
                    stated.setdefault(example.code, []).append(_dense(example.output or ""))
        for code, messages in shown[page]:
            # A terminal shows a new resource as code, a cell its reference.
            outputs = stated.get(code, [""])
            if not any(re.search(r"^$|\.\.\.|^Error|^\w+\{'", output) for output in outputs):
                assert _dense(_text(messages)) in outputs, (page, code)
                compared += 1
    assert compared >= 20


def test_cells_show_what_they_show_in_notebooks(shown: dict[str, Any]) -> None:
    compared = 0
    for path in sorted((DOCS / "notebooks").glob("*.ipynb")):
        stated: dict[str, list[str]] = {}
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            results = [
                each for each in cell.get("outputs", ()) if each["output_type"] == "execute_result"
            ]
            if results:
                text = "".join(results[-1]["data"]["text/plain"])
                stated.setdefault("".join(cell["source"]), []).append(_dense(text))
        for code, messages in shown.get(f"notebooks/{path.stem}", ()):
            results = [each for each in messages if each["type"] == "execute_result"]
            if code in stated and results:
                text = results[-1]["content"]["data"]["text/plain"]
                assert _dense(text) in stated[code], (path.name, code)
                compared += 1
    assert compared >= 120


def _end(messages: list[dict[str, Any]]) -> tuple[str, str]:
    """Return the kind and the text of the last value, or of the error, of an input."""
    for each in reversed(messages):
        if each["type"] == "execute_result":
            return "value", _dense(each["content"]["data"]["text/plain"])
        if each["type"] == "error":
            return "error", re.sub(r"\((?:file|line): [^()]*\)", "", each["content"]["evalue"])
    return "", ""


def _text(messages: list[dict[str, Any]]) -> str:
    contents = [each["content"] for each in messages]
    return "\n".join(
        each["text"] if "text" in each else each["data"]["text/plain"] for each in contents
    )


def _dense(text: str) -> str:
    return "".join(text.split())
