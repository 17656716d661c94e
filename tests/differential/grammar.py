"""A grammar of programs, most of which run to a value.

The forms of expressions are in ``forms.txt``; those of the long programs for the referee are used
as well.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from tests.corpus import long_programs
from tests.differential.programs import Node, Program, Statement, literal

__all__ = ["LEAVES", "programs"]

Form = tuple[tuple[str, ...], tuple[str, ...]]
"""The pieces of a form, and the kinds of the holes between them."""
HERE = Path(__file__).parent
KINDS = ("int", "small", "float", "str", "array", "hash", "bool", "regexp", "type", "any")
_HOLE = f"<(=?(?:{'|'.join(KINDS)}))>"
# Those that a variable is bound to.
BOUND = ("int", "str", "array", "hash", "int", "str", "bool", "float", "any", "type", "regexp")
LITERALS: dict[str, tuple[str, ...]] = {
    "int": (
        *("0", "1", "2", "3", "7", "-4", "10", "0x1f", "017", "99", "1000000007", "4294967296"),
        *("5", "12", "64", "1023", "-1", "4611686018427387904", "9223372036854775807"),
    ),
    "small": ("0", "1", "2", "3", "7"),
    "float": ("0.0", "1.5", "-2.25", "1.0e3", "0.1", "1e-7", "123456789.125", "1.0e22", "2.0"),
    "str": (
        *("'a'", "'b c'", '"x\\ty"', "''", "'Hello'", "'10'", "'é'", "'a-b-c'", "'-3'", "'1.5'"),
        *("'it\\'s'", "'$x'", "'ünï çödé'", "'0x1F'", "'\\\\d'", '"\\u{1F600}"', "'true'", "'A'"),
    ),
    "array": ("[]", "[1, 2, 3]", "['a', 'b']", "[[1], [2, 3]]", "[undef, 'x']", "[{a => 1}]"),
    "hash": ("{}", "{a => 1}", "{'k' => [1, 2], 'm' => {'n' => 3}}", "{1 => 'x', 2 => 'y'}"),
    "bool": ("true", "false"),
    "regexp": ("/a+/", "/(\\w)(.*)/", "/^b/", "/\\d+/", "/[^a]z?/", "/(?i:HELLO)/"),
    "type": (
        *("Integer", "String[1]", "Array[Integer, 1]", "Optional[String]", "Enum['a', 'b c']"),
        *("Variant[Integer, Undef]", "Hash[String, Any]", "Struct[{a => Integer}]", "Numeric"),
        *("Tuple[Integer, String]", "Pattern[/a/]", "Integer[0, 10]", "Type[String]", "NotUndef"),
        *("Float[0.5]", "Boolean[true]", "Regexp[/a/]", "Collection[1, 3]", "Callable[Integer]"),
    ),
    "any": ("undef", "1.5", "default", "/a+/", "Integer", "'any'", "1"),
}
TYPES: dict[str, tuple[str, ...]] = {
    **long_programs.TYPES,
    "float": ("Float", "Numeric", "Any", "Optional[Float]", "ScalarData"),
    "regexp": ("Regexp", "Any", "Scalar"),
    "type": ("Type", "Any", "NotUndef"),
}
# Variables that forms of the referee's programs use, and functions that they define.
_LEFT_OUT = ("count_of", "$facts['os']", "crypt")
LEAVES = {kind: literal(kind, texts[0]) for kind, texts in LITERALS.items()}
LEAVES["any"] = literal("any", "1")
MAX_DEPTH = 3


def _parsed(form: str) -> Form:
    """Return the pieces of a form, and the kinds of its holes."""
    pieces = re.split(_HOLE, form)
    return tuple(pieces[::2]), tuple(pieces[1::2])


def _all_forms() -> dict[str, list[Form]]:
    """Return the forms of each kind: those of the file, and of the long programs."""
    texts = defaultdict[str, list[str]](list)
    for line in HERE.joinpath("forms.txt").read_text(encoding="utf-8").splitlines():
        kind, colon, form = line.partition(": ")
        if colon and not kind.startswith("#"):
            texts[kind].append(form.replace("⏎", "\n"))
    holes = {kind: f"<{kind}>" for kind in KINDS}
    for kind, forms in long_programs.FORMS.items():
        made = [form.format(**holes) for form in forms]
        texts[kind] += (each for each in made if not any(map(each.count, _LEFT_OUT)))
    return {kind: [_parsed(form) for form in forms] for kind, forms in texts.items()}


_FORMS = _all_forms()


class Writer:
    """A program under construction, and the names that its later parts may use."""

    def __init__(self, chooser: random.Random, *, has_resources: bool) -> None:
        self.random = chooser
        self.has_resources = has_resources
        self.variables: dict[str, list[str]] = {kind: [] for kind in KINDS}
        self.functions: list[tuple[str, list[str], str]] = []
        self.types: list[str] = []
        self.classes: list[str] = []
        self.defines: list[tuple[str, list[str]]] = []
        self.resources: list[str] = []
        self.number = 0

    def choose(self, options: Sequence[str]) -> str:
        return self.random.choice(options)

    def name(self, prefix: str) -> str:
        """Return a new name."""
        self.number += 1
        return f"{prefix}{self.number:02}"

    # Expressions

    def expression(self, kind: str, depth: int = MAX_DEPTH) -> Node:
        """Return an expression of a kind; seldom one of any other."""
        if self.random.random() < 0.004:
            kind = self.choose(KINDS)
        known = self.variables[kind] if kind != "any" else [*chain(*self.variables.values())]
        if known and self.random.random() < 0.35:
            return Node(kind, (self.choose(known),))
        if depth == 0 or kind not in _FORMS or self.random.random() < 0.2:
            return literal(kind, self.choose(LITERALS[kind]))
        calls = [each for each in self.functions if each[2] == kind]
        if calls and self.random.random() < 0.3:
            return self.call(calls, depth)
        pieces, kinds = self.random.choice(_FORMS[kind])
        return Node(kind, pieces, tuple(self.expression(each, depth - 1) for each in kinds))

    def call(self, functions: list[tuple[str, list[str], str]], depth: int) -> Node:
        """Return a call of a user-defined function."""
        name, kinds, kind = self.random.choice(functions)
        pieces = (f"{name}(", *(", ",) * (len(kinds) - 1), ")")
        return Node(kind, pieces, tuple(self.expression(each, depth - 1) for each in kinds))

    def inside(self, variables: dict[str, list[str]], work: Callable[[], Node]) -> Node:
        """Return what ``work`` makes where only these variables are known."""
        outer = self.variables
        self.variables = {kind: variables.get(kind, []) for kind in KINDS}
        try:
            return work()
        finally:
            self.variables = outer

    # Definitions

    def function(self) -> Statement:
        kinds = [self.choose(BOUND) for _ in range(self.random.randrange(1, 4))]
        kind = self.choose(("int", "str", "array", "bool", "any", "hash"))
        names = [self.name("$v") for _ in kinds]
        known: dict[str, list[str]] = {}
        for each, name in zip(kinds, names, strict=True):
            known.setdefault(each, []).append(name)
        body = self.inside(known, lambda: self.expression(kind, 2))
        name = self.name("m::f")
        parameters = ", ".join(
            f"{self.choose(TYPES[each])} {known_as}"
            for each, known_as in zip(kinds, names, strict=True)
        )
        result = self.choose(("", "", f" >> {TYPES[kind][0]}"))
        self.functions.append((name, kinds, kind))
        begin = self.choose(("", "", f"if {names[0]} =~ Undef {{ return(undef) }}\n  "))
        return Node(
            "function", (f"function {name}({parameters}){result} {{\n  {begin}", "\n}"), (body,)
        )

    def alias(self) -> Statement:
        name = self.name("M::T")
        form = self.choose(
            ("Array[{}]", "Optional[{}]", "Variant[{}, Boolean]", "Hash[String, {}]")
        )
        before, after = form.split("{}")
        made = self.inside({}, lambda: literal("type", self.choose(LITERALS["type"])))
        self.types.append(name)
        self.variables["type"].append(name)
        return Node("alias", (f"type {name} = {before}{made.text}{after}",))

    def object_type(self) -> Statement:
        name = self.name("M::T")
        value = self.choose(LITERALS["int"][:8])
        self.types.append(name)
        self.functions.append((name, ["any"], "any"))
        return Node(
            "alias",
            (
                f"type {name} = Object[{{attributes => {{\n  a => Any,\n"
                f"  b => {{type => Integer, value => {value}}}\n}}}}]",
            ),
        )

    def class_(self) -> Statement:
        kind = self.choose(BOUND)
        parent = (
            f" inherits {self.choose(self.classes)}"
            if self.classes and self.random.random() < 0.3
            else ""
        )
        name = self.name("m::c")
        parameter, own = self.name("$v"), self.name("$v")
        value = self.inside({kind: [parameter]}, lambda: self.expression("any", 2))
        self.classes.append(name)
        default = literal(kind, self.choose(LITERALS[kind]))
        pieces = (
            f"class {name}({self.choose(TYPES[kind])} {parameter} = ",
            f"){parent} {{\n  {own} = ",
            f"\n  notify {{ '{name} in class': message => {own} }}\n}}",
        )
        return Node("class", pieces, (default, value))

    def define(self) -> Statement:
        kinds = [self.choose(BOUND) for _ in range(2)]
        names = [self.name("$v") for _ in kinds]
        known: dict[str, list[str]] = {}
        for each, known_as in zip(kinds, names, strict=True):
            known.setdefault(each, []).append(known_as)
        value = self.inside(known, lambda: self.expression("any", 2))
        name = self.name("m::d")
        parameters = ", ".join(
            f"{self.choose(TYPES[each])} {known_as}"
            for each, known_as in zip(kinds, names, strict=True)
        )
        self.defines.append((name, [f"{a[1:]}:{b}" for a, b in zip(names, kinds, strict=True)]))
        pieces = (
            f'define {name}({parameters}) {{\n  notify {{ "{name} ${{title}}": message => ',
            " }\n}",
        )
        return Node("define", pieces, (value,))

    # Statements

    def statement(self) -> Statement:
        pieces, holes = self.random.choice(_FORMS["statement"])
        texts, parts, bound = [pieces[0]], [], []
        for hole, after in zip(holes, pieces[1:], strict=True):
            if hole.startswith("="):
                name = self.name("$v")
                bound.append((hole[1:], name))
                texts[-1] += name + after
            else:
                parts.append(self.expression(hole, self.random.choice((0, 1, 2, 3))))
                texts.append(after)
        for kind, name in bound:
            self.variables[kind].append(name)
        return Node("statement", tuple(texts), tuple(parts))

    # Statements of catalogs

    def resource(self) -> Statement:
        title = self.name("n")
        parts = [self.expression("any", 2)]
        sign = self.choose(("", "", "", "@"))
        more = self.choose(
            ("", "", ", noop => true", ", tag => ['t1', 't2']", ", loglevel => debug")
        )
        if self.resources and self.random.random() < 0.3:
            relation = self.choose(("require", "before", "notify", "subscribe"))
            more += f", {relation} => {self.choose(self.resources)}"
        if not sign:
            self.resources.append(f"Notify['{title}']")
        return Node(
            "statement", (f"{sign}notify {{ '{title}': message => ", f"{more} }}"), tuple(parts)
        )

    def included(self) -> Statement:
        return Node(
            "statement",
            (f"{self.choose(('include', 'contain', 'require'))} {self.choose(self.classes)}",),
        )

    def declared(self) -> Statement:
        name, parameters = self.random.choice(self.defines)
        title = self.name("u")
        pieces, parts = [f"{name} {{ '{title}': "], []
        for each in parameters:
            parameter, _, kind = each.partition(":")
            pieces[-1] += f"{parameter} => "
            pieces.append(", ")
            parts.append(self.expression(kind, 1))
        pieces[-1] = " }"
        self.resources.append(f"M::{name[3:].capitalize()}['{title}']")
        return Node("statement", tuple(pieces), tuple(parts))

    def relationship(self) -> Statement:
        one, two = self.choose(self.resources), self.choose(self.resources)
        return Node("statement", (f"{one} {self.choose(('->', '~>'))} {two}",))

    def collector(self) -> Statement:
        query = self.choose(("", "title == 'n01'", "tag == 't1'", "message != 'x'"))
        end = self.choose(("", "", " { noop => false }"))
        return Node("statement", (f"Notify <| {query} |>{end}",))

    def defaults(self) -> Statement:
        return Node(
            "statement",
            (f"Notify {{ {self.choose(('withpath => true', 'noop => true', 'tag => [t9]'))} }}",),
        )

    def created(self) -> Statement:
        title = self.name("n")
        return Node(
            "statement",
            (
                f"create_resources(notify, {{ '{title}' => {{ message => ",
                " } }, { withpath => false })",
            ),
            (self.expression("any", 1),),
        )

    def write(self, count: int) -> Program:
        """Return a program with that many statements."""
        makers: list[Callable[[], Statement]] = [self.function] * 3 + [self.alias, self.object_type]
        if self.has_resources:
            makers += [self.class_] * 3 + [self.define] * 2
        statements: list[Statement] = []
        definitions = [self.random.choice(makers)() for _ in range(self.random.randrange(1, 6))]
        for _ in range(count):
            choices = [self.statement] * 18
            if self.has_resources:
                choices += [self.resource] * 5 + [self.collector, self.defaults, self.created]
                choices += [self.included] * 2 * bool(self.classes)
                choices += [self.declared] * 2 * bool(self.defines)
                choices += [self.relationship] * bool(self.resources)
            statements.append(self.random.choice(choices)())
        results = [self.expression(self.choose(BOUND)) for _ in range(self.random.randrange(1, 4))]
        for kind in ("int", "str", "array"):
            results += [Node(kind, (name,)) for name in self.variables[kind][:1]]
        return Program(tuple(definitions), tuple(statements), tuple(results), self.has_resources)


def programs(seed: int) -> Iterator[Program]:
    """Yield programs without end; one in three declares resources."""
    number = 0
    while True:
        chooser = random.Random(f"{seed}-{number}")
        writer = Writer(chooser, has_resources=number % 3 == 2)
        yield writer.write(chooser.randrange(2, 12))
        number += 1
