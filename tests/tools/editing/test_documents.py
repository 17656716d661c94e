"""Documents hold the text of the client after any edits, and have trees while somebody types."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.documents import Change, Document, Tree, tree_of
from puppet_repl.tools.editing.positions import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.editing.positions import Encoding

CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
ENCODINGS = st.sampled_from(("utf-8", "utf-16", "utf-32"))
TEXTS = st.text(st.sampled_from("ab é€𝄞😀\n\r\t{}'$"), max_size=40).map(
    lambda text: text.replace("\n\r", "\n\r\n")
)


def client_position(text: str, offset: int, encoding: Encoding) -> tuple[int, int]:
    """Count lines and units as a client does: by splitting and encoding."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return len(before) - 1, len(before[-1].encode(CODECS[encoding])) // BYTES[encoding]


def between_cr_and_lf(text: str, offset: int) -> bool:
    return text[max(offset - 1, 0) : offset + 1] == "\r\n"


@given(TEXTS, ENCODINGS, st.data())
def test_positions_are_those_of_clients(text: str, encoding: Encoding, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if between_cr_and_lf(text, offset):
        offset += 1
    lines = Lines(text)
    position = lines.position(offset, encoding)
    assert position == client_position(text, offset, encoding)
    assert lines.offset(*position, encoding) == offset
    assert lines.line_of(offset) == position[0]


@given(TEXTS, ENCODINGS, st.integers(0, 50), st.integers(0, 200))
def test_every_position_is_in_its_line(
    text: str, encoding: Encoding, line: int, character: int
) -> None:
    lines = Lines(text)
    offset = lines.offset(line, character, encoding)
    if line >= len(lines):
        assert offset == len(text)
    else:
        start, end = lines.span(line)
        assert start <= offset <= end
        assert "\n" not in text[start:end]
        assert "\r" not in text[start:end]


@pytest.mark.parametrize(
    ("encoding", "character", "offset"),
    [("utf-8", 3, 1), ("utf-8", 4, 1), ("utf-8", 5, 2), ("utf-16", 2, 1), ("utf-16", 3, 2)],
)
def test_a_position_in_a_character_is_before_it(
    encoding: Encoding, character: int, offset: int
) -> None:
    assert Lines("a😀b").offset(0, character, encoding) == offset


@given(TEXTS, ENCODINGS, st.data())
def test_edits_give_the_text_of_the_client(
    text: str, encoding: Encoding, data: st.DataObject
) -> None:
    document = Document("", text)
    for version in range(1, data.draw(st.integers(1, 4)) + 1):
        changes = []
        for _ in range(data.draw(st.integers(1, 3))):
            new = data.draw(TEXTS)
            if data.draw(st.integers(0, 9)) == 0:
                changes.append(Change(new))
                text = new
                continue
            start, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
            start, end = (each + between_cr_and_lf(text, each) for each in (start, end))
            place = [client_position(text, each, encoding) for each in (start, end)]
            changes.append(Change(new, *place))
            text = text[:start] + new + text[end:]
        document.edit(changes, encoding, version)
        assert document.text == text
        assert document.version == version


TYPED = {
    "a call": "class a {\n  $x = 1\n  notice($0\n  $y = 2\n}\n",
    "a string": "class a {\n  $x = 'on$0\n  $y = 'b'\n}\n",
    "a resource": "class a {\n  file { '/x'$0\n    ensure => file,\n  }\n  $y = 2\n}\n",
    "a heading": "class a $0\n  $y = 2\n}\n",
    "parameters": "class a $0\n  String $x,\n) {\n  $y = 2\n}\n",
    "an open body": "class a {\n  $y = 2\n  if $y {\n    notice($0",
    "a brace too many": "class a {\n  $y = 2\n  }$0\n}\n",
    "a tag": "<%- if $x ( { $0 -%>\nx\n<%- } -%>\n<%= $y %>\n",
    "an open tag": "<%= $y %>\n<% if $x$0\nx\n",
    "two lines": "class a {\n  $y = 2\n  notice($y,\n    $0\n}\nclass b { }\n",
}


@pytest.mark.parametrize("text", TYPED.values(), ids=TYPED)
def test_there_is_a_tree_while_somebody_types(text: str) -> None:
    cursor = text.index("$0")
    before = text[:cursor] + text[cursor + 2 :]
    path = "a.epp" if "<%" in text else ""
    document = Document(path, before[: cursor - 1] + before[cursor:])
    place = Lines(document.text).position(cursor - 1, "utf-16")
    document.edit([Change(before[cursor - 1], place, place)], "utf-16", 1)
    tree = document.tree()
    assert tree is not None
    assert tree.recovered
    (found,) = [
        node
        for node in tree.program.body.walk()
        if isinstance(node, ast.VariableExpression) and node.name == "y" and node.start == node.at
    ][:1]
    assert before[found.start : found.end] == "$y"


def test_the_tree_of_a_well_formed_text_is_its_own() -> None:
    document = Document("a.pp", "class a { }\n")
    tree = document.tree()
    assert tree is not None
    assert not tree.recovered
    assert document.tree() is tree
    assert tree.program.source.name == "a.pp"


def test_a_long_text_is_parsed_once_for_all_keys_in_a_line() -> None:
    lines = [f"$a{number} = {number}\n" for number in range(2000)]
    before, after = "".join(lines[:1000]), "".join(lines[1000:])
    trees = [tree_of(f"{before}{line}\n{after}", len(before + line)) for line in ("", "n", "f($a")]
    first, *others = [tree for tree in trees if tree is not None]
    assert len(others) == 2
    assert all(tree.program is first.program for tree in others)
    assert others[-1].from_tree(len(before) + 1) == len(before) + len("f($a") + 1
    assert others[-1].to_tree(len(before) + 2) == len(before)
    elsewhere = tree_of(f"{before}f($a)\n{after}", 3)
    assert elsewhere is not None
    assert elsewhere.program is not first.program


def test_an_earlier_tree_knows_where_its_text_is_now() -> None:
    program = parse(Source("$a = 1\nx\n$b = 2\n"))
    now = "$a = 1\n) y\n$b = 2\n"
    tree = Tree(program, now, recovered=True, earlier=True)
    assert tree.from_tree(9) == now.index("$b")
    assert tree.to_tree(now.index("$b")) == 9
    assert tree.to_tree(4) == tree.from_tree(4) == 4
    assert tree.to_tree(now.index("y")) == 7


def test_the_last_good_tree_stays() -> None:
    document = Document("", "$a = 1\n")
    before = document.tree()
    document.edit([Change("]\n" * 40)], "utf-16", 1)
    tree = document.tree()
    assert before is not None
    assert tree is not None
    assert tree.recovered
    assert tree.program is before.program


def test_a_text_that_says_nothing_has_no_tree() -> None:
    assert Document("", "]\n" * 40).tree() is None


@pytest.mark.parametrize(
    ("path", "text"),
    [("a.epp", "<%= $x %>"), ("/m/plans/a.pp", "plan m::a(TargetSpec $t) { }"), ("", "$x = 1")],
)
def test_the_path_says_how_a_text_is_read(path: str, text: str) -> None:
    tree = Document(path, text).tree()
    assert tree is not None
    assert not tree.recovered


ROOT = Path(__file__).parents[3]
CORPUS = (
    "kernel/playground/examples/classes.pp",
    "kernel/playground/examples/resources.pp",
    "puppet_repl/environment/modules/bundled/9.7.0/stdlib/functions/ensure.pp",
    "puppet_repl/environment/modules/bundled/9.7.0/stdlib/manifests/manage.pp",
    "tests/environment/reference/modules/shop/manifests/init.pp",
)


@pytest.mark.parametrize("name", CORPUS)
def test_every_state_of_a_typed_line_has_a_tree(name: str) -> None:
    """The part of the line before the cursor is there, the rest of the file below it."""
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = Lines(text)
    states = failures = 0
    for line in range(0, len(lines), 3):
        start, end = lines.span(line)
        for offset in range(start + 1, end):
            document = Document("", text)
            place = lines.position(offset, "utf-16")
            document.edit([Change("", place, lines.position(end, "utf-16"))], "utf-16", 1)
            states += 1
            failures += document.tree() is None
    assert failures <= states / 100
