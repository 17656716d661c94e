"""The rules for data files and hiera.yaml."""

from __future__ import annotations

from puppet_repl.tools.advice.rules import Rule

CONFIG = "hiera.yaml"
_LEVEL = "version: 5\nhierarchy:\n  - name: common\n"
_SECRET = "MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAFMAACAQEw"


class DataRule(Rule):
    """A rule whose example is the content of a file: a data file, or the hiera.yaml."""

    __slots__ = ("path",)

    def __init__(
        self, name: str, text: str, example: str, instead: str, path: str = "data/common.yaml"
    ) -> None:
        super().__init__(name, text, example, instead, in_inputs=False)
        self.path = path


DATA_RULES = (
    DataRule(
        "duplicate_key",
        "a key that a mapping has twice: the last one counts",
        "port: 80\nport: 8080",
        "port: 8080",
    ),
    DataRule(
        "empty_data",
        "a data file without any data, of which Puppet warns in each lookup",
        "---",
        "--- {}",
    ),
    DataRule(
        "encrypted_value",
        "an encrypted value that stays encrypted, because its form is wrong",
        f"password: ENC[PKCS7,{_SECRET}",
        "password: ENC[GPG,hQEMA0B2sX]",
    ),
    DataRule(
        "foreign_key",
        "a key in the data of a module that does not begin with the name of the module, which "
        "Puppet ignores",
        "port: 443",
        "app::port: 443",
        "modules/app/data/common.yaml",
    ),
    DataRule(
        "impossible_variable",
        "an interpolated variable that has no name of a variable",
        "rule: '%{HTTP_HOST} /old'",
        "rule: \"%{literal('%')}{HTTP_HOST} /old\"",
    ),
    DataRule(
        "legacy_facts",
        "an interpolated fact that Puppet 8 leaves out",
        "name: '%{::fqdn}'",
        "name: '%{facts.networking.fqdn}'",
    ),
    DataRule(
        "lookup_options",
        "options of keys that Puppet ignores, and types that nothing is converted to",
        "lookup_options:\n  users:\n    knockout_prefix: '--'",
        "lookup_options:\n  users:\n    merge: {strategy: deep, knockout_prefix: '--'}",
    ),
    DataRule(
        "missing_data_file",
        "a path of which no file has the name, while there is a file with a similar one",
        f"{_LEVEL}    path: comon.yaml",
        f"{_LEVEL}    path: common.yaml",
        CONFIG,
    ),
    DataRule(
        "missing_datadir",
        "a directory of data that does not exist",
        f"{_LEVEL}    datadir: dat\n    path: common.yaml",
        f"{_LEVEL}    datadir: data\n    path: common.yaml",
        CONFIG,
    ),
    DataRule(
        "parameter_type",
        "a value that the type of the parameter of a class does not allow, or of resources that "
        "the class declares with its parameter",
        "app::port: '443'",
        "app::port: 443",
    ),
    DataRule(
        "unclosed_interpolation",
        "an interpolation without an end",
        "name: '%{facts.os.name'",
        "name: '%{facts.os.name}'",
    ),
    DataRule(
        "unknown_class",
        "a key of a class that its module does not have, and that no code looks up; and such a "
        "class in the list of the key classes",
        "app::server::port: 443",
        "app::port: 443",
    ),
    DataRule(
        "unknown_fact",
        "a key that a structured fact does not have, while it has a similar one",
        "family: '%{facts.os.famly}'",
        "family: '%{facts.os.family}'",
    ),
    DataRule(
        "unknown_function",
        "a function of a level that Puppet does not have, while it has a similar one",
        f"{_LEVEL}    data_hash: yaml_dta\n    path: common.yaml",
        f"{_LEVEL}    data_hash: yaml_data\n    path: common.yaml",
        CONFIG,
    ),
    DataRule(
        "unknown_option",
        "an option that the function of a level does not have, while it has a similar one",
        f"{_LEVEL}    lookup_key: eyaml_lookup_key\n    path: common.yaml\n"
        "    options: {pkcs7_privat_key: key.pem}",
        f"{_LEVEL}    lookup_key: eyaml_lookup_key\n    path: common.yaml\n"
        "    options: {pkcs7_private_key: key.pem}",
        CONFIG,
    ),
    DataRule(
        "unknown_parameter",
        "a key that names no parameter of its class, and that no code looks up; and an attribute "
        "that a type does not have, in a hash that a class declares resources with",
        "app::prot: 443",
        "app::port: 443",
    ),
)
"""The rules by name. The class app has a parameter port, which is an Integer."""
