"""Which part of a call or resource is marked below an error; the message stays Puppet's."""

from __future__ import annotations

import pytest

from puppet_repl.session import Session
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import plain

SETUP = """
class ntp(Array[String] $servers = ['a'], Boolean $restart = true) { }
define daemon(Integer $port = 1) { }
define outer($p) { daemon { $title: port => $p } }
function twice(Integer $n, String $unit = 's') { $n * 2 }
"""
# Programs in which the marked part stands between guillemets.
MARKED = [
    "class { 'ntp': «servrs» => ['a'] }",
    "class { 'ntp': restart => true, servers => «'a'» }",
    "daemon { 'x': «prt» => 3 }",
    "daemon { 'x': port => «'ssh'» }",
    "daemon { 'x': port => 2; 'y': port => «'ssh'» }",
    "file { '/tmp/x': «ensur» => file }",
    "file { '/tmp/x':\n  ensure => file,\n  «mod»    => '0644',\n}",
    "file { '/tmp/x': ensure => file, require => «Package['nope']» }",
    "file { '/tmp/x': }\nFile['/tmp/x'] { «mod» => '0644' }",
    "notice(upcase('a', «2»))",
    "twice(«'a'»)",
    "twice(1, «2 + 3»)",
    "twice(1, 's', «3», 4)",
    "split('a,b', «3»)",
    "split(«1», ',')",
    "«[1, 2]».split(',')",
    "'a,b'.split(«3»)",
    '[1, 2].map |$x| { twice(«"${x}"») }',
    "new(Integer, '1', «'x'»)",
    "Integer.new('1', «'x'»)",
    "Integer('1', «'x'»)",
]
# Nothing that is written is at fault alone.
WHOLE = [
    "«twice()»",
    "«split('a')»",
    "twice«(*['a', 2, 3])»",
    "['a', 'b'].each |$x, $y, $z| { }",
]


@pytest.mark.parametrize("marked", MARKED)
def test_the_part_at_fault_is_marked(marked: str) -> None:
    text = marked.replace("«", "").replace("»", "")
    start = marked.index("«")
    session = Session(facts={})
    assert session.execute(SETUP).error is None
    error = session.execute(text).error
    assert error is not None
    assert error.focus == (start, marked.index("»") - 1), str(error)
    line = text[:start].count("\n")
    column = start - (text.rfind("\n", 0, start) + 1)
    rows = plain(render_error(error, "In[2]")).split("\n")
    at = next(i for i, row in enumerate(rows) if set(row.strip(" |")) == {"^"})
    assert rows[at - 1] == f"  {line + 1} | {text.split(chr(10))[line]}"
    assert rows[at].index("^") - rows[at].index("|") - 2 == column


@pytest.mark.parametrize("text", WHOLE)
def test_a_call_is_marked_as_a_whole(text: str) -> None:
    session = Session(facts={})
    session.execute(SETUP)
    error = session.execute(text.replace("«", "").replace("»", "")).error
    assert error is not None
    assert error.focus is None


def test_the_location_in_the_message_is_puppets() -> None:
    session = Session(facts={})
    session.execute(SETUP)
    error = session.execute("notice(\n  upcase('a',\n    2))").error
    assert str(error) == (
        "Evaluation Error: Error while evaluating a Function Call, 'upcase' expects 1 argument, "
        "got 2 (line: 2, column: 3)"
    )


def test_the_attribute_in_the_body_of_a_defined_type() -> None:
    session = Session(facts={})
    session.execute(SETUP, "In[1]")
    error = session.execute("outer { 'x': p => 'ssh' }", "In[2]").error
    assert error is not None
    assert "parameter 'port' expects an Integer value, got String" in str(error)
    shown = plain(render_error(error))
    assert "define outer($p) { daemon { $title: port => $p } }" in shown
