"""``:graph`` in its forms."""

from __future__ import annotations

import sys
from types import FrameType, FunctionType

import pytest

from puppet_repl.commands import run
from puppet_repl.commands.graph import graph as graph_command
from puppet_repl.commands.results import Code, Message, Table
from puppet_repl.graph.mermaid import mermaid_text
from puppet_repl.graph.svg import graph_svg
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


@pytest.mark.parametrize(("command", "writer"), [("", mermaid_text), ("svg", graph_svg)])
def test_a_drawing_is_written_when_it_is_shown(
    session: Session, command: str, writer: FunctionType
) -> None:
    called: set[object] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        called.add(frame.f_code)

    sys.setprofile(note)
    try:
        (drawing,) = run(session, f":graph {command}").parts
        assert graph_command.__code__ in called
        assert writer.__code__ not in called
        assert isinstance(drawing, Code)
        text = drawing.text
        assert writer.__code__ in called
    finally:
        sys.setprofile(None)
    assert drawing.text is text


CONTAINED = """
define site() { file { "/srv/${title}": } }
class web { site { 'one': } -> service { 'web': } contain other }
class other { user { ['a', 'b', 'c', 'd', 'e']: } }
include web
Class['web'] -> notify { 'done': }
"""


def test_mermaid_has_containers_as_subgraphs_and_the_rest_in_rows() -> None:
    session = Session(facts={})
    assert session.execute(CONTAINED).error is None
    assert code_of(session, ":graph mermaid") == [
        "flowchart TD",
        "  subgraph r1[\"Class['web']\"]",
        "    subgraph r0[\"Class['other']\"]",
        "      r6[\"User['a']\"]",
        "      r7[\"User['b']\"]",
        "      r8[\"User['c']\"]",
        "      r9[\"User['d']\"]",
        "      r10[\"User['e']\"]",
        "    end",
        "    r4[\"Service['web']\"]",
        "    subgraph r5[\"Site['one']\"]",
        "      r2[\"File['/srv/one']\"]",
        "    end",
        "  end",
        "  r3[\"Notify['done']\"]",
        "  r1 --> r3",
        "  r5 --> r4",
        "  r6 ~~~ r9",
        "  r7 ~~~ r10",
    ]


def test_what_mermaid_refuses_is_left_out() -> None:
    """It draws no link between a subgraph and what is in it; the warning tells of the cycle."""
    made = Session(facts={})
    code = "class c { notify { 'n': require => Class['c'] } } include c"
    assert made.execute(code).error is None
    drawing, warning = run(made, ":graph").parts
    assert isinstance(drawing, Code)
    assert "-->" not in drawing.text
    assert isinstance(warning, Message)
    assert warning.text.startswith("dependency cycle: ")


def test_dot_has_containment_as_lines_without_arrows() -> None:
    session = Session(facts={})
    assert session.execute("class c { notify { 'n': } } include c").error is None
    assert "  \"Class['c']\" -> \"Notify['n']\" [arrowhead=none];" in code_of(session, ":graph dot")


def test_a_class_that_two_contain_is_in_the_first_one() -> None:
    session = Session(facts={})
    code = "class c { notify { 'n': } } class a { contain c } class b { contain c } include a, b"
    assert session.execute(code).error is None
    assert code_of(session, ":graph mermaid")[-1] == "  r1 --- r2"
    assert 'stroke-dasharray="1 4"' in "\n".join(code_of(session, ":graph svg"))


def test_the_picture_stands_alone() -> None:
    session = Session(facts={})
    assert session.execute("notify { 'a': } -> notify { 'b': } -> Notify['a']").error is None
    text = "\n".join(code_of(session, ":graph svg"))
    assert text.startswith("<svg ")
    assert text.endswith("</svg>")
    assert "dependency cycle: " in text


def test_the_picture_of_an_empty_catalog() -> None:
    assert ">no resources</text>" in "\n".join(code_of(Session(facts={}), ":graph svg"))
