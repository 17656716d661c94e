"""The table of ``make bench``: what is measured again, what counts as slower, what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks import figures, fleet, history, report, run
from tests.benchmarks.control_repository import write_repository
from tests.benchmarks.history import Entry
from tests.benchmarks.machine import Machine, this_machine
from tests.benchmarks.rows import MEAN, WRONG, Absent, Benchmark, Row, with_mean

HERE = Machine("a processor", 2, "3.11")
ELSEWHERE = HERE._replace(cores=64)
ROW = Row("programs", "fib", 0.01, 1.0, "Puppet 8.11.0", goal=15)


def entry(ratio: float, machine: Machine = HERE) -> Entry:
    row = ROW._replace(ours=1.0, reference=ratio)
    return Entry("2026-01-31", "abc1234", machine, 0.5, (row,))


def in_turns(*ratios: float) -> Benchmark:
    """A benchmark that yields the next of these ratios each time, and something without one."""
    left = iter(ratios)

    def benchmark() -> Iterator[Row | Absent]:
        yield ROW._replace(ours=1.0, reference=next(left))
        yield ROW._replace(name="alone", reference=None, beside="")
        yield Absent("catalogs", "no modules here")

    return benchmark


def test_the_usual_ratio_is_the_median_of_the_last_runs_on_such_a_machine() -> None:
    entries = [entry(9), entry(50), entry(500, ELSEWHERE), entry(30), entry(40)]
    assert history.usual_ratios(entries, HERE) == {ROW.key: 40}
    assert history.usual_ratios(entries[:2], HERE) == {ROW.key: 29.5}
    assert history.usual_ratios(entries, HERE._replace(python="3.12")) == {}


@pytest.mark.parametrize(("ratio", "expected"), [(36.1, False), (35.9, True), (80, False)])
def test_a_row_is_slower_that_lost_more_than_a_tenth(ratio: float, expected: bool) -> None:
    row = ROW._replace(ours=1.0, reference=ratio)
    assert history.is_slower(row, {ROW.key: 40}) is expected
    assert not history.is_slower(row, {})
    assert not history.is_slower(row._replace(reference=None), {ROW.key: 40})


@pytest.mark.parametrize(
    ("ratios", "kept"),
    [([38], 38), ([20, 39], 39), ([20, 10, 41], 41), ([20, 30, 25], 30)],
)
def test_what_seems_slower_is_measured_again(ratios: list[float], kept: float) -> None:
    rows = run.measured(in_turns(*ratios), {ROW.key: 40})
    assert [row.ratio for row in rows if isinstance(row, Row)] == [kept, None]
    assert isinstance(rows[-1], Absent)


def test_entries_are_read_as_they_were_added(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    assert history.read(path) == []
    entries = [entry(9), entry(50, this_machine())]
    for each in entries:
        history.append(each, path)
    assert history.read(path) == entries
    assert "limit" not in path.read_text()


def test_the_exit_status_tells_of_a_slowdown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "history.jsonl"
    history.append(entry(40, this_machine()), path)
    for ratios, status in (([39], 0), ([20, 20, 20], 1)):
        monkeypatch.setattr(run, "PARTS", {"all": in_turns(*ratios)})
        assert run.main([], path) == status
    written = capsys.readouterr()
    assert written.err == "slower: programs fib Puppet 8.11.0: 20, usually 40\n"
    assert written.out.count("SLOWER") == 1
    assert len(history.read(path)) == 1


def test_an_answer_that_is_not_that_of_puppet_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = ROW._replace(name=ROW.name + WRONG)
    monkeypatch.setattr(run, "PARTS", {"all": lambda: iter([wrong])})
    assert run.main([], tmp_path / "history.jsonl") == 2
    assert capsys.readouterr().err == "failed: programs fib (not equal) Puppet 8.11.0\n"


def test_the_mean_is_a_row() -> None:
    rows = [ROW._replace(ours=1.0, reference=each) for each in (4.0, 9.0)]
    mean = list(with_mean(rows, 45))[-1]
    assert (mean.name, mean.ratio, mean.goal) == (MEAN, pytest.approx(6), 45)
    assert not list(with_mean([]))


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        (ROW, ["fib", "10 ms", "1 s", "100"]),
        (ROW._replace(reference=0.004), ["fib", "10 ms", "4 ms", "1/2.5", "goal 15"]),
        (ROW._replace(ours=2.5e6, reference=5e6, unit="bytes"), ["fib", "2.5 MB", "5 MB", "2"]),
        (ROW._replace(ours=4e-5, reference=None, limit=2e-5), ["fib", "40 us", "limit 20 us"]),
    ],
)
def test_a_row_as_text(row: Row, cells: list[str]) -> None:
    line = list(report.lines([row], {}))[-1]
    assert [cell for part in line.split("  ") if (cell := part.strip(" ,"))][: len(cells)] == cells


def test_the_readme_has_the_rows_of_the_newest_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("<!-- speed -->\nold\n<!-- end of speed -->\n")
    monkeypatch.setattr("tests.readme.README", readme)
    rows = [
        Row("start", "-e 1", 0.02, 0.01, "python3 -c pass"),
        Row("terminal", "first prompt", 0.09, 0.2, "IPython"),
        ROW,
        ROW._replace(reference=0.002, beside="Python by hand"),
    ]
    figures.write_readme(rows)
    written = readme.read_text()
    assert "| fib | 1 s | 10 ms | 100 times | 2 ms |\n\n" in written
    assert "`puppet-repl -e 1` takes 20 ms, 2.0 times as long as an empty Python" in written
    assert (
        "IPython takes 2.22 times as long to its first prompt" in written and "old" not in written
    )


@pytest.mark.parametrize("arguments", [["nothing"], ["--keep", "lexers"]])
def test_parts_that_cannot_be_run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run.main(arguments)
    assert stop.value.code == 2
    assert "no part 'nothing'" in (err := capsys.readouterr().err) or "all parts" in err


def test_a_part_that_fails_loses_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def write_failing(directory: Path, count: int) -> None:
        write_repository(directory, count)
        (directory / "production" / "manifests" / "site.pp").write_text("fail('no such role')")

    monkeypatch.setattr(fleet, "write_repository", write_failing)
    parts = {"first": lambda: fleet.fleets(1), "second": in_turns(40)}
    monkeypatch.setattr(run, "PARTS", parts)
    assert run.main([], tmp_path / "history.jsonl") == 2
    written = capsys.readouterr()
    assert "no such role" in written.err and written.err.endswith("\nfailed: first\n")
    assert " fib " in written.out
