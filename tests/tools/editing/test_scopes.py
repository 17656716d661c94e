"""Variables are those that code sees where the cursor is, also far away and in other classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Options, Session
from puppet_repl.tools.editing.scopes import visible_at

LONG = "  # a comment\n  notice(1)\n" * 500


@pytest.mark.parametrize(
    ("marked", "names"),
    [
        ("$top = 1\nclass a ($p) { $x = 1\n $0 }\nclass b { $y = 2 }", {"top", "p", "x"}),
        ("class a ($p) { [1].each |$i| { $j = $i $0 } }", {"p", "i", "j"}),
        ("class a ($p) { [1].each |$i| { $j = $i } $0 }", {"p"}),
        ("define d ($p) { if $p { $x = 1 } else { $y = 1 } $0 }", {"p", "x", "y"}),
        ("class a ($o) { class b ($i) { $0 } }", {"i"}),
        ("function f($a) { $b = $a $0 }\n$c = 1", {"a", "b", "c"}),
        ("[[1, 2]].each |$a| { $a.map |$b| { $0 } }", {"a", "b"}),
        ("[$a, $b] = [1, 2]\n$0", {"a", "b"}),
        ("node 'n' { $x = 1 $0 }", {"x"}),
        ("class a ($p = $0, $q = 2) { }", {"p", "q"}),
    ],
)
def test_variables_are_those_around(marked: str, names: set[str]) -> None:
    cursor = marked.index("$0")
    text = marked.replace("$0", "42")
    found = visible_at(parse(Source(text)), cursor)
    assert set(found) == names
    for name, binding in found.items():
        start, end = binding.span
        assert text[start:end] == f"${name}"


def test_the_nearest_binding_counts() -> None:
    text = "$x = 1\nclass a ($x) { [1].each |$x| { 42 } }"
    start, _ = visible_at(parse(Source(text)), text.index("42"))["x"].span
    assert start == text.rindex("$x")


@pytest.fixture
def modules(tmp_path: Path) -> Session:
    manifests = tmp_path / "m" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "params.pp").write_text("class m::params { $base = '/etc' }\n")
    (manifests / "more.pp").write_text(
        "# Doc.\n# @param owner who has it\n"
        "class m::more ($owner = 'root') inherits m::params { $file = \"${base}/m\" }\n"
    )
    return Session(Options(modulepath=(str(tmp_path),)), facts={})


def completed(session: Session, text: str) -> list[str]:
    return [item.text for item in session.complete(text, len(text)).items]


def test_a_parameter_far_above_is_known(modules: Session) -> None:
    text = "# @param docroot_owner who\nclass c (String $docroot_owner) {\n" + LONG
    assert "$docroot_owner" in completed(modules, text + "  notice($docroot_o")
    found = modules.inspect(text + "  notice($docroot_owner)\n}\n", len(text) + 12)
    assert found is not None
    assert found.kind == "parameter"
    assert "the class c" in found.text
    assert found.location is not None
    assert found.location.start == text.index("$docroot_owner")


def test_an_assignment_far_above_is_known(modules: Session) -> None:
    text = "class c {\n  $docroot = '/srv'\n" + LONG + "  notice($docroot)\n}\n"
    found = modules.inspect(text, text.rindex("docroot"))
    assert found is not None
    assert [detail.text for detail in found.details] == ["$docroot = '/srv'", "2"]


def test_variables_of_classes_that_have_not_run_are_known(modules: Session) -> None:
    assert {"$m::more::owner", "$m::more::file", "$m::more::base"} <= set(
        completed(modules, "notice($m::more::")
    )
    found = modules.inspect("notice($m::more::owner)", 15)
    assert found is not None
    assert "who has it" in found.text
    found = modules.inspect("notice($m::more::base)", 15)
    assert found is not None
    assert found.location is not None
    assert str(found.location.source.name).endswith("params.pp")
    assert modules.inspect("$x = $m::more::other", 15) is None


def test_inherited_variables_are_known(modules: Session) -> None:
    text = "class c inherits m::params {\n  notice($ba"
    assert "$base" in completed(modules, text)
    found = modules.inspect(text + "se)\n}", len(text))
    assert found is not None
    assert found.details[0].text == "class m::params { $base = '/etc' }"
