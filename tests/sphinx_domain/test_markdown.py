from __future__ import annotations

import pytest

pytest.importorskip("sphinx")

from docutils import nodes

from puppet_repl.sphinx_domain.markdown import markdown_nodes


def kinds(text: str) -> list[str]:
    return [type(node).__name__ for node in markdown_nodes(text)]


def test_blocks() -> None:
    text = (
        "One\ntwo `x`.\n\n* a\n  b\n* c\n\n1. d\n\n2. f\nText\n\n    code\n\n      more\n\n"
        "```yaml\nk: v\n```\n# Head"
    )
    assert kinds(text) == [
        *("paragraph", "bullet_list", "enumerated_list", "paragraph", "literal_block"),
        *("literal_block", "paragraph"),
    ]
    found = markdown_nodes(text)
    assert found[0].astext() == "One two x."
    assert [item.astext() for item in found[1].children] == ["a b", "c"]
    assert (found[4].astext(), found[4]["language"]) == ("code\n\n  more", "puppet")
    assert (found[5].astext(), found[5]["language"]) == ("k: v", "yaml")
    assert len(found[2]) == 2


def test_lists_in_lists() -> None:
    (outer,) = markdown_nodes("* a\n  * b\n\n    more of b\n  * c\n* d\n  1. e\n")
    assert isinstance(outer, nodes.bullet_list)
    assert [item.astext().split() for item in outer] == [
        ["a", "b", "more", "of", "b", "c"],
        ["d", "e"],
    ]
    assert [type(item[1]).__name__ for item in outer] == ["bullet_list", "enumerated_list"]


def test_tables_stay_as_written() -> None:
    (table,) = markdown_nodes("| a | b |\n|---|---|\n| 1 | 2 |")
    assert table.astext() == "| a | b |\n|---|---|\n| 1 | 2 |"


def test_marks_in_a_line() -> None:
    (paragraph,) = markdown_nodes("a `b` **c** *d* [e](http://f/) http://g/h ```i { }``` 2 * 3")
    names = [type(node).__name__ for node in paragraph.children if not isinstance(node, nodes.Text)]
    assert names == ["literal", "strong", "emphasis", "reference", "reference", "literal"]
    assert paragraph.astext() == "a b c d e http://g/h i { } 2 * 3"


def test_addresses_end_before_the_mark_of_the_sentence() -> None:
    (paragraph,) = markdown_nodes("See http://a.b/c, or (http://, https://d.e). Or http://f.")
    links = [node["refuri"] for node in paragraph.findall(nodes.reference)]
    assert links == ["http://a.b/c", "https://d.e", "http://f"]


def test_nothing() -> None:
    assert markdown_nodes(" \n") == []
