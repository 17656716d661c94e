"""Placeholders for secrets that cannot be read here: the option ``secrets``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import puppet_repl
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files
from tests.language.data.test_eyaml import FILES as KEYS
from tests.language.data.test_eyaml import OTHER, PAIR, enc, message, private_pem, public_pem

ABSENT = """
      pkcs7_private_key: /nowhere/keys/private_key.pkcs7.pem
      pkcs7_public_key: /nowhere/keys/public_key.pkcs7.pem
"""
CONFIG = """
version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options:
"""
ONE, TWO = enc(message("first")), enc(message("second"))
DATA = f"""
lookup_options:
  hidden: {{convert_to: Sensitive}}
  number: {{convert_to: Integer}}
one: {ONE}
two: {TWO}
hidden: {ONE}
number: {ONE}
parts: 'user {ONE} of {TWO}'
deep: {{list: ['{ONE}', plain], '{ONE}': 1}}
broken: ENC[PKCS7,AAAA]
gpg: ENC[GPG,hQEMA0w]
app::port: {ONE}
app::user: plain
"""
FILES = {
    "hiera.yaml": CONFIG + ABSENT,
    "data/secrets.eyaml": DATA,
    "modules/app/manifests/init.pp": "class app(String $user, Integer $port) { }\n",
}
PLACEHOLDER = r"secret-placeholder-[0-9a-f]{12}"
REASON = "No such file or directory @ rb_sysopen - /nowhere/keys/private_key.pkcs7.pem"


def session(root: Path, **options: Any) -> Session:
    """Return a session with the files as its environment, and placeholders for secrets."""
    options = {"environment": str(root), "secrets": "placeholder", **options}
    return Session(Options(**options), facts={"kernel": "Linux"})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


def value(session: Session, key: str) -> Any:
    return session.lookup(key).unwrap()


def test_equal_texts_have_equal_placeholders(root: Path) -> None:
    made = session(root)
    one, two = value(made, "one"), value(made, "two")
    assert one != two
    assert value(made, "parts") == f"user {one} of {two}"
    assert value(made, "deep").get("list") == (one, "plain")
    assert value(made, "app::port") == one
    assert value(made, "app::user") == "plain"


@pytest.mark.parametrize("key", ["one", "two", "gpg"])
def test_a_placeholder_is_a_short_string_without_the_encrypted_text(root: Path, key: str) -> None:
    text = value(session(root), key)
    assert isinstance(text, str)
    assert re.fullmatch(PLACEHOLDER, text)
    assert text.rpartition("-")[2] not in ONE + TWO


def test_lookup_options_make_a_placeholder_sensitive(root: Path) -> None:
    code = "$hidden = lookup('hidden') [$hidden =~ Sensitive[String], $hidden.unwrap]"
    assert session(root).execute(code).unwrap() == (True, value(session(root), "one"))


@pytest.mark.slow
def test_placeholders_are_the_same_in_another_process(root: Path) -> None:
    command = (sys.executable, "-m", "puppet_repl", "lookup", "one", "--environment", str(root))
    done = subprocess.run(
        (*command, "--secrets", "placeholder", "--facts", "debian-12", "--render-as", "s"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == value(session(root), "one")
    assert done.stderr.count("Warning: ") == 1


def test_one_warning_counts_the_values(root: Path) -> None:
    made = session(root)
    outcome = made.execute("[lookup('one'), lookup('parts'), lookup('one'), lookup('app::user')]")
    warning = f"3 encrypted values of one and parts are placeholders: {REASON}"
    assert outcome.logs == [("warning", warning)]
    outcome = made.execute("[lookup('one'), lookup('two')]")
    warning = f"1 encrypted value of two is a placeholder: {REASON}"
    assert outcome.logs == [("warning", warning)]
    assert made.execute("lookup('two')").logs == []
    assert ONE not in str(outcome.logs)


def test_a_failed_input_warns_as_well(root: Path) -> None:
    outcome = session(root).execute("lookup('one') fail('no')")
    assert outcome.error is not None
    assert len(outcome.logs) == 1


def test_the_default_is_the_error_of_puppet_with_a_hint(root: Path) -> None:
    error = session(root, secrets="error").lookup("one").error
    assert error is not None
    assert error.message == (
        f"hiera-eyaml backend error decrypting {ONE} when looking up one in "
        f"{root}/data/secrets.eyaml. Error was {REASON}"
    )
    assert error.notes == (
        "secrets='placeholder' goes on with a placeholder for each secret that cannot be read here",
    )


@pytest.mark.parametrize(
    ("spelling", "hint"),
    [("flag", "--secrets placeholder"), ("setting", ":set secrets placeholder")],
)
def test_the_hint_names_the_option_as_its_user_writes_it(
    root: Path, spelling: Any, hint: str
) -> None:
    options = Options(environment=str(root)).spell(spelling)
    error = Session(options, facts={}).lookup("one").error
    assert error is not None
    assert error.notes[0].startswith(f"{hint} goes on with")


def test_what_no_key_decrypts_stays_an_error(root: Path) -> None:
    error = session(root).lookup("broken").error
    assert error is not None
    assert error.message.endswith("Error was Could not parse the PKCS7: no start line")
    assert error.notes == ()


def write_keys(root: Path, pair: tuple[Any, Any]) -> None:
    (root / "private.pem").write_bytes(private_pem(pair[0]))
    (root / "public.pem").write_bytes(public_pem(pair[1]))
    (root / "hiera.yaml").write_text(CONFIG + KEYS.format(root))


def test_a_key_that_is_here_is_used(root: Path) -> None:
    write_keys(root, PAIR)
    outcome = session(root).lookup("parts")
    assert (outcome.value, outcome.logs) == ("user first of second", [])


def test_another_key_is_no_key(root: Path) -> None:
    missing = value(session(root), "one")
    write_keys(root, OTHER)
    outcome = session(root).lookup("one")
    assert outcome.value == missing
    assert outcome.logs[0][1].endswith(": no recipient matches certificate")
    write_keys(root, (OTHER[0], PAIR[1]))
    assert value(session(root), "one") == missing


def test_a_hermetic_session_reaches_no_key(root: Path) -> None:
    outcome = session(root, hermetic=True).lookup("one")
    assert outcome.value == value(session(root), "one")
    assert "private_key.pkcs7.pem is outside of" in outcome.logs[0][1]
    error = session(root, hermetic=True, secrets="error").lookup("one").error
    assert error is not None
    assert error.notes[0].startswith("secrets='placeholder' ")


NOTE = "the value has a placeholder, a String, for a secret that cannot be read here"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("include app", "Class[App]: parameter 'port' expects an Integer value, got String"),
        ("lookup('one', Integer)", "Found value has wrong type, expects an Integer value, got Str"),
        ("lookup('deep', Array)", "Found value has wrong type, expects an Array value, got Struct"),
        ("lookup('number')", "The convert_to lookup_option for key 'number' raised error: "),
    ],
)
def test_a_wrong_type_is_said_to_be_that_of_a_placeholder(
    root: Path, code: str, message: str
) -> None:
    error = session(root).execute(code).error
    assert error is not None
    assert message in error.message
    assert NOTE in error.notes


def test_catalogs_with_another_secret_differ(root: Path) -> None:
    code = "notify { 'n': message => lookup('one') }"

    def compiled() -> Any:
        options: Any = {"environment": root, "secrets": "placeholder", "facts": {}}
        return puppet_repl.compile(code, **options)["Notify[n]"]["message"]

    before = compiled()
    assert compiled() == before
    (root / "data/secrets.eyaml").write_text(DATA.replace(ONE, enc(message("third"))))
    assert compiled() != before
