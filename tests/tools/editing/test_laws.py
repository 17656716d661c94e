"""No prefix of a file, and no state of a typed line, makes a request fail."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Session
from puppet_repl.tools.advice.fixing import edited
from puppet_repl.tools.completion.sources import complete_code
from puppet_repl.tools.editing.documents import Document
from puppet_repl.tools.editing.formatting import (
    TRIGGERS,
    formatted_range,
    formatted_while_typing,
)
from puppet_repl.tools.editing.symbols import TextSymbols
from puppet_repl.tools.editing.targets import definitions_at
from puppet_repl.tools.editing.templates import code_of
from puppet_repl.tools.inspection.lookup import inspect_code
from puppet_repl.tools.inspection.open_call import call_at, signatures_of
from tests.recorded import suite
from tests.tools.formatting.laws import Reading, comments
from tests.tools.formatting.noise import KINDS, with_noise
from tests.tools.formatting.test_laws import PROGRAMS

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
    call = call_at(code[:offset])
    if call is not None:
        signatures_of(known, call)
    for place in definitions_at(known, code, offset, lambda _: ()):
        assert 0 <= place.start <= place.end <= len(place.source.text)


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


def _is_lawful(text: str, result: str) -> bool:
    before, after = Reading(text), Reading(result)
    return repr(before.program.body) == repr(after.program.body) and comments(before) == comments(
        after
    )


def test_formatted_parts_of_recorded_programs() -> None:
    """Any range, and any brace or line end: the same program with the same comments."""
    chance = random.Random(1)
    changed = 0
    for _ in range(300):
        text = "\n".join(chance.choices(PROGRAMS, k=4))
        if chance.random() < 0.5:
            text = f"class a::b {{\n{text}\n}}"
        try:
            text = with_noise(text, chance.choice(KINDS), chance, share=0.1) or text
            Reading(text)
        except PuppetError:  # programs that do not go together
            continue
        document = Document("", text)
        ends = [at + 1 for at, sign in enumerate(text) if sign in TRIGGERS]
        results = []
        for _ in range(4):
            start, end = sorted(chance.choices(range(len(text) + 1), k=2))
            end = chance.choice((start, end))
            results.append(formatted_range(document, start, end))
            cursor = chance.choice(ends)
            results.append(formatted_while_typing(document, cursor, text[cursor - 1]))
        for edits in results:
            result = edited(text, edits)
            changed += result != text
            assert _is_lawful(text, result), text
    assert changed > 500


def test_formatted_parts_of_recorded_templates() -> None:
    chance = random.Random(2)
    changed = 0
    for case in suite("epp"):
        text = case["code"].replace("<%= ", "<%=").replace(" %>", "%>")
        try:
            program = parse(Source(text), epp=True)
        except (PuppetError, UnicodeError):
            continue
        start = chance.randint(0, len(text))
        result = edited(text, formatted_range(Document("a.epp", text), start, start))
        changed += result != text
        assert repr(parse(Source(result), epp=True).body) == repr(program.body), text
    assert changed > 30
