"""Long programs of all constructs: 10 to 60 lines that use each other's variables and definitions.

Most expressions fit where they stand, so that programs run far; one in a hundred is of any kind.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from tests.recorded import Case

KINDS = ("int", "str", "array", "hash", "bool", "any")
TYPES = {
    "int": ("Integer", "Integer[0]", "Numeric", "Any", "Scalar", "Optional[Integer]"),
    "str": ("String", "String[1]", "Scalar", "Any", "Variant[Integer, String]", "Data"),
    "array": ("Array", "Array[Any]", "Collection", "Iterable", "Array[Any, 0, 99]"),
    "hash": ("Hash", "Hash[String, Any]", "Collection", "Any"),
    "bool": ("Boolean", "Any", "Data"),
    "any": ("Any", "RichData", "Optional[Any]"),
}
LEAVES = {
    "int": ("0", "1", "2", "3", "7", "-4", "10", "0x1f", "017", "99"),
    "str": ("'a'", "'b c'", '"x\\ty"', "''", "'Hello'", "'10'", "'é'", "word", "'a-b-c'"),
    "array": ("[]", "[1, 2, 3]", "['a', 'b']", "[[1], [2, 3]]", "[undef, 'x']", "[{a => 1}]"),
    "hash": ("{}", "{a => 1}", "{'k' => [1, 2], 'm' => {'n' => 3}}", "{1 => x, 2 => y}"),
    "bool": ("true", "false"),
    "any": ("undef", "1.5", "default", "/a+/", "Integer", "Sensitive('s')", "SemVer('1.2.3')"),
}
ODD = (
    *("Timespan(90)", "Binary('YWJj')", "URI('http://h/p')", "Array[Integer, 1]", "File['/x']"),
    *("Timestamp('2020-01-02')", "SemVerRange('>=1.0.0 <2.0.0')", "Enum[a, b]", "Class[main]"),
)
# Expressions with holes for others, by the kind of what they give: {int} is an Integer, and so on.
FORMS = {
    "int": (
        *("{int} + {int}", "{int} * {int}", "({int} - {int})", "{int} % 7", "{int} << 2"),
        *("{str}.length", "{array}.size", "size({hash})", "-{int}", "abs({int})"),
        *("{array}.reduce(0) |$m, $e| {{ $m + 1 }}", "if {bool} {{ {int} }} else {{ {int} }}"),
        *("{bool} ? {{ true => {int}, default => {int} }}", "max({int}, {int})"),
        *("compare({str}, {str})", "Integer({str}.length)", "count_of({array})"),
        *("with({int}) |$w| {{ $w + 1 }}", "{int}.then |$t| {{ $t * 2 }}", "({int} / 3)"),
    ),
    "str": (
        *(
            '"<${{{any}}}>"',
            '"${{{int}}}-${{{str}}}"',
            "{str}.upcase",
            "{str} ? {{ /a/ => 'm', default => 'n' }}",
        ),
        *(
            "join({array}, '-')",
            "sprintf('%05d', {int})",
            "String({int}, '%x')",
            "regsubst({str}, 'a', 'b', 'G')",
        ),
        *("{str}[0, 2]", "case {int} {{ 0: {{ 'zero' }} 1, 2: {{ 'few' }} default: {{ {str} }} }}"),
        *("type({any}, generalized).convert_to(String)", "{str}.capitalize", "String({any})"),
        *("inline_epp('<% | $v | %>[<%= $v %>]', {{ v => {int} }})", 'strip(" ${{{str}}} ")'),
        *("$facts['os']['family']", "unless {bool} {{ {str} }} else {{ 'else' }}", "md5({str})"),
    ),
    "array": (
        *("[{any}, {int}, {str}]", "{array} + {array}", "{array}.map |$e| {{ [$e, 1] }}"),
        *(
            "{hash}.keys",
            "{hash}.values",
            "{array}.filter |$i, $e| {{ $i > 0 }}",
            "[*{array}, {int}]",
        ),
        *(
            "{array}.slice(2)",
            "Array({array}.reverse_each)",
            "[*{array}.step(2)]",
            "{array} << {any}",
        ),
        *(
            "{str}.split('-')",
            "unique({array})",
            "flatten({array}, [{array}])",
            "{array} - [{int}]",
        ),
        *("Integer[1, 4].map |$n| {{ $n * {int} }}", '{hash}.map |$k, $v| {{ "${{k}}=${{v}}" }}'),
        *(
            "match({str}, /(a)(.*)/)",
            "{array}[1, -1]",
            "Array({hash})",
            "Array(tree_each({array}))",
        ),
        *("{array}.each |$e| {{ notice($e) }}", "sort({hash}.keys.map |$k| {{ String($k) }})"),
        "{array}.partition |$e| {{ $e =~ Integer }}",
    ),
    "hash": (
        *("{{ a => {any}, 'b' => {int} }}", "{hash} + {{ k => {any} }}", "{hash} - ['a']"),
        *("{hash}.filter |$k, $v| {{ $v =~ NotUndef }}", "{hash} + {hash}"),
        *(
            "Hash({array}.map |$i, $e| {{ [$i, $e] }})",
            "{array}.group_by |$e| {{ type($e, generalized) }}",
        ),
        "{array}.reduce({{}}) |$m, $e| {{ $m + {{ $e => 1 }} }}",
        *("{{ 'n' => {hash}, 'l' => {array} }}", "Struct[{{a => Integer}}].new({{ a => {int} }})"),
    ),
    "bool": (
        *("{int} < {int}", "{int} == {any}", "!{bool}", "{bool} and {bool}", "{bool} or {bool}"),
        *(
            "{str} =~ /a/",
            "{any} =~ String",
            "{str} in {array}",
            "{any} =~ Variant[Integer, Undef]",
        ),
        *("{str} == {str}", "{array}.any |$e| {{ $e == 1 }}", "{array}.all |$i, $e| {{ $i < 5 }}"),
        *("empty({array})", "{array} =~ Array[Integer]", "{int} in [1, 2, {int}]", "defined('$x')"),
        *(
            "{any} != {any}",
            "Integer <= Numeric",
            "{hash} =~ Struct[{{ a => Any }}]",
            "{str} !~ /z$/",
        ),
    ),
    "any": (
        *("{int}", "{str}", "{array}", "{hash}", "{bool}", "{array}[{int}]", "{hash}['a']"),
        *("{hash}.dig('a')", "dig({array}, 0)", "type({any})", "{array}[0]", "Sensitive({str})"),
        *(
            "get({hash}, 'k.0')",
            "{array}.index({any})",
            "{any}.lest || {{ {str} }}",
            "Sensitive({int}).unwrap",
        ),
        *("assert_type(Any, {any})", "{any} ? {{ Integer => {any}, default => {any} }}"),
        *("if {bool} {{ {any} }}", "new(Integer, {int})", "[{any}].then |$t| {{ $t[0] }}"),
    ),
}
METAPARAMETERS = ("noop => true", "tag => [t1, t2]", "loglevel => debug", "schedule => daily")


class Writer:
    """A program under construction, with the names that its later lines may use."""

    def __init__(self, chooser: random.Random, *, has_resources: bool) -> None:
        self.random = chooser
        self.lines: list[str] = [
            "function count_of(Iterable $it) >> Integer { $it.reduce(0) |$n, $_| { $n + 1 } }"
        ]
        self.variables: dict[str, list[str]] = {kind: [] for kind in KINDS}
        self.functions: list[tuple[str, list[str]]] = []
        self.classes: list[str] = []
        self.defines: list[tuple[str, list[tuple[str, str]]]] = []
        self.resources: list[str] = []
        self.number = 0
        self.statements: list[Callable[[], None]] = [
            *(self.assignment,) * 8,
            *(self.log,) * 3,
            *(self.condition, self.loop, self.function, self.call, self.alias, self.object_type),
            *(self.text, self.destructuring, self.matching, self.early_end),
        ]
        if has_resources:
            self.statements += [
                *(self.resource,) * 4,
                *(self.class_, self.define, self.defined, self.relationship, self.collector),
                *(self.defaults, self.override, self.virtual, self.created, self.included),
            ]

    def name(self, prefix: str) -> str:
        """Return a new name."""
        self.number += 1
        return f"{prefix}{self.number}"

    def expression(self, kind: str, depth: int = 2) -> str:
        """Return an expression of a kind; seldom one of any other."""
        if self.random.random() < 0.01:
            kind = self.random.choice(KINDS)
        known = self.variables[kind]
        if known and self.random.random() < 0.4:
            return self.random.choice(known)
        if depth == 0 or self.random.random() < 0.2:
            odd = kind == "any" and self.random.random() < 0.3
            return self.random.choice(ODD if odd else LEAVES[kind])
        form = self.random.choice(FORMS[kind])
        holes = {each: _Hole(self, each, depth - 1) for each in KINDS}
        return f"({form.format(**holes)})" if self.random.random() < 0.3 else form.format(**holes)

    def add(self, line: str) -> None:
        """Add a statement."""
        self.lines.append(line)

    def write(self, count: int) -> str:
        """Return a program of that many lines or a few more."""
        while sum(line.count("\n") + 1 for line in self.lines) < count:
            self.random.choice(self.statements)()
        kinds = [kind for kind in KINDS if self.variables[kind]]
        known = [name for kind in kinds for name in self.variables[kind][:2]]
        return "\n".join([*self.lines, f"[{', '.join(known)}]"]) + "\n"

    # Statements

    def assignment(self) -> None:
        kind = self.random.choice(KINDS)
        name = self.name("$v")
        self.add(f"{name} = {self.expression(kind)}")
        self.variables[kind].append(name)

    def log(self) -> None:
        level = self.random.choice(("notice", "warning", "info", "notice", "crit"))
        self.add(f"{level}({self.expression('any')}, {self.expression('str', 1)})")

    def condition(self) -> None:
        kind = self.random.choice(("if", "unless"))
        self.add(
            f"{kind} {self.expression('bool')} {{\n  notice({self.expression('any')})\n}} else {{\n"
            f"  notice({self.expression('any')})\n}}"
        )

    def loop(self) -> None:
        end = self.random.choice(("next()", "break()", "notice(2)"))
        self.add(
            f"{self.expression('array')}.each |$i, $e| {{\n  if $i > 1 {{ {end} }}\n"
            f'  notice("${{i}}: ${{e}}")\n}}'
        )

    def function(self) -> None:
        name = self.name("f")
        kinds = [self.random.choice(KINDS) for _ in range(self.random.randrange(1, 4))]
        parameters = [
            f"{self.random.choice(TYPES[kind])} $p{place}" for place, kind in enumerate(kinds)
        ]
        if self.random.random() < 0.3:
            parameters.append(f"$last = {self.random.choice(LEAVES['int'])}")
        body = self.random.choice(("[$p0]", '"${p0}"', "if $p0 =~ Integer { return('i') }\n  $p0"))
        self.add(f"function {name}({', '.join(parameters)}) {{\n  {body}\n}}")
        self.functions.append((name, kinds))

    def call(self) -> None:
        if self.functions:
            name, kinds = self.random.choice(self.functions)
            given = [self.expression(kind, 1) for kind in kinds]
            result = self.name("$r")
            self.add(f"{result} = {name}({', '.join(given)})")
            self.variables["any"].append(result)

    def alias(self) -> None:
        name = self.name("T")
        inner = self.random.choice(TYPES[self.random.choice(KINDS)])
        form = self.random.choice(("{0}", "Array[{0}]", "Optional[{0}]", "Variant[{0}, Boolean]"))
        self.add(f"type {name} = {form.format(inner)}")
        self.add(f"notice({self.expression('any', 1)} =~ {name})")

    def object_type(self) -> None:
        name = self.name("O")
        value = self.random.choice(LEAVES["int"])
        self.add(
            f"type {name} = Object[{{attributes => {{\n  a => Any,\n"
            f"  b => {{type => Integer, value => {value}}}\n}}}}]"
        )
        made = self.name("$o")
        self.add(f"{made} = {name}({self.expression('any', 1)})\nnotice({made}.b, {made})")
        self.variables["any"].append(made)

    def text(self) -> None:
        name = self.name("$h")
        tag = self.random.choice(('"END"', "END", '"END"/t'))
        used = self.random.choice(self.variables["any"] or ["$facts['kernel']"])
        self.add(f"{name} = @({tag})\n  first ${{{used[1:]}}}\n    second\\t line\n  | END")
        self.variables["str"].append(name)

    def destructuring(self) -> None:
        one, two = self.name("$d"), self.name("$d")
        self.add(f"[{one}, {two}] = [{self.expression('int')}, {self.expression('str')}]")
        self.variables["int"].append(one)
        self.variables["str"].append(two)

    def matching(self) -> None:
        self.add(f"if {self.expression('str')} =~ /(\\w)(.*)/ {{ notice($0, $1, $2) }}")
        options = [
            f"{self.random.choice(LEAVES['str'])}: {{ notice({place}) }}" for place in range(3)
        ]
        self.add("case " + self.expression("any") + " {\n  " + "\n  ".join(options))
        self.add("  default: { notice('none') }\n}")

    def early_end(self) -> None:
        inner = f"if $e == {self.expression('int', 0)} {{ next('n') }}\n  \"${{e}}\""
        self.add(f"notice({self.expression('array')}.map |$e| {{\n  {inner}\n}})")

    # Statements of catalogs

    def attributes(self) -> str:
        given = [f"message => {self.expression('any', 1)}"]
        if self.random.random() < 0.3:
            given.append(self.random.choice(METAPARAMETERS))
        if self.resources and self.random.random() < 0.3:
            relation = self.random.choice(("require", "before", "notify", "subscribe"))
            given.append(f"{relation} => {self.random.choice(self.resources)}")
        return ", ".join(given)

    def resource(self) -> None:
        title = self.name("n")
        written = self.random.choice((f"'{title}'", f'"{title}"', f"['{title}', '{title}x']"))
        self.add(f"notify {{ {written}: {self.attributes()} }}")
        self.resources.append(f"Notify['{title}']")

    def class_(self) -> None:
        name = self.name("c")
        parent = f" inherits {self.classes[0]}" if self.classes and self.number % 3 == 0 else ""
        kind = self.random.choice(KINDS)
        parameter = f"{self.random.choice(TYPES[kind])} $p = {self.random.choice(LEAVES[kind])}"
        self.add(
            f"class {name}({parameter})"
            f"{parent} {{\n  notify {{ '{name}-n': message => $p }}\n  $own = 1\n}}"
        )
        self.classes.append(name)

    def included(self) -> None:
        if self.classes:
            word = self.random.choice(("include", "contain", "require"))
            name = self.random.choice(self.classes)
            self.add(f"{word} {name}\nnotice(${name}::own, ${name}::p)")

    def define(self) -> None:
        name = self.name("d")
        parameters = [(f"p{place}", self.random.choice(KINDS)) for place in range(2)]
        written = [f"{self.random.choice(TYPES[kind])} ${each}" for each, kind in parameters]
        self.add(
            f"define {name}({', '.join(written)}) {{\n"
            f'  notify {{ "{name}-${{title}}": message => [$p0, $p1] }}\n}}'
        )
        self.defines.append((name, parameters))

    def defined(self) -> None:
        if self.defines:
            name, parameters = self.random.choice(self.defines)
            given = [f"{each} => {self.expression(kind, 1)}" for each, kind in parameters]
            title = self.name("u")
            self.add(f"{name} {{ '{title}': {', '.join(given)} }}")
            self.resources.append(f"{name.capitalize()}['{title}']")

    def relationship(self) -> None:
        if len(self.resources) > 1:
            one, two = self.random.sample(self.resources, 2)
            self.add(f"{one} {self.random.choice(('->', '~>', '<-', '<~'))} {two}")

    def collector(self) -> None:
        query = self.random.choice(("", "title == 'n1'", "tag == 't1'", "message != 'x'"))
        end = self.random.choice(("", " { noop => false }"))
        self.add(f"Notify <| {query} |>{end}")

    def defaults(self) -> None:
        self.add(f"Notify {{ {self.random.choice(('withpath => true', *METAPARAMETERS))} }}")

    def override(self) -> None:
        if self.resources:
            self.add(f"{self.random.choice(self.resources)} {{ tag +> 'more' }}")

    def virtual(self) -> None:
        title = self.name("w")
        self.add(f"@notify {{ '{title}': {self.attributes()} }}")
        if self.random.random() < 0.6:
            self.add(f"realize(Notify['{title}'])")

    def created(self) -> None:
        title = self.name("m")
        body = f"{{ '{title}' => {{ message => {self.expression('any', 1)} }} }}"
        self.add(f"create_resources(notify, {body}, {{ withpath => false }})")
        self.resources.append(f"Notify['{title}']")


class _Hole:
    """A place in a form; each time it is written it is another expression."""

    def __init__(self, writer: Writer, kind: str, depth: int) -> None:
        self.write: Callable[[], str] = lambda: writer.expression(kind, depth)

    def __format__(self, _: str) -> str:
        text = self.write()
        return text if text.isdigit() or text.startswith("$v") else f"({text})"


def programs(count: int, seed: int) -> Iterator[Case]:
    """Yield requests; half of the programs declare resources."""
    for number in range(count):
        chooser = random.Random(f"{seed}-{number}")
        has_resources = number % 2 == 1
        code = Writer(chooser, has_resources=has_resources).write(chooser.randrange(10, 60))
        request: Case = {"id": f"long-{seed}-{number}", "code": code}
        yield {**request, "mode": "catalog"} if has_resources else request
