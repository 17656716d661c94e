"""Earlier inputs by number: ``:history``, ``:edit``, ``:rerun``, ``:save FILE 3-5``."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.frontends.shared.entry_run import run_entry
from puppet_repl.host.history import History
from puppet_repl.host.host import Host
from puppet_repl.session import Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.parts import Table
from puppet_repl.tools.reports.report import render_report
from puppet_repl.tools.reports.tables import table_cells

EARLIER = """
# 2024-02-03 10:00:00.5
+$old = 1

# 2024-02-04 11:00:00.5
+if true {
+  notice('block')
+}

# somebody's note
+include ntp
"""


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """Return a host with three earlier inputs, and three in its session."""
    (tmp_path / "history").write_text(EARLIER)
    made = Host(session=Session(facts={}))
    made._history = History(tmp_path / "history")
    assert made.history.loaded.wait(10)
    for text in ("$a = 1", "$a +", ":vars", "$a + 1", "include ntp"):
        made.remember(text)
        if not text.startswith(":"):
            made.session.execute(text)
    made.can_edit = made.can_rerun = True
    return made


def answer(host: Host, text: str) -> str:
    host.remember(text)
    return plain(render_report(run(host.session, text, host), 300))


def listed(host: Host, text: str) -> list[tuple[str, str]]:
    """Return number and text of the rows, without times."""
    return [(number, text) for _, number, text in listed_with_times(host, text)]


def listed_with_times(host: Host, text: str) -> list[tuple[str, str, str]]:
    host.remember(text)
    report = run(host.session, text, host)
    assert report.newest_last
    (table,) = report.parts
    assert isinstance(table, Table)
    rows = []
    for row in table_cells(table, 300):
        time, number, shown = [plain(cell).strip().replace("\n", " ") for cell in row]
        rows.append((time, number, shown))
    return rows


def runs(host: Host, text: str, texts: list[str]) -> None:
    """Assert that a command lets the front end run these texts."""
    report = run(host.session, text, host)
    assert report.action is not None
    assert (report.action.kind, list(report.action.texts)) == ("run", texts)


def test_all_inputs_in_the_order_in_which_they_were_typed(host: Host) -> None:
    assert listed(host, ":history") == [
        ("-3", "$old = 1"),
        ("-2", "if true {   notice('block') }"),
        ("1", "$a = 1"),
        ("", "$a +"),
        ("", ":vars"),
        ("2", "$a + 1"),
        ("", "include ntp"),
    ]


def test_an_input_of_several_entries_is_listed_once(tmp_path: Path) -> None:
    """One that goes on with those before it stands where the last of them was typed."""
    host = Host(session=Session(facts={}))
    for text in (
        "if true { 1 }",
        "# a remark",
        "else { 2 }",
        "'word'",
        ".upcase",
        ".size;",
        "else { 3 }",
        "notify { 'a': }",
        "-> notify { 'b': }",
        "notify { 'a': }",
    ):
        host.remember(text)
        run_entry(host.session, text)
    assert listed(host, ":history") == [
        ("1", "if true { 1 } # a remark else { 2 }"),
        ("2", "'word'"),
        ("3", "$_.upcase"),
        ("4", "$_.size"),
        ("", "else { 3 }"),
        ("5", "notify { 'a': } -> notify { 'b': }"),
        ("6", "notify { 'a': }"),
    ]


def test_what_failed_first_stands_where_it_succeeded(tmp_path: Path) -> None:
    host = Host(session=Session(facts={}))
    (tmp_path / "f.pp").write_text("function f($x) { $x }\n")
    for text in ("f(1)", f":load {tmp_path}/f.pp", "f(1)", "f(1)", "2", "f(1)"):
        host.remember(text)
        if text.startswith(":"):
            run(host.session, text, host)
        else:
            host.session.execute(text)
    assert listed(host, ":history") == [
        ("", f":load {tmp_path}/f.pp"),
        ("1", "function f($x) { $x }"),
        ("2", "f(1)"),
        ("3", "f(1)"),
        ("4", "2"),
        ("5", "f(1)"),
    ]
    assert all(time for time, _, _ in listed_with_times(host, ":history"))


def test_a_pattern_keeps_the_numbers(host: Host) -> None:
    assert listed(host, ":history $a") == [("1", "$a = 1"), ("", "$a +"), ("2", "$a + 1")]
    assert listed(host, ":hist OLD") == [("-3", "$old = 1")]
    assert "no input matches 'nowhere'" in answer(host, ":history nowhere")


def test_the_times_are_those_of_the_file(host: Host) -> None:
    shown = answer(host, ":history").split("\n")
    assert shown[0].startswith("2024-02-03 ")
    assert shown[1].startswith("2024-02-04 ")
    assert shown[-1][:5].replace(":", "").isdigit()


def test_inputs_of_files_and_joined_ones_are_listed(host: Host, tmp_path: Path) -> None:
    (tmp_path / "more.pp").write_text("$from_file = 1\n")
    answer(host, f":load {tmp_path}/more.pp")
    host.remember("$last = 1 ;")
    host.session.execute("$last = 1")
    assert listed(host, ":history")[-5:] == [
        ("2", "$a + 1"),
        ("", "include ntp"),
        ("", f":load {tmp_path}/more.pp"),
        ("3", "$from_file = 1"),
        ("4", "$last = 1"),
    ]


@pytest.mark.parametrize(
    ("argument", "texts"),
    [
        ("1", ["$a = 1"]),
        ("1-2", ["$a = 1", "$a + 1"]),
        ("2 1", ["$a + 1", "$a = 1"]),
        ("1-9", ["$a = 1", "$a + 1"]),
        ("-1", ["include ntp"]),
        ("-3--2", ["$old = 1", "if true {\n  notice('block')\n}"]),
        ("-9--3 2", ["$old = 1", "$a + 1"]),
    ],
)
def test_ranges(host: Host, argument: str, texts: list[str]) -> None:
    runs(host, f":rerun {argument}", texts)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("", "which inputs?"),
        ("x", "'x' is neither the number of an input nor a range"),
        ("1.5", "'1.5' is neither"),
        ("0", "0 is not a range\n  hint: inputs count from 1"),
        ("5-3", "5-3 is not a range\n  hint: the lower number comes first: 3-5"),
        ("-1--3", "the lower number comes first: -3--1"),
        ("-2-2", "inputs of this session and those from before it are two ranges"),
        ("7", "there is no input 7\n  hint: :history lists them"),
        ("-7", "there is no input -7"),
        ("7-9", "there are no inputs 7-9"),
        ("1-99999", "has more than 1000 inputs"),
    ],
)
def test_ranges_that_are_none(host: Host, argument: str, message: str) -> None:
    assert message in answer(host, f":rerun {argument}")


def test_what_is_run_again_runs_nothing_again(host: Host) -> None:
    host.is_rerunning = True
    assert "runs no others again" in answer(host, ":rerun 1")


def test_nothing_is_run_again_where_there_is_no_prompt(host: Host) -> None:
    host.can_rerun = False
    assert "there are no earlier inputs here" in answer(host, ":rerun 1")


def test_an_earlier_input_is_edited(host: Host) -> None:
    report = run(host.session, ":edit -3", host)
    assert report.action is not None and report.action.text == "$old = 1"
    assert "only one input" in answer(host, ":edit 1 2")
    assert "there is no input 3" in answer(host, ":edit 3")


def test_what_was_undone_comes_back(host: Host) -> None:
    for text in ("$b = 2", "$b", "$c = 3"):
        host.session.execute(text)
    assert answer(host, ":undo") == "undid: $c = 3"
    assert answer(host, ":undo") == "undid: $b = 2"
    assert answer(host, ":redo") == "redid: $b = 2"
    assert answer(host, ":redo 5") == "redid: $c = 3"
    assert "there is nothing to redo" in answer(host, ":redo")
    assert answer(host, ":forget $b") == "forgot $b"
    assert answer(host, ":undo 2") == "undid: :forget $b; $c = 3"
    assert answer(host, ":redo") == "redid: $c = 3; :forget $b"
    for argument in ("0", "x", "\u00b2", "9" * 5000):
        assert "give a whole number from 1" in answer(host, f":redo {argument}")


def test_a_new_beginning_has_nothing_to_redo(host: Host) -> None:
    assert answer(host, ":undo") == "undid: $a = 1"
    answer(host, ":reset")
    assert "there is nothing to redo" in answer(host, ":redo")


def test_ranges_are_saved(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "s.pp"
    assert answer(host, f":save {path} -3 1") == f"wrote 2 inputs to {path}"
    text = path.read_text()
    assert "# In[1]\n$old = 1\n\n# In[2]\n$a = 1\n" in text
    assert "$a + 1" not in text
    assert "neither the number of an input" in answer(host, f":save {path} other.pp")
    assert "has inputs that the session has lost" in answer(host, f":save {path} 1")
    assert path.read_text() == text
    assert answer(host, f":save! {path} 1") == f"overwrote {path} with 1 input"
    assert answer(host, f":save {path}") == f"overwrote {path} with 2 inputs"


def test_a_range_is_saved_as_a_notebook(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "s.ipynb"
    assert answer(host, f":save {path} 2 -3") == f"wrote 2 inputs to {path}"
    text = path.read_text()
    assert text.index("$a + 1") < text.index("$old = 1")
    assert '"execution_count": 2' in text


def test_numbers_are_completed(host: Host) -> None:
    """Those of this session come first, then others from before it."""
    for line in (":rerun ", ":edit ", ":save x.pp "):
        found = host.session.complete(line, len(line)).items
        assert [(item.text, item.detail) for item in found] == [
            ("2", "$a + 1"),
            ("1", "$a = 1"),
            ("-2", "if true {"),
            ("-3", "$old = 1"),
        ]
    assert [item.text for item in host.session.complete(":rerun -", 8).items] == ["-2", "-3"]


def test_inputs_that_were_commands_are_not_offered(tmp_path: Path) -> None:
    (tmp_path / "history").write_text("\n+:undo\n\n+$old = 1\n\n+:quit now\n")
    host = Host(session=Session(facts={}))
    host._history = History(tmp_path / "history")
    assert host.history.loaded.wait(10)
    for command in (":rerun ", ":edit ", ":save x.pp "):
        offered = host.session.complete(command, len(command)).items
        assert [(item.text, item.detail) for item in offered] == [("-2", "$old = 1")]


def test_the_commands_of_vi_name_quit(host: Host) -> None:
    for name in ("wq", "q!", "x", "wq!"):
        assert ":quit leaves" in answer(host, f":{name}")
    assert ":save FILE writes" in answer(host, ":w")
    assert "['a', 'b']" in answer(host, "%w(a b)")


def test_a_word_alone_is_a_variable_where_nothing_else_has_the_name(host: Host) -> None:
    host.session.execute("$web = 1")
    host.session.execute("class web { }")
    host.session.execute("$v1 = 1")
    assert answer(host, ":forget v1") == "forgot v1"
    assert host.session.execute("$v1").error is not None
    answer(host, ":forget web")
    assert host.session.execute("$web").value == 1
    answer(host, ":forget web")
    assert host.session.execute("$web").error is not None
    assert "no input has defined web" in answer(host, ":forget web")


def test_lines_are_shown_as_they_were_typed() -> None:
    host = Host(session=Session(facts={}))
    long = "notice('" + "word " * 30 + "')"
    for text in ("if true {\n  # why\n  notice(1)\n}", long, "$x = 1"):
        assert host.session.execute(text).error is None
        host.remember(text)
    shown = plain(render_report(run(host.session, ":history", host), 80)).split("\n")
    assert max(map(len, shown)) <= 80
    texts = [line[shown[0].index("if true") :] for line in shown]
    assert texts[:4] == ["if true {", "  # why", "  notice(1)", "}"]
    assert " ".join(texts[4:-1]) == long
    assert texts[-1] == "$x = 1"
