"""Call stdlib's functions with random arguments; compare what Puppet and this interpreter say.

``python -m tests.corpus.random_calls [COUNT [SEED]] [--only NAME] [--save FILE]`` makes COUNT
calls for each version of stdlib. It needs Ruby, Puppet (``PUPPET_LIB`` names the lib directory of
a Puppet tree, or else the installed one is used) and stdlib: ``STDLIBS`` names a directory with
VERSION/stdlib. Half of the calls are recorded ones with another argument, the others have arguments
from a pool of odd values. Value, type, message, position and logs must then be the same.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from puppet_repl.base.errors import PuppetError
from puppet_repl.environment.modules.listings import Listings
from puppet_repl.environment.modules.ruby_index import OwnRuby
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from tests.corpus.referee import Comparison
from tests.recorded import suite

VERSIONS = {"8.5.0": "stdlib8", "9.7.0": "stdlib"}
# What differs from call to call, starts programs, or reads what others may change.
LEFT_OUT = frozenset(
    (
        "glob",
        "load_module_metadata",
        "loadjson",
        "loadyaml",
        "pry",
        "shuffle",
        "str2saltedpbkdf2",
        "str2saltedsha512",
        "time",
        "type3x",
        "validate_cmd",
        "validate_x509_rsa_key_pair",
        "stdlib::time",
    )
)
POOL = (
    *("undef", "default", "true", "false", "''", "' '", "'a'", "'A'", "'ab'", "'a b'", "'-'"),
    *("'0'", "'1'", "'-1'", "'007'", "'1.5'", "'1e3'", "'0x1f'", "' 7 '", "'1_000'", "'ten'"),
    *(
        "'true'",
        "'yes'",
        "'undef'",
        "'é'",
        "'ß'",
        "'Äö'",
        "'日本'",
        '"a\\nb"',
        '"\\t"',
        '"a\\u0000b"',
    ),
    *("'/etc/hosts'", "'C:/x'", "'a.b.c'", "'a,b'", "'a/b/c'", "'%s'", "'10.0.0.1'", "'::1/64'"),
    *("'1 GB'", "'5k'", "'a=b'", "'$x'", "'\"q\"'", "'[1]'", "'{\"a\": 1}'", "'a: 1'", "'^a'"),
    *("0", "1", "-1", "2", "3", "10", "255", "65536", "4294967296", "9223372036854775807"),
    *("-9223372036854775808", "0.0", "-0.0", "1.0", "1.5", "-2.75", "1e20", "1.0e-10", "3.0e8"),
    *("[]", "[1]", "['a']", "['a', 'b', 'a']", "[1, 2, 3]", "[3, 1, 2]", "['1', 1, 1.0]", "[[]]"),
    *("[['a', 1], ['b', 2]]", "[1, [2, [3]]]", "[undef]", "['', undef]", "[true, 'x']", "[{}]"),
    *("{}", "{'a' => 1}", "{'a' => 'b', 'c' => 'd'}", "{'a' => {'b' => [1, 2]}}", "{1 => 'x'}"),
    *("{'a' => undef}", "{default => 1}", "{[1] => 2}", "{'a b' => ''}", "{'B' => 2, 'a' => 1}"),
    *("/a/", "/^[A-C]+$/", "/(x)(y)?/", "String", "Integer[1, 5]", "Array[String]", "File", "Any"),
    *("File['/a']", "Class['a']", "Package['x', 'y']", "Sensitive('s')", "Sensitive([1])"),
    *(
        "SemVer('1.2.3-rc1')",
        "SemVerRange('>=1.0.0 <2.0.0')",
        "Timestamp('2020-02-03T04:05:06 UTC')",
    ),
    *("Timespan('1-02:03:04.5')", "Binary('YWJj')", "URI('http://u@example.com:8080/p?q#f')"),
)
BLOCKS = ("|$x| { $x }", "|$x, $y| { [$x, $y] }", "|*$x| { $x }", "|$x, $y, $z| { $z }")
Call = dict[str, Any]


def names_of(stdlib: Path) -> list[str]:
    """Return the names of the functions of a stdlib that can be compared."""
    own = OwnRuby(str(stdlib), Listings())
    puppet = {f"stdlib::{path.stem}" for path in (stdlib / "functions").glob("*.pp")}
    return sorted({*own.newer, *own.older, *puppet} - LEFT_OUT)


def recorded_calls(name: str) -> dict[str, list[tuple[str, list[str]]]]:
    """Return recorded calls by function: the text of each and those of its arguments."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for case in suite(name):
        if "files" in case or "mode" in case:
            continue
        source = Source(case["code"])
        try:
            body = parse(source).body
        except PuppetError:
            continue
        if isinstance(body, ast.CallNamedFunctionExpression):
            function = source.text[body.functor.start : body.functor.end]
            arguments = [source.text[each.start : each.end] for each in body.arguments]
            if source.text == f"{function}({','.join(arguments)})" and arguments:
                found.setdefault(function, []).append((source.text, arguments))
    return found


def odd_value(chooser: random.Random) -> str:
    """Return the text of a value, now and then of a collection of some."""
    kind = chooser.randrange(12)
    if kind == 0:
        return f"[{', '.join(chooser.choice(POOL) for _ in range(chooser.randrange(4)))}]"
    if kind == 1:
        pairs = [f"{chooser.choice(POOL)} => {chooser.choice(POOL)}" for _ in range(2)]
        return f"{{{', '.join(pairs)}}}"
    return chooser.choice(POOL)


def calls(version: str, names: list[str], count: int, seed: int) -> Iterator[Call]:
    """Yield calls of all functions in turn."""
    chooser = random.Random(f"{version} {seed}")
    recorded = recorded_calls(VERSIONS[version])
    for number in range(count):
        name = names[number % len(names)]
        known = recorded.get(name)
        if known and chooser.random() < 0.5:
            arguments = list(chooser.choice(known)[1])
            arguments[chooser.randrange(len(arguments))] = odd_value(chooser)
        else:
            arguments = [odd_value(chooser) for _ in range(chooser.choice((1, 1, 2, 2, 3, 4)))]
        block = f" {chooser.choice(BLOCKS)}" if chooser.randrange(15) == 0 else ""
        yield {
            "id": f"{version}.{number}",
            "code": f"{name}({', '.join(arguments)}){block}",
            "stdlib": version,
            "strict": chooser.choice(("warning", "warning", "warning", "off", "error")),
        }


def compare(version: str, arguments: argparse.Namespace) -> tuple[int, int]:
    """Print the calls that differ; return how many agree, of how many."""
    stdlib = Path(os.environ["STDLIBS"]) / version / "stdlib"
    names = [name for name in names_of(stdlib) if arguments.only in ("", name)]
    requests = list(calls(version, names, arguments.count, arguments.seed))
    comparison = Comparison(arguments.save, stdlib)
    comparison.run(requests)
    failing = Counter(each.request["code"].partition("(")[0] for each in comparison.differences)
    same, total = comparison.same, comparison.total
    print(f"{version}: {same} of {total} calls agree ({same / max(total, 1):.2%})")
    print(f"    {dict(failing.most_common())}")
    return same, total


def main() -> int:
    """Compare both versions; fail where less than 99 % agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=3000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--only", default="", help="one function")
    parser.add_argument("--save", type=Path, help="append Puppet's answers to a file, as cases")
    arguments = parser.parse_args()
    if "STDLIBS" not in os.environ:
        sys.exit("STDLIBS has to name a directory with VERSION/stdlib")
    figures = [compare(version, arguments) for version in VERSIONS]
    return 0 if all(same >= 0.99 * total for same, total in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
