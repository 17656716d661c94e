"""Earlier inputs: the file, going up and down, the search panel, the suggestion in grey."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

from prompt_toolkit.document import Document

from puppet_repl.frontends.terminal.completer import HistorySuggest
from puppet_repl.host.history import History, Recall, read_entries
from puppet_repl.session import Session
from tests.frontends.terminal.prompt import (
    CTRL_C,
    CTRL_R,
    DOWN,
    ENTER,
    TAB,
    UP,
    open_prompt,
)
from tests.frontends.terminal.terminal_screen import TerminalScreen

OLD = ("$a = 1", "notice('x')", "if true {\n  1\n}", "$a + 2", "notice('y')", "$a + 2")


def history_of(*entries: str) -> History:
    made = History()
    for entry in entries:
        made.add(entry)
    return made


def _write(path: Path, name: str) -> None:
    history = History(path)
    history.loaded.wait(5)
    for number in range(50):
        history.add(f"{name} {number}\n  second line")


def test_several_sessions_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "data" / "history"
    processes = [
        multiprocessing.get_context("spawn").Process(target=_write, args=(path, name))
        for name in ("one", "two", "three")
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
    entries = list(read_entries(path.read_text("utf-8")))
    assert len(entries) == 150
    assert {entry for entry in entries if entry.startswith("two ")} == {
        f"two {number}\n  second line" for number in range(50)
    }


def test_entries_of_sessions_beside_come_before_those_of_this_one(tmp_path: Path) -> None:
    path = tmp_path / "history"
    History(path).add("old")
    one, two = History(path), History(path)
    assert one.loaded.wait(5) and two.loaded.wait(5)
    one.add("one 1")
    two.add("two 1")
    one.read_again()
    assert one.entries == ["old", "two 1", "one 1"]
    two.add("two 2\nsecond line")
    one.add("one 2")
    one.read_again()
    one.read_again()
    assert one.entries == ["old", "two 1", "two 2\nsecond line", "one 1", "one 2"]
    assert [one.earlier(number) for number in (-1, -3, 1)] == ["two 2\nsecond line", "old", None]
    assert one.time_of(-1) == two.time_of(1)
    assert one.time_of(-3) is not None and one.time_of(1) is not None
    path.unlink()
    two.add("two 3")
    one.add("one 3")
    one.read_again()  # of a new file, and what was known stays
    assert {"old", "two 1"} <= {*one.entries} and one.entries[-3:] == ["one 1", "one 2", "one 3"]
    two.read_again()
    assert two.entries[-3:] == ["two 1", "two 2\nsecond line", "two 3"]
    assert len([*read_entries(path.read_text("utf-8"))]) == 2


def test_entries_of_several_lines_are_whole_in_the_next_session(tmp_path: Path) -> None:
    path = tmp_path / "history"
    first = History(path)
    first.loaded.wait(5)
    for entry in OLD:
        first.add(entry)
    second = History(path)
    assert second.loaded.wait(5)
    assert second.entries == list(OLD)
    assert path.read_text("utf-8").count("\n+") == 8
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_history_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    history = History(tmp_path / "file" / "history")
    history.loaded.wait(5)
    history.add("1")
    assert history.entries == ["1"]


def test_up_and_down_walk_by_prefix() -> None:
    recall = Recall(history_of(*OLD))
    assert recall.step("$a", older=True) == "$a + 2"
    assert recall.step("$a + 2", older=True) == "$a = 1"
    assert recall.step("$a = 1", older=True) is None
    assert recall.step("$a = 1", older=False) == "$a + 2"
    assert recall.step("$a + 2", older=False) == "$a"
    assert recall.step("$a", older=False) is None


def test_up_takes_one_key_for_each_entry_even_for_blocks() -> None:
    with open_prompt() as prompt:
        for entry in OLD:
            prompt.history.add(entry)
        assert prompt.entry(UP + ENTER) == "$a + 2"
        assert prompt.entry(UP + UP + UP + ENTER) == "if true {\n  1\n}"
        assert prompt.entry("not" + UP + UP + ENTER) == "notice('x')"
        assert prompt.entry("not" + UP + UP + DOWN + ENTER) == "notice('y')"
        assert prompt.entry("5" + UP + DOWN + ENTER) == "5"


def test_search_panel() -> None:
    with open_prompt() as prompt:
        for entry in OLD:
            prompt.history.add(entry)
        assert prompt.entry(CTRL_R + "true" + ENTER + ENTER) == "if true {\n  1\n}"
        assert prompt.entry(CTRL_R + "ntc" + DOWN + ENTER + ENTER) == "notice('x')"
        assert prompt.entry(CTRL_R + "y" + TAB + ENTER) == "notice('y')"
        assert prompt.entry("7" + CTRL_R + CTRL_C + ENTER) == "7"
        assert not prompt.terminal.picker.is_open


def test_search_panel_shows_list_and_preview() -> None:
    with open_prompt() as prompt:
        for entry in OLD:
            prompt.history.add(entry)
        picker = prompt.terminal.picker
        picker.open("tru")
        shown = "".join(text for _, text, *_ in picker.text(80, 24))
        assert "> if true {  (+2 lines)" in shown
        assert "\n    1\n" in shown
        prompt.history.add("[1,\n2]")
        picker.open("[1")
        assert "> [1,  (+1 line)" in "".join(text for _, text, *_ in picker.text(80, 24))
        picker.open("zzz")
        assert picker.chosen is None


def test_suggestion_is_taken_with_right() -> None:
    with open_prompt() as prompt:
        prompt.history.add("notice('hello')")
        suggest = HistorySuggest(prompt.history)
        found = suggest.get_suggestion(prompt.terminal.buffer, Document("notice('"))
        assert found is not None and found.text == "hello')"
        assert suggest.get_suggestion(prompt.terminal.buffer, Document("warn")) is None
        prompt.history.add("if true {\n  1\n}")
        block = suggest.get_suggestion(prompt.terminal.buffer, Document("if t"))
        assert block is not None and block.text == "rue {"


def test_no_entry_twice_in_a_row_and_no_empty_one() -> None:
    history = history_of("1", "1", "", "  ", "2", "1")
    assert history.entries == ["1", "2", "1"]
    assert list(history.newest()) == ["1", "2"]


def test_history_command_shows_earlier_sessions() -> None:
    with open_prompt() as prompt:
        prompt.history.add("$from_before = 1")
        prompt.run("1 + 1")
        shown = prompt.run(":history")
        assert "$from_before = 1" in shown
        assert "1  1 + 1" in shown
        assert "from_before" in prompt.run(":history BEFORE")


def _home(tmp_path: Path, *entries: str) -> Path:
    """Return a home with a history that has entries."""
    path = tmp_path / "data" / "puppet-repl" / "history"
    path.parent.mkdir(parents=True)
    texts = ("\n".join(f"+{line}" for line in entry.split("\n")) for entry in entries)
    path.write_text("".join(f"\n# 2024-02-03 10:00:00.5\n{text}\n" for text in texts))
    return tmp_path


def test_inputs_are_run_again_as_if_typed(tmp_path: Path) -> None:
    home = _home(tmp_path, "$old = 40", "if $old == 40 {\n  notice('it is')\n}")
    with TerminalScreen(home, rows=24, columns=80) as terminal:
        terminal.wait_for("puppet [1]>")
        terminal.type(":rerun -2--1\r")
        terminal.wait_for("puppet [3]>")
        shown = [row for row in terminal.rows if row]
        at = shown.index("$old = 40")
        assert shown[at + 1 : at + 6] == [
            "40  Integer",
            "if $old == 40 {",
            "  notice('it is')",
            "}",
            "Notice: it is",
        ]
        terminal.run("$old + 2")
        terminal.type("nix(1)\r")
        terminal.wait_for("Unknown function")
        terminal.type(":rerun -1 3\r")
        terminal.wait_for("puppet [6]>")
        assert terminal.text.count("42") == 2


def test_the_pager_begins_at_the_newest_input(tmp_path: Path) -> None:
    home = _home(tmp_path, *[f"$number{n} = {n}" for n in range(60)])
    with TerminalScreen(home, rows=20, columns=80) as terminal:
        terminal.wait_for("puppet [1]>")
        terminal.type(":history\r")
        terminal.wait_for("-1  $number59 = 59")
        assert "$number20 = 20" not in terminal.text
        assert ":history" not in [row.split()[-1] for row in terminal.rows[1:-1] if row.split()]
        terminal.type("q")
        terminal.wait_for("puppet [1]>")


def test_the_closest_entry_comes_first_with_its_date(tmp_path: Path) -> None:
    manifest = "class profile {\n" + "  file { '/etc/web': content => 'b' }\n" * 284 + "}"
    home = _home(tmp_path, "class web($port) { notice($port) }", manifest, "notice('$clash', 1)")
    with TerminalScreen(home, rows=24, columns=80) as terminal:
        terminal.wait_for("puppet [1]>")
        terminal.type("\x12clsweb")
        terminal.wait_for("> class web($port)")
        shown = terminal.wait_for("-- 2024-02-03 10:00 --")
        assert shown.count("class web($port) { notice($port) }") == 2
        row = terminal.row_of("> class web")
        underlined = "".join(
            cell.data for cell in terminal.screen.buffer[row].values() if cell.underscore
        )
        assert underlined == "clsweb"
        terminal.type("\r\r")
        terminal.wait_for("defined class web")


def test_the_preview_shows_the_lines_that_match(tmp_path: Path) -> None:
    lines = [f"$line{n} = {n}" for n in range(100)]
    with open_prompt() as prompt:
        prompt.history.add("\n".join(lines))
        picker = prompt.terminal.picker
        picker.open("line77 ")
        shown = "".join(text for _, text, *_ in picker.text(80, 24)).split("\n")
        assert shown[0] == "> $line0 = 0  (+99 lines)"
        assert shown[2:5] == ["  ... 76 lines above", "  $line76 = 76", "  $line77 = 77"]
        assert shown[-2].startswith("  ... ")
        low = "".join(text for _, text, *_ in picker.text(40, 15)).split("\n")
        assert len(low) < len(shown)


def test_vi_searches_with_a_slash_and_names_its_mode(tmp_path: Path) -> None:
    home = _home(tmp_path, "include web", "notice('x')")
    with TerminalScreen(home, rows=24, columns=80) as terminal:
        terminal.wait_for("puppet [1]>")
        terminal.type("\x1bOS")
        terminal.wait_for(" INSERT ")
        terminal.type("\x1b")
        terminal.wait_for(" NORMAL ")
        terminal.type("/web")
        terminal.wait_for("> include web")
        terminal.type("\x1b")
        terminal.wait_for(" NORMAL ")
        terminal.type("/not\r")
        terminal.wait_for("puppet [1]> notice('x')")
        assert " NORMAL " in terminal.text
        terminal.type("V")
        terminal.wait_for(" VISUAL LINE ")
        terminal.type("\x1bR")
        terminal.wait_for(" REPLACE ")
        terminal.type("\x1bddi1 + 1\r")
        terminal.wait_for("puppet [2]>")
        terminal.wait_for(" INSERT ")
        terminal.type("\x1b\x12not")
        terminal.wait_for("> notice('x')")


def test_a_file_that_is_edited_and_loaded_again_is_saved_once(tmp_path: Path) -> None:
    file, saved = tmp_path / "q.pp", tmp_path / "saved.pp"
    with TerminalScreen(tmp_path, rows=24, columns=80, PAGER="cat") as terminal:
        terminal.wait_for("puppet [1]>")
        for number in (1, 2, 3):
            file.write_text(f"# Version {number}.\nclass q {{ }}\nfunction f() {{ {number} }}\n")
            terminal.run(f":load {file}")
        terminal.type(f":save {file}\r")
        terminal.wait_for("exists, and this session has not saved it")
        assert file.read_text().startswith("# Version 3.")
        terminal.type(f":save {saved}\r")
        terminal.wait_for("wrote 1 input to")
        terminal.type(f":save! {file}\r")
        terminal.wait_for("overwrote")
    assert saved.read_text() == file.read_text()
    assert saved.read_text().count("class q") == saved.read_text().count("function f") == 1
    assert "# Version 3." in saved.read_text()
    outcome = Session(facts={}).execute(saved.read_text() + "f()")
    assert outcome.error is None and outcome.value == 3


def test_a_session_beside_is_seen_by_the_list_and_the_search(tmp_path: Path) -> None:
    _home(tmp_path, "$old = 1")
    with (
        TerminalScreen(tmp_path, rows=24, columns=80, PAGER="cat") as one,
        TerminalScreen(tmp_path, rows=24, columns=80, PAGER="cat") as two,
    ):
        one.wait_for("puppet [1]>")
        two.wait_for("puppet [1]>")
        two.run("'of two'")
        one.run("'uniq-1'")
        two.type(":history uniq\r")
        two.wait_for(" -1  'uniq-1'")
        one.run("['uniq-2',\r2]")
        two.type("\x12uniq-2")
        two.wait_for("> ['uniq-2',  (+1 line)")
        two.wait_for("-- 20")  # its date
        two.type("\r")
        two.wait_until(lambda: two.rows[two.row_of("puppet [2]>")].endswith("> ['uniq-2',"))
        two.type("\x03")
        two.run("$own = 3")
        two.type("\x1b[A")  # Up: those of this session come first
        two.wait_until(lambda: two.rows[two.row_of("puppet [3]>")].endswith("> $own = 3"))
        two.type("\x03")
        two.run(":rerun -1")
        two.wait_for("\n['uniq-2', 2]")
    entries = [*read_entries((tmp_path / "data/puppet-repl/history").read_text("utf-8"))]
    assert sorted(entries) == sorted(
        [
            *("$old = 1", "'of two'", "'uniq-1'", ":history uniq"),
            *("['uniq-2',\n  2]", "$own = 3", ":rerun -1", "['uniq-2',\n  2]"),
        ]
    )
