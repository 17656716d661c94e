"""Functions that need something outside: packages, programs, the network."""

from __future__ import annotations

import sys

import pytest

from puppet_repl.base.optional_packages import how_to_install
from puppet_repl.session import Options, Session


@pytest.mark.parametrize(
    ("package", "code"),
    [
        ("bcrypt", "pw_hash('a', 'bcrypt', '05$abcdefghijklmnopqrstuu')"),
        ("cryptography", "validate_x509_rsa_key_pair('a', 'b')"),
    ],
)
def test_a_missing_package_is_named(
    package: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    outcome = Session(Options(stdlib="9"), facts={}).execute(code)
    assert outcome.error is not None
    assert f"the Python package {package}: {how_to_install('crypto')}" in outcome.error.message


def test_addresses_are_not_loaded() -> None:
    session = Session(Options(stdlib="9"), facts={})
    outcome = session.execute("loadjson('https://example.com/x.json')")
    assert outcome.error is not None
    assert "functions have no access to the network" in outcome.error.message
    outcome = session.execute("loadyaml('https://example.com/x.yaml', 'none')")
    assert outcome.value == "none" and [level for level, _ in outcome.logs] == ["warning"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("validate_cmd('x', '/bin/true')", None),
        ("validate_cmd('x', 'grep -q x %')", None),
        ("validate_cmd('x', 'grep y')", "validate_cmd(): failed to validate content with command"),
        ("validate_cmd('x', 'grep y', 'no y')", "no y\nExecution of 'grep y /"),
    ],
)
def test_commands_run_where_they_may(code: str, message: str | None) -> None:
    outcome = Session(Options(stdlib="9", allow_generate=True), facts={}).execute(code)
    if message is None:
        assert outcome.error is None
    else:
        assert outcome.error is not None and message in outcome.error.message
