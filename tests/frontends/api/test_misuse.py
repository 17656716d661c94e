"""Arguments that cannot be right: errors speak of the functions, and say what to write."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import puppet_repl as puppet

ANY: Any = puppet


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ANY.compile("", hiera_config="x.yaml"),
            "compile() has no argument 'hiera_config'; did you mean 'hiera'?",
        ),
        (
            lambda: ANY.compile("", fact="debian-12"),
            "compile() has no argument 'fact'; did you mean 'facts'?",
        ),
        (
            lambda: ANY.evaluate("", fact="debian-12"),
            "evaluate() has no argument 'fact'; did you mean 'facts'?",
        ),
        (
            lambda: ANY.render("", fact="debian-12"),
            "render() has no argument 'fact'; did you mean 'facts'?",
        ),
        (
            lambda: ANY.evaluate("", max_second=1),
            "evaluate() has no argument 'max_second'; did you mean 'max_seconds'?",
        ),
        (lambda: ANY.evaluate("", session=1), "evaluate() has no argument 'session'"),
        (
            lambda: ANY.render("<%= $greeting %>", greeting="x"),
            "render() has no argument 'greeting'; the parameters of the template are a mapping: "
            "render(template, {'greeting': ...})",
        ),
        (lambda: ANY.compile("", node=3), "node is a string, not 3"),
        (lambda: ANY.compile("", hiera=3), "hiera is a path, not 3, a int"),
        (lambda: ANY.compile("", environment=3), "environment is a path, not 3, a int"),
        (
            lambda: ANY.compile("", facts={}).diff(None),
            "a catalog is compared with a Catalog, or the path of one, not None",
        ),
        (
            lambda: ANY.Session(facts=["debian-12"]),
            "facts are a mapping, the name of a set, or a file, not ['debian-12']",
        ),
    ],
)
def test_arguments_of_another_kind(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == message


def test_a_session_takes_the_facts_of_a_set(tmp_path: Path) -> None:
    session = puppet.Session(facts="rocky-9")
    assert session.execute("$facts['os']['name']").unwrap() == "Rocky"
    file = tmp_path / "facts.json"
    file.write_text('{"os": {"name": "Plan9"}}')
    session.use_facts(file)
    assert session.execute("$facts['os']['name']").unwrap() == "Plan9"
    with pytest.raises(puppet.FactsError, match="did you mean debian-12"):
        session.use_facts("debian-13")
    assert session.execute("$facts['os']['name']").unwrap() == "Plan9"
    session.close()


def test_near_sets_are_named() -> None:
    with pytest.raises(puppet.FactsError) as caught:
        puppet.compile("", facts="debian-13")
    assert "did you mean debian-12? (the sets are debian-12, " in str(caught.value)


def test_files_that_are_no_catalog(tmp_path: Path) -> None:
    file = tmp_path / "t.py"
    file.write_text("x = 1\n")
    catalog = puppet.compile("", facts={})
    with pytest.raises(ValueError, match=r"t\.py: this is not a catalog in JSON"):
        catalog.diff(file)
    with pytest.raises(ValueError, match=r"nope\.json: there is no file with a catalog"):
        catalog.diff(tmp_path / "nope.json")


def test_a_text_that_is_the_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("init.pp").write_text("notice('x')")
    note = "'init.pp' is the name of a file: pass a pathlib.Path for what is in it"
    for function in (puppet.compile, puppet.evaluate):
        with pytest.raises(puppet.PuppetError) as caught:
            function("init.pp", facts={})
        assert note in caught.value.notes
        with pytest.raises(puppet.PuppetError) as caught:
            function("other.pp", facts={})
        assert not any("name of a file" in each for each in caught.value.notes)


def test_a_template_that_is_not_there() -> None:
    for name in ("nothing.erb", "nothing.epp"):
        with pytest.raises(FileNotFoundError, match=name):
            puppet.render(name)


def test_json_of_what_has_its_own() -> None:
    with pytest.raises(TypeError, match=r"not a Catalog: that has its own to_json\(\)"):
        puppet.to_json(puppet.compile("", facts={}))


def test_keys_that_json_cannot_tell_apart() -> None:
    with pytest.raises(puppet.PuppetError) as caught:
        puppet.to_json(puppet.evaluate("[{1 => 2, '1' => 3}]"))
    assert caught.value.message.endswith("the same one: 1 and '1'")
    assert puppet.to_json({1: 2}) == '{\n  "1": 2\n}'


def test_the_place_of_a_number_that_json_has_no_word_for() -> None:
    for code, notes in (
        ("$settings::all_local", ("it is at ['maxwaitforcert']",)),
        ("[1, {2 => $settings::maxwaitforcert}]", ("it is at [1]['2']",)),
        ("$settings::maxwaitforcert", ()),
    ):
        with pytest.raises(puppet.PuppetError, match="JSON has no Infinity") as caught:
            puppet.to_json(puppet.evaluate(code))
        assert caught.value.notes == notes


def test_directories_that_are_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    with pytest.raises(ValueError, match=r"^\.: no module \(it has nothing to document\)"):
        puppet.module(".")
    for name, kind in (("nope", FileNotFoundError), ("file", NotADirectoryError)):
        with pytest.raises(kind) as caught:
            puppet.module(name)
        assert caught.value.filename == name


def test_python_shows_hints_and_notes() -> None:
    with pytest.raises(puppet.EvaluationError) as caught:
        puppet.evaluate("upcas('x')", facts={})
    error = caught.value
    error.add_note("in a program")
    for each in (error, pickle.loads(pickle.dumps(error))):
        assert each.notes == ("did you mean upcase?",)
        assert traceback.format_exception_only(each)[-2:] == [
            "in a program\n",
            "  hint: did you mean upcase?\n",
        ]
    error.__notes__ = [*error.__notes__, "more"]
    assert error.__notes__ == ["in a program", "more", "  hint: did you mean upcase?"]
