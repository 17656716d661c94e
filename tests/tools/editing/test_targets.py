"""The word at the cursor, marked with $0, leads to its definition, marked with brackets."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.session import Options, Session
from puppet_repl.tools.editing.documents import Document
from puppet_repl.tools.editing.symbols import TextSymbols
from puppet_repl.tools.editing.targets import definitions_at
from puppet_repl.tools.editing.uses import Place


def definitions(session: Session, marked: str) -> list[Place]:
    plain = marked.replace("⟦", "").replace("⟧", "")
    offset = plain.index("$0")
    text = plain.replace("$0", "")
    known = TextSymbols(session, Document("", text).tree(), offset)
    return definitions_at(known, text, offset, lambda _: ())


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    directory = tmp_path_factory.mktemp("modules")
    for name, text in {
        "manifests/init.pp": "class m ($port) { $inner = 1 }\n",
        "manifests/site.pp": "# A site.\ndefine m::site ($root) { }\n",
        "functions/twice.pp": "function m::twice($n) { $n * 2 }\n",
        "types/port.pp": "type M::Port = Integer\n",
    }.items():
        path = directory / "m" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Session(Options(modulepath=(str(directory),)), facts={})


@pytest.mark.parametrize(
    "marked",
    [
        "class ⟦web⟧ { }\ninclude we$0b",
        "class ⟦web⟧ { }\ncontain 'we$0b'",
        "class ⟦web⟧ { }\nclass { 'we$0b': }",
        "class ⟦web⟧ { }\nrequire w$0eb",
        "class ⟦web⟧ { }\nClass['we$0b'] -> File['/x']",
        "class ⟦web⟧ { }\nclass b inherits we$0b { }",
        "define ⟦web::site⟧ { }\nweb::si$0te { 'a': }",
        "define web::site (String $⟦root⟧) { }\nweb::site { 'a': ro$0ot => 1 }",
        "class web ($a, $⟦root⟧ = 1) { }\nclass { 'web': ro$0ot => 1 }",
        "function ⟦twice⟧($n) { }\n$x = twi$0ce(1)",
        "function ⟦twice⟧($n) { }\n$x = 1.twi$0ce",
        "type ⟦Port⟧ = Integer\nclass a (Po$0rt $x) { }",
        "class a ($⟦x⟧) { notice($$0x) }",
        'class a ($⟦x⟧) { notice("is ${$0x}") }',
        'class a ($⟦x⟧) { notice("is $x$0") }',
        "[1].each |$⟦i⟧| { [2].each |$j| { $$0i } }",
        "class a { $⟦x⟧ = 1 }\nclass b { $x = 2\n $a::$0x }",
        "$⟦x⟧ = 1\nclass a { notice($$0x) }",
        "class p { $⟦x⟧ = 1 }\nclass a inherits p { notice($$0x) }",
    ],
)
def test_definitions_in_the_text(session: Session, marked: str) -> None:
    (found,) = definitions(session, marked.replace("$$0", "$0$"))
    plain = marked.replace("$0", "")
    start = plain.index("⟦")
    assert (found.start, found.end) == (start, plain.index("⟧") - 1)


@pytest.mark.parametrize(
    ("marked", "file", "name"),
    [
        ("include $0m", "init.pp", "m"),
        ("class { 'm': po$0rt => 1 }", "init.pp", "port"),
        ("m::sit$0e { 'a': }", "site.pp", "m::site"),
        ("m::site { 'a': roo$0t => 1 }", "site.pp", "root"),
        ("$x = m::twic$0e(1)", "twice.pp", "m::twice"),
        ("$x = M::Por$0t", "port.pp", "M::Port"),
        ("$x = $m::inne$0r", "init.pp", "inner"),
    ],
)
def test_definitions_in_modules(session: Session, marked: str, file: str, name: str) -> None:
    (found,) = definitions(session, marked)
    assert Path(found.source.name or "").name == file
    assert found.source.text[found.start : found.end] == name


@pytest.mark.parametrize(
    "marked", ["$x = notic$0e(1)", "$0", "# m$0", "include unkno$0wn", "$x = 'm$0'", "f($0"]
)
def test_what_has_no_definition(session: Session, marked: str) -> None:
    assert definitions(session, marked) == []
