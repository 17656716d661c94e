"""Records how Puppet writes values of each type in catalogs, as rich data.

Run ``python -m tests.catalog.rich_data`` with PUPPET_LIB set; it writes rich_data.jsonl.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from tests.corpus.referee import ask

RECORDED = Path(__file__).with_suffix(".jsonl")
PLAIN = """
    Any Array Binary Boolean Callable CatalogEntry Class Collection Data Default Deferred Enum
    Error Float Hash Init Integer Iterable Iterator NotUndef Numeric Object Optional Pattern
    Regexp Resource RichData RichDataKey Runtime Scalar ScalarData SemVer SemVerRange Sensitive
    String Struct Task Timespan Timestamp Tuple Type TypeAlias TypeReference TypeSet URI Undef
    Unit Variant File Exec Notify Stage Puppet::LookupKey Puppet::LookupValue Pcore::IntegerType
    Pcore::AnyType Foo Foo::Bar User Package Filebucket Schedule
"""
# What the parameters of each type can be; all combinations of them are recorded.
PARAMETERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "Array": (("Integer", "Any", "Data", "1"), ("", "1", "0"), ("", "2")),
    "Boolean": (("true", "false", "default"),),
    "Callable": (
        (
            "",
            "String",
            "0, 0",
            "1",
            "String, 1, 2",
            "[String, Integer], Float",
            "[0, 0], Undef",
            "[1], Any",
        ),
        ("", "Callable", "Optional[Callable]", "Callable[1]"),
    ),
    "Class": (("a", "'a::b'", "'::a'"),),
    "Collection": (("1", "0", "default", "1, 2", "default, 2", "0, default"),),
    "Enum": (("a", "''"), ("", "b, c"), ("", "true", "false")),
    "Float": (("1.5", "1", "default"), ("", "2.5", "3", "default", "1e20")),
    "Hash": (
        ("String, Integer", "Any, Any", "Data, Data", "String, Any", "Any, String", "0, 0"),
        ("", "1", "default, 2", "1, 2"),
    ),
    "Init": (
        ("Integer", "String", "Timestamp", "Array[Integer]"),
        ("", "16", "'%d', true", "[1]"),
    ),
    "Integer": (("1", "-1", "0", "default"), ("", "2", "default", "9223372036854775807")),
    "Iterable": (("Integer", "Any", "Array[String]"),),
    "Iterator": (("Integer", "Any"),),
    "NotUndef": (("Integer", "Any", "'a'", "Data", "Undef", "''"),),
    "Optional": (("Integer", "Any", "'a'", "Undef", "String", "RichData", "''"),),
    "Pattern": (("/a/", "'a'", "Regexp[/b/]", "/a\\/b/"), ("", "/b/i", "/(?x)c/m")),
    "Regexp": (("/a/", "'a'", "default", "/a\\/b/ix", "/a.b/m", "''"),),
    "Resource": (
        ("file", "'foo'", "'foo::bar'", "File", "'Foo::Bar'"),
        ("", "'/x'", "''", "'a b'"),
    ),
    "Runtime": (("ruby", "'ruby'", "other"), ("'String'", "'Foo::Bar'", "default", "[/a/, 'b']")),
    "SemVer": (("'1.0.0'", "'>=1.0.0 <2.0.0'", "'~1.2'", "SemVerRange('1.x')"), ("", "'>2'")),
    "Sensitive": (("Integer", "Any", "String[1]"),),
    "String": (("'a'", "1", "0", "default", "Integer[1, 2]", "''"), ("", "2", "default")),
    "Struct": (
        (
            "{a => Integer}",
            "{Optional[a] => Integer}",
            "{NotUndef[a] => Any}",
            "{a => Optional[String]}",
            "{}",
            "{a => Any, 'b c' => Undef, Optional['c'] => String[1]}",
        ),
    ),
    "Timespan": (
        ("1", "default", "'1-00:00:00'", "{hours => 1}"),
        ("", "5", "default", "'2-00:00:00'"),
    ),
    "Timestamp": (
        ("'2020-01-01T00:00:00 UTC'", "default", "5", "1.5"),
        ("", "'2021-01-01T01:02:03.004 UTC'", "default", "1900000000"),
    ),
    "Tuple": (("Integer", "Integer, String", "Any"), ("", "1", "0, 3", "default, 5", "2, default")),
    "Type": (("Integer", "Any", "Type[String]", "Resource", "Class[a]", "File['/x']"),),
    "TypeReference": (("'Foo'", "'Foo::Bar[1, a]'", "'Integer'"),),
    "Undef": (("1",),),
    "URI": (
        (
            "'http://a.b/c'",
            "{scheme => http, port => 80}",
            "{scheme => 'https', host => 'a.b', path => '/c', query => 'd', fragment => 'e'}",
            "{opaque => 'x'}",
            "{userinfo => 'u'}",
            "{scheme => Enum[http, https]}",
            "{host => Pattern[/a/]}",
            "{scheme => /h/}",
            "{port => NotUndef}",
            "{port => 8080}",
            "'http://x:8080'",
            "'http://u:p@X:80/a?b#c'",
            "{path => Undef}",
            "{}",
            "default",
            "URI('http://x')",
            "'mailto:a'",
        ),
    ),
    "Variant": (("Integer", "Integer, String", "Undef", "Any", "Integer, Undef"),),
    "Deferred": (("1",),),
    "Object": (
        (
            "{name => 'My::T', attributes => {a => Integer}}",
            "{attributes => {a => Integer}}",
            "{attributes => {a => {type => Optional[Integer], value => 1}}}",
            "{attributes => {a => {type => Integer, kind => derived}}}",
            "{attributes => {a => {type => Integer, kind => given_or_derived}}}",
            "{constants => {c => 1, d => 'x'}}",
            "{attributes => {a => Integer, b => Any}, equality => [a], "
            "equality_include_type => false}",
            "{attributes => {a => Integer}, equality => a}",
            "{functions => {f => Callable[[Integer], String]}}",
            "{type_parameters => {p => Integer}, attributes => {p => Integer}}",
            "{}",
        ),
    ),
    "TypeSet": (("{pcore_version => '1.0.0', version => '1.0.0', types => {A => Integer}}",),),
}
DEFINED = {
    "type A = Integer": ("A", "Array[A]", "Optional[A]", "Type[A]", "[A, A]"),
    "type A = Array[A]": ("A", "Array[A]"),
    "type A = Variant[Integer, Array[A]]": ("A", "[A]", "{'k' => A}", "Optional[A]"),
    "type A = Hash[String, Variant[String, A]]": ("A",),
    "type A = Struct[{a => Optional[A]}]": ("A",),
    "type A = Enum[a, b]": ("A", "A[a]"),
    "type A = B type B = Integer[1, 2]": ("A", "B", "Tuple[A, B]"),
    "type A = Data": ("A", "Array[A]"),
    "type A = Optional[B] type B = Array[A]": ("A", "B"),
    "type A = Object[{attributes => {a => Integer}}]": ("A", "A(1)", "[A, A(1)]", "Array[A]"),
    "type A = {attributes => {a => Integer}}": ("A", "A(1)"),
    "type A = Object[{attributes => {a => {type => Integer, value => 3}, b => String}}]": (
        "A({b => 'x'})",
        "A('x', 3)",
        "A('x', 4)",
    ),
    "type A = Object[{attributes => {a => Optional[A], b => Any}}]": (
        "A",
        "A(1)",
        "A({x => A(/r/)}, A(1))",
    ),
    "type A = {attributes => {a => Any}} type B = A {attributes => {b => Any}}": (
        "B",
        "B(1, 2)",
        "[A(Integer), B(A, B)]",
    ),
    "type A = Object[{type_parameters => {p => Any}, attributes => {p => Any}}]": (
        "A",
        "A[Integer]",
        "A['x']",
        "A[1]",
    ),
    "type A = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {B => Integer}}]": (
        "A",
        "A::B",
        "[A::B, [A]]",
    ),
    "type A = Object[{attributes => {a => {type => String, kind => constant, value => 'x'}}}]": (
        "A",
        "A()",
    ),
}
VALUES = """
    undef | default | true | 1 | -1 | 1.5 | 1e20 | 1.0e-7 | 'a' | '' | 'é☃' | /a/ | /a\\/b/mix
    [] | {} | [undef] | {'a' => undef} | {1 => 2} | {undef => 1} | {[1] => {'a' => 2}}
    {'__ptype' => 'Integer'} | {'__pvalue' => 1} | {default => 1} | {/a/ => 1} | {Integer => 1}
    {'a' => {2 => {3 => 'x'}}} | Timespan(5) | Timespan('1-02:03:04') | Timestamp(5)
    Timestamp('2020-01-02T03:04:05.678 UTC') | SemVer('1.2.3-a+b') | SemVerRange('>=1.0.0 <2.0.0')
    SemVerRange('1.x') | URI('http://a.b/c?d#e') | URI('mailto:a@b')
    URI({scheme => 'http', host => 'x'}) | Binary('aGVsbG8=') | Binary('') | Sensitive(1)
    Sensitive([1, Integer]) | Sensitive(undef) | [Sensitive(1)] | {'a' => Sensitive({'b' => /x/})}
    [[Sensitive(Sensitive('x'))]] | Sensitive(Data) | [Sensitive(Data)] | Sensitive(File['/x'])
    [Sensitive(Class['a'])] | Deferred('upcase', ['a']) | Deferred('f')
    Deferred('f', [Integer, /a/, Timespan(1)]) | Deferred('f', [File['/x']])
    Deferred('f', [Sensitive('x')]) | Deferred('$x') | [Deferred('f', [Deferred('g')])]
    Deferred('f', [Data]) | Deferred('f', [undef, default]) | Error('a') | Error('a', 'b')
    Error({msg => 'a', kind => 'k', details => {'x' => 1}}) | File['/x'] | Class['a::b']
    [File['/x'], [Class['a']]] | {'a' => File['/x']} | {File['/x'] => 1} | {Class['a'] => 1}
    File['/x', '/y'] | Integer[1, 2].new(1) | Type(Integer)
    [Integer, [String[1], {'a' => Float}]] | {'a' => Data} | [RichData] | {Data => 1}
    [1, [Data]] | type('a') | type([1, 'x']) | type({'a' => [1]}) | type(1.5) | type(/a/)
    type(undef) | type(Integer) | type(File['/x']) | type(default) | type(Timespan(1))
    type(SemVer('1.0.0')) | type(Sensitive(1)) | type([]) | type({}) | type([[], {}])
    type([1, 2].reverse_each) | type(Binary('')) | type(URI('http://x')) | type([1, 'a', /b/])
    type('a', 'generalized') | type([1], 'reduced') | Integer =~ Type | Array[String][0, 3]
    type(URI('http://u@x:81/a')) | Sensitive([[File['/x']]]) | [[File['/x'], 1], [2]]
    [[1], Notify] | Array[default, 2] | Array[default, default] | Numeric[1] | Scalar[1] | Any[1]
    Data[1]
"""


def expressions() -> Iterator[tuple[str, str]]:
    """Yield definitions and the expression whose value is written."""
    for name in PLAIN.split():
        yield "", name
    for name, columns in PARAMETERS.items():
        for values in product(*columns):
            yield "", f"{name}[{', '.join([value for value in values if value])}]"
    for definition, uses in DEFINED.items():
        for use in uses:
            yield definition, use
    for line in VALUES.strip().splitlines():
        for value in line.split("|"):
            yield "", value.strip()


def main() -> None:
    """Write the file of cases."""
    requests = [
        {
            "id": f"rich-{number}",
            "mode": "catalog",
            "code": f"{definition} notify {{ 'x': message => {expression} }}".strip(),
        }
        for number, (definition, expression) in enumerate(expressions(), 1)
    ]
    with RECORDED.open("w", encoding="utf-8") as stream:
        for request, answer in ask(requests):
            answer.pop("edges", None)
            stream.write(json.dumps({**request, **answer}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
