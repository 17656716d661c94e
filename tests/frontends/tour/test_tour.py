"""The tour: what its steps take for done, what they say about slips, and how it is steered.

Expectations are what a newcomer may type and needs to hear, not what the tour says today.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.tour import step_parts
from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.frontends.tour.guide import Tour
from puppet_repl.host.host import Host
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_part

FACTS: dict[str, object] = {"os": {"family": "Debian", "name": "Debian"}, "kernel": "Linux"}
(VALUES, VARIABLES, STRINGS, ARRAYS, FACT, TYPES, FUNCTIONS, RESOURCES, CLASSES, ASKING) = range(
    1, 11
)
FILE = "file { '/etc/motd': content => 'x' }"


class Visitor:
    """Somebody who takes the tour in the line mode, from a step on."""

    def __init__(self, step: int = 1) -> None:
        self.host = Host(facts=FACTS)
        self.output = io.StringIO()
        self.mode = LineMode(self.host, io.StringIO(), self.output)
        self.type(f":tour {step}")

    def type(self, entry: str) -> str:
        """Return what is shown for an entry."""
        start = len(self.output.getvalue())
        assert self.mode.handle(entry)
        return self.output.getvalue()[start:]

    @property
    def step(self) -> int:
        """The number of the present step, 0 where the tour is off."""
        tour = self.host.tour
        assert tour is not None
        return tour.position if tour.is_on else 0


def proposal(shown: str) -> str:
    """Return what a text of the tour last says to type."""
    return re.findall(r"^Type: (.*)$", shown, re.MULTILINE)[-1]


def test_who_types_what_is_said_comes_to_the_end() -> None:
    visitor = Visitor()
    shown = visitor.type(":tour")
    seen = [visitor.step]
    for _ in range(20):
        shown = visitor.type(proposal(shown))
        if not visitor.step:
            break
        if visitor.step != seen[-1]:
            seen.append(visitor.step)
    assert seen == list(range(1, 11))
    assert "That was the tour" in shown
    assert ":help" in shown
    assert "notebooks/00-index.ipynb" in shown


RIGHT = [
    (VALUES, ["'hello'"]),
    (VALUES, ["[1, 2]"]),
    (VALUES, ["false"]),
    (VALUES, ["1/0", "Integer"]),
    (VARIABLES, ["$x = 5"]),
    (VARIABLES, ["$list = [1, 2]"]),
    (VARIABLES, ["[$a, $b] = [1, 2]"]),
    (VARIABLES, ["$nothing = undef"]),
    (VARIABLES, ["$flag = true;"]),
    (STRINGS, ["$x = 5", '"x is $x"']),
    (STRINGS, ['"${1 + 1} is two"']),
    (STRINGS, ["$x = 'a'", '$y = "${x}!"']),
    (STRINGS, ["@(\"END\")\nhello ${facts['kernel']}\n| END"]),
    (ARRAYS, ["{a => 1}.map |$k, $v| { $v }"]),
    (ARRAYS, ["map([1, 2]) |$x| { $x * 2 }"]),
    (ARRAYS, ["$l = [1, 2]", "$m = $l.map |Integer $x| { $x }"]),
    (ARRAYS, ["Integer[1, 3].map |$x| { $x }"]),
    (ARRAYS, ["[1, 2]", ".map |$x| { $x }"]),
    (FACT, ["$facts['kernel']"]),
    (FACT, ["$facts['os']"]),
    (FACT, ["$facts.get('os.family')"]),
    (FACT, ["getvar('facts.os.family')"]),
    (FACT, ["$::facts['kernel']"]),
    (FACT, ["\"I run ${facts['kernel']}\""]),
    (TYPES, ["5 =~ Integer"]),
    (TYPES, ["'a' !~ Enum['a', 'b']"]),
    (TYPES, [":why String 5"]),
    (TYPES, ["type Port = Integer[1, 65535]", "80 =~ Port"]),
    (FUNCTIONS, ["function f() { 1 }", "f()"]),
    (FUNCTIONS, ["function f($x) { $x }", "[1, 2].map |$i| { f($i) }"]),
    (FUNCTIONS, ["function f($x) { $x } f(1)"]),
    (FUNCTIONS, ["function f($x) { $x }", "5.f"]),
    (RESOURCES, [FILE, ":resources"]),
    (RESOURCES, ["notify { 'a': }", ":graph text"]),
    (RESOURCES, ["package { 'a': } -> service { 'a': }", "1 + 1", ":cat"]),
    (CLASSES, ["class a(Boolean $on) { }", "class { 'a': on => 'yes' }"]),
    (CLASSES, ["class a(Boolean $on) { }", "include a"]),
    (CLASSES, ["class a(Integer $n = 1) { }", "class { 'a': m => 1 }"]),
    (ASKING, [":why 1 < 2"]),
    (ASKING, [":why 1 > 2"]),
    (ASKING, [":doc split"]),
    (ASKING, ["$x = 1", ":undo"]),
    (ASKING, [":h each"]),
]


@pytest.mark.parametrize(("step", "entries"), RIGHT, ids=str)
def test_any_right_way_counts(step: int, entries: list[str]) -> None:
    visitor = Visitor(step)
    for entry in entries[:-1]:
        visitor.type(entry)
        assert visitor.step == step, entry
    visitor.type(entries[-1])
    assert visitor.step == (step + 1 if step < ASKING else 0)


SLIPS = [
    (VALUES, "undef", "7 * 6"),
    (VALUES, "1/0", "7 * 6"),
    (VARIABLES, "x = 5", "begins with $"),
    (VARIABLES, "port=8080", "begins with $"),
    (VARIABLES, "$Port = 5", "small letter"),
    (VARIABLES, "$facts == 5", "one = binds"),
    (VARIABLES, "$x += 5", "bind another"),
    (VARIABLES, "$name = 'web'", "choose another"),
    (VARIABLES, "5", "without a name"),
    (STRINGS, "'the kernel is ${facts}'", "double quotes"),
    (STRINGS, '"port ${unbound}"', "Bind it first"),
    (RESOURCES, "file { '/etc/motd': content: 'x' }", "between an attribute and its value"),
    (RESOURCES, "file { '/etc/motd': content = 'x' }", "between an attribute and its value"),
    (RESOURCES, "file { '/etc/motd': contnt => 'x' }", "no attribute of that name"),
    (STRINGS, "'port ' + 5", "Strings take values in"),
    (STRINGS, "'port'", "with a value in it"),
    (ARRAYS, "[1, 2].map { |$x| $x }", "before the brace"),
    (ARRAYS, "[1, 2].map |x| { 5 }", "has a $"),
    (ARRAYS, "[1, 2].map", "between bars"),
    (ARRAYS, "[1, 2].each |$x| { $x }", "map gives the results"),
    (ARRAYS, "[1, 2].filter |$x| { $x > 1 }", "map"),
    (ARRAYS, "[1, 2]", ".map |$n|"),
    (ARRAYS, "{a => 1}", ".map |$n|"),
    (FACT, "$facts", "Now one"),
    (FACT, "$facts['no']", "no such fact"),
    (FACT, "facts['os']", "has a $"),
    (FACT, "$facts.os.family", "in brackets"),
    (TYPES, ":why 5 Integer", "type comes first"),
    (TYPES, "5 == Integer", "=~"),
    (TYPES, ":type 5", "does a value match a type"),
    (TYPES, "why", "begin with a colon"),
    (FUNCTIONS, "function f($x) { $x }", "Now call it"),
    (FUNCTIONS, "def f(x): x", "the word is function"),
    (FUNCTIONS, "function f(x) { x }", "parameters with $"),
    (FUNCTIONS, "duoble(5)", "No such function yet"),
    (RESOURCES, ":catalog", "Declare a resource"),
    (RESOURCES, FILE, ":catalog"),
    (RESOURCES, "file { content => 'x' }", "a title, a colon"),
    (RESOURCES, "file { '/x' content => 'x' }", "a title, a colon"),
    (RESOURCES, "file('/etc/motd', content)", "has braces"),
    (RESOURCES, "File { mode => '0644' }", "defaults"),
    (RESOURCES, "catalog", "begin with a colon"),
    (CLASSES, "class a { }", "no parameter has a type"),
    (CLASSES, "class a($x) { }", "no parameter has a type"),
    (CLASSES, "class a(Integer $n = 1) { }", "class { 'a': n => 'http' }"),
    (CLASSES, "class a(String $s = '') { }", "class { 'a': s => 80 }"),
    (CLASSES, "include web", "Define it first"),
    (CLASSES, "class web(port) { }", "parameters in parentheses"),
    (ASKING, "undo", "begin with a colon"),
    (ASKING, ":why", "something to ask about"),
    (ASKING, ":undo", "has changed anything"),
]


@pytest.mark.parametrize(("step", "entry", "words"), SLIPS, ids=str)
def test_a_near_miss_is_told_and_changes_nothing(step: int, entry: str, words: str) -> None:
    visitor = Visitor(step)
    shown = visitor.type(entry)
    said = shown.rpartition("\n\n")[2]
    assert words in said.replace("\n", " "), shown
    assert visitor.step == step


def test_a_misspelt_variable_is_not_taken_for_an_unbound_one() -> None:
    visitor = Visitor(VARIABLES)
    visitor.type("$port = 8080")
    shown = visitor.type('"The value is $prot."')
    assert "The one that you have bound has" in shown
    assert "Bind it first" not in shown


def test_an_argument_that_is_refused_is_told() -> None:
    visitor = Visitor(FUNCTIONS)
    assert "double(21)" in visitor.type(proposal(visitor.type(":tour")))
    assert "refuses" in visitor.type("double('x')")
    assert visitor.step == FUNCTIONS
    visitor.type("double(21)")
    assert visitor.step == RESOURCES
    visitor.type(":tour 9")
    visitor.type("class a(Integer $n = 1) { }")
    assert "class { 'a': n => 'http' }" in visitor.type("include a")
    assert visitor.step == CLASSES


def test_names_that_the_user_chose_stand_in_later_steps() -> None:
    visitor = Visitor(VARIABLES)
    assert '"The value is ${size}."' in visitor.type("$size = 3")
    visitor.type(":tour 7")
    assert "shout('text')" in visitor.type("function shout(String $s) { upcase($s) }")
    assert "add(...)" in visitor.type("function add($a, $b) { $a + $b }")
    assert "now()" in visitor.type("function now() { 1 }")


def test_whatever_has_nothing_to_do_with_the_step_is_an_ordinary_entry() -> None:
    visitor = Visitor(ASKING)
    other = Host(facts=FACTS)
    output = io.StringIO()
    plain_mode = LineMode(other, io.StringIO(), output)
    for entry in ("1 + 1", "1/0", ":vars", ":type 5", "notice('x')", FILE, ":nonsense", "[1,"):
        start = len(output.getvalue())
        plain_mode.handle(entry)
        assert visitor.type(entry) == output.getvalue()[start:]
    assert visitor.step == ASKING


def test_it_is_steered_and_belongs_to_its_session() -> None:
    visitor = Visitor()
    assert "of 10: variables" in visitor.type(":tour next")
    assert "of 10: values" in visitor.type(":tour back")
    assert "of 10: values" in visitor.type(":tour back")
    assert "of 10: types" in visitor.type(":tour 6")
    assert ":tour goes on with step 6" in visitor.type(":tour off")
    assert visitor.type("5 =~ Integer") == "true\n"
    assert "of 10: types" in visitor.type(":tour")
    for wrong in ("0", "11", "x", "1 2"):
        shown = visitor.type(f":tour {wrong}")
        assert shown.startswith("Error: the tour has no step")
        assert "1 to 10" in shown
    assert "That was the tour" in [visitor.type(":tour next") for _ in range(5)][-1]
    assert visitor.step == 0
    assert "of 10: values" in visitor.type(":tour")
    assert Visitor().step == 1


def test_the_tour_stays_after_a_reset_and_an_undo() -> None:
    visitor = Visitor(STRINGS)
    visitor.type("1")
    visitor.type(":undo")
    visitor.type(":reset")
    assert visitor.step == STRINGS


@pytest.mark.parametrize("number", range(1, 11))
@pytest.mark.parametrize(("width", "most"), [(80, 3), (40, 5)])
def test_a_step_is_short(number: int, width: int, most: int) -> None:
    tour = Tour()
    tour.begin(number)
    heading, text, code = (plain(render_part(part, width)) for part in step_parts(tour))
    assert len(heading.splitlines()) == 1
    assert len(text.splitlines()) <= most
    assert all(len(line) <= width for line in f"{heading}\n{text}\n{code}".splitlines())


def test_elsewhere_the_lessons_are_the_tour() -> None:
    host = Host(facts=FACTS)  # one that cannot react to entries, as that of the kernel
    report = run(host.session, ":tour", host)
    assert not report.failed
    assert host.tour is None
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", "-e", ":tour"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "notebooks/00-index.ipynb" in done.stdout


@pytest.mark.parametrize("value", ["<type> and <value>", "<variable>", "<none>"])
def test_a_value_that_reads_as_a_name_of_the_texts_is_shown_as_it_is(value: str) -> None:
    assert f"'{value}' is a value of the type String" in Visitor().type(f"'{value}'")
    assert f"$x is '{value}' from now on" in Visitor(VARIABLES).type(f"$x = '{value}'")
