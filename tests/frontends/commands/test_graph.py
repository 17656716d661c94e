"""``:graph`` in its forms."""

from __future__ import annotations

import sys
from types import FrameType, FunctionType

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.graph import graph as graph_command
from puppet_repl.session import Session
from puppet_repl.tools.graph.notations import mermaid_text
from puppet_repl.tools.graph.svg import graph_svg
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.width import display_width
from puppet_repl.tools.reports.parts import Code, Complaint, Drawing, Message, Report
from puppet_repl.tools.reports.report import render_report

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


def test_what_types_imply_is_dotted() -> None:
    session = Session(facts={})
    code = """user { 'u': } class k { file { '/a/b': owner => 'u' } } include k
    file { '/a': before => User['u'] } user { 'v': gid => 'g' } group { 'g': before => User['v'] }
    mount { '/a': }"""
    assert session.execute(code).error is None
    assert code_of(session, ":graph mermaid")[-5:] == [
        "  r1 --> r5",
        "  r3 --> r6",  # what code states alone
        "  r1 -. implied by File .-> r2",
        "  r5 -. implied by File .-> r2",
        "  r4 -. implied by Mount .-> r2",
    ]
    assert [line for line in code_of(session, ":graph dot") if "dotted" in line] == [
        '  "File[\'/a\']" -> "File[\'/a/b\']" [style=dotted, label="implied by File"];',
        '  "User[\'u\']" -> "File[\'/a/b\']" [style=dotted, label="implied by File"];',
        '  "Mount[\'/a\']" -> "File[\'/a/b\']" [style=dotted, label="implied by Mount"];',
    ]
    (part,) = run(session, ":graph text").parts
    assert "Mount['/a']  ⇢ File['/a/b'] (implied by Mount)" in plain(
        render_report(Report(part), 80)
    )
    picture = "\n".join(code_of(session, ":graph svg"))
    assert picture.count("<title>implied by File</title>") == 2
    assert "comes before, implied by a type" in picture


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
    assert isinstance(drawing, Drawing)
    assert not drawing.as_text
    (tree,) = run(session, ":graph text").parts
    assert isinstance(tree, Drawing)
    assert tree.as_text
    assert tree.graph.order == drawing.graph.order
    (source,) = run(session, ":graph mermaid").parts
    assert isinstance(source, Code)
    assert isinstance(source.readable, Drawing)


@pytest.mark.parametrize(("command", "writer"), [("mermaid", mermaid_text), ("svg", graph_svg)])
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
    drawing, warning = run(made, ":graph mermaid").parts
    assert isinstance(drawing, Code)
    assert "-->" not in drawing.text
    assert isinstance(warning, Message)
    assert warning.text.startswith("Found 1 dependency cycle:")


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


def tree_of(session: Session, command: str, width: int = 80) -> list[str]:
    return plain(render_report(run(session, command), width)).split("\n")


@pytest.fixture(scope="module")
def contained() -> Session:
    made = Session(facts={})
    assert made.execute(CONTAINED).error is None
    return made


def test_the_text_is_a_tree_with_the_order_as_notes(contained: Session) -> None:
    assert tree_of(contained, ":graph") == [
        "Class['web']  → Notify['done']",
        "├─ Site['one']  → Service['web']",
        "│  └─ File['/srv/one']",
        "├─ Service['web']",
        "└─ Class['other']",
        "   ├─ User['a']",
        "   ├─ User['b']",
        "   ├─ User['c']",
        "   ├─ User['d']",
        "   └─ User['e']",
        "Notify['done']",
    ]


@pytest.mark.parametrize(
    ("subject", "rows"),
    [
        ("site", ["Site['one']  → Service['web'] (outside)", "└─ File['/srv/one']"]),
        ("Site[one]", ["Site['one']  → Service['web'] (outside)", "└─ File['/srv/one']"]),
        (
            "service['web']",
            [
                "Class['web']  → Notify['done']",
                "├─ Site['one']  → Service['web']",
                "└─ Service['web']",
                "Notify['done']",
            ],
        ),
        (
            "text User['a']",
            [
                "Class['web']  → Notify['done']",
                "└─ Class['other']",
                "   └─ User['a']",
                "Notify['done']",
            ],
        ),
        ("::Web", ["Class['web']  → Notify['done'] (outside)"]),
    ],
)
def test_a_part_of_it(contained: Session, subject: str, rows: list[str]) -> None:
    assert tree_of(contained, f":graph {subject}")[: len(rows)] == rows


def test_a_part_narrows_the_diagrams_too(contained: Session) -> None:
    assert code_of(contained, ":graph mermaid site") == code_of(contained, ":graph site mermaid")
    assert code_of(contained, ":graph mermaid site") == [
        "flowchart TD",
        "  subgraph r1[\"Site['one']\"]",
        "    r0[\"File['/srv/one']\"]",
        "  end",
    ]
    (drawing,) = run(contained, ":graph other").parts
    assert isinstance(drawing, Drawing)
    assert len(drawing.graph.nodes) == 6


def test_what_is_not_there_has_a_hint(contained: Session) -> None:
    (complaint,) = run(contained, ":graph ohter").parts
    assert isinstance(complaint, Complaint)
    assert (complaint.message, complaint.hint) == (
        "the catalog has no 'ohter'",
        "did you mean other?",
    )


@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_tree_fits_the_screen(width: int) -> None:
    path = "/etc/" + "/".join(["directory"] * 12)
    code = f"""
class a {{
  file {{ ['{path}/1.conf', '{path}/2.conf']: notify => Service['s'] }}
  service {{ 's': }}
}}
define d($n) {{ if $n > 0 {{ d {{ "${{title}}x": n => $n - 1 }} }} }}
d {{ 'd': n => 30 }}
notify {{ ['全角文字の長い題名が続いています全角文字の長い題名', "tab\\tand \u202e"]: }}
include a
"""
    session = Session(facts={})
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error
    rows = tree_of(session, ":graph", width)
    assert max(map(display_width, rows)) <= width
    assert sum("1.conf']" in row for row in rows) == sum("2.conf']" in row for row in rows) == 1
    assert sum("~→ Service['s']" in row for row in rows) == 2


def test_of_many_notes_the_number_is_told() -> None:
    session = Session(facts={})
    code = "notify { ['0', '1', '2', '3', '4', '5', '6', '7', '8']: }"
    code += "notify { 'first': before => Notify['0', '1', '2', '3', '4', '5', '6', '7', '8'] }"
    assert session.execute(code).error is None
    rows = tree_of(session, ":graph text")
    assert [row for row in rows if "→" in row][-1] == "   → Notify['5']"
    assert rows[-1] == "   … 3 more"


def test_what_two_contain_is_named_in_both() -> None:
    session = Session(facts={})
    code = "class c { notify { 'n': } } class a { contain c } class b { contain c } include a, b"
    assert session.execute(code).error is None
    assert tree_of(session, ":graph") == [
        "Class['a']",
        "└─ Class['c']",
        "   └─ Notify['n']",
        "Class['b']",
        "└─ Class['c'] (as above or below)",
    ]


def test_a_cycle_is_named() -> None:
    session = Session(facts={})
    assert session.execute("notify { 'a': } -> notify { 'b': } -> Notify['a']").error is None
    assert tree_of(session, ":graph") == [
        "Notify['a']  → Notify['b']",
        "Notify['b']  → Notify['a']",
        "Found 1 dependency cycle:",
        "(Notify[a] => Notify[b] => Notify[a])",
    ]
    fragments = render_report(run(session, ":graph"))
    assert ("bad", "→ Notify['b']") in fragments


def test_cycles_through_what_is_not_drawn() -> None:
    session = Session(facts={})
    code = "notify { 'a': } -> notify { 'b': } notify { 'c': require => Stage['main'] }"
    assert session.execute(code).error is None
    assert tree_of(session, ":graph")[-2:] == [
        "Found 1 dependency cycle:",
        "(Notify[c] => Class[Main] => Stage[main] => Notify[c])",
    ]
    assert len(tree_of(session, ":graph Notify['a']")) == 2
    assert tree_of(session, ":graph Notify['c']")[-2] == "Found 1 dependency cycle:"
    assert "\n".join(code_of(session, ":graph svg")).startswith("<svg ")


def test_several_cycles_are_all_named() -> None:
    session = Session(facts={})
    code = "['a', 'b'].each |$n| { notify { $n: } -> notify { \"$n$n\": } -> Notify[$n] }"
    assert session.execute(code).error is None
    assert tree_of(session, ":graph")[-3:] == [
        "Found 2 dependency cycles:",
        "(Notify[a] => Notify[aa] => Notify[a])",
        "(Notify[b] => Notify[bb] => Notify[b])",
    ]
