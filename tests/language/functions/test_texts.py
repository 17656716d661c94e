"""scanf, shellquote, digests, and how Ruby writes values; results of sprintf are Ruby's."""

from __future__ import annotations

import pytest

from puppet_repl.language.ruby_library.scanning import scan
from puppet_repl.language.types.text.format import program_text
from puppet_repl.session import Options, Session


@pytest.mark.parametrize(
    ("data", "text", "expected"),
    [
        ("42 apples", "%d %s", (42, "apples")),
        ("x=1.5e2", "x=%f", (1.5e2,)),
        ("0x1F 017 9", "%i %i %i", (31, 15, 9)),
        ("ff 17", "%x %o", (255, 15)),
        ("12345", "%2d%3d", (12, 345)),
        ("abc123", "%[a-z]%d", ("abc", 123)),
        ("abc123", "%[^0-9]", ("abc",)),
        ("ab", "%c%c", ("a", "b")),
        ("1 2 3", "%d %*d %d", (1, 3)),
        ("50% off", "%d%% %s", (50, "off")),
        ("x", "%d", ()),
        ("1,x", "%d,%d", (1,)),
        ("", "%s", ()),
        ("-7 +3", "%d %u", (-7, 3)),
    ],
)
def test_scan(data: str, text: str, expected: tuple[object, ...]) -> None:
    assert scan(data, text) == expected


CALL = "Evaluation Error: Error while evaluating a Function Call, "


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("md5(5)", "no implicit conversion of Integer into String"),
        ("fqdn_rand(0)", "invalid argument - 0"),
        ("fqdn_rand(-3)", "invalid argument - -3"),
        ("fqdn_rand([1])", "undefined method `to_i' for [1]:Array"),
        ("fqdn_rand(default)", "undefined method `to_i' for :default:Symbol"),
        ("fqdn_rand(true)", "undefined method `to_i' for true:TrueClass"),
        ("sprintf(5)", "no implicit conversion of Integer into String"),
        ("fail([1].reverse_each)", "Use of an Iterator is not supported here"),
        ("fail(File['x'], default, /x/)", "File[x] default /x/"),
        ("fail(Class['a::b'], [Class['a']])", 'Class[A::B] [Class[A]{:name=>"A"}]'),
        ("shellquote(5)", "shellquote(): every word must be a String, got Integer"),
        ("regsubst('abc', '(?<x>b)', '\\k<nope>')", "undefined group name reference: nope"),
        ("match('x', Integer)", "match() expects pattern of T, where T is String"),
        ("match('x', Timestamp(0))", "match() expects pattern of T, where T is String"),
        (
            "slice([1, 2, 3, 4], 3) |$a, $b| { }",
            "slice(): block must define one parameter, or the same number of parameters as the "
            "given size of the slice (3). Block has 2; a, b",
        ),
        (
            "compare('a', 'b', 1)",
            "'compare' compare(): The third argument (ignore case) must be a Boolean. Got Integer",
        ),
        (
            "compare(1, 2, true)",
            "'compare' compare(): The third argument (ignore case) can only be used when",
        ),
        (
            "compare('a', 'b', true, 1)",
            "'compare' compare(): Accepts at most 3 arguments, got 4",
        ),
        ("yaml_data({}, 1)", "'yaml_data' parameter 'options' expects size to be 1, got 0"),
        ("eyaml_lookup_key('', {}, 1)", "'eyaml_lookup_key' parameter 'key' expects a String[1]"),
        ("call(Deferred('$nope'))", "Undefined variable 'nope'; "),
        ("hiera_include('nope', undef)", "Could not find data item nope"),
        ("create_resources('notify', {a => true})", "no implicit conversion of true into Hash"),
        (
            "create_resources('notify', {a => default})",
            "no implicit conversion of Symbol into Hash",
        ),
        (
            "create_resources('notify', {a => Integer})",
            "no implicit conversion of Puppet::Pops::Types::PIntegerType into Hash",
        ),
        ("sprintf('%d', Class['a'])", "can't convert Puppet::Resource into Integer"),
        ("fail([Class['a'], File['/x']])", '[Class[A]{:name=>"A"}, File[/x]{:path=>"/x"}]'),
        (
            "fail(CatalogEntry)",
            "Cannot split the type Puppet::Pops::Types::PCatalogEntryType, it represents neither",
        ),
        ("sort([{}, Integer])", "comparison of Hash with Puppet::Pops::Types::PIntegerType failed"),
    ],
)
def test_error(code: str, message: str) -> None:
    outcome = Session(Options(), facts={}).execute(code)
    assert outcome.error is not None
    assert outcome.error.message.startswith(CALL + message)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "join([Sensitive('x'), 1.0, [undef, default], {b => undef}, /x/, []], '|')",
            "'Sensitive [value redacted]|1.0||default|{\"b\"=>nil}|(?-mix:x)|'",
        ),
        (
            "sprintf('%s', [default, /x/, Sensitive('x'), \"a\\tb#{c}\"])",
            r"""'[:default, "/x/", #<Sensitive [value redacted]>, "a\tb\#{c}"]'""",
        ),
        (
            r"""sprintf('%p', "\u0001\u0007\u00e9\u00a0\u200b\u2028\u0378\u{10ffff}")""",
            "'\"" + r"\u0001\aé" + "\u00a0\u200b" + r"\u2028\u0378\u{10FFFF}" + "\"'",
        ),
        ("call(Deferred('$facts', ['k']))", "'v'"),
        ("call(Deferred('join', [[Deferred('upcase', ['a'])], '']))", "'A'"),
        ("fqdn_rand(30, 'X', true) == fqdn_rand(30, 'X', false)", "true"),
        ("strftime('%Y') =~ /^[0-9]{4}$/", "true"),
        ("regsubst('a', 'a', 'b', 'G', 'U')", "'b'"),
    ],
)
def test_value(code: str, expected: str) -> None:
    outcome = Session(Options(), facts={"k": "v"}).execute(code)
    assert outcome.error is None, outcome.error
    assert program_text(outcome.value) == expected


def test_limits() -> None:
    session = Session(Options(max_memory=1 << 16), facts={})
    for code in (
        "Integer[1, 40].reduce('x') |$m, $i| { join([$m, $m]) }",
        "Integer[1, 40].reduce('x') |$m, $i| { regsubst($m, 'x', 'xx', 'G') }",
        "Integer[1, 40].reduce('x') |$m, $i| { regsubst($m, '.', 'xx', 'G') }",
        "Integer[1, 40].reduce([1]) |$m, $i| { flatten($m, $m) }",
        "sprintf('%1000000000d', 1)",
    ):
        outcome = session.execute(code)
        assert outcome.error is not None
        assert "set with max_memory)" in outcome.error.message or "too big" in outcome.error.message


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            r"""1 + ["\u0007x"]""",
            r"""The value '["\ax"]' cannot be converted to Numeric.""",
        ),
        (
            "[/a/, Sensitive(1), default] ? { 1 => 1 }",
            "No matching entry for selector parameter with value"
            " '[/a/, #<Sensitive [value redacted]>, :default]'",
        ),
    ],
)
def test_values_in_messages_of_operators(code: str, message: str) -> None:
    outcome = Session(Options(), facts={}).execute(code)
    assert outcome.error is not None
    assert message in outcome.error.message
