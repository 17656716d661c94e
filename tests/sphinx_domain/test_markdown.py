from __future__ import annotations

import pytest

pytest.importorskip("sphinx")

from docutils import nodes

from puppet_repl.sphinx_domain.markdown import markdown_nodes


def kinds(text: str) -> list[str]:
    return [type(node).__name__ for node in markdown_nodes(text)]


def test_blocks() -> None:
    text = (
        "One\ntwo `x`.\n\n* a\n  b\n* c\n\n1. d\n\n    code\n\n      more\n\n"
        "```yaml\nk: v\n```\n# Head"
    )
    assert kinds(text) == [
        *("paragraph", "bullet_list", "bullet_list", "literal_block", "literal_block"),
        "paragraph",
    ]
    found = markdown_nodes(text)
    assert found[0].astext() == "One two x."
    assert [item.astext() for item in found[1].children] == ["a b", "c"]
    assert (found[3].astext(), found[3]["language"]) == ("code\n\n  more", "puppet")
    assert (found[4].astext(), found[4]["language"]) == ("k: v", "yaml")


def test_marks_in_a_line() -> None:
    (paragraph,) = markdown_nodes("a `b` **c** *d* [e](http://f/) http://g/h ```i { }``` 2 * 3")
    names = [type(node).__name__ for node in paragraph.children if not isinstance(node, nodes.Text)]
    assert names == ["literal", "strong", "emphasis", "reference", "reference", "literal"]
    assert paragraph.astext() == "a b c d e http://g/h i { } 2 * 3"


def test_nothing() -> None:
    assert markdown_nodes(" \n") == []
