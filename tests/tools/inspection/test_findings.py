"""What is found in texts before they run: ranges in every text, no names called unknown wrongly."""

from __future__ import annotations

import pytest

from puppet_repl.session import Options, Session
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.inspection.findings import find_problems
from puppet_repl.tools.inspection.unknown_names import Names, unknown_names
from tests import recorded

# Names that their programs do not reach.
NOT_REACHED = "evaluate.unknown-variable."


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize("suite", ["specification", "parse", "epp"])
def test_ranges_are_in_the_text(session: Session, suite: str) -> None:
    found = 0
    for case in recorded.suite(suite):
        code = case["code"]
        _, problems = find_problems(session, code, epp=case.get("mode") == "epp")
        found += len(problems)
        for each in problems:
            assert 0 <= each.start < each.end <= max(len(code), 1), case["id"]
            assert each.message
    assert found


def test_a_plan_is_right_where_plans_may_be(session: Session) -> None:
    text = "plan a::b(TargetSpec $t) { }"
    assert find_problems(session, text, tasks=True)[1] == []
    (problem,) = find_problems(session, text)[1]
    assert problem.code == "SYNTAX_ERROR"


def test_findings_have_the_code_of_their_issue(session: Session) -> None:
    (problem,) = find_problems(session, "$a = {a => 1, a => 2}")[1]
    assert problem.code == "DUPLICATE_KEY"


UNASSIGNABLE = "Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference"
UNKNOWN_ESCAPE = "Unrecognized escape sequence '\\q'"
TWICE = "The key 'a' is declared more than once"
NEVER_CLOSED = "Unclosed quote after '\"' followed by 'un }\\n...'"

MARKED: list[tuple[str, list[tuple[str, str, str]]]] = [
    # Beside one error, and beside several.
    (
        "$a = {a => 1, a => 2}\n1 = 2",
        [("error", "1", UNASSIGNABLE), ("warning", "=> 2", TWICE)],
    ),
    (
        '$a = "b \\q"\n1 = 2\n3 = {a => 1, a => 2}',
        [
            ("warning", "\\q", UNKNOWN_ESCAPE),
            ("warning", "=> 2", TWICE),
            ("error", "1", UNASSIGNABLE),
            ("error", "3", UNASSIGNABLE),
        ],
    ),
    ('$a = "\\\n \\q ${1} \\\\q"', [("warning", "\\q", UNKNOWN_ESCAPE)]),
    ('"\\u{e9}${1}\\q"', [("warning", "\\q", UNKNOWN_ESCAPE)]),
    # A character that was made of its number moves what stands beside it.
    ('"a\\u{e9}\\q${1}"', [("warning", "a\\u{e9}\\q", UNKNOWN_ESCAPE)]),
    # What is never closed inside of a heredoc, with and without a margin.
    ('$x = @("E")\na ${ "un }\nE\n', [("error", '"', NEVER_CLOSED)]),
    (
        '$y = "a"\n$x = @("E"/$)\n  b\n  c ${ "un }\n  | E\n$z = "d"',
        [("error", '"', NEVER_CLOSED)],
    ),
    (
        '$x = @("E")\n  ${ @(F) + 1 }\n  | E\n',
        [("error", "@(F)", "Heredoc without end-tagged line")],
    ),
    ('$x = @("E")\n  a ${ /* }\n  | E\n', [("error", "/", "Unclosed multiline comment")]),
    # A heredoc inside of one.
    (
        '$x = @("E")\n    ${ @("F") }\n      a ${ "un }\n      | F\n    | E\n',
        [("error", '"', NEVER_CLOSED)],
    ),
    # A line break could not be seen.
    ('$x = @("E")\n  ${ [1 }\n  | E\n', [("error", "}\n", "Syntax error at '\n'")]),
]


@pytest.mark.parametrize(("text", "marked"), MARKED, ids=[text for text, _ in MARKED])
def test_what_is_marked(text: str, marked: list[tuple[str, str, str]]) -> None:
    _, problems = find_problems(Session(Options(strict="warning")), text)
    found = [(each.severity, text[each.start : each.end], each.message) for each in problems]
    assert found == marked


@pytest.mark.parametrize(
    "text",
    [
        '"a"\n$x = @("E")\nb "c"\nd ${ "un }\nE\n"e"',
        '"a"\n$x = @("E")\n   b "c"\n   d ${ "un }\n   | E\n"e"',
        '"a"\n$x = @("E")\n  ${ @("F") }\n    b "c"\n    d ${ "un }\n    | F\n  | E\n"e"',
    ],
)
def test_a_string_in_a_heredoc_is_marked_where_it_begins(session: Session, text: str) -> None:
    _, (problem,) = find_problems(session, text)
    assert (problem.start, problem.end) == (text.index('"un'), text.index("un"))


def test_programs_that_run_have_no_unknown_names(session: Session) -> None:
    checked = 0
    wrong = []
    for case in recorded.suite("evaluate"):
        if "value" not in case or {"files", "facts", "modules"} & case.keys():
            continue
        program, _ = find_problems(session, case["code"])
        if program is None or case["id"].startswith(NOT_REACHED):
            continue
        names = Names()
        names.add_program(program)
        checked += 1
        wrong += [
            (case["id"], each.name)
            for each in unknown_names(SessionSymbols(session), program, names)
        ]
    assert checked > 500
    assert not wrong


def test_names_that_nothing_defines(session: Session) -> None:
    text = "$host = 1\nnotice($hots, hosts($host), $other::port)"
    program, problems = find_problems(session, text)
    assert program is not None
    assert not problems
    names = Names()
    names.add_program(program)
    found = [
        (each.kind, text[each.start : each.end], each.hint)
        for each in unknown_names(SessionSymbols(session), program, names)
    ]
    assert found == [
        ("variable", "$hots", "did you mean $host?"),
        ("function", "hosts", None),
        ("variable", "$other::port", None),
    ]


def test_a_text_that_cannot_be_parsed_may_define_its_variables() -> None:
    names = Names()
    names.add_text("$a = 1\nfunction f($b) { $::c }")
    assert (names.variables, names.functions) == ({"a", "b"}, {"f"})
    names.add_text("$d = (")
    assert names.variables == {"a", "b", "d"}
