"""The page of differences: each row of the table where the specification counts has a case.

differences.jsonl: ``row`` is the name of a row, ``puppet`` the value or the message that Puppet
8.11 gives for ``code`` (null where it ends without an answer), ``here`` what is given here.
``case`` is the recording that has it instead, and its id there.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import puppet_repl as puppet
from puppet_repl.base.differences import DIFFERENCES, ENDS_IN_ERROR
from puppet_repl.base.profiles import LANGUAGES, PROFILES
from puppet_repl.frontends.cli import main
from puppet_repl.frontends.cli.batch import answer
from puppet_repl.session import Options, Session
from tests.control_repo import compare as control_repo
from tests.docs.difference_table import NAME, PAGE, difference_table
from tests.readme import section
from tests.recorded import read

# As Puppet writes it for a text without a name.
PLACE = r" \(line: \d+, column: \d+\)"
ROOT = Path(__file__).parents[2]
CASES = read(Path(__file__).with_name("differences.jsonl"))
PROGRAMS = [case for case in CASES if "code" in case]


def test_every_row_has_a_case() -> None:
    assert set(DIFFERENCES) == {case["row"] for case in CASES}


def test_the_page_has_the_table() -> None:
    assert section(NAME, PAGE) == difference_table(), "make differences writes it"
    assert ENDS_IN_ERROR in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", PROGRAMS, ids=[case["code"][:40] for case in PROGRAMS])
def test_the_answer_is_the_one_that_is_documented(case: dict[str, str]) -> None:
    """Where Puppet fails and there is an answer here, a warning says so."""
    row = DIFFERENCES[case["row"]]
    for language in LANGUAGES:
        session = Session(Options(language=language), facts={})
        outcome = session.execute(case["code"])
        found = session.describe(outcome.value)["value"] if outcome.error is None else None
        assert case["here"] == (found if outcome.error is None else outcome.error.message)
        assert case["here"] != case["puppet"], "this is no difference"
        is_puppet = PROFILES[language].product == "Puppet"
        warning = re.escape(row.warning) if is_puppet else ""
        logs = "\n".join(text for _, text in outcome.logs)
        assert re.fullmatch(warning and warning + PLACE, logs), logs


def test_a_warning_is_given_once_a_place() -> None:
    session = Session(facts={})
    code = "[1, 2].each |$x| { SemVerRange('<=x') }\nSemVerRange('<=x')"
    places = [text.rpartition(" (")[2] for _, text in session.execute(code).logs]
    assert places == ["line: 1, column: 20)", "line: 2, column: 1)"]


# Both kinds of warnings: of a text before it runs, and of a call while it runs.
TEXT = """class q {
  $a = "${true}"
  $b = SemVerRange('<=x')
}
"""
PLACES = ("line: 2, column: 8)", "line: 3, column: 8)")


def warnings_in(text: str) -> list[str]:
    """Return the locations of the two warnings, in the order in which they are given."""
    found = re.findall(rf"{re.escape(ENDS_IN_ERROR)}: [^(]* \(([^)]*\))", text)
    assert text.count(ENDS_IN_ERROR) == len(found), text
    return found


def test_a_warning_names_the_place_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same at every front end, whether the file is given or loaded, compiled or cached."""
    manifest = tmp_path / "m" / "q" / "manifests" / "init.pp"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(TEXT, encoding="utf-8")
    site = tmp_path / "site.pp"
    site.write_text(f"{TEXT}include q\n", encoding="utf-8")
    modules = ["--modulepath", str(tmp_path / "m")]
    in_module = [f"file: {manifest}, {place}" for place in PLACES]
    for _ in range(2):
        assert main(["-e", "include q", *modules]) == 0
        assert warnings_in(capsys.readouterr().err) == in_module
    in_file = [f"file: {site}, {place}" for place in PLACES]
    assert main([str(site)]) == 0
    assert warnings_in(capsys.readouterr().err) == in_file
    assert main(["compile", str(site)]) == 0
    assert warnings_in(capsys.readouterr().err) == in_file
    reply = answer({"code": "include q", "mode": "catalog", "modulepath": [str(tmp_path / "m")]})
    assert warnings_in("\n".join(text for _, text in reply["logs"])) == in_module


def test_a_warning_names_the_place_in_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    program = f"{TEXT}include q"
    assert main(["-e", program]) == 0
    assert warnings_in(capsys.readouterr().err) == list(PLACES)
    logs = answer({"code": program})["logs"]
    assert warnings_in("\n".join(text for _, text in logs)) == list(PLACES)


def test_the_api_gives_a_warning_of_python() -> None:
    """So a test in pytest shows it, whatever it asks for."""
    for ask, text in (
        (puppet.evaluate, "%s"),
        (puppet.compile, "notice(%s)"),
        (puppet.render, "<%%= %s %%>"),
    ):
        with pytest.warns(puppet.DifferenceWarning, match=ENDS_IN_ERROR) as given:
            ask(text % '"${true}"')
        assert [each.filename for each in given] == [__file__]


def test_the_warning_of_python_comes_when_the_call_has_ended() -> None:
    """So a filter that makes an exception of it stops no input, and hides no error of Puppet."""
    logged: list[str] = []
    code = 'notice("${true}") notice(last)'
    with warnings.catch_warnings():
        warnings.simplefilter("error", puppet.DifferenceWarning)
        with pytest.raises(puppet.DifferenceWarning, match=ENDS_IN_ERROR):
            puppet.evaluate(code, log=lambda _, text: logged.append(text))
        with pytest.raises(puppet.EvaluationError, match="no way"):
            puppet.evaluate(f"{code} fail('no way')")
    assert "last" in logged[-1]
    with (
        pytest.warns(puppet.DifferenceWarning) as given,
        pytest.raises(puppet.EvaluationError, match="no way"),
    ):
        puppet.evaluate(f"{code} fail('no way')")
    assert [each.filename for each in given] == [__file__]


def test_each_caller_gets_the_warning_of_python() -> None:
    """Python shows equal warnings once for each line."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("default")
        puppet.evaluate('"${true}"')
        puppet.evaluate('"${true}"')
    assert len({each.lineno for each in given}) == 2


def test_cases_in_other_recordings_differ() -> None:
    """Each is there by its id, and its recording has a test that holds the difference."""
    for case in CASES:
        if "case" in case:
            path, _, name = case["case"].partition(": ")
            if ROOT / path == control_repo.RECORDED:
                assert name in control_repo.cases().keys() & control_repo.deliberate(), case
            else:
                assert name in {each["id"] for each in read(ROOT / path) if "divergence" in each}


def test_all_warnings_are_given_beside_those_of_puppet() -> None:
    """Puppet's own are limited to ten, and counted in the message of several errors."""
    text = "notice('${true}')\n".replace("'", '"') * 12
    assert [each.line for each in puppet.validate(text=text)] == list(range(1, 13))
    keys = "notice({a => 1, a => 1})\n" * 12
    found = puppet.validate(text=keys + text, strict="warning")
    assert [each.line for each in found] == [*range(1, 11), *range(13, 25)]
    reply = answer({"code": f"{text}1 = 2\n3 = 4\n", "mode": "parse"})
    assert reply["error"]["message"] == "Language validation logged 2 errors. Giving up"
    assert [level for level, _ in reply["logs"]] == ["warning"] * 12 + ["err"] * 2
