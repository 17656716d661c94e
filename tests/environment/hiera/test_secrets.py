"""Placeholders for secrets that cannot be read here: the option ``secrets``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import puppet_repl
from puppet_repl.environment.hiera.explain_data import explain_data
from puppet_repl.environment.hiera.explain_text import explain_text
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import needs_sandbox
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


# Levels that cannot be asked

RUBY = """
Puppet::Functions.create_function(:hiera_vault) do
  begin
    require 'no_such_gem'
  rescue LoadError
    raise Puppet::DataBinding::LookupError, '[hiera-vault] needs a gem'
  end
  dispatch(:lookup_key) do
    param 'Variant[String, Numeric]', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def lookup_key(key, _options, _context)
    key
  end
end
"""
NETWORK = """
require 'net/http'
Puppet::Functions.create_function(:hiera_web) do
  dispatch(:data_hash) do
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def data_hash(_options, _context)
    Net::HTTP.get(URI('http://127.0.0.1:1/'))
  end
end
"""
LAYERS = {
    "hiera.yaml": """
version: 5
hierarchy:
  - name: Vault
    lookup_key: hiera_vault
    options: {confine_to_keys: ['^db::', '^token']}
  - name: common
    path: common.yaml
""",
    "data/common.yaml": """
lookup_options:
  token_hidden: {convert_to: Sensitive}
  token_number: {convert_to: Integer}
db::host: localhost
url: "https://user:%{lookup('token')}@host"
plain: "x%{lookup('nothing')}y"
""",
    "modules/db/manifests/init.pp": """
class db(String $host, String $password, Sensitive[String] $hidden, $port = 5432) { }
class db::typed(Integer $number) { }
""",
    "modules/vault/lib/puppet/functions/hiera_vault.rb": RUBY,
    "modules/vault/lib/puppet/functions/hiera_web.rb": NETWORK,
}


@pytest.fixture
def layers(tmp_path: Path) -> Path:
    write_files(tmp_path, LAYERS)
    return tmp_path


def unasked(root: Path, **options: Any) -> Session:
    """Return a session in which the function of the level Vault cannot be run."""
    return session(root, **{"ruby": "off", **options})


def test_a_key_that_only_such_a_level_may_have_gets_a_placeholder(layers: Path) -> None:
    made = unasked(layers)
    token = value(made, "token")
    assert re.fullmatch(PLACEHOLDER, token)
    assert token == value(unasked(layers), "token")
    assert token != value(made, "token2")
    assert value(made, "url") == f"https://user:{token}@host"


def test_other_levels_and_defaults_come_first(layers: Path) -> None:
    made = unasked(layers)
    assert value(made, "db::host") == "localhost"
    assert made.execute("lookup('token', undef, undef, 5)").unwrap() == 5
    assert made.execute("lookup('token') |$key| { 6 }").unwrap() == 6


def test_a_level_has_only_the_keys_that_its_options_confine_it_to(layers: Path) -> None:
    made = unasked(layers)
    error = made.lookup("nothing").error
    assert error is not None
    assert error.message == "Function lookup() did not find a value for the name 'nothing'"
    assert value(made, "plain") == "xy"


def test_parameters_without_a_default_get_placeholders(layers: Path) -> None:
    code = "include db [$db::host, $db::password, $db::hidden.unwrap, $db::port]"
    made = unasked(layers)
    host, password, hidden, port = made.execute(code).unwrap()
    assert (host, port) == ("localhost", 5432)
    assert password == value(unasked(layers), "db::password")
    assert hidden == value(unasked(layers), "db::hidden")


def test_lookup_options_count_for_placeholders_of_levels(layers: Path) -> None:
    code = "lookup('token_hidden') =~ Sensitive[String]"
    assert unasked(layers).execute(code).unwrap() is True
    error = unasked(layers).lookup("token_number").error
    assert error is not None
    assert error.notes == (NOTE,)


def test_a_wrong_type_of_a_level_is_said_to_be_that_of_a_placeholder(layers: Path) -> None:
    error = unasked(layers).execute("include db::typed").error
    assert error is not None
    assert NOTE in error.notes


def test_one_warning_counts_the_keys_of_levels(layers: Path) -> None:
    outcome = unasked(layers).execute("include db lookup('token', undef, undef, 5)")
    ((level, text),) = outcome.logs
    assert level == "warning"
    assert text.startswith("5 keys could not be looked up in level 'Vault' (hiera_vault: The func")
    assert text.endswith("; db::hidden and db::password have placeholders")


def test_an_explanation_names_the_level_that_was_not_asked(layers: Path) -> None:
    outcome, explanation = unasked(layers).explain("token")
    text = explain_text(explanation)
    assert "Hierarchy entry \"Vault\"\n      Not asked: The function 'hiera_vault' is in R" in text
    assert f"No level that could be asked has the key: its placeholder is {outcome.value}\n" in text
    assert [place.status for place in explanation.places()] == ["not asked", "not found"]
    steps = explain_data(unasked(layers).explain("token")[1])
    assert "not_asked" in str(steps)


def test_a_function_that_is_not_installed(layers: Path) -> None:
    (layers / "modules/vault/lib/puppet/functions/hiera_vault.rb").unlink()
    outcome = session(layers).lookup("token")
    assert outcome.value == value(unasked(layers), "token")
    reason = "Unable to find 'lookup_key' function named 'hiera_vault'"
    assert reason in outcome.logs[0][1]


def test_a_level_that_cannot_be_asked_is_an_error_by_default(layers: Path) -> None:
    error = unasked(layers, secrets="error").lookup("token").error
    assert error is not None
    assert error.message.startswith("The function 'hiera_vault' is in Ruby")
    assert error.notes[-1].startswith("secrets='placeholder' goes on with")


@needs_sandbox
@pytest.mark.parametrize(
    ("level", "reason"),
    [
        ("lookup_key: hiera_vault", "[hiera-vault] needs a gem"),
        ("data_hash: hiera_web", "Ruby code of modules runs in a sandbox, without processes"),
    ],
)
def test_ruby_that_lacks_a_gem_or_the_network(layers: Path, level: str, reason: str) -> None:
    (layers / "hiera.yaml").write_text(f"version: 5\nhierarchy: [{{name: Vault, {level}}}]\n")
    outcome = session(layers, ruby="sandbox").lookup("token")
    assert outcome.value == value(unasked(layers), "token")
    assert reason in outcome.logs[0][1]
    error = session(layers, ruby="sandbox", secrets="error").lookup("token").error
    assert error is not None
    assert reason in error.message


PARTLY = {
    "hiera.yaml": """
version: 5
hierarchy:
  - {name: keys, lookup_key: some_keys, paths: [one, two]}
  - {name: digs, data_dig: some_digs}
""",
    "data/one": "",
    "data/two": "",
    "modules/partly/lib/puppet/functions/some_keys.rb": """
Puppet::Functions.create_function(:some_keys) do
  dispatch(:lookup_key) do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def lookup_key(key, options, context)
    raise "no answer for #{key}" if key == 'bad'
    raise 'only two has it' if key == 'of_two' && options['path'].end_with?('one')
    key.start_with?('g', 'of_two') ? "value of #{key}" : context.not_found
  end
end
""",
    "modules/partly/lib/puppet/functions/some_digs.rb": """
Puppet::Functions.create_function(:some_digs) do
  dispatch(:data_dig) do
    param 'Array', :segments
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def data_dig(segments, options, context)
    raise 'no answer' if segments == ['dug', 'bad']
    segments == ['dug', 'good'] ? 'dug up' : context.not_found
  end
end
""",
}


@needs_sandbox
@pytest.mark.parametrize("keys", ["g1 bad g2 of_two", "bad of_two g2 g1", "g2 g1 of_two bad"])
def test_a_key_that_a_function_fails_for_says_nothing_about_others(
    tmp_path: Path, keys: str
) -> None:
    write_files(tmp_path, PARTLY)
    asked = keys.split()
    outcome = session(tmp_path, ruby="sandbox").execute(f"{asked}.map |$key| {{ lookup($key) }}")
    found = dict(zip(asked, outcome.unwrap(), strict=True))
    assert re.fullmatch(PLACEHOLDER, found.pop("bad"))
    assert found == {key: f"value of {key}" for key in ("g1", "g2", "of_two")}
    ((level, text),) = outcome.logs
    assert level == "warning" and text.startswith("2 keys could not be looked up in level 'keys'")
    assert text.endswith("; bad has a placeholder")


@needs_sandbox
@pytest.mark.parametrize("keys", ["dug.bad dug.good", "dug.good dug.bad"])
def test_a_place_inside_a_value_that_a_function_fails_for(tmp_path: Path, keys: str) -> None:
    write_files(tmp_path, PARTLY)
    made = session(tmp_path, ruby="sandbox")
    outcome = made.execute(f"{keys.split()}.map |$key| {{ lookup($key) }}")
    found = dict(zip(keys.split(), outcome.unwrap(), strict=True))
    assert re.fullmatch(PLACEHOLDER, found["dug.bad"]) and found["dug.good"] == "dug up"
    outcome = made.execute("lookup('dug.bad') lookup('dug.none')")
    assert outcome.error is not None
    assert outcome.error.message.endswith("did not find a value for the name 'dug.none'")


def test_a_function_in_puppet_that_fails_is_wrong(layers: Path) -> None:
    write_files(
        layers,
        {
            "modules/db/functions/data.pp": "function db::data($options, $context) { fail('no') }",
            "hiera.yaml": "version: 5\nhierarchy: [{name: own, data_hash: 'db::data'}]\n",
        },
    )
    error = session(layers).lookup("token").error
    assert error is not None
    assert "no" in error.message
