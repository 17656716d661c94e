"""Sessions for other machines: what a word means, and that code runs there as it did here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.environment.facts.facts import FactsError, bundled_facts
from puppet_repl.host.machines import Machine, machine_of, session_for
from puppet_repl.session import Options, Session

FAMILY = "$facts['os']['family']"


@pytest.fixture
def session() -> Session:
    return Session(Options(node="web01.example.com"), facts=bundled_facts("debian-12"))


def values(session: Session, *codes: str) -> list[object]:
    outcomes = [session.execute(code, record=False) for code in codes]
    return [outcome.error or outcome.value for outcome in outcomes]


def test_a_bundled_set_takes_on_the_name_of_the_node(session: Session) -> None:
    made, failed = session_for(machine_of("rocky-9", None), session)
    assert failed is None
    codes = (FAMILY, "$trusted['certname']", "$facts['networking']['fqdn']", "$clientcert")
    name = "web01.example.com"
    assert values(made, *codes) == ["RedHat", name, name, name]
    assert values(session, FAMILY) == ["Debian"]


def test_a_file_of_facts_says_what_its_node_is_called(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "db.json"
    file.write_text(
        json.dumps({"os": {"family": "Suse"}, "networking": {"fqdn": "db.example.org"}})
    )
    made, failed = session_for(machine_of(str(file), None), session)
    assert failed is None
    assert values(made, FAMILY, "$trusted['certname']") == ["Suse", "db.example.org"]


def test_the_name_of_a_node(session: Session) -> None:
    made, failed = session_for(machine_of("db07.lan", None), session)
    assert failed is None
    codes = (FAMILY, "$trusted['domain']", "$facts['networking']['hostname']", "$clientcert")
    assert values(made, *codes) == ["Debian", "lan", "db07", "db07.lan"]
    assert session.options.node == "web01.example.com"


def test_the_directory_of_an_environment(session: Session, tmp_path: Path) -> None:
    manifests = tmp_path / "staging" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text("$colour = \"${environment} ${facts['os']['name']}\"")
    made, failed = session_for(machine_of(str(tmp_path / "staging"), None), session)
    assert failed is None
    assert values(made, "$colour") == ["staging Debian"]


def test_inputs_are_run_again_under_their_numbers(session: Session) -> None:
    for text in ("$a = 1", "1 / 0", f"$b = {FAMILY}", "notify { $b: }"):
        session.execute(text)
    seen: list[str] = []
    session.log = lambda level, text: seen.append(text)
    made, failed = session_for(machine_of("rocky-9", None), session)
    assert failed is None
    assert values(made, "$a", "$b", "$_2", "defined(Notify['RedHat'])") == [
        1,
        "RedHat",
        "RedHat",
        True,
    ]
    assert (seen, made.count, values(session, "$b")) == ([], session.count, ["Debian"])


def test_variables_that_no_input_has_bound_are_there_in_their_places(session: Session) -> None:
    for value in (1, 2):
        session.assign("given", value)
        session.execute(f"$seen_{value} = $given")
    session.assign("at_the_end", 3)
    made, failed = session_for(machine_of("rocky-9", None), session)
    assert failed is None
    assert values(made, "[$seen_1, $seen_2, $given, $at_the_end]") == [(1, 2, 2, 3)]
    # What was undone is not bound again.
    session.undo()
    made, failed = session_for(machine_of("rocky-9", None), session)
    assert failed is None
    assert values(made, "[$seen_1, $given, defined('$at_the_end')]") == [(1, 2, False)]
    session.reset()
    made, failed = session_for(machine_of("rocky-9", None), session)
    assert (failed, "given" in made.names.variables()) == (None, False)


def test_what_was_forgotten_is_forgotten_there(session: Session) -> None:
    session.execute("$typed = 1")
    session.execute("function f() { 1 }")
    session.assign("given", 1)
    for name in ("$typed", "f", "$given"):
        assert session.forget(name)
    names = "[defined('$typed'), defined('$given')]"
    made, failed = session_for(machine_of("rocky-9", None), session)
    assert failed is None
    assert values(made, names) == [(False, False)]
    assert "f" not in made.names.functions()
    session.undo(3)
    made, failed = session_for(machine_of("rocky-9", None), session)
    assert failed is None
    assert values(made, names, "f()", "$given") == [(True, True), 1, 1]


def test_what_undo_takes_back_with_a_forget_is_not_bound_there(session: Session) -> None:
    session.execute("$a = 1")
    session.assign("given", 1)
    session.forget("$a")
    session.assign("given", 2)
    session.assign("later", 3)
    session.undo()
    made, failed = session_for(machine_of("rocky-9", None), session)
    assert failed is None
    names = "[$a, $given, defined('$later')]"
    assert values(session, names) == values(made, names) == [(1, 1, False)]


def test_what_was_bound_before_an_input_is_replaced_is_bound_there(session: Session) -> None:
    session.execute("7")
    session.assign("given", 1)
    session.replace_inputs(1, "7.abs")
    made, failed = session_for(machine_of("rocky-9", None), session)
    assert failed is None
    assert values(session, "$given") == values(made, "$given") == [1]


def test_the_first_input_that_fails_is_told(session: Session) -> None:
    session.execute(f"if {FAMILY} == 'RedHat' {{ fail('not here') }}")
    session.execute("$after = 1")
    made, failed = session_for(machine_of("rocky-9", None), session)
    assert failed is not None and failed.error is not None
    assert "not here" in failed.error.message
    assert "after" not in made.names.variables()


def test_without_a_replay_the_session_is_new(session: Session) -> None:
    session.execute("$a = 1")
    made, failed = session_for(Machine("other", node="other"), session, replay=False)
    assert failed is None
    assert "a" not in made.names.variables()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("none/such.json", "No such file or directory"),
        ("such.yaml", "No such file or directory"),
        ("two words", "is not a fact set, file, directory or node name"),
    ],
)
def test_what_is_no_machine(session: Session, text: str, message: str) -> None:
    with pytest.raises(FactsError, match=message):
        machine_of(text, None)


def test_a_directory_that_is_no_environment_is_the_name_of_a_node(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "web02").mkdir()
    assert machine_of("web02", None).node == "web02"
    (tmp_path / "web02" / "hiera.yaml").write_text("version: 5\n")
    assert machine_of("web02", None).environment == str(tmp_path / "web02")


def test_a_path_in_the_home_directory(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "control" / "manifests").mkdir(parents=True)
    (tmp_path / "node.json").write_text('{"role": "web"}')
    assert machine_of("~/control", None).environment == str(tmp_path / "control")
    assert machine_of("~/node.json", None).facts == {"role": "web"}
