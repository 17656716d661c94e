"""No prefix of a file, and no state of a typed line, makes a request fail."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from puppet_repl.session import Session
from puppet_repl.tools.completion.sources import complete_code
from puppet_repl.tools.editing.documents import Document
from puppet_repl.tools.editing.symbols import TextSymbols
from puppet_repl.tools.editing.targets import target_at
from puppet_repl.tools.editing.templates import code_of
from puppet_repl.tools.inspection.lookup import inspect_code
from puppet_repl.tools.inspection.open_call import signatures_at
from tests.recorded import suite

ROOT = Path(__file__).parents[3]
CORPUS = (
    "kernel/playground/examples/classes.pp",
    "kernel/playground/examples/resources.pp",
    "tests/environment/reference/modules/shop/manifests/init.pp",
    "tests/pygments/examples/site.pp",
)


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(facts={})


def ask(session: Session, name: str, text: str, offset: int) -> None:
    """Ask everything about an offset; ranges are in the text and around the cursor."""
    document = Document(name, text)
    code = code_of(document)
    known = TextSymbols(session, document.tree(), offset)
    completions = complete_code(known, code[:offset])
    assert 0 <= completions.start <= completions.end == offset
    found = inspect_code(known, code, offset)
    if found is not None and found.span is not None:
        assert 0 <= found.span[0] <= found.span[1] <= len(text)
    signatures_at(known, code[:offset])
    target = target_at(known, code, offset)
    if target is not None:
        assert 0 <= target.start <= target.end <= len(target.source.text)


@pytest.mark.parametrize("name", CORPUS)
def test_prefixes(session: Session, name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for end in random.Random(name).sample(range(len(text)), 60):
        ask(session, name, text[:end], end)


@pytest.mark.parametrize("name", CORPUS)
def test_states_of_typed_lines(session: Session, name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for cursor in random.Random(name).sample(range(len(text)), 60):
        end = text.find("\n", cursor)
        ask(session, name, text[:cursor] + (text[end:] if end >= 0 else ""), cursor)


@pytest.mark.parametrize("kind", ["parse", "epp"])
def test_recorded_programs(session: Session, kind: str) -> None:
    chance = random.Random(kind)
    name = "a.epp" if kind == "epp" else ""
    for case in chance.choices(list(suite(kind)), k=150):
        text = case["code"]
        ask(session, name, text, chance.randint(0, len(text)))
