"""The steps of the tour, as data: what each one says, when it is done, and what a slip needs.

Texts may have the names in NAMES, as ``<variable>``, which are those that the user has chosen in
earlier entries, and ``<value>`` and ``<type>``, those of the entry.
"""

from __future__ import annotations

from dataclasses import dataclass

from puppet_repl.frontends.tour.entry import (
    asks,
    asks_for_type,
    both,
    calls,
    calls_own_function,
    declares_class,
    defines_untyped_class,
    either,
    explains,
    fails,
    fails_with,
    has,
    has_bound,
    has_resources,
    has_value,
    has_wrong_argument,
    is_undef,
    misuses,
    reads,
    reads_facts,
    runs,
    shows_all_facts,
    value_is,
)
from puppet_repl.language.syntax import ast
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.tour.entry import Condition, Entry


@dataclass(slots=True, eq=False)
class Step:
    """One step: ``code`` is the proposed entry, ``done`` whether an entry completes the step.

    ``reaction`` follows an entry that completes it. ``slips`` are conditions with replies: the
    first condition that an entry meets has its reply shown, whose second line is the entry to type
    instead. The tour ignores all other entries.
    """

    title: str
    text: str
    code: str
    done: Condition
    reaction: str
    slips: tuple[tuple[Condition, str], ...]


NAMES = {
    "variable": "port",
    "function": "double",
    "argument": "21",
    "class": "web",
    "parameter": "port",
    "wrong": "'http'",
}
"""The names in what the steps propose, until the user has chosen others."""


def _succeeds(entry: Entry) -> bool:
    return not entry.command and not entry.failed


STEPS = (
    Step(
        "values",
        "What you type is evaluated, and its value is shown below it.",
        "7 * 6",
        has_value,
        "<value> is a value of the type <type>. 'text', true, 2.5 and [80, 443] are values, too.",
        (
            (is_undef, "undef stands for no value. Here is something that has one.\n7 * 6"),
            (fails(), "An error changes nothing: just type something else.\n7 * 6"),
        ),
    ),
    Step(
        "variables",
        "A variable begins with $, and = binds it to a value.",
        "$port = 8080",
        has(ast.AssignmentExpression),
        "$<variable> is <value> from now on. A manifest binds a variable only once; here a later "
        "input may bind it again.",
        (
            (
                both(fails(), reads(r"^\s*[a-z_]\w*\s*=(?![=~>])")),
                "Nearly: the name of a variable begins with $.\n$port = 8080",
            ),
            (
                both(fails(), reads(r"\$[A-Z]")),
                "Nearly: names of variables begin with a small letter.\n$port = 8080",
            ),
            (
                both(fails(), reads(r"^\s*\$\w+\s*=(?![=~>])"), fails_with("reassign")),
                "This name is taken already; choose another one.\n$port = 8080",
            ),
            (reads(r"\$\w+\s*=="), "== compares two values; one = binds.\n$port = 8080"),
            (
                both(fails(), reads(r"\$\w+\s*[+-]=")),
                "A variable keeps its value; bind another one.\n$next = $<variable> + 1",
            ),
            (has_value, "A value, but without a name yet.\n$port = 8080"),
        ),
    ),
    Step(
        "strings",
        "A string in double quotes takes values in: ${...} holds a variable or an expression.",
        '"The value is ${<variable>}."',
        has(ast.ConcatenatedString),
        "That is how strings are put together. In single quotes nothing is replaced.",
        (
            (
                both(value_is(str), reads(r"\$")),
                "Single quotes keep the $ as it is typed. In double quotes it is replaced.\n"
                '"The value is ${<variable>}."',
            ),
            (
                both(fails("UNKNOWN_VARIABLE"), has_bound),
                "Nearly: that name has no value. The one that you have bound has.\n"
                '"The value is ${<variable>}."',
            ),
            (
                fails("UNKNOWN_VARIABLE"),
                "That variable has no value yet. Bind it first.\n$<variable> = 8080",
            ),
            (
                both(fails(), reads(r"['\"]\s*\+|\+\s*['\"]")),
                '+ is for numbers. Strings take values in.\n"The value is ${<variable>}."',
            ),
            (value_is(str), 'A string. Now with a value in it.\n"The value is ${<variable>}."'),
        ),
    ),
    Step(
        "arrays and hashes",
        "[80, 443] is an array, {http => 80} a hash. map calls the lambda after it, |$n| { ... }, "
        "with each element, and makes an array of the results.",
        "[80, 443].map |$n| { $n + 8000 }",
        both(calls("map"), value_is(tuple)),
        "A new array: the one before the dot is as it was, because values never change. filter, "
        "each and reduce take lambdas, too.",
        (
            (
                both(fails(), reads(r"\{\s*\|")),
                "Nearly: the parameters come before the brace.\n[80, 443].map |$n| { $n + 8000 }",
            ),
            (
                both(fails(), reads(r"\|\s*[a-z]\w*\s*\|")),
                "Nearly: a parameter is a variable, and has a $.\n[80, 443].map |$n| { $n + 8000 }",
            ),
            (
                both(fails(), reads(r"\bmap\b")),
                "Nearly. A parameter is written between bars, followed by the code in braces.\n"
                "[80, 443].map |$n| { $n + 8000 }",
            ),
            (
                calls("each"),
                "each calls the lambda and gives the array back as it was. map gives the results.\n"
                "[80, 443].map |$n| { $n + 8000 }",
            ),
            (
                calls("filter", "reduce"),
                "That works the same way; map is its sibling.\n[80, 443].map |$n| { $n + 8000 }",
            ),
            (
                value_is(tuple, PuppetHash),
                "Good. Now call map on it.\n[80, 443].map |$n| { $n + 8000 }",
            ),
        ),
    ),
    Step(
        "facts",
        "$facts is a hash of what Puppet knows about this machine. Tab after $facts[' shows its "
        "keys (but not with --plain).",
        "$facts['os']['family']",
        both(reads_facts, has_value, lambda entry: not shows_all_facts(entry)),
        "Manifests decide by facts like this one what a machine needs.",
        (
            (shows_all_facts, "These are all of them. Now one.\n$facts['os']['family']"),
            (
                both(reads_facts, is_undef),
                "There is no such fact.\n$facts['os']['family']",
            ),
            (
                both(reads_facts, fails()),
                "Keys are strings in brackets, one after the other.\n$facts['os']['family']",
            ),
            (
                reads(r"^\s*facts\b"),
                "Nearly: $facts is a variable, and has a $.\n$facts['os']['family']",
            ),
        ),
    ),
    Step(
        "types",
        "Types say which values are allowed: Integer[1, 65535] stands for the numbers of ports. "
        ":why tells which values match a type, and why others do not.",
        ":why Integer[1, 65535] 8080 70000",
        either(asks("why", r"\Wwhy\s+[A-Z]"), asks_for_type),
        "In code =~ asks the same: 8080 =~ Integer[1, 65535]. Parameters have such types.",
        (
            (
                either(runs("why"), misuses("why")),
                "The type comes first, then the values.\n:why Integer[1, 65535] 8080 70000",
            ),
            (
                runs("type"),
                "The type of a value. :why asks the other way round: does a value match a type?",
            ),
            (
                both(reads(r"=="), reads(r"\b[A-Z]")),
                "== asks whether two values are equal, =~ whether a value matches a type.\n"
                "8080 =~ Integer",
            ),
            (
                reads(r"^\s*why\b"),
                "Commands begin with a colon.\n:why Integer[1, 65535] 8080 70000",
            ),
        ),
    ),
    Step(
        "functions",
        "A function has typed parameters; its last expression is its value. Define one, then "
        "call it.",
        "function double(Integer $n) >> Integer { $n * 2 }",
        both(calls_own_function, _succeeds),
        "That is your function. Calls with arguments of other types are refused.",
        (
            (
                both(calls_own_function, has_wrong_argument),
                "It refuses what its parameters do not allow. Now with arguments that they do.",
            ),
            (
                has(ast.FunctionDefinition),
                "It is defined. Now call it.\n<function>(<argument>)",
            ),
            (
                both(fails(), reads(r"^\s*(def|define|func|fn|sub|lambda)\b")),
                "Nearly: in Puppet the word is function, and parameters have a $.\n"
                "function double(Integer $n) >> Integer { $n * 2 }",
            ),
            (
                both(fails(), reads(r"^\s*function\b")),
                "Nearly. A name, parameters with $ in parentheses, a block in braces.\n"
                "function double(Integer $n) >> Integer { $n * 2 }",
            ),
            (
                fails("UNKNOWN_FUNCTION"),
                "No such function yet.\nfunction double(Integer $n) >> Integer { $n * 2 }",
            ),
        ),
    ),
    Step(
        "resources",
        "A resource says how something on a machine is to be. Declare one, then look with "
        ":catalog; nothing on this machine is changed.",
        "file { '/etc/motd': content => \"Hello\\n\" }",
        both(runs("catalog", "resources", "graph"), has_resources),
        "The catalog is what Puppet makes of manifests, and what an agent carries out.",
        (
            (
                runs("catalog", "resources", "graph"),
                "Empty yet. Declare a resource.\nfile { '/etc/motd': content => \"Hello\\n\" }",
            ),
            (has(ast.ResourceExpression), "It is in the catalog. Look at that.\n:catalog"),
            (
                reads(r"^\s*(file|package|service|user|notify|exec)\s*\("),
                "Parentheses call a function; a resource has braces.\n"
                "file { '/etc/motd': content => \"Hello\\n\" }",
            ),
            (
                reads(r"^\s*[A-Z]\w*\s*\{"),
                "With a capital letter these are defaults for others.\n"
                "file { '/etc/motd': content => \"Hello\\n\" }",
            ),
            (
                fails_with("no parameter named"),
                "Nearly: this type has no attribute of that name.\n"
                "file { '/etc/motd': content => \"Hello\\n\" }",
            ),
            (
                both(fails(), reads(r"^\s*[a-z][\w:]*\s*\{[^:{}]*:\s*\w+\s*[:=]\s*[^\s>]")),
                "Nearly: write => between an attribute and its value.\n"
                "file { '/etc/motd': content => \"Hello\\n\" }",
            ),
            (
                both(fails(), reads(r"^\s*[a-z][\w:]*\s*\{")),
                "Nearly. In the braces come a title, a colon, then attributes.\n"
                "file { '/etc/motd': content => \"Hello\\n\" }",
            ),
            (reads(r"^\s*catalog\b"), "Commands begin with a colon.\n:catalog"),
        ),
    ),
    Step(
        "classes",
        "A class groups resources, and has parameters. Define this one; then give it a port that "
        "is wrong, to see the error.",
        'class web(Integer $port = 80) { notice("port ${port}") }',
        both(declares_class, has_wrong_argument),
        "The message names the class, the parameter and what it expects; the caret below the code "
        "shows the argument.",
        (
            (
                defines_untyped_class,
                "Defined, but no parameter has a type, to refuse anything.\n"
                'class web(Integer $port = 80) { notice("port ${port}") }',
            ),
            (
                has(ast.HostClassDefinition),
                "Defined. Now give it a value that it refuses.\n"
                "class { '<class>': <parameter> => <wrong> }",
            ),
            (
                both(declares_class, _succeeds),
                "The class took that. Now a value of a wrong type.\n"
                "class { '<class>': <parameter> => <wrong> }",
            ),
            (
                both(declares_class, fails_with("Could not find")),
                'Define it first.\nclass web(Integer $port = 80) { notice("port ${port}") }',
            ),
            (
                both(fails(), reads(r"^\s*class\b")),
                "Nearly. A name, parameters in parentheses, a block in braces.\n"
                'class web(Integer $port = 80) { notice("port ${port}") }',
            ),
        ),
    ),
    Step(
        "asking and going back",
        ":why explains a condition, :doc NAME shows documentation, :undo takes the last input "
        "back. Try one of them.",
        ":why 7 in [80, 443] or 8080 > 1024",
        either(explains("why"), runs("doc", "undo", "help")),
        "These three answer most questions at a prompt.",
        (
            (
                reads(r"^\s*(why|doc|undo)\b"),
                "Commands begin with a colon.\n:why 7 in [80, 443] or 8080 > 1024",
            ),
            (
                misuses("why", "doc"),
                "Give it something to ask about.\n:doc map",
            ),
            (misuses("undo"), "No input has changed anything yet.\n:doc map"),
        ),
    ),
)

FAREWELL = (
    "That was the tour. :help shows commands, and :help NAME explains what has a name. Lessons "
    "with exercises are notebooks of the project: notebooks/00-index.ipynb. :tour N goes to a step "
    "again."
)
