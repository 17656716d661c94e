"""``:graph`` in its forms."""

from __future__ import annotations

import pytest

from puppet_repl.commands import run
from puppet_repl.commands.results import Code, Table
from puppet_repl.session import Session

CODE = """
notify { 'a "b" <c> #1': } ~> notify { 'back\\\\slash': }
notify { 'x': require => Notify['back\\\\slash'] }
"""


@pytest.fixture
def session() -> Session:
    made = Session(facts={})
    assert made.execute(CODE).error is None
    return made


def code_of(session: Session, command: str) -> list[str]:
    (part,) = run(session, command).parts
    assert isinstance(part, Code)
    return part.text.split("\n")


def test_mermaid_has_entities_for_what_has_a_meaning_there(session: Session) -> None:
    assert code_of(session, ":graph mermaid") == [
        "flowchart TD",
        "  r0[\"Notify['a #quot;b#quot; #lt;c#gt; #35;1']\"]",
        "  r1[\"Notify['back\\slash']\"]",
        "  r2[\"Notify['x']\"]",
        "  r0 -. notify .-> r1",
        "  r1 --> r2",
    ]


def test_dot_escapes_quotes(session: Session) -> None:
    assert code_of(session, ":graph dot")[2:] == [
        '  "Notify[\'a \\"b\\" <c> #1\']";',
        "  \"Notify['back\\\\slash']\";",
        "  \"Notify['x']\";",
        '  "Notify[\'a \\"b\\" <c> #1\']" -> "Notify[\'back\\\\slash\']" [style=dashed];',
        "  \"Notify['back\\\\slash']\" -> \"Notify['x']\";",
        "}",
    ]


def test_a_drawing_comes_with_a_text_that_says_the_same(session: Session) -> None:
    (drawing,) = run(session, ":graph").parts
    assert isinstance(drawing, Code)
    assert drawing.language == "mermaid"
    (table,) = run(session, ":graph text").parts
    assert isinstance(table, Table)
    assert isinstance(drawing.readable, Table)
    assert len(drawing.readable.rows) == len(table.rows) == 2
