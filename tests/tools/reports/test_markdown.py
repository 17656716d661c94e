"""Differences as Markdown: what a reviewer reads, and that it stays readable and short."""

from __future__ import annotations

import pytest

from puppet_repl.catalog.content import CatalogContent, content_of_document
from puppet_repl.catalog.difference import Difference, compare
from puppet_repl.tools.reports.differences_markdown import MAX_CHARACTERS, differences_markdown

EMPTY = content_of_document({"resources": []})
NAMES = ("origin/main", ".")


def catalog(*files: tuple[str, str]) -> CatalogContent:
    rows = [
        {"type": "File", "title": title, "parameters": {"content": text}} for title, text in files
    ]
    return content_of_document({"resources": rows})


def difference(old: CatalogContent, new: CatalogContent) -> Difference:
    return compare(old, new, from_name=NAMES[0], to_name=NAMES[1])


TEXT = """### Catalogs: `origin/main` → `.`

4 nodes: **2 different**, 1 the same, **1 failed**

> `the Puppetfile has other modules`

**Failed:** `c`

```
no catalog for .: not me
```

<details open><summary><b>2 nodes</b>: a and b (resources: 1 added, 1 changed)</summary>

```diff
+ File['/new']
+   content => 'n'
~ File['/x']
-   content => 'one'
+   content => 'two'
```

</details>

<details open><summary><b>1 node</b>: b (resources: 1 added)</summary>

```diff
+ File['/b']
+   content => 'b'
```

</details>

<details><summary>2 nodes in numbers</summary>

| node | added | removed | changed | relationships |
| --- | ---: | ---: | ---: | ---: |
| `b` | 2 | 0 | 1 | 0 |
| `a` | 1 | 0 | 1 | 0 |

</details>"""


def test_the_only_node_has_no_name() -> None:
    text = differences_markdown(NAMES, [("", None, "no catalog for .: not me")])
    assert text.splitlines()[2:] == [
        *("1 node: **1 failed**", "", "**Failed**", ""),
        *("```", "no catalog for .: not me", "```"),
    ]


def test_nodes_with_the_same_changes_are_together() -> None:
    old = catalog(("/x", "one"))
    new = catalog(("/x", "two"), ("/new", "n"))
    other = catalog(("/x", "two"), ("/new", "n"), ("/b", "b"))
    results = [
        ("a", difference(old, new), ""),
        ("b", difference(old, other), ""),
        ("c", None, "no catalog for .: not me"),
        ("d", difference(old, old), ""),
    ]
    notes = ["the Puppetfile has other modules"]
    assert differences_markdown(NAMES, results, notes) == TEXT


def test_one_node_without_a_name() -> None:
    text = differences_markdown(NAMES, [("", difference(EMPTY, EMPTY), "")])
    assert text == "### Catalogs: `origin/main` → `.`\n\n1 node: 1 the same"
    text = differences_markdown(NAMES, [("", difference(EMPTY, catalog(("/a", "x"))), "")])
    assert "<summary><b>1 node</b> (resources: 1 added)</summary>" in text
    assert "in numbers" not in text


def test_text_of_a_catalog_is_not_markup() -> None:
    new = catalog(("/a", "```\n</details>\n@user `x`\n````\n"))
    results = [
        ("<b>|`n`", difference(EMPTY, new), ""),
        ("z", difference(EMPTY, catalog(("/z", "z"))), ""),
    ]
    text = differences_markdown(("a`b", "c\x1bd"), results)
    lines = text.split("\n")
    assert lines[0] == "### Catalogs: `` a`b `` → `c\N{SYMBOL FOR ESCAPE}d`"
    fences = [number for number, line in enumerate(lines) if line.startswith("`````")]
    assert [lines[number] for number in fences] == ["`````diff", "`````"]
    assert all(
        fences[0] < number < fences[1] for number, line in enumerate(lines) if "@user" in line
    )
    assert "<summary><b>1 node</b>: &lt;b&gt;|`n` (resources: 1 added)</summary>" in text
    assert "| `` <b>\\|`n` `` | 1 | 0 | 0 | 0 |" in text


def test_long_texts_are_folded_and_cut() -> None:
    many = catalog(*((f"/f{number}", "x" * 50) for number in range(400)))
    text = differences_markdown(NAMES, [("a", difference(EMPTY, many), "")])
    assert "<details><summary><b>1 node</b>: a (resources: 400 added)</summary>" in text
    assert "\n*500 further lines left out*\n" in text
    results = [
        (f"n{number}", difference(EMPTY, catalog((f"/f{number}", "x" * 900))), "")
        for number in range(200)
    ]
    text = differences_markdown(NAMES, results)
    assert 50_000 < len(text) <= MAX_CHARACTERS
    assert "of nodes with further changes are left out" in text
    assert text.count("<details") == text.count("</details>")
    assert "| `n199` |" in text
    failed: list[tuple[str, Difference | None, str]] = [
        (f"n{number}", None, f"problem {number} " + "y" * 3000) for number in range(500)
    ]
    text = differences_markdown(NAMES, failed)
    assert len(text) <= MAX_CHARACTERS and "*and 480 further problems*" in text


@pytest.mark.parametrize("character", ["\N{ZERO WIDTH SPACE}", "`", "<", "|", "x"])
def test_escapes_and_long_names_fit_into_a_comment(character: str) -> None:
    long = character * 2000
    results: list[tuple[str, Difference | None, str]] = [
        (f"{number}{long}", None, f"{number}{long}") for number in range(30)
    ]
    results += [
        (f"{number}{long}", difference(EMPTY, catalog((f"/f{number}", long))), "")
        for number in range(300)
    ]
    text = differences_markdown(NAMES, results, [long] * 20)
    assert "**300 different**" in text and "**30 failed**" in text
    assert len(text) <= MAX_CHARACTERS
    assert text.count("<details") == text.count("</details>")
