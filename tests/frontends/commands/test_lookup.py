"""The command :lookup: where a value was looked for, on one machine and on several."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.facts.facts import load_facts
from puppet_repl.environment.hiera.data_keys import DataKeys
from puppet_repl.frontends.commands import run
from puppet_repl.language.runtime.options import Options
from puppet_repl.session import Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.width import display_width
from puppet_repl.tools.reports.html import table_html
from puppet_repl.tools.reports.parts import Report, Table
from puppet_repl.tools.reports.report import render_report
from tests.conformance.judge import write_files

HIERA = """\
version: 5
hierarchy:
  - {name: Machine, path: "nodes/%{trusted.certname}.yaml"}
  - {name: Role, path: "roles/%{facts.role}.yaml"}
  - {name: Operating system, path: "os/%{facts.os.family}.yaml"}
  - {name: Common, path: common.yaml}
"""
COMMON = """\
lookup_options:
  packages: {merge: unique}
  secret: {convert_to: Sensitive}
  number: {convert_to: Integer}
  failing: {convert_to: ['Array[Sensitive]', false]}

packages: [vim]
secret: hidden from all
failing: hidden as well
number: "42"
greeting: "hello %{facts.nobody}"
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    write_files(
        tmp_path,
        {
            "hiera.yaml": HIERA,
            "data/common.yaml": COMMON,
            "data/os/Debian.yaml": "packages: [apt]\n",
            "data/os/RedHat.yaml": "packages: [dnf]\n",
            "data/nodes/web01.example.com.yaml": "packages: [nginx]\n",
        },
    )
    options = Options(environment=str(tmp_path), stdlib="off", node="web01.example.com")
    return Session(options, facts=load_facts("debian-12"))


def shown(report: Report, width: int = 80) -> list[str]:
    return plain(render_report(report, width)).split("\n")


def words(report: Report, width: int = 80) -> list[str]:
    """Return the lines with one blank between words."""
    return [" ".join(line.split()) for line in shown(report, width)]


def test_each_level_is_a_row(session: Session) -> None:
    lines = words(run(session, ":lookup packages"))
    assert lines == [
        "packages (merge unique by lookup_options)",
        "Layer Level File Value",
        "✓ environment Machine …/web01.example.com.yaml:1 ['nginx']",
        "environment Role data/roles/.yaml empty: %{facts.ro…",
        "✓ environment Operating system data/os/Debian.yaml:1 ['apt']",
        "✓ environment Common data/common.yaml:7 ['vim']",
        "nothing for %{facts.role} in the path roles/%{facts.role}.yaml",
        "['nginx', 'apt', 'vim']",
    ]


def test_the_first_level_ends_a_lookup_without_merge(session: Session) -> None:
    lines = shown(run(session, ":lookup packages --merge first"))
    assert lines[0] == "packages (merge first)"
    assert len(lines) == 4
    assert lines[-1] == "['nginx']"


def test_expressions_in_values_that_are_empty_are_named(session: Session) -> None:
    lines = words(run(session, ":lookup greeting"), 100)
    assert "nothing for %{facts.nobody} in the value (level Common)" in lines
    assert "✓ environment Common data/common.yaml:11 'hello %{facts.nobody}'" in lines


def test_a_conversion_is_mentioned(session: Session) -> None:
    lines = shown(run(session, ":lookup number"))
    assert "Applying convert_to lookup_option with arguments [Integer]" in lines
    assert lines[-1] == "42"


@pytest.mark.parametrize("key", ["secret", "failing", "secret web01.example.com debian-12"])
@pytest.mark.parametrize("width", [40, 80, 200])
def test_secrets_stay_hidden(session: Session, key: str, width: int) -> None:
    report = run(session, f":lookup {key}")
    text = "\n".join(shown(report, width))
    text += "".join(table_html(part) for part in report.parts if isinstance(part, Table))
    assert "hidden" not in text
    assert "Sensitive" in text or "redacted" in text


def test_several_machines_are_rows_of_one_table(session: Session) -> None:
    before = list(session.inputs)
    lines = words(run(session, ":lookup packages debian-12 rocky-9 db01.example.com"), 100)
    assert lines[:2] == ["packages", "Machine Value From"]
    web = "…/web01.example.com.yaml:1 and 2 others"
    assert lines[2:5] == [
        f"debian-12 ['nginx', 'apt', 'vim'] {web}",
        f"rocky-9 ['nginx', 'dnf', 'vim'] {web}",
        "db01.example.com ['apt', 'vim'] data/os/Debian.yaml:1 and 1 other",
    ]
    assert lines[5].endswith(": debian-12, rocky-9, db01.example.com")
    assert session.inputs == before


def test_several_keys_have_a_table_each(session: Session) -> None:
    report = run(session, ":lookup packages clock::servers")
    titles = [part.title for part in report.parts if isinstance(part, Table)]
    assert titles == ["packages (merge unique by lookup_options)", "clock::servers (merge first)"]
    assert report.failed


@pytest.mark.parametrize("key", ["packages", "secret", "greeting", "'packages'", '"packages"'])
def test_tables_fit_a_terminal(session: Session, key: str) -> None:
    report = run(session, f":lookup {key}")
    assert not report.failed
    table = next(part for part in report.parts if isinstance(part, Table))
    lines = shown(Report(table))
    assert len(lines) > 2
    assert all(display_width(line) <= 80 for line in lines)


def test_the_text_of_puppet(session: Session) -> None:
    lines = shown(run(session, ":lookup packages --explain"))
    assert lines[0] == 'Searching for "lookup_options"'
    assert "  Merge strategy unique" in lines


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":lookup", "which key?"),
        (":lookup --merge", "--merge needs a value"),
        (":lookup x --mirge deep", "there is no option --mirge"),
        (":lookup 'x", "cannot read ''x'"),
        (":lookup packages no/such/file.json", "no/such/file.json"),
        (":lookup packages --merge sideways", "sideways"),
        (":lookup packages --type Array[", "Syntax error"),
        (":lookup nothing", "did not find a value for the name 'nothing'"),
        (":lookup a..b", "a..b"),
        (":lookup number --type String", "expects a String value, got Integer"),
    ],
)
def test_errors_are_one_message(session: Session, text: str, message: str) -> None:
    report = run(session, text)
    lines = shown(report)
    assert report.failed
    assert sum(line.startswith("Error: ") for line in lines) == 1
    assert message in "\n".join(lines)
    assert "Traceback" not in "\n".join(lines)


def test_a_default_counts_where_nothing_is_found(session: Session) -> None:
    assert shown(run(session, ":lookup nothing --default fallback"))[-1] == "'fallback'"


def test_without_data_the_way_to_some_is_named() -> None:
    lines = shown(run(Session(), ":lookup x"))
    assert "no hiera.yaml has levels for it; :environment DIR takes another directory" in lines
    assert lines[-1] == "Error: Function lookup() did not find a value for the name 'x'"


@pytest.mark.parametrize("broken", ["version: [5\n", "version: 5\nhierarchy: no\n"])
def test_a_broken_configuration_is_named(session: Session, tmp_path: Path, broken: str) -> None:
    (tmp_path / "hiera.yaml").write_text(broken)
    lines = shown(run(session, ":lookup packages"), 200)
    assert lines[-1].startswith("Error: ")
    assert "hiera.yaml" in lines[-1]


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        # The first word is a key, and so are those that the data has.
        ("packages number", ["packages (merge unique by lookup_options)", "number (merge first)"]),
        ("number packages.0", ["number (merge first)", "packages.0 (merge unique"]),
        ("number debian-12", ["number"]),
        ("number web01.example.com", ["number"]),
        ("number web02", ["number"]),  # a node of the site
        ("number greeting -- any other", ["number", "greeting"]),
        ("number nowhere", ["number (merge first)", "nowhere (merge first)"]),
    ],
)
def test_words_are_keys_or_machines(session: Session, text: str, tables: list[str]) -> None:
    assert session.execute("node 'web02' {} node 'number' {} node default {}").error is None
    report = run(session, f":lookup {text}")
    titles = [part.title or "" for part in report.parts if isinstance(part, Table)]
    assert len(titles) == len(tables)
    assert all(map(str.startswith, titles, tables)), titles


def test_an_unknown_word_may_be_a_node_behind_a_separator(session: Session) -> None:
    lines = shown(run(session, ":lookup number nowhere"))
    assert lines[-1] == "if nowhere is a node: :lookup number -- nowhere"
    assert words(run(session, ":lookup number -- nowhere"))[2].startswith("nowhere 42 data/common")
    assert not any("is a node" in line for line in shown(run(session, ":lookup nowhere")))


@pytest.mark.parametrize(
    ("command", "broken"), [(":lookup number", "a: ["), (":lookup number --merge bogus", None)]
)
def test_an_error_does_not_blame_hiera_yaml(
    session: Session, tmp_path: Path, command: str, broken: str | None
) -> None:
    if broken is not None:
        (tmp_path / "data/common.yaml").write_text(broken)
    lines = shown(run(session, command))
    assert any(line.startswith("Error: ") for line in lines)
    assert not any("no hiera.yaml" in line for line in lines)


@pytest.mark.parametrize("option", ["--knock-out-prefix --", "--knock-out-prefix=--"])
def test_a_prefix_knocks_out(session: Session, tmp_path: Path, option: str) -> None:
    (tmp_path / "data/nodes/web01.example.com.yaml").write_text("packages: [--apt, nginx]\n")
    lines = shown(run(session, f":lookup packages --merge deep {option}"))
    assert lines[-1] == "['vim', 'nginx']"
    lines = shown(run(session, f":lookup packages {option}"))
    assert lines == ["Error: --knock-out-prefix needs --merge deep"]


@pytest.mark.parametrize("broken", ["version: [5\n", "version: 5\nhierarchy: no\n", "- 1\n", ""])
def test_further_words_need_no_sound_configuration(
    session: Session, tmp_path: Path, broken: str
) -> None:
    (tmp_path / "hiera.yaml").write_text(broken)
    report = run(session, ":lookup packages number debian-12 rocky-9")
    titles = [part.title for part in report.parts if isinstance(part, Table)]
    assert titles == ["packages", "number"]


def test_data_is_read_once_for_all_words(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    values = DataKeys.values
    monkeypatch.setattr(DataKeys, "values", lambda self: calls.append(self) or values(self))
    run(session, ":lookup packages --merge unique")
    assert calls == []
    run(session, ":lookup packages number greeting nowhere")
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("start", "size"), [("x", 50), ("some words of it ", 20), ("/opt/app/", 15), ("long", 300)]
)
def test_values_that_differ_at_their_end_look_different(
    session: Session, tmp_path: Path, start: str, size: int
) -> None:
    for family, end in (("Debian", "one"), ("RedHat", "two")):
        (tmp_path / f"data/os/{family}.yaml").write_text(f"long: ['{start * size}{end}']\n")
    report = run(session, ":lookup long debian-12 rocky-9")
    lines = shown(report)
    assert max(map(display_width, lines)) <= 80
    row = next(number for number, line in enumerate(lines) if line.startswith("rocky-9"))
    values = [[line[11:50] for line in part] for part in (lines[2:row], lines[row:])]
    assert values[0] != values[1]
    assert "one" in "".join(values[0]) and "two" in "".join(values[1])
    (table,) = [part for part in report.parts if isinstance(part, Table)]
    assert "one" in table_html(table) and "two" in table_html(table)


def test_a_misspelt_key_has_a_hint(session: Session) -> None:
    assert shown(run(session, ":lookup pakages"))[-1] == "hint: did you mean packages?"
    assert "did you mean" not in "".join(shown(run(session, ":lookup nowhere_near")))
    assert "did you mean" not in "".join(shown(run(session, ":lookup pakages --default 1")))
