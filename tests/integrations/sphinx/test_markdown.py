from __future__ import annotations

import pytest

pytest.importorskip("sphinx")

from docutils import nodes

from puppet_repl.integrations.sphinx.markdown import inline_nodes, language_of, markdown_nodes


def kinds(text: str) -> list[str]:
    return [type(node).__name__ for node in markdown_nodes(text)]


def test_blocks() -> None:
    text = (
        "One\ntwo `x`.\n\n* a\n  b\n* c\n\n1. d\n\n2. f\n\nText\n\n    $code\n\n      more\n\n"
        "```yaml\nk: v\n```\n# Head\n\n> said\n\n---\n"
    )
    assert kinds(text) == [
        *("paragraph", "bullet_list", "enumerated_list", "paragraph", "literal_block"),
        *("literal_block", "rubric", "block_quote"),
    ]
    found = markdown_nodes(text)
    assert found[0].astext() == "One\ntwo x."
    assert [item.astext() for item in found[1].children] == ["a\nb", "c"]
    assert (found[4].astext(), found[4]["language"]) == ("$code\n\n  more", "puppet")
    assert (found[5].astext(), found[5]["language"]) == ("k: v", "yaml")
    assert len(found[2]) == 2
    assert found[7].astext() == "said"


def test_lists_in_lists() -> None:
    (outer,) = markdown_nodes("* a\n  * b\n\n    more of b\n  * c\n* d\n  1. e\n")
    assert isinstance(outer, nodes.bullet_list)
    assert [item.astext().split() for item in outer] == [
        ["a", "b", "more", "of", "b", "c"],
        ["d", "e"],
    ]
    assert [type(item[1]).__name__ for item in outer] == ["bullet_list", "enumerated_list"]
    (numbers,) = markdown_nodes("3. a\n4. b")
    assert numbers["start"] == 3


def test_tables() -> None:
    (table,) = markdown_nodes("| a | b |\n|---|:-:|\n| `1` | 2 \\| 3 |\n")
    rows = [[cell.astext() for cell in row] for row in table.findall(nodes.row)]
    assert rows == [["a", "b"], ["1", "2 | 3"]]
    assert [cell["classes"] for cell in table.findall(nodes.entry)][-1] == ["text-center"]
    assert len(list(table.findall(nodes.thead))) == len(list(table.findall(nodes.tbody))) == 1
    (only_head,) = markdown_nodes("| a |\n|---|\n")
    assert not list(only_head.findall(nodes.tbody))


def test_fences_in_lists_and_in_fences() -> None:
    (listed,) = markdown_nodes("* a\n\n  ```json\n  {}\n  ```\n")
    (block,) = listed.findall(nodes.literal_block)
    assert (block.astext(), block["language"]) == ("{}", "json")
    (outer,) = markdown_nodes("````text\n```puppet\nx\n```\n````")
    assert outer.astext() == "```puppet\nx\n```"
    (unknown,) = markdown_nodes("```nosuchlanguage\nx\n```")
    assert unknown["language"] == "none"


def test_marks_in_a_line() -> None:
    (paragraph,) = markdown_nodes("a `b` **c** *d* [e](http://f/) http://g/h ```i { }``` 2 * 3")
    names = [type(node).__name__ for node in paragraph.children if not isinstance(node, nodes.Text)]
    assert names == ["literal", "strong", "emphasis", "reference", "reference", "literal"]
    assert paragraph.astext() == "a b c d e http://g/h i { } 2 * 3"
    (broken,) = markdown_nodes("a  \nb")
    assert [node["format"] for node in broken.findall(nodes.raw)] == ["html", "latex"]


def test_html_is_text() -> None:
    """`<name>` in a comment is a placeholder."""
    (paragraph,) = markdown_nodes("the <vhost> of <b>x</b> &lt;")
    assert paragraph.astext() == "the <vhost> of <b>x</b> <"
    assert not list(paragraph.findall(nodes.raw))


def test_addresses_end_before_the_mark_of_the_sentence() -> None:
    (paragraph,) = markdown_nodes(
        "See http://a.b/c, or (http://, https://d.e). Or http://f. <https://g> {https://h the h}"
    )
    links = [(node["refuri"], node.astext()) for node in paragraph.findall(nodes.reference)]
    assert links == [
        ("http://a.b/c", "http://a.b/c"),
        ("https://d.e", "https://d.e"),
        ("http://f", "http://f"),
        ("https://g", "https://g"),
        ("https://h", "the h"),
    ]


def test_links_of_yard() -> None:
    (paragraph,) = markdown_nodes(
        "{a::b}, {::c the c}, `{d}`, {not a name: 1}, {e f} [{g}](http://h)"
    )
    links = [node for node in paragraph.findall() if "reftarget" in getattr(node, "attributes", {})]
    shown = [(node["reftarget"], node["refshown"], node.astext()) for node in links]
    assert shown == [
        ("a::b", "a::b", "{a::b}"),
        ("::c", "the c", "{::c the c}"),
        ("not", "a name: 1", "{not a name: 1}"),
        ("e", "f", "{e f}"),
    ]
    assert paragraph.astext() == "{a::b}, {::c the c}, {d}, {not a name: 1}, {e f} {g}"


def test_links_to_files_are_words() -> None:
    (paragraph,) = markdown_nodes("[this](README.md), [that](#anchor), [x](javascript:alert)")
    assert not list(paragraph.findall(nodes.reference))
    assert paragraph.astext() == "this, that, [x](javascript:alert)"


def test_images() -> None:
    (paragraph,) = markdown_nodes("![the *alt*](docs/x.png)", lambda uri: f"../{uri}")
    (image,) = paragraph.findall(nodes.image)
    assert (image["uri"], image["alt"]) == ("../docs/x.png", "the alt")


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("include nginx", "puppet"),
        ("class { 'x': ... }", "puppet"),
        ("$ bolt task run x", "console"),
        ("bolt task run x --targets y", "console"),
        ("---\nk: v", "yaml"),
        ("", "puppet"),
    ],
)
def test_languages_of_code(code: str, language: str) -> None:
    assert language_of(code) == language


def test_nothing() -> None:
    assert markdown_nodes(" \n") == []
    assert inline_nodes("") == []


def test_words_of_a_paragraph() -> None:
    assert [type(node).__name__ for node in inline_nodes("a *b* `c`")] == [
        *("Text", "emphasis", "Text", "literal"),
    ]
