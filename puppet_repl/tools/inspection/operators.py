"""Operators and other signs: how they are written, what they do, an example of each.

A sign may have several roles; the place that it is in decides which one is meant (see
inspection.signs). Examples with ``# =>`` are run by the tests.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Role: TypeAlias = Literal[
        "infix",
        "prefix",
        "assignment",
        "parameter",
        "attribute",
        "hash",
        "selector",
        "case",
        "title",
        "lambda",
        "query",
        "collector",
        "relationship",
        "resource",
        "function",
    ]


class Operator:
    """One role of a sign."""

    __slots__ = ("example", "role", "text", "usage")

    def __init__(self, role: Role, usage: str, text: str, example: str) -> None:
        self.role: Role = role
        self.usage = usage
        self.text = text
        self.example = example


_ARROW_EXAMPLE = "Package['ntp'] -> File['/etc/ntp.conf'] ~> Service['ntp']"

OPERATORS: dict[str, tuple[Operator, ...]] = {
    "+": (
        Operator(
            "infix",
            "LEFT + RIGHT",
            "Adds numbers, joins arrays, and merges hashes, where the right one takes precedence.",
            "[1] + [2, 3]  # => [1, 2, 3]",
        ),
    ),
    "-": (
        Operator(
            "infix",
            "LEFT - RIGHT",
            "Subtracts numbers; from an array it removes elements, from a hash keys.",
            "[1, 2, 3] - [2]  # => [1, 3]",
        ),
        Operator("prefix", "-NUMBER", "Negates a number.", "-(2 + 3)  # => -5"),
    ),
    "*": (
        Operator("infix", "LEFT * RIGHT", "Multiplies numbers.", "6 * 7  # => 42"),
        Operator(
            "prefix",
            "*ARRAY",
            "Unfolds an array into single elements, or arguments of a call.",
            "max(*[3, 5, 4])  # => 5",
        ),
        Operator(
            "attribute",
            "* => HASH",
            "Sets the attributes that a hash holds.",
            "file { '/tmp/x': * => { ensure => file, mode => '0644' } }",
        ),
        Operator(
            "parameter",
            "*$name",
            "Takes all further arguments, as an array.",
            "[[1, 2, 3]].map |$first, *$rest| { $first }",
        ),
    ),
    "/": (
        Operator(
            "infix",
            "LEFT / RIGHT",
            "Divides numbers; two integers give an integer, rounded down.",
            "7 / 2  # => 3",
        ),
    ),
    "%": (
        Operator("infix", "LEFT % RIGHT", "Returns the remainder of a division.", "7 % 3  # => 1"),
    ),
    "<<": (
        Operator(
            "infix",
            "ARRAY << VALUE",
            "Appends one element to an array; integers are shifted to the left.",
            "[1] << [2]  # => [1, [2]]",
        ),
    ),
    ">>": (
        Operator("infix", "LEFT >> RIGHT", "Shifts an integer to the right.", "8 >> 2  # => 2"),
        Operator(
            "function",
            "function NAME(PARAMETERS) >> TYPE { ... }",
            "Declares the type of what a function returns, which is checked.",
            "function half(Integer $n) >> Integer { $n / 2 }",
        ),
    ),
    "==": (
        Operator(
            "infix",
            "LEFT == RIGHT",
            "Tells whether values are equal; the case of letters does not count, the type does.",
            "'ABC' == 'abc'  # => true",
        ),
        Operator(
            "query",
            "TYPE <| ATTRIBUTE == VALUE |>",
            "Takes resources whose attribute, tag or title has the value; of several, any.",
            "User <| groups == 'admin' |>",
        ),
    ),
    "!=": (
        Operator(
            "infix", "LEFT != RIGHT", "Tells whether values are not equal.", "1 != '1'  # => true"
        ),
        Operator(
            "query",
            "TYPE <| ATTRIBUTE != VALUE |>",
            "Takes resources whose attribute, tag or title does not have the value.",
            "User <| title != 'root' |>",
        ),
    ),
    "<": (
        Operator(
            "infix", "LEFT < RIGHT", "Tells whether the left one is less.", "1 < 2  # => true"
        ),
    ),
    "<=": (
        Operator(
            "infix",
            "LEFT <= RIGHT",
            "Tells whether the left one is not greater.",
            "2 <= 2  # => true",
        ),
    ),
    ">": (
        Operator(
            "infix",
            "LEFT > RIGHT",
            "Tells whether the left one is greater.",
            "'b' > 'A'  # => true",
        ),
    ),
    ">=": (
        Operator(
            "infix",
            "LEFT >= RIGHT",
            "Tells whether the left one is not less.",
            "1 >= 2  # => false",
        ),
    ),
    "=~": (
        Operator(
            "infix",
            "STRING =~ /REGEXP/, VALUE =~ TYPE",
            "Tells whether a string matches, which sets $0, $1, ..., or a value is of a type.",
            "'web01' =~ /(\\d+)/  # => true",
        ),
    ),
    "!~": (
        Operator(
            "infix",
            "STRING !~ /REGEXP/, VALUE !~ TYPE",
            "Tells whether a string does not match, or a value is not of a type.",
            "42 !~ String  # => true",
        ),
    ),
    "!": (
        Operator("prefix", "!VALUE", "Negates: false and undef become true.", "!undef  # => true"),
    ),
    "=": (
        Operator(
            "assignment",
            "$name = VALUE",
            "Binds a variable, once in a scope; an array of variables takes an array apart.",
            "[$a, $b] = [1, 2]",
        ),
        Operator(
            "parameter",
            "TYPE $name = DEFAULT",
            "Gives a parameter the value that it has when none is passed.",
            "function greet(String $who = 'world') { \"hello ${who}\" }",
        ),
    ),
    "=>": (
        Operator(
            "hash",
            "KEY => VALUE",
            "Separates key and value of a hash.",
            "{ 'a' => 1 }['a']  # => 1",
        ),
        Operator(
            "attribute",
            "ATTRIBUTE => VALUE",
            "Sets an attribute of a resource.",
            "file { '/tmp/x': ensure => file }",
        ),
        Operator(
            "selector",
            "VALUE ? { OPTION => RESULT, default => RESULT }",
            "Separates an option of a selector from its result.",
            "3 ? { Integer => 'number', default => 'other' }  # => 'number'",
        ),
    ),
    "+>": (
        Operator(
            "attribute",
            "ATTRIBUTE +> VALUE",
            "Adds to an attribute in an override or a collector, where => replaces it.",
            "File <| title == '/tmp/x' |> { require +> User['web'] }",
        ),
    ),
    "+=": (
        Operator(
            "assignment",
            "$name += VALUE",
            "Has no meaning any more; a longer array is bound to another name: $b = $a + [3].",
            "",
        ),
    ),
    "-=": (
        Operator(
            "assignment",
            "$name -= VALUE",
            "Has no meaning any more; a shorter array is bound to another name: $b = $a - [3].",
            "",
        ),
    ),
    "?": (
        Operator(
            "infix",
            "VALUE ? { OPTION => RESULT, default => RESULT }",
            "A selector: returns the result of the first option that matches.",
            "'b' ? { 'a' => 1, /^[bc]/ => 2, default => 3 }  # => 2",
        ),
    ),
    ".": (
        Operator(
            "infix",
            "VALUE.FUNCTION",
            "Calls a function with the value as its first argument.",
            "'a-b'.split('-')  # => ['a', 'b']",
        ),
    ),
    "|": (
        Operator(
            "lambda",
            "FUNCTION |PARAMETERS| { ... }",
            "Stands around the parameters of a lambda, which a function calls.",
            "[1, 2].map |$x| { $x * 10 }  # => [10, 20]",
        ),
    ),
    "->": (
        Operator(
            "relationship",
            "LEFT -> RIGHT",
            "Applies the resources on the left before those on the right.",
            _ARROW_EXAMPLE,
        ),
    ),
    "~>": (
        Operator(
            "relationship",
            "LEFT ~> RIGHT",
            "Applies the left before the right, which is refreshed if something has changed.",
            _ARROW_EXAMPLE,
        ),
    ),
    "<-": (
        Operator(
            "relationship",
            "LEFT <- RIGHT",
            "Applies the resources on the right before those on the left.",
            "Service['ntp'] <- Package['ntp']",
        ),
    ),
    "<~": (
        Operator(
            "relationship",
            "LEFT <~ RIGHT",
            "Applies the right before the left, which is refreshed if something has changed.",
            "Service['ntp'] <~ File['/etc/ntp.conf']",
        ),
    ),
    "<|": (
        Operator(
            "collector",
            "TYPE <| QUERY |> { OVERRIDES }",
            "Collects resources of the catalog: virtual ones become real, overrides are applied.",
            "User <| tag == 'admins' |> { shell => '/bin/bash' }",
        ),
    ),
    "<<|": (
        Operator(
            "collector",
            "TYPE <<| QUERY |>>",
            "Collects the resources that other nodes have exported, too.",
            "Host <<| tag == 'cluster' |>>",
        ),
    ),
    "@": (
        Operator(
            "resource",
            "@TYPE { TITLE: ... }",
            "Declares a virtual resource, which counts once it is collected or realized.",
            "@user { 'anna': ensure => present }",
        ),
    ),
    "@@": (
        Operator(
            "resource",
            "@@TYPE { TITLE: ... }",
            "Exports a resource, which other nodes can collect.",
            "@@host { 'web01': ip => '192.0.2.1' }",
        ),
    ),
    ":": (
        Operator(
            "title",
            "TYPE { TITLE: ATTRIBUTE => VALUE }",
            "Separates the title, or an array of titles, from the attributes of a resource.",
            "file { ['/tmp/a', '/tmp/b']: ensure => file }",
        ),
        Operator(
            "case",
            "case VALUE { OPTION, OPTION: { ... } }",
            "Separates the options of a case from their block.",
            "case 5 { 1, 2: { 'few' } default: { 'many' } }  # => 'many'",
        ),
    ),
}
# What closes means what opens.
OPERATORS["|>"] = OPERATORS["<|"]
OPERATORS["|>>"] = OPERATORS["<<|"]
