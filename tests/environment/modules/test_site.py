"""The manifests of an environment: one program, with the node block of the node."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from puppet_repl.environment.facts.facts import bundled_facts
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files

NO_NODE = "Could not find node statement with name 'default' or 'mail'"


def make(
    directory: Path,
    files: Mapping[str, str],
    *,
    node: str | None = None,
    facts: Mapping[str, object] | None = None,
) -> tuple[Session, list[tuple[str, str]]]:
    """Return a session of an environment with these manifests, and what it logs and notes."""
    write_files(directory / "manifests", files)
    logs: list[tuple[str, str]] = []
    given = bundled_facts("debian-12") if facts is None else facts
    session = Session(Options(environment=str(directory), node=node), facts=given)
    session.log = lambda level, text: logs.append((level, text))
    return session, logs


def failure(session: Session) -> str:
    outcome = session.run_site()
    assert outcome is not None
    assert outcome.error is not None
    return str(outcome.error)


def test_an_environment_without_manifests(tmp_path: Path) -> None:
    session, _ = make(tmp_path, {})
    assert session.run_site() is None
    assert Session().run_site() is None


# What Puppet 8.11 logs for these files.
def test_all_manifests_in_order_of_their_paths(tmp_path: Path) -> None:
    names = ("site.pp", "nodes/a.pp", "a.pp", "a/b.pp", ".hidden.pp", "zz/.x/y.pp")
    session, logs = make(tmp_path, {name: f"notice('{name}')" for name in names})
    assert session.run_site() is None
    assert [text for _, text in logs] == ["a.pp", "a/b.pp", "nodes/a.pp", "site.pp"]


def test_definitions_of_a_later_manifest(tmp_path: Path) -> None:
    files = {
        "a.pp": "notice(g(), A)\ninclude c\nd { 'x': }",
        "b.pp": "function g() { 3 } type A = Integer",
        "c.pp": "class c { notice('c') } define d { notice('d') }",
    }
    session, logs = make(tmp_path, files)
    assert session.run_site() is None
    assert [text for _, text in logs] == ["3 A = Integer", "c", "d"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"a.pp": "function f() { 1 }\nnotice(f())", "b.pp": "function f() { 2 }"},
            "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/function/f'. "
            "Originally set at file://{0}/manifests/a.pp?line=1&pos=1.",
        ),
        (
            {"a.pp": "$a = 1\n1 = 2\n2 = 3\n"},
            "Could not parse for environment {1}: Language validation logged 2 errors. Giving up "
            "(file: {0}/manifests/a.pp)",
        ),
        (
            {"a.pp": "notice('not run')", "b.pp": "notify { 'x'"},
            "Could not parse for environment {1}: Syntax error at end of input "
            "(file: {0}/manifests/b.pp)",
        ),
        (
            {"a.pp": "Notify['z'] { message => 'x' }"},
            "Could not find resource(s) Notify[z] for overriding",
        ),
        ({"a.pp": "realize Notify['z']"}, "Failed to realize virtual resources Notify[z]"),
        ({"a.pp": "node web { }"}, NO_NODE),
    ],
)
def test_what_a_server_refuses(tmp_path: Path, files: dict[str, str], message: str) -> None:
    session, logs = make(tmp_path, files, node="mail")
    assert failure(session) == message.format(tmp_path, tmp_path.name)
    assert [text for level, text in logs if level == "notice"] in ([], ["1"])


def test_what_is_typed_comes_on_top(tmp_path: Path) -> None:
    site = "$a = 1\nnode 'web01' { notify { 'site': } }\nnode default { notify { 'default': } }"
    session, logs = make(tmp_path, {"site.pp": site}, node="web01")
    assert session.run_site() is None
    code = "$a = 2\nnotify { 'site': message => 'mine' }\nnode /web/ { fail('no') }\n"
    assert session.execute(code).error is None
    found = "[$a, Notify['site']['message'], defined(Notify['default'])]"
    assert session.execute(found).value == (2, "mine", False)
    assert logs == [
        ("note", "node /web/ does not apply to web01: node 'web01' does"),
        ("note", "Notify['site'] of Node['web01'] is replaced by that of this input"),
    ]


def test_a_site_that_fails_leaves_nothing(tmp_path: Path) -> None:
    session, _ = make(tmp_path, {"site.pp": "$a = 1\nclass c { }\nnode db { }"}, node="mail")
    assert failure(session) == NO_NODE
    assert session.execute("[defined('$a'), defined('c')]").value == (False, False)


def test_a_node_that_nobody_has_chosen_need_not_be_in_the_site(tmp_path: Path) -> None:
    blocks = "".join(f"node n{number} {{ }}\n" for number in range(10))
    session, logs = make(tmp_path, {"site.pp": f"$a = 1\n{blocks}"})
    assert session.run_site() is None
    assert session.execute("$a").value == 1
    labels = "n0, n1, n2, n3, n4, n5, n6, n7 and 2 more"
    name = "debian12.example.com"
    hint = "(--node and :node choose)"
    assert logs == [("note", f"no node block applies to {name}: they are for {labels} {hint}")]


def test_facts_of_a_node_choose_it(tmp_path: Path) -> None:
    facts = {"networking": {"fqdn": "mail"}}
    session, _ = make(tmp_path, {"site.pp": "node db { }"}, facts=facts)
    assert failure(session) == NO_NODE
