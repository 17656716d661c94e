"""What the front ends tell about stdlib: documentation, completion, hints, lists."""

from __future__ import annotations

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.help import documentation_text
from puppet_repl.tools.reports.report import render_report


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session(Options(stdlib="9"), facts={})
    assert made.execute("# Mine.\nfunction mine() { 1 }").error is None
    return made


@pytest.mark.parametrize(
    ("name", "title", "parts"),
    [
        ("pick(", "pick", ["function (stdlib, choices)", "Return the first argument"]),
        ("stdlib::seeded_rand(1, ", "stdlib::seeded_rand", ["Integer[1] $max, String $seed"]),
        ("upcase(", "upcase", ["function (strings)"]),
        ("stdlib::ensure(", "stdlib::ensure", ["Return the value of ensure", "$resource"]),
        ("Stdlib::Port", "Stdlib::Port", ["TCP or UDP port", "Integer[0, 65535]"]),
        ("include stdlib::stages", "stdlib::stages", ["Declare run stages"]),
        ("file_line", "file_line", ["match_for_absence"]),
    ],
)
def test_documentation(session: Session, name: str, title: str, parts: list[str]) -> None:
    found = session.inspect(name, len(name))
    assert found is not None and found.title == title
    text = f"{found.category}\n{documentation_text(found)}"
    for part in parts:
        assert part in text
    assert "@summary" not in text and "@param" not in text


def test_documentation_of_a_loaded_alias(session: Session) -> None:
    assert session.execute("1 =~ Stdlib::Host").value is False
    found = session.inspect("Stdlib::Host", 12)
    assert found is not None and "its name or its IP address" in found.text
    assert found.details[0].text.startswith("Variant[Stdlib::Fqdn")


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("ensure_pack", "ensure_packages"),
        ("stdlib::str2", "stdlib::str2resource"),
        ("notice(stdlib::ens", "stdlib::ensure"),
        ("$x =~ Stdlib::IP::Address::V4::C", "Stdlib::IP::Address::V4::CIDR"),
        ("include stdlib::st", "stdlib::stages"),
        ("file_l", "file_line"),
    ],
)
def test_completion(session: Session, text: str, item: str) -> None:
    assert item in [each.text for each in session.complete(text, len(text)).items]


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("pikc(1)", "pick"),
        ("stdlib::ensure_pakages('a')", "stdlib::ensure_packages"),
        ("1 =~ Stdlib::Prot", "Stdlib::Port"),
        ("include stdlib::stagse", "stdlib::stages"),
    ],
)
def test_hints(session: Session, code: str, hint: str) -> None:
    outcome = session.execute(code)
    assert outcome.error is not None
    assert f"did you mean {hint}?" in " ".join(outcome.error.notes)


def answer(session: Session, text: str) -> str:
    return plain(render_report(run(session, text, None), 100))


def test_lists(session: Session) -> None:
    listed = answer(session, ":names functions")
    others, heading, stdlib = listed.partition("\nstdlib\n")
    assert heading
    for name in ("abs", "mine", "split"):
        assert f"\n{name} " in others and f"\n{name} " not in stdlib
    for name in ("pick", "stdlib::ensure", "stdlib::has_ip_address"):
        assert f"\n{name} " in stdlib and f"\n{name} " not in others
    assert "Return the value of ensure for a kind of resource." in stdlib
    assert "Mine." in others
    assert answer(session, ":names functions ensure_res").startswith("stdlib\n")
    assert "The number of a TCP or UDP port." in answer(session, ":names types stdlib::port")


def test_each_function_is_documented_once(session: Session) -> None:
    assert answer(session, ":doc stdlib::ensure").count("Defined at") == 1


def test_without_stdlib() -> None:
    session = Session(Options(), facts={})
    assert "stdlib" not in answer(session, ":names functions")
    assert session.inspect("pick(", 5) is None
