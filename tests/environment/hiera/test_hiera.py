"""Data of an environment and a module; the expectations are what Puppet 8.11 answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.language.types.text.format import program_text
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files

FILES = {
    "hiera.yaml": """
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: node
    path: "nodes/%{facts.k}.yaml"
  - name: os
    paths: ["os/%{facts.k}.yaml", "common.yaml"]
  - name: mapped
    mapped_paths: [facts.roles, role, "role_%{role}.yaml"]
  - name: json
    data_hash: json_data
    glob: "*.json"
""",
    "data/nodes/node.yaml": """
port: 8080
list: [c, a]
h: {a: 1, n: {x: 1, l: [3]}}
msg: "host %{facts.k} %{lookup('port')} %{::facts.nope}|%{literal('%')}{x}"
strict: "%{nope}"
al: "%{alias('list')}"
part: "x%{alias('list')}"
method: "%{upper('x')}"
rec1: "%{lookup('rec2')}"
rec2: "%{lookup('rec1')}"
own: "is %{own}"
scoped: "%{scope('own')}"
deepko: ['--z', 'y']
m::b: 7
num: "42"
""",
    "data/common.yaml": """
lookup_options:
  list: {merge: unique}
  h: {merge: deep}
  '^deep.*': {merge: {strategy: deep, knockout_prefix: '--'}}
  num: {convert_to: Integer}
  bad: {convert_to: Integer}
port: 1
list: [a, b]
h: {b: 2, n: {y: 2, l: [1,2]}}
deepko: [z, x]
only: common
bad: xx
nested: {a: [{b: found}]}
u: null
""",
    "data/role_web.yaml": "by_role: web\n",
    "data/x.json": '{"j": {"k": 1}}',
    "modules/m/hiera.yaml": """
version: 5
hierarchy:
  - name: c
    path: common.yaml
default_hierarchy:
  - name: d
    path: defaults.yaml
""",
    "modules/m/data/common.yaml": """
m::a: from module
m::b: 1
other: 3
lookup_options:
  m::l: {merge: unique}
m::l: [1]
""",
    "modules/m/data/defaults.yaml": "m::z: default\nm::a: never\n",
    "modules/m/manifests/init.pp": (
        'class m($a, $b = 2, $z, $c = 9) { notice("${a} ${b} ${z} ${c}") }\n'
    ),
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("environment")
    write_files(directory, FILES)
    return directory


def session(directory: Path) -> Session:
    return Session(Options(environment=str(directory)), facts={"k": "node", "roles": ["db", "web"]})


VALUES = [
    ("lookup('port')", "8080"),
    ("lookup('list')", "['c', 'a', 'b']"),
    ("lookup('list', {merge => 'first'})", "['c', 'a']"),
    ("lookup('list', {merge => 'deep'})", "['a', 'b', 'c']"),
    (
        "lookup('h')",
        "{'b' => 2, 'n' => {'y' => 2, 'l' => [1, 2, 3], 'x' => 1}, 'a' => 1}",
    ),
    ("lookup('h', {merge => 'hash'})", "{'b' => 2, 'n' => {'x' => 1, 'l' => [3]}, 'a' => 1}"),
    (
        "lookup('h', {merge => 'reverse_deep'})",
        "{'a' => 1, 'n' => {'x' => 1, 'l' => [3, 1, 2], 'y' => 2}, 'b' => 2}",
    ),
    (
        "lookup('h', {merge => 'unique'})",
        "[{'a' => 1, 'n' => {'x' => 1, 'l' => [3]}}, {'b' => 2, 'n' => {'y' => 2, 'l' => [1, 2]}}]",
    ),
    ("lookup('list', {merge => {strategy => deep, knockout_prefix => 'c'}})", "['a']"),
    ("lookup('only', {merge => 'unique'})", "['common']"),
    ("lookup('port', {merge => 'unique'})", "[8080, 1]"),
    ("lookup('h.n.l.0')", "1"),
    ('lookup("h.\'n\'.\\"x\\"")', "1"),
    ("lookup('h.zz', {default_value => 1})", "1"),
    ("lookup('msg')", "'host node 8080 |%{x}'"),
    ("lookup('al')", "['c', 'a', 'b']"),
    ("lookup('deepko')", "['x', 'y']"),
    ("lookup('num')", "42"),
    ("lookup('nested.a.0.b')", "'found'"),
    ("lookup('nested.a.5', {default_value => 'dd'})", "'dd'"),
    ("lookup('u')", "undef"),
    ("lookup('u', undef, undef, 5)", "undef"),
    ("lookup('by_role')", "'web'"),
    ("lookup('j.k')", "1"),
    ("lookup('m::a')", "'from module'"),
    ("lookup('m::b')", "7"),
    ("lookup('m::z')", "'default'"),
    ("lookup('m::l')", "[1]"),
    ("lookup('m::other', undef, undef, 'no')", "'no'"),
    ("lookup('other', undef, undef, 'no')", "'no'"),
    ("lookup('lookup_options', undef, undef, 'x')", "'x'"),
    ("lookup(['nope', 'port'])", "8080"),
    ("lookup({name => 'port', override => {port => 5}})", "5"),
    ("$own = 'data' lookup('own')", "'is data'"),
    ("hiera('port')", "8080"),
    ("hiera_array('list')", "['c', 'a', 'b']"),
    ("hiera_hash('h')", "{'b' => 2, 'n' => {'x' => 1, 'l' => [3]}, 'a' => 1}"),
]


@pytest.mark.parametrize(("code", "value"), VALUES)
def test_value(environment: Path, code: str, value: str) -> None:
    outcome = session(environment).execute(code)
    assert outcome.error is None, outcome.error
    assert program_text(outcome.value) == value


CALL = "Evaluation Error: Error while evaluating a Function Call, "
ERRORS = [
    ("lookup('strict')", CALL + "Undefined variable 'nope'; "),
    (
        "lookup('rec1')",
        "Lookup of key 'rec1' failed: Recursive lookup detected in [rec1, rec2]",
    ),
    ("$own = 'x%{own}' lookup('own')", "Recursive lookup detected in [own, scope:own]"),
    (
        "$own = '%{a}' $a = '%{own}' lookup('scoped')",
        "Recursive lookup detected in [scoped, scope:own, scope:a]",
    ),
    (
        "lookup('part')",
        "'alias' interpolation is only permitted if the expression is equal to the entire string",
    ),
    ("lookup('method')", "Unknown interpolation method 'upper'"),
    (
        "lookup('bad')",
        "The convert_to lookup_option for key 'bad' raised error: "
        "'new' The string 'xx' cannot be converted to Integer",
    ),
    (
        "lookup('nested.a.x')",
        "Data Provider type mismatch: Got Array when a hash-like object was expected to access "
        "value using 'x' from key 'nested.a.x'",
    ),
    (
        "lookup('list', {merge => 'hash'})",
        "The first element of the merge has wrong type, expects a Hash value, got Tuple",
    ),
    (
        "lookup('h', {merge => {strategy => deep, nope => 1}})",
        CALL + "The merge options has wrong type, unrecognized key 'nope'",
    ),
    ("lookup('h', {merge => {strategy => nope}})", CALL + "Unknown merge strategy: 'nope'"),
    (
        "lookup('port', String)",
        CALL + "Found value has wrong type, expects a String value, got Integer",
    ),
    (
        "lookup('m::nope')",
        "Function lookup() did not find a value for the name 'm::nope'",
    ),
]


@pytest.mark.parametrize(("code", "message"), ERRORS)
def test_error(environment: Path, code: str, message: str) -> None:
    outcome = session(environment).execute(code)
    assert outcome.error is not None
    assert outcome.error.message == message


def test_parameters_of_classes(environment: Path) -> None:
    outcome = session(environment).execute("include m")
    assert outcome.error is None, outcome.error
    assert [text for level, text in outcome.logs if level == "notice"] == [
        "from module 7 default 9"
    ]
    path = environment / "modules/m/data/common.yaml"
    assert (
        "warning",
        "Module 'm': Value returned from data_hash function 'yaml_data', when using location "
        f"'{path}', must use keys qualified with the name of the module; got other",
    ) in outcome.logs


def test_changed_file_is_read_again(tmp_path: Path) -> None:
    write_files(tmp_path, {"hiera.yaml": "version: 5\n", "data/common.yaml": "a: 1\n"})
    running = session(tmp_path)
    assert running.execute("lookup('a')").value == 1
    write_files(tmp_path, {"data/common.yaml": "a: changed\n"})
    assert running.execute("lookup('a')").value == "changed"


def test_encrypted_level_without_its_file_is_empty(tmp_path: Path) -> None:
    config = "version: 5\nhierarchy: [{name: s, lookup_key: eyaml_lookup_key, path: b}]\n"
    write_files(tmp_path, {"hiera.yaml": config})
    outcome = session(tmp_path).execute("lookup('a', undef, undef, 1)")
    assert (outcome.error, outcome.value) == (None, 1)


def test_hocon(tmp_path: Path) -> None:
    config = "version: 5\nhierarchy: [{name: h, data_hash: hocon_data, path: d.conf}]\n"
    data = "a { b = [1, ${c}], d = ${c} }\nc = yes # five\n"
    write_files(tmp_path, {"hiera.yaml": config, "data/d.conf": data})
    assert session(tmp_path).lookup("a.b.1").value == "yes"
    write_files(tmp_path, {"data/d.conf": "a = [\n"})
    outcome = session(tmp_path).lookup("a.b.1")
    assert outcome.error is not None
    assert outcome.error.message.startswith(f"Unable to parse ({tmp_path}/data/d.conf): ")


def test_keys_that_are_equal_for_python(tmp_path: Path) -> None:
    config = "version: 5\nhierarchy: [{name: h, path: d.yaml}]\n"
    data = "a: {1: x, 1.0: y}\nb: {1: x, true: y}\n"
    write_files(tmp_path, {"hiera.yaml": config, "data/d.yaml": data})
    assert program_text(session(tmp_path).lookup("a").value) == "{1 => 'x', 1.0 => 'y'}"
    outcome = session(tmp_path).lookup("b")
    assert outcome.error is not None
    assert "has wrong type, expects Puppet::LookupValue" in outcome.error.message


BAD_FILES = [
    ("data/d.yaml/x", "", "Is a directory @ io_fread - {}/data/d.yaml"),
    (
        "data/d.yaml",
        "a: 1\nk: \udcff\n",
        "Unable to parse ({}/data/d.yaml): invalid leading UTF-8 octet at line 2 column 4",
    ),
    ("data/d.yaml", "k: [\n", "Unable to parse ({}/data/d.yaml): did not find expected node"),
]


@pytest.mark.parametrize(("name", "text", "message"), BAD_FILES)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, text: str, message: str) -> None:
    write_files(tmp_path, {"hiera.yaml": "version: 5\nhierarchy: [{name: h, path: d.yaml}]\n"})
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    outcome = session(tmp_path).lookup("k")
    assert outcome.error is not None
    assert outcome.error.message.startswith(message.format(tmp_path))


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (None, "The global hiera.yaml does not exist (file: {}/hiera.yaml)"),
        ("version: 4\n", "hiera.yaml version 4 cannot be used in the global layer (file: {}"),
        (
            "version: 5\nhierarchy: [{name: a, hiera3_backend: x, path: y}]\n",
            "Hiera 3 is not installed (file: {}/hiera.yaml)",
        ),
        (
            "version: 5\nhierarchy: [{name: a, hiera3_backend: yaml, path: y}]\n",
            'Use "data_hash: yaml_data" instead of "hiera3_backend: yaml"',
        ),
        (
            "version: 5\nhierarchy: [{name: a, hiera3_backend: json, path: y}]\n",
            'Use "data_hash: json_data" instead of "hiera3_backend: json"',
        ),
        (
            "version: 5\nhierarchy: [{name: a, hiera3_backend: hocon, path: y}]\n",
            'Use "data_hash: hocon_data" instead of "hiera3_backend: hocon"',
        ),
    ],
)
def test_bad_global_layer(tmp_path: Path, config: str | None, message: str) -> None:
    if config is not None:
        write_files(tmp_path, {"hiera.yaml": config})
    options = Options(hiera_config=str(tmp_path / "hiera.yaml"))
    outcome = Session(options, facts={}).lookup("k")
    assert outcome.error is not None
    assert outcome.error.message.startswith(message.format(tmp_path))


def test_hiera_hash_merges_as_the_global_layer_says(tmp_path: Path) -> None:
    config = (
        ":backends: yaml\n:hierarchy: [a, '%{calling_class}', b]\n:merge_behavior: deeper\n"
        f":yaml:\n  :datadir: {tmp_path}\n"
    )
    files = {"a.yaml": "h: {k: {x: 1}}", "b.yaml": "h: {k: {y: 2}}", "c.yaml": "v: of c"}
    write_files(tmp_path, {"hiera.yaml": config, **files})
    options = Options(hiera_config=str(tmp_path / "hiera.yaml"))
    code = "[hiera_hash('h'), lookup('h', {merge => hash})]"
    code = f"class c {{ notice(lookup('v')) }} include c {code}"
    outcome = Session(options, facts={}).execute(code)
    assert outcome.error is None, outcome.error
    assert ("notice", "of c") in outcome.logs
    assert program_text(outcome.value) == ("[{'k' => {'y' => 2, 'x' => 1}}, {'k' => {'x' => 1}}]")


@pytest.mark.parametrize(
    ("has_data", "value", "message"),
    [
        (False, 1, None),
        (
            True,
            None,
            "Evaluation Error: Error while evaluating a Function Call, Lookup of key"
            " 'lookup_options' failed: Recursive lookup detected in [lookup_options]",
        ),
    ],
)
def test_options_of_the_global_layer_that_need_a_lookup(
    has_data: bool, value: object, message: str | None, tmp_path: Path
) -> None:
    """An environment without data takes what it finds: the layer is asked for options once."""
    levels = "hierarchy: [{name: all, path: all.yaml, data_hash: yaml_data}]\n"
    options = "lookup_options: {x: {merge: \"%{alias('how')}\"}}\n"
    write_files(
        tmp_path,
        {
            "hiera.yaml": f"version: 5\n{levels}",
            "data/all.yaml": f"{options}how: first\nx: 1\n",
            "here/manifests/site.pp": "",
            **({"here/hiera.yaml": f"version: 5\n{levels}"} if has_data else {}),
        },
    )
    session = Session(Options(hiera_config=tmp_path / "hiera.yaml", environment=tmp_path / "here"))
    outcome = session.execute("lookup('x')")
    assert (outcome.error.message if outcome.error else None) == message
    assert message is not None or outcome.value == value
