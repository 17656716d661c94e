"""Inspection knows the place: what a word is depends on where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml

from puppet_repl.catalog.core_types import NAMES, attributes_of
from puppet_repl.catalog.resource_types import METAPARAMETERS
from puppet_repl.environment.facts.facts import load_facts
from puppet_repl.session import Options, Session
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.inspection import texts
from puppet_repl.tools.inspection.attribute_texts import attribute_texts, metaparameter_texts
from puppet_repl.tools.inspection.documentation import Documentation
from puppet_repl.tools.inspection.notation import HEREDOC_ESCAPES, LAMBDAS
from puppet_repl.tools.inspection.operators import OPERATORS
from puppet_repl.tools.reports.help import documentation_markdown, documentation_text

SETUP = """
$known = { 'k' => 1 }
$x = 'of the session'
# A virtual host.
#
# @param port
#   Where it listens.
define vhost(Integer[1] $port = 80, $root) { }
# @param level How much is logged.
class web(Enum['debug', 'info'] $level = 'info') { }
file { '/x': ensure => file }
"""


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session(facts={"os": {"family": "Debian"}})
    assert made.execute(SETUP).error is None
    return made


def found_at(session: Session, text: str) -> Documentation | None:
    before, _, after = text.partition("‸")
    return session.inspect(before + after, len(before))


# The text with the cursor; category and title of what is found; a part of it.
PLACES = [
    # Resources
    ("fil‸e { '/x': ensure => file }", "resource type", "file", "a directory or a link"),
    ("‸file { '/x': ensure => file }", "resource type", "file", ""),
    ("file‸{ '/x': }", "resource type", "file", ""),
    ("file‸", "resource type", "file", ""),
    ("if true { fil‸e { '/x': } }", "resource type", "file", ""),
    ("@@fil‸e { '/x': }", "resource type", "file", ""),
    ("vho‸st { 'a': }", "defined type", "vhost", "A virtual host."),
    ("fil‸e('/x')", "function (files)", "file", "file("),
    ("$x = file‸('/x')", "function (files)", "file", ""),
    ("'/x'.fi‸le", "function (files)", "file", ""),
    ("noti‸ce 'a'", "function (logging)", "notice", ""),
    ("file { '/x': ens‸ure => file }", "attribute (file)", "ensure", "file, present, absent"),
    ("file { '/x': mode‸ => '0644' }", "attribute (file)", "mode", "permissions"),
    ("file { '/x':\n  owner => 'a',\n  mo‸de", "attribute (file)", "mode", "property"),
    ("file { '/x': pa‸th => '/y' }", "attribute (file)", "path", "names the resource"),
    ("file { '/x': requ‸ire => 1 }", "attribute (file)", "require", "metaparameter"),
    ("vhost { 'a': no‸op => true }", "attribute (vhost)", "noop", "metaparameter"),
    ("vhost { 'a': po‸rt => 8080 }", "attribute (vhost)", "port", "Where it listens."),
    ("vhost { 'a': po‸rt => 8080 }", "attribute (vhost)", "port", "Integer[1]"),
    ("vhost { 'a': ro‸ot => 8080 }", "attribute (vhost)", "root", "Required"),
    ("class { 'web': le‸vel => 1 }", "attribute (web)", "level", "How much is logged."),
    ("class { 'web': sta‸ge => 1 }", "attribute (web)", "stage", "run stage"),
    ("file { '/x': ; '/y': mo‸de => 1 }", "attribute (file)", "mode", ""),
    ("File['/x'] { mo‸de => '0644' }", "attribute (file)", "mode", ""),
    ("File { mo‸de => '0644' }", "attribute (file)", "mode", ""),
    ("File <| title == '/x' |> { mo‸de => 1 }", "attribute (file)", "mode", ""),
    ("File <<| |>> { ow‸ner => 1 }", "attribute (file)", "owner", ""),
    ("File <| mo‸de == '0644' |>", "attribute (file)", "mode", ""),
    ("File <| tag == 'a' and (ow‸ner == 'b') |>", "attribute (file)", "owner", ""),
    ("File <| tit‸le == 'a' |>", "attribute (file)", "title", "The title"),
    ("File <| ta‸g == 'a' |>", "attribute (file)", "tag", ""),
    ("Vhost <| po‸rt == 80 |>", "attribute (vhost)", "port", "Where it listens."),
    ("file { '/x': ensure => fi‸le }", "value (file)", "ensure => file", "A plain file"),
    ("file { '/x': ensure => 'dire‸ctory' }", "value (file)", "ensure => directory", ""),
    ("service { 'a': enable => ma‸sk }", "value (service)", "enable => mask", "systemd"),
    ("File <| ensure == lin‸k |>", "value (file)", "ensure => link", "symbolic"),
    ("user { 'a': ensure => pre‸sent }", "value (user)", "ensure => present", ""),
    ("file { '/x': loglevel => de‸bug }", "value (file)", "loglevel => debug", "--debug"),
    ("file { '/x': mode => '06‸44' }", "attribute (file)", "mode", "permissions"),
    ("class { 'web': level => 'in‸fo' }", "attribute (web)", "level", "Enum['debug', 'info']"),
    ("file { '/x': content => ep‸p('a') }", "function (templates)", "epp", ""),
    ("file { '/x': content => epp('a‸') }", "function (templates)", "epp", ""),
    ("file { '/x': content => $kno‸wn }", "variable", "$known", "{'k' => 1}"),
    ("file { '/x': content => $nope‸ }", "attribute (file)", "content", ""),
    ("cl‸ass { 'web': }", "keyword", "class", "declare"),
    ("class { 'we‸b': }", "class", "web", ""),
    ("include 'we‸b'", "class", "web", ""),
    ("contain we‸b", "class", "web", ""),
    ("Class['we‸b']", "class", "web", ""),
    ("File['/‸x']", "resource", "File['/x']", "ensure"),
    ("Fi‸le['/x']", "resource", "File['/x']", "ensure"),
    ("Fi‸le['/nope']", "resource type", "file", ""),
    # Keywords
    ("i‸f $x { }", "keyword", "if", "if TEST"),
    ("unle‸ss($x) { }", "keyword", "unless", ""),
    ("case $x { defau‸lt: { } }", "keyword", "default", ""),
    ("$x ? { defau‸lt => 1 }", "keyword", "default", ""),
    ("$x i‸n [1]", "keyword", "in", "KEY in COLLECTION"),
    ("$x an‸d true", "keyword", "and", ""),
    ("class a inher‸its b { }", "keyword", "inherits", ""),
    ("functi‸on f() { }", "keyword", "function", ""),
    ("ty‸pe A = Integer", "keyword", "type", ""),
    ("ty‸pe($x)", "function (conversion)", "type", ""),
    ("$x.ty‸pe", "function (conversion)", "type", ""),
    ("$y = und‸ef", "keyword", "undef", ""),
    ("nod‸e default { }", "keyword", "node", ""),
    # Operators
    ("1 ‸+ 2", "operator", "+", "Adds"),
    ("1 +‸ 2", "operator", "+", "Adds"),
    ("1 ‸- 2", "operator", "-", "Subtracts"),
    ("[‸-$x]", "operator", "-", "Negates"),
    ("2 ‸* 3", "operator", "*", "Multiplies"),
    ("f(‸*$x)", "operator", "*", "Unfolds"),
    ("$y = ‸*$x", "operator", "*", "Unfolds"),
    ("file { '/x': ‸* => $h }", "operator", "*", "that a hash holds"),
    ("file { '/x': mode => 1 ‸* 2 }", "operator", "*", "Multiplies"),
    ("[1].each |‸*$x| { }", "operator", "*", "further arguments"),
    ("$x ‸=~ /a/", "operator", "=~", "=~ TYPE"),
    ("$x =‸~ /a/", "operator", "=~", "=~ TYPE"),
    ("$x ‸!~ String", "operator", "!~", ""),
    ("‸!$x", "operator", "!", "Negates"),
    ("$x ‸? { 1 => 2 }", "operator", "?", "selector"),
    ("$x ? { 1 ‸=> 2 }", "operator", "=>", "option of a selector"),
    ("{ 1 ‸=> 2 }", "operator", "=>", "of a hash"),
    ("file { '/x': mode ‸=> 2 }", "operator", "=>", "Sets an attribute"),
    ("File['/x'] { require +‸> 2 }", "operator", "+>", "Adds to an attribute"),
    ("file { '/x'‸: mode => 1 }", "operator", ":", "title"),
    ("case $x { 1‸: { } }", "operator", ":", "case"),
    ("A['a'] -‸> B['b']", "operator", "->", "before"),
    ("A['a'] ~‸> B['b']", "operator", "~>", "refreshed"),
    ("File <‸| |>", "operator", "<|", "Collects"),
    ("File <| ‸|>", "operator", "|>", "Collects"),
    ("File <<‸| |>>", "operator", "<<|", "exported"),
    ("File <| tag ‸== 'a' |>", "operator", "==", "of several, any"),
    ("1 ‸== 2", "operator", "==", "are equal"),
    ("[1] ‸<< 2", "operator", "<<", "Appends"),
    ("8 ‸>> 2", "operator", ">>", "Shifts"),
    ("function f() ‸>> Integer { 1 }", "operator", ">>", "type of what a function returns"),
    ("$y ‸= 1", "operator", "=", "Binds"),
    ("function f($a ‸= 1) { }", "operator", "=", "parameter"),
    ("[1].each |$a ‸= 1| { }", "operator", "=", "parameter"),
    ("[1].each ‸|$a| { }", "operator", "|", "lambda"),
    ("‸@user { 'a': }", "operator", "@", "virtual"),
    ("‸@@user { 'a': }", "operator", "@@", "Exports"),
    ("$x ‸. length", "operator", ".", "first argument"),
    ('"a ${1 ‸+ 2} b"', "operator", "+", "Adds"),
    # Parameters
    ("[1].each |$‸e| { }", "parameter", "$e", "an element; of a Hash a pair"),
    ("[1].map |$i, $‸e| { }", "parameter", "$e", "the element; of a Hash the value"),
    ("[1].map |$i, $e| { $‸i }", "parameter", "$i", "the index"),
    ("[1].map |Integer[1, 2] $e| { $‸e + 1 }", "parameter", "$e", "Integer[1, 2]"),
    ("[1].map |$e| { $‸e + 1 }", "parameter", "$e", "none is declared"),
    ("[1].reduce(0) |$m, $e| { $‸m + $e }", "parameter", "$m", "what the lambda has"),
    (
        "class a {\n  [1].each |$line| {\n    notice($l‸ine)\n  }\n}",
        "parameter",
        "$line",
        "the lambda that each() calls",
    ),
    (
        "class a {\n  f({ x => [1] }) |$k, $v| {\n    file { '/x':\n      content => $‸v }\n  }\n}",
        "parameter",
        "$v",
        "the lambda that f() calls",
    ),
    ("if $a { $b = 1 |$c| } [1].each |$d| { $‸d }", "parameter", "$d", "each"),
    ("with(1) |$a = 5| { $‸a }", "parameter", "$a", "5"),
    ("[1].each |$a, *$re‸st| { }", "parameter", "$rest", "further arguments"),
    ("[1].each |$a| { [2].each |$b| { $‸a } }", "parameter", "$a", "each()"),
    ("[1].map |$x| { $‸x }", "parameter", "$x", "map()"),
    ('[1].map |$x| { "a ${x‸}" }', "parameter", "$x", "map()"),
    ('[1].map |$x| { "a $x‸" }', "parameter", "$x", "map()"),
    ("function f(Integer $n = 3) >> Integer { $‸n }", "parameter", "$n", "the function f"),
    ("class c(String $‸s) { }", "parameter", "$s", "the class c"),
    ("class c($s) inherits d { $‸s }", "parameter", "$s", "the class c"),
    ("# @param s What.\ndefine c($s) { $‸s }", "parameter", "$s", "What."),
    # Variables
    ("$x‸", "variable", "$x", "of the session"),
    ("[1].map |$x| { 1 }\n$x‸", "variable", "$x", "of the session"),
    ("$new = [1]\n$ne‸w", "variable", "$new", "$new = [1]"),
    ("$known['k‸']", "variable", "$known['k']", "1"),
    ("\"a ${kno‸wn['k']}\"", "variable", "$known", "{'k' => 1}"),
    ("\"a ${spl‸it('a', 'b')}\"", "function (patterns)", "split", ""),
    # Heredocs
    ('$y = @("EN‸D"/tn)\n a\n | END', "heredoc", '@("END"/tn)', "\\t is a tab"),
    ('$y = @("EN‸D"/tn)\n a\n | END', "heredoc", '@("END"/tn)', "are replaced"),
    ("$y = @(EN‸D)", "heredoc", "@(END)", "Nothing is"),
    ("$y = @(END‸:json)", "heredoc", "@(END:json)", "valid json"),
    ("$y = @(END/‸)\n", "heredoc", "@(END/)", "\\u263a"),
    ("$y = @(END)\n a\n | E‸ND\n", "heredoc", "@(END)", ""),
    ('$y = @("E")\n a $kno‸wn\n | E\n', "variable", "$known", ""),
    # What is open
    ("split('a', 'le‸n')", "function (patterns)", "split", ""),
    ("split('a', ‸", "function (patterns)", "split", ""),
]
NOTHING = [
    "'split‸'",
    '"split‸"',
    "# fi‸le",
    "/* fi‸le */",
    "$y =~ /spl‸it/",
    "{ fil‸e => 1 }",
    "case $x { fil‸e: { } }",
    "file { fil‸e: }",
    "@(END)\n spl‸it\n| END",
    "@(END)\n $kno‸wn\n| END",
    "'$kno‸wn'",
    "file { '/x': no‸pe => 1 }",
    "File <| no‸pe == 1 |>",
    "[‸1]",
]


@pytest.mark.parametrize(("text", "category", "title", "part"), PLACES)
def test_what_stands_there(
    session: Session, text: str, category: str, title: str, part: str
) -> None:
    found = found_at(session, text)
    assert found is not None
    assert (found.category, found.title) == (category, title)
    assert part in documentation_text(found)
    tag = "code" if "$" in title else "strong"
    heading = f"<{tag}>{escapeHtml(title)}</{tag}> <em>{escapeHtml(category)}</em>"
    assert heading in MarkdownIt("commonmark").render(documentation_markdown(found))


@pytest.mark.parametrize("text", NOTHING)
def test_nothing_stands_there(session: Session, text: str) -> None:
    assert found_at(session, text) is None


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (":type spl‸it('a', 'b')", "split"),
        (":type [1].map |$e| { $‸e }", "$e"),
        (":doc spl‸it", "split"),
        (":ty‸pe 1", ":type EXPR"),
        ("1\n:va‸rs", ":vars [PATTERN]"),
    ],
)
def test_commands_and_their_code(session: Session, text: str, title: str) -> None:
    found = found_at(session, text)
    assert found is not None
    assert found.title == title


# Keys of the data


@pytest.fixture(scope="module")
def with_data(tmp_path_factory: pytest.TempPathFactory) -> Session:
    root: Path = tmp_path_factory.mktemp("environment")
    (root / "data" / "os").mkdir(parents=True)
    (root / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n"
        '  - name: By system\n    path: "os/%{facts.os.family}.yaml"\n'
        "  - name: Common\n    path: common.yaml\n"
    )
    (root / "data" / "os" / "Debian.yaml").write_text("port: 8080\n")
    (root / "data" / "common.yaml").write_text(
        "port: 80\nname: '%{facts.kernel}'\ntree: {a: {b: 1}}\nsecret: x1\n"
        "lookup_options:\n  secret: {convert_to: Sensitive}\n"
    )
    return Session(Options(environment=str(root)), facts=load_facts("debian-12"))


def test_where_a_key_is(with_data: Session) -> None:
    found = found_at(with_data, "lookup('po‸rt')")
    assert found is not None
    assert (found.category, found.title) == ("data key", "port")
    assert [(Path(detail.label).name, detail.text, detail.remark) for detail in found.details] == [
        ("Debian.yaml", "8080", "environment, level By system"),
        ("common.yaml", "80", "environment, level Common"),
    ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("lookup('na‸me')", "%{facts.kernel}"),
        ("lookup('tree.a.‸b')", "{'a' => {'b' => 1}}"),
        ("lookup('‸nope')", "No data file"),
        ("hiera('po‸rt')", "8080"),
        (":lookup po‸rt", "8080"),
    ],
)
def test_keys_are_read_and_not_looked_up(with_data: Session, text: str, part: str) -> None:
    found = found_at(with_data, text)
    assert found is not None
    assert found.kind == "data key"
    assert part in documentation_text(found)


def test_secrets_stay_hidden(with_data: Session) -> None:
    found = found_at(with_data, "lookup('secr‸et')")
    assert found is not None
    assert "x1" not in documentation_text(found)
    assert "common.yaml" in documentation_text(found)


def test_without_an_environment_the_call_is_shown(session: Session) -> None:
    found = found_at(session, "lookup('po‸rt')")
    assert found is not None
    assert found.title == "lookup"


# The data are complete, and what they say is true


@pytest.mark.parametrize("name", NAMES)
def test_every_attribute_of_a_core_type_is_explained(session: Session, name: str) -> None:
    native = SessionSymbols(session).resource_type(name)
    assert native is not None
    own = {*native.properties, *native.parameters}
    assert attribute_texts(name).keys() == own
    assert name in texts.RESOURCE_TYPES
    assert all(text.endswith(".") for text in attribute_texts(name).values())


def test_every_metaparameter_is_explained() -> None:
    assert tuple(metaparameter_texts()) == METAPARAMETERS


@pytest.mark.parametrize("name", NAMES)
def test_usual_values_are_among_all_values(name: str) -> None:
    for attribute in attributes_of(name).values():
        if attribute.values and not attribute.has_others:
            assert set(attribute.meanings) <= set(attribute.values)


def test_lambdas_are_those_of_functions(session: Session) -> None:
    known = SessionSymbols(session)
    for name, roles in LAMBDAS.items():
        function = known.builtin_function(name)
        assert function is not None, name
        assert any("&" in each.text for each in function.signatures()), name
        assert all(len(role) <= count for count, role in roles.items())


EXAMPLES = [
    *(example for _, _, example in texts.KEYWORDS.values()),
    *(row.example for rows in OPERATORS.values() for row in rows if row.example),
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_true(example: str) -> None:
    made = Session(facts={})
    code, _, result = example.partition("  # => ")
    if not result:
        assert type(made.check(code)).__name__ == "Complete"
        return
    outcome = made.execute(code)
    assert outcome.error is None
    assert made.describe(outcome.value)["value"] == result


@pytest.mark.parametrize("flag", HEREDOC_ESCAPES)
def test_escapes_of_heredocs_are_those_that_puppet_takes(flag: str) -> None:
    outcome = Session(facts={}).execute(f"@(END/{flag})\nx\n| END\n")
    assert outcome.error is None
    assert outcome.value == "x\n"


def test_the_longest_place_is_looked_at_in_part(session: Session) -> None:
    text = "$y = 1\n" * 5000 + "file { '/x': ensure => fi‸le }\n" + "$z = 'a'\n" * 5000
    found = found_at(session, text)
    assert found is not None
    assert found.title == "ensure => file"
