"""Differences of two catalogs: what counts, what does not, and that they can be mirrored."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.catalog.content import (
    CatalogContent,
    DocumentError,
    content_of,
    content_of_document,
    is_catalog,
    named_in,
)
from puppet_repl.catalog.difference import (
    ABSENT,
    Difference,
    compare,
    difference_data,
    grouped,
)
from puppet_repl.catalog.difference_choice import Choice
from puppet_repl.catalog.json import document
from puppet_repl.session import Options, Session
from tests.catalog.conftest import FACTS

JsonObject = dict[str, Any]


def compiled(code: str, node: str | None = None) -> CatalogContent:
    session = Session(Options(node=node, modulepath=()), facts=FACTS)
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error
    return content_of(session.catalog)


def of_document(*resources: JsonObject, **rest: Any) -> CatalogContent:
    return content_of_document({"name": "n", "resources": list(resources), "edges": [], **rest})


def told(difference: Difference) -> list[str]:
    """The difference in short lines."""
    lines = [f"+ {resource.ref}" for resource in difference.added]
    lines += [f"- {resource.ref}" for resource in difference.removed]
    for change in difference.changed:
        for attribute in change.attributes:
            sign = "+" if attribute.old is ABSENT else "-" if attribute.new is ABSENT else "~"
            lines.append(f"{sign} {change.ref} {attribute.name}")
    lines += [
        f"{sign} {each.source} {each.kind} {each.target}"
        for sign, each in difference.relationships()
    ]
    return lines


def mirrored(lines: list[str]) -> list[str]:
    return sorted(line.translate(str.maketrans("+-", "-+", "")) for line in lines)


SAME = {
    "order of resources": ("notify { a: } notify { b: }", "notify { b: } notify { a: }"),
    "order of keys": (
        "define d($h) {} d { x: h => {a => 1, b => {c => 2, d => 3}} }",
        "define d($h) {} d { x: h => {b => {d => 3, c => 2}, a => 1} }",
    ),
    "require and before": (
        "notify { a: } notify { b: require => Notify[a] }",
        "notify { a: before => Notify[b] } notify { b: }",
    ),
    "metaparameters and arrows": (
        "notify { a: } notify { b: subscribe => Notify[a] }",
        "notify { a: } ~> notify { b: }",
    ),
    "an array of one reference": (
        "notify { a: } notify { b: require => Notify[a] }",
        "notify { a: } notify { b: require => [Notify[a]] }",
    ),
    "order of references": (
        "notify { [a, b]: } notify { c: require => [Notify[a], Notify[b]] }",
        "notify { [a, b]: } notify { c: require => [[Notify[b]], Notify[a]] }",
    ),
    "a reference by the path": (
        "file { motd: path => '/etc/motd' } notify { a: require => File['/etc/motd'] }",
        "file { motd: path => '/etc/motd' } notify { a: require => File['motd'] }",
    ),
    "a reference by an alias": (
        "notify { a: alias => 'x' } notify { b: require => Notify['x'] }",
        "notify { a: alias => 'x' } notify { b: require => Notify['a'] }",
    ),
    "tags": ("notify { a: tag => 'x' }", "notify { a: tag => ['y', 'z'] }"),
    "lines": ("notify { a: }", "\n\n\nnotify { a: }"),
    "secrets": (
        "define d($p) {} d { x: p => Sensitive('s') }",
        "define d($p) {} d { x: p => Sensitive('s') }",
    ),
    "deferred": (
        "notify { a: message => Deferred('upcase', ['x']) }",
        "notify { a: message => Deferred('upcase', ['x']) }",
    ),
    "virtual resources": ("notify { a: }", "notify { a: } @notify { b: }"),
}


@pytest.mark.parametrize("old, new", SAME.values(), ids=SAME)
def test_what_does_not_count(old: str, new: str) -> None:
    difference = compare(compiled(old), compiled(new))
    assert (told(difference), difference.is_empty) == ([], True)


DIFFERENT = {
    "resources": (
        "notify { a: } notify { c: }",
        "notify { b: } notify { c: }",
        ["+ Notify[b]", "- Notify[a]"],
    ),
    "parameters": (
        "file { '/a': mode => '0644', owner => 'root' }",
        "file { '/a': mode => '0600', group => 'root' }",
        ["+ File[/a] group", "~ File[/a] mode", "- File[/a] owner"],
    ),
    "order of arrays": (
        "define d($a) {} d { x: a => [1, 2] }",
        "define d($a) {} d { x: a => [2, 1] }",
        ["~ D[x] a"],
    ),
    "types of values": (
        "define d($a, $b, $c) {} d { x: a => 1, b => true, c => 1 }",
        "define d($a, $b, $c) {} d { x: a => '1', b => 1, c => 1.0 }",
        ["~ D[x] a", "~ D[x] b", "~ D[x] c"],
    ),
    "secrets": (
        "define d($p, $q) {} d { x: p => Sensitive('s'), q => {a => Sensitive('s')} }",
        "define d($p, $q) {} d { x: p => Sensitive('t'), q => {a => Sensitive('t')} }",
        ["~ D[x] p", "~ D[x] q"],
    ),
    "a secret and a value": (
        "define d($p) {} d { x: p => Sensitive('s') }",
        "define d($p) {} d { x: p => 's' }",
        ["~ D[x] p"],
    ),
    "deferred": (
        "notify { a: message => Deferred('upcase', ['x']) }",
        "notify { a: message => Deferred('upcase', ['y']) }",
        ["~ Notify[a] message"],
    ),
    "relationships": (
        "notify { a: } notify { b: require => Notify[a] }",
        "notify { a: } notify { b: subscribe => Notify[a] }",
        ["- Notify[a] before Notify[b]", "+ Notify[a] notify Notify[b]"],
    ),
    "the container": (
        "class x { notify { a: } } class y {} include x, y",
        "class x {} class y { notify { a: } } include x, y",
        ["- Class[X] contains Notify[a]", "+ Class[Y] contains Notify[a]"],
    ),
    "a new resource belongs to its class": (
        "class x { } include x",
        "class x { notify { a: } notify { b: require => Notify[a] } } include x",
        ["+ Notify[a]", "+ Notify[b]", "+ Notify[a] before Notify[b]"],
    ),
}


@pytest.mark.parametrize("old, new, lines", DIFFERENT.values(), ids=DIFFERENT)
def test_what_counts(old: str, new: str, lines: list[str]) -> None:
    before, after = compiled(old), compiled(new)
    difference = compare(before, after)
    assert told(difference) == lines
    assert not difference.is_empty
    assert sorted(told(compare(after, before))) == mirrored(lines)


def test_tags_are_an_option() -> None:
    old, new = compiled("notify { a: tag => 'x' }"), compiled("notify { a: tag => 'y' }")
    assert told(compare(old, new, Choice(tags=True))) == ["~ Notify[a] (tags)"]


def test_nodes_differ_in_what_they_hold_only() -> None:
    code = "node web01 { notify { a: } } node web02 { notify { a: } notify { b: } }"
    assert told(compare(compiled(code, "web01"), compiled(code, "web02"))) == ["+ Notify[b]"]


def test_a_node_block_is_no_container() -> None:
    old, new = compiled("notify { a: }"), compiled("node default { notify { a: } }", "n")
    assert told(compare(old, new)) == []


def test_exported() -> None:
    row = {"type": "Notify", "title": "a"}
    old, new = of_document(row), of_document({**row, "exported": True})
    assert told(compare(old, new)) == ["~ Notify[a] (exported)"]
    # PuppetDB keeps what a node exports, which is not in the catalog that the node gets.
    stored = content_of_document({"certname": "n", "resources": [{**row, "exported": True}]})
    assert told(compare(stored, of_document())) == []


def test_later_inputs_do_not_change_a_content() -> None:
    session = Session(Options(), facts=FACTS)
    session.execute("file { '/a': mode => '0644' }")
    kept = content_of(session.catalog)
    session.execute("file { '/a': mode => '0600' } notify { b: }")
    assert told(compare(kept, content_of(session.catalog))) == [
        "+ Notify[b]",
        "~ File[/a] mode",
    ]


# Documents


def test_a_live_catalog_is_the_same_as_its_document() -> None:
    session = Session(Options(node="n.example.com"), facts=FACTS)
    code = (
        "class a { file { '/x': content => \"1\\n2\" } ~> service { 's': ensure => running } }"
        "define d($v, $w) {} include a "
        "d { 'x': v => Sensitive('secret'), w => Deferred('md5', ['1']) }"
    )
    assert session.execute(code).error is None
    text = json.dumps(document(session.catalog))
    difference = compare(content_of(session.catalog), content_of_document(json.loads(text)))
    assert told(difference) == []
    # What is shown to people has no secrets, so that they cannot be compared.
    assert difference.not_compared == [("D[x]", "v")]


def test_changes_of_many_nodes_are_grouped() -> None:
    old = "notify { 'a': message => 'x' } notify { ['b', 'c']: } Notify['a'] -> Notify['b']"
    new = "notify { 'a': message => 'y' } notify { ['b', 'd']: } Notify['a'] ~> Notify['b']"
    less = "notify { 'a': message => 'y' } notify { ['b', 'c']: } Notify['a'] -> Notify['b']"
    before = compiled(old)
    nodes = {"one": new, "two": less, "three": less, "four": old}
    groups = grouped((name, compare(before, compiled(code))) for name, code in nodes.items())
    assert [(told(group.change), group.nodes) for group in groups] == [
        (["~ Notify[a] message"], ["one", "two", "three"]),
        (["- Notify[c]"], ["one"]),
        (["+ Notify[d]"], ["one"]),
        (["- Notify[a] before Notify[b]"], ["one"]),
        (["+ Notify[a] notify Notify[b]"], ["one"]),
    ]


def test_secrets_are_never_told() -> None:
    old = compiled("define d($p, $q) {} d { x: p => Sensitive('one'), q => [Sensitive('two')] }")
    new = compiled("define d($p, $q) {} d { x: p => Sensitive('uno'), q => [Sensitive('dos')] }")
    none = compiled("notify { a: }")
    for pair in ((old, new), (old, none), (none, new)):
        text = json.dumps(difference_data(compare(*pair)))
        assert "Sensitive [value redacted]" in text
        assert not any(secret in text for secret in ("one", "uno", "two", "dos"))


PUPPETDB = {
    "certname": "n",
    "environment": "production",
    "producer_timestamp": "2026-11-22T00:00:00Z",
    "resources": {
        "data": [
            {
                "type": "File",
                "title": "/a",
                "tags": ["file"],
                "parameters": {"mode": "0644", "alias": ["/a"]},
            },
            {
                "type": "User",
                "title": "u",
                "parameters": {"require": "File[/a]"},
            },
        ]
    },
    "edges": {
        "data": [
            {
                "relationship": "contains",
                "source_type": "Class",
                "source_title": "main",
                "target_type": "File",
                "target_title": "/a",
            },
            {
                "relationship": "contains",
                "source_type": "Class",
                "source_title": "main",
                "target_type": "User",
                "target_title": "u",
            },
            {
                "relationship": "required-by",
                "source_type": "File",
                "source_title": "/a",
                "target_type": "User",
                "target_title": "u",
            },
        ]
    },
}


def test_catalogs_of_puppetdb() -> None:
    code = (
        "file { '/a': mode => '0644' }user { u: password => Sensitive('x'), require => File['/a'] }"
    )
    for stored in (PUPPETDB, [PUPPETDB]):
        assert is_catalog(stored)
        difference = compare(content_of_document(stored), compiled(code))
        assert (told(difference), difference.not_compared) == ([], [("User[u]", "password")])


def test_the_wire_format_of_puppetdb() -> None:
    stored = {
        "certname": "n",
        "resources": [{"type": "Notify", "title": "a"}, {"type": "Notify", "title": "b"}],
        "edges": [
            {
                "source": {"type": "Notify", "title": "a"},
                "target": {"type": "Notify", "title": "b"},
                "relationship": "notifies",
            }
        ],
    }
    new = of_document({"type": "Notify", "title": "a"}, {"type": "Notify", "title": "b"})
    assert told(compare(content_of_document(stored), new)) == ["- Notify[a] notify Notify[b]"]


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("contains", "contains"),
        ("before", "before"),
        ("required-by", "before"),
        ("notifies", "notify"),
        ("subscription-of", "notify"),
    ],
)
def test_relationships_of_puppetdb(word: str, kind: str) -> None:
    """The words are those of PuppetDB's wire format of catalogs."""
    ends = {
        f"{end}_{key}": value
        for end, title in (("source", "a"), ("target", "b"))
        for key, value in (("type", "Notify"), ("title", title))
    }
    rows = [{"type": "Notify", "title": title} for title in "ab"]
    stored = {"certname": "n", "resources": rows, "edges": [{**ends, "relationship": word}]}
    content = content_of_document(stored)
    assert [repr(each) for each in content.relationships] == [f"Notify[a] {kind} Notify[b]"]
    assert (content.name, content.environment, content.of_puppetdb) == ("n", "", True)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Notify[a]", ("Notify", "a")),
        ("notify['a']", ("Notify", "a")),
        ('My::thing["a b"]', ("My::Thing", "a b")),
        ("::my::thing[a]", ("My::Thing", "a")),
        ("Notify['a\"]", ("Notify", "'a\"")),
        ("Notify[']", ("Notify", "'")),
        ("Notify['']", ("Notify", "")),
        ("Notify[[a]]", ("Notify", "[a]")),
        ("Class[apache::mod]", ("Class", "Apache::Mod")),
        ("class[::apache]", ("Class", "Apache")),
        ("Class[main]", ("Class", "main")),
        ("Class['::Main']", ("Class", "main")),
        ("Class[::]", ("Class", "main")),
        ("Stage[main]", ("Stage", "main")),
        ("Notify", None),
        ("a b", None),
    ],
)
def test_names_in_references(text: str, named: tuple[str, str] | None) -> None:
    assert named_in(text) == named


@pytest.mark.parametrize(
    ("parameters", "other"),
    [
        ({"alias": "x"}, "Notify[x]"),
        ({"alias": ["x", "y"]}, "Notify[y]"),
        ({"name": "x"}, "Notify[x]"),
        ({"path": "/x"}, "File[/x]"),
        ({"path": "/x/"}, "File[/x]"),
        ({"path": "/x"}, "File[/x/]"),
        ({"path": "/"}, "File[/]"),
        ({}, "File[/t/]"),
    ],
)
def test_other_names_of_a_resource(parameters: JsonObject, other: str) -> None:
    kind = other.partition("[")[0]
    title = "/t" if kind == "File" else "t"
    rows = [
        {"type": kind, "title": title, "parameters": parameters},
        {"type": "Notify", "title": "n", "parameters": {"require": [[other]]}},
    ]
    [relationship] = of_document(*rows).relationships
    assert repr(relationship) == f"{kind}[{title}] before Notify[n]"


def test_documents_of_old_versions_are_wrapped() -> None:
    row = {"type": "Notify", "title": "a"}
    wrapped = {"document_type": "Catalog", "data": {"name": "n", "resources": [row]}}
    assert told(compare(content_of_document(wrapped), of_document(row))) == []


@pytest.mark.parametrize(
    "data, message",
    [
        (1, "a catalog is a JSON object"),
        ({}, "a catalog has an array 'resources'"),
        ({"resources": {}}, "a catalog has an array 'resources'"),
        ({"resources": [1]}, "a resource of a catalog has a 'type' and a 'title'"),
        (
            {"resources": [{"type": "A", "title": "b", "parameters": [1]}]},
            "the parameters of A[b] are no object",
        ),
        ({"resources": [], "edges": [1]}, "an edge of a catalog has a 'source' and a 'target'"),
        ({"resources": [], "edges": [{}]}, "an edge of a catalog has a 'source' and a 'target'"),
    ],
)
def test_what_is_no_catalog(data: object, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        content_of_document(data)
    assert str(caught.value) == message


# Values over lines


def lines_of(old: Any, new: Any, width: int = 30) -> list[str]:
    before, after = ({"type": "D", "title": "x", "parameters": {"v": each}} for each in (old, new))
    (change,) = compare(of_document(before), of_document(after)).changed
    return change.attributes[0].lines(width)


@pytest.mark.parametrize(
    "old, new, lines",
    [
        ("a", "b", []),
        ("a\n", "b\n", []),
        (1, "1", []),
        ("a\nb\nc\n", "a\nB\nc\n", [" a", "-b", "+B", " c"]),
        ("a\nb", "a\nb\n", [" a", " b", "-\\ no line end"]),
        ("a\n", "a\nb\n", [" a", "+b"]),
        ({"a": 1}, {"a": 2}, []),
        (
            {"first": "a long value", "second": "another long value"},
            {"first": "a long value", "second": "another value"},
            [
                " {",
                "   'first' => 'a long value',",
                "-  'second' => 'another long value',",
                "+  'second' => 'another value',",
                " }",
            ],
        ),
        (
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
            "one\n2\n3\n4\n5\n6\n7\n8\nnine\n",
            [
                *("@@ -1,3 +1,3 @@", "-1", "+one", " 2", " 3"),
                *("@@ -7,3 +7,3 @@", " 7", " 8", "-9", "+nine"),
            ],
        ),
    ],
)
def test_lines_of_a_change(old: Any, new: Any, lines: list[str]) -> None:
    assert lines_of(old, new) == lines


# Properties


def random_document(source: random.Random) -> JsonObject:
    titles = [title for title in "abcdef" if source.random() < 0.6]
    values: list[Any] = [1, "1", True, None, [1, 2], {"k": [1]}, "x\ny\n", 1.5]
    resources = []
    for title in titles:
        parameters = {name: source.choice(values) for name in "pqr" if source.random() < 0.5}
        if source.random() < 0.4:
            name = source.choice(("before", "require", "notify", "subscribe"))
            parameters[name] = f"Notify[{source.choice('abcdef')}]"
        sensitive = [name for name in "pqr" if name in parameters and source.random() < 0.2]
        resources.append(
            {
                "type": "Notify",
                "title": title,
                "parameters": parameters,
                "sensitive_parameters": sensitive,
                "tags": source.sample(["s", "t"], source.randint(0, 2)),
            }
        )
    source.shuffle(resources)
    edges = [
        {"source": source.choice(("Class[main]", "Class[X]")), "target": f"Notify[{title}]"}
        for title in titles
    ]
    return {"name": "n", "resources": resources, "edges": edges}


@pytest.mark.parametrize("seed", range(40))
def test_mirrored_differences(seed: int) -> None:
    source = random.Random(seed)
    one, other = random_document(source), random_document(source)
    left, right = content_of_document(one), content_of_document(other)
    for tags in (False, True):
        there, back = (compare(*pair, Choice(tags=tags)) for pair in ((left, right), (right, left)))
        assert mirrored(told(there)) == sorted(told(back))
        assert difference_data(there)["added"] == difference_data(back)["removed"]
        assert (
            difference_data(there)["relationships"]["added"]
            == (difference_data(back)["relationships"]["removed"])
        )
        assert there.is_empty == back.is_empty
        again = json.loads(json.dumps(one, sort_keys=True))
        source.shuffle(again["resources"])
        assert compare(left, content_of_document(again), Choice(tags=tags)).is_empty


DOCUMENTS = [
    document
    for line in Path(__file__).with_name("documents.jsonl").read_text("utf-8").splitlines()
    for document in json.loads(line)["documents"]
    if "resources" in document
]


def test_documents_of_puppet_are_the_same_in_any_order() -> None:
    assert len(DOCUMENTS) >= 100
    source = random.Random(1)
    for recorded in DOCUMENTS:
        other = json.loads(json.dumps(recorded, sort_keys=True))
        source.shuffle(other["resources"])
        source.shuffle(other["edges"])
        for resource in other["resources"]:
            resource.pop("line", None)
            resource.pop("file", None)
            resource["tags"] = []
        assert compare(content_of_document(recorded), content_of_document(other)).is_empty


def test_documents_of_puppet_are_mirrored() -> None:
    contents = [content_of_document(recorded) for recorded in DOCUMENTS]
    for one, other in itertools.pairwise(contents):
        assert mirrored(told(compare(one, other))) == sorted(told(compare(other, one)))


def test_numbers_that_json_has_no_word_for_are_texts() -> None:
    old = of_document({"type": "Notify", "title": "n", "parameters": {"message": [1]}})
    new = compiled("notify { 'n': message => [Float('1e999'), 2] }")
    data = json.loads(json.dumps(difference_data(compare(old, new)), allow_nan=False))
    (changed,) = data["changed"]
    assert changed["parameters"] == [
        {"name": "message", "change": "changed", "from": [1], "to": ["Infinity", 2]}
    ]
