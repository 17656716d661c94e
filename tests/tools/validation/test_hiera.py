"""hiera.yaml and data files in ``validate``: what Puppet refuses, and rules with their places.

What Puppet says about the cases of hiera_cases.json is recorded by record_hiera.rb.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from puppet_repl import Diagnostic, validate
from puppet_repl.base.reach import Reach
from puppet_repl.session import Options, Session
from puppet_repl.tools.validation.data_parameters import Mentions
from puppet_repl.tools.validation.data_rules import DATA_RULES, DataRule
from puppet_repl.tools.validation.hiera_layout import Layout

CASES = json.loads((Path(__file__).parent / "hiera_cases.json").read_text())
CONFIG = "version: 5\nhierarchy:\n  - name: c\n    path: c.yaml\n"
# Names that a variable of a node may have, though no program can write them: warnings here.
UNDEFINED = "Undefined variable"
# What nothing in the data is to blame for.
OTHERS = ("did not find a value for the name", "Resource type not found")


def write(root: Path, **files: str) -> None:
    """Write files whose paths have underscores for slashes, and are YAML without an ending."""
    for name, text in files.items():
        path = root / (name.replace("__", ".").replace("_", "/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found_in(root: Path, **choices: bool) -> list[str]:
    """Return level, rule and place of all findings."""
    return [_short(each, root) for each in validate(root, advice=True, **choices)]


def _short(found: Diagnostic, root: Path) -> str:
    path = Path(found.file or "").relative_to(root).as_posix()
    return f"{found.severity[0]} {found.code} {path}:{found.line}:{found.column}"


@pytest.mark.parametrize("case", [case for case in CASES if "type" not in case])
def test_puppet_refuses_the_same(case: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path, environment__conf="", hiera__yaml=case.get("config", CONFIG))
    write(tmp_path, data_c__yaml=case["data"])
    found = validate(tmp_path, advice=True)
    errors = [each for each in found if each.severity == "error"]
    expected = case["puppet"]
    if expected is None or any(words in expected for words in OTHERS):
        assert not errors
    elif UNDEFINED in expected:
        assert [each.code for each in found] == ["impossible_variable"]
    else:
        said = " ".join(expected.split())
        for error in errors:
            assert " ".join(error.message.replace(str(tmp_path), "ROOT").split()) in said
            assert error.line is not None
        assert errors


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ('a: "x %{::osfamily}"\n', ["w legacy_facts 1:7"]),
        ("a: '%{osfamily}'\n", ["w legacy_facts 1:5"]),
        ("a: '%{domain} %{::domain}'\n", ["w legacy_facts 1:15"]),
        ("a:\n  - b: |\n      x\n      %{facts.ipaddress}\n", ["w legacy_facts 4:7"]),
        ("a: '%{facts.os.famly}'\n", ["w unknown_fact 1:5"]),
        ("a: '%{facts.os.release.majr}'\n", ["w unknown_fact 1:5"]),
        ("a: '%{facts.my.own}%{facts.os.own}%{my_fact}%{mine::x}'\n", []),
        ("a: '%{trusted.certnam}'\n", ["w unknown_fact 1:5"]),
        ("a: '%{trusted.extensions.pp_rol}%{trusted.extensions.own}'\n", ["w unknown_fact 1:5"]),
        ("a: '%{server_facts.name}%{server_facts.environment}'\n", ["w unknown_fact 1:5"]),
        ("a: '%{RULE}x'\n", ["w impossible_variable 1:5"]),
        ("a: '%{lookup(x)}'\n", ["w impossible_variable 1:5"]),
        ("a: 'x %{b'\n", ["w unclosed_interpolation 1:7"]),
        ("a: 1\nb: {c: 1, d: 2, c: 3}\na: 2\n", ["w duplicate_key 2:17", "w duplicate_key 3:1"]),
        ("1: a\n'1': b\nx: &x {y: 1}\nz: {<<: *x, y: 2}\n", []),
        ("yes: a\ntrue: b\n", ["w duplicate_key 2:1"]),
        ("a: &b '%{osfamily}'\nc: [*b, *b]\n", ["w legacy_facts 1:8"]),
        ('"%{osfamily}": 1\n', []),
        ("", ["w empty_data 1:1"]),
        ("lookup_options:\n  a: {merg: deep}\n", ["w lookup_options 2:7"]),
        ("lookup_options:\n  a:\n    knockout_prefix: '--'\n", ["w lookup_options 3:5"]),
        ("lookup_options:\n  a: deep\n", ["w lookup_options 2:3"]),
        ("lookup_options:\n  a: {convert_to: Integr}\n", ["w lookup_options 2:19"]),
        ("lookup_options:\n  a: {merge: \"%{alias('x')}\"}\n", []),
        ("a: '%{osfamily}' # lint:ignore:legacy_facts\n", []),
        ("a: '%{osfamily} # lint:ignore:legacy_facts'\n", ["w legacy_facts 1:5"]),
        (
            "# lint:ignore:legacy_facts\na: '%{osfamily}'\n# lint:endignore\nb: '%{fqdn}'\n",
            ["w legacy_facts 4:5"],
        ),
    ],
)
def test_probable_mistakes_in_data(data: str, expected: list[str], tmp_path: Path) -> None:
    write(tmp_path, environment__conf="", hiera__yaml=CONFIG, data_c__yaml=data)
    assert [each.replace("data/c.yaml:", "") for each in found_in(tmp_path)] == expected
    assert validate(tmp_path) == []


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("  - name: a\n    path: comon.yaml\n", ["w missing_data_file 4:11"]),
        ("  - name: a\n    paths: [common.yaml, 'nods/%{x}.yaml']\n", ["w missing_data_file 4:26"]),
        ("  - name: a\n    path: common\n", ["w missing_data_file 4:11"]),
        ("  - name: a\n    paths: ['nodes/%{x}.yaml', other.yaml]\n", []),
        ("  - name: a\n    globs: ['comon*.yaml', 'nodes/*.yaml']\n", []),
        ("  - name: a\n    datadir: dat\n    path: x.yaml\n", ["w missing_datadir 4:14"]),
        ("  - name: a\n    datadir: elsewhere\n    path: x.yaml\n", ["w missing_datadir 4:14"]),
        ("  - name: a\n    datadir: /etc/data\n    path: x.yaml\n", []),
        ("  - name: a\n    path: '%{fqdn}.yaml'\n", ["w legacy_facts 4:12"]),
        ("  - name: a\n    mapped_paths: [x, y, '%{y}/%{::fqdn}.yaml']\n", ["w legacy_facts 4:32"]),
        (
            "  - name: a\n    data_hash: yaml_dta\n    path: common.yaml\n",
            ["w unknown_function 4:16"],
        ),
        (
            "  - name: a\n    lookup_key: eyaml_lookup_key\n    path: common.yaml\n"
            "    options: {pkcs7_privat_key: x}\n",
            ["w unknown_option 6:15"],
        ),
        ("  - name: a\n    path: common.yaml\n    path: common.yaml\n", ["w duplicate_key 5:5"]),
        ("  - name: a\n    path: '%{fqdn}.yaml' # lint:ignore:legacy_facts\n", []),
    ],
)
def test_probable_mistakes_in_hiera_yaml(config: str, expected: list[str], tmp_path: Path) -> None:
    write(tmp_path, environment__conf="", hiera__yaml=f"version: 5\nhierarchy:\n{config}")
    write(tmp_path, data_common__yaml="a: 1\n", data_nodes_x__yaml="a: 1\n")
    assert [each.replace("hiera.yaml:", "") for each in found_in(tmp_path)] == expected


@pytest.mark.parametrize(
    ("config", "place", "hint"),
    [
        ("version: 5\nhierarchy:\n  - name: x\n    pth: c.yaml\n", (4, 5), "did you mean path?"),
        ("version: 5\nhierarchi: []\n", (2, 1), "did you mean hierarchy?"),
        ("version: 5\nhierarchy:\n  - name: x\n    path: 1\n", (4, 11), None),
        ("version: 5\nhierarchy:\n  - name: x\n    path: a\n    paths: [b]\n", (5, 5), None),
        ("version: 5\nhierarchy:\n  - path: c.yaml\n", (3, 5), None),
        ("version: 3\n", (1, 10), None),
    ],
)
def test_errors_of_hiera_yaml_are_placed(
    config: str,
    place: tuple[int, int],
    hint: str | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from puppet_repl.frontends.cli.validate import main

    write(tmp_path, environment__conf="", hiera__yaml=config)
    assert [(each.line, each.column) for each in validate(tmp_path)] == [place]
    assert main(["validate", str(tmp_path)]) == 1
    assert (f"hint: {hint}" in capsys.readouterr().err) == (hint is not None)


@pytest.mark.parametrize("rule", DATA_RULES, ids=lambda rule: rule.name)
def test_examples_of_the_rules(rule: DataRule, tmp_path: Path) -> None:
    write(tmp_path, environment__conf="", data_common__yaml="a: 1\n")
    write(tmp_path, modules_app_manifests_init__pp="class app(Integer $port) { notice($port) }\n")
    write(tmp_path, modules_app_hiera__yaml=CONFIG.replace("c.yaml", "common.yaml"))
    write(tmp_path, modules_app_data_common__yaml="--- {}\n")
    (tmp_path / rule.path).write_text(rule.example + "\n")
    assert [each.code for each in validate(tmp_path, advice=True)] == [rule.name]
    (tmp_path / rule.path).write_text(rule.instead + "\n")
    assert validate(tmp_path, advice=True) == []


def test_the_rules_are_in_order() -> None:
    names = [rule.name for rule in DATA_RULES]
    assert names == sorted(set(names))


@pytest.mark.parametrize("case", [case for case in CASES if "type" in case])
def test_values_of_parameters_have_their_types(case: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path, environment__conf="", hiera__yaml=CONFIG, data_c__yaml=case["data"])
    types = {"port": "Integer[1, 65535]", "list": "Array[Shop::Port]"}
    for name, text in types.items():
        path = tmp_path / "modules/shop/types" / f"{name}.pp"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"type Shop::{name.capitalize()} = {text}\n")
    write(
        tmp_path, modules_shop_manifests_init__pp=f"class shop({case['type']} $port = undef) {{}}"
    )
    found = [each.message for each in validate(tmp_path / "data", advice=True)]
    expected = case["puppet"]
    if expected is None or "Stdlib" in expected or "NotUndef" in expected:
        assert found == []
    else:
        (message,) = found
        assert message in expected


def test_keys_that_are_not_those_of_the_module(tmp_path: Path) -> None:
    """As Puppet, which warns of the same keys when it reads the file."""
    data = "shop::port: 1\nstore::port: 1\nplain: 1\nshop: 1\nclasses: [x]\nlookup_options: {}\n"
    write(tmp_path, environment__conf="", modules_shop_hiera__yaml=CONFIG)
    write(tmp_path, modules_shop_data_c__yaml=data, data_c__yaml=data)
    write(tmp_path, modules_shop_manifests_init__pp="class shop($port) { notice($port) }")
    write(tmp_path, modules_store_manifests_init__pp="class store { }")
    found = list(validate(tmp_path / "modules", advice=True))
    assert [(each.code, each.line) for each in found] == [
        ("foreign_key", line) for line in (2, 3, 4, 5)
    ]
    assert found[0].message == (
        "Puppet ignores 'store::port': keys in the data of a module begin with shop::"
    )
    warned = Session(Options(environment=str(tmp_path)), facts={}).execute("lookup('shop::port')")
    for each in found:
        key = data.splitlines()[(each.line or 0) - 1].partition(": ")[0]
        assert any(text.endswith(f"; got {key}") for _, text in warned.logs)
    assert [each.code for each in validate(tmp_path / "data", advice=True)] == ["unknown_parameter"]


def test_keys_that_name_no_parameter(tmp_path: Path) -> None:
    code = "class shop($port = 1) { lookup('shop::extra') lookup(\"shop::${port}_x\") }"
    data = "shop::prot: 1\nshop::port: 1\nshop::extra: 1\nstore::other::x: 1\n"
    write(tmp_path, environment__conf="", hiera__yaml=CONFIG, data_c__yaml=data)
    write(tmp_path, modules_shop_manifests_init__pp=code.replace("shop::$", "store::$"))
    (found,) = validate(tmp_path / "data", advice=True)
    assert (found.code, found.line, found.severity) == ("unknown_parameter", 1, "warning")
    assert found.message.endswith("did you mean shop::port?")
    write(tmp_path, modules_shop_manifests_init__pp=code)
    assert validate(tmp_path / "data", advice=True) == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            "shop::servr::port: 1",
            "the module shop has no class shop::servr, and no code looks up the key; "
            "did you mean shop::server?",
        ),
        (
            "shop::site::port: 1",
            "shop::site is a defined type, no class, and no code looks up the key",
        ),
        ("classes: [shop, '::shop::server', shop::servr, --shop::x, '%{x}', other::y, 3]", "servr"),
        ("classes:\n  shop::servr: {}", None),
        ("shop::looked::up: 1", None),
        ("shop::used::by_data: 1\nx: \"%{lookup('shop::used::by_data')}\"", None),
        ("shop::nested::inner::port: 1", None),
        ("other::server::port: 1", None),
        ("empty::server::port: 1", None),
        ("shop::broken::port: 1", None),
    ],
)
def test_classes_that_are_not_there(data: str, expected: str | None, tmp_path: Path) -> None:
    write(tmp_path, environment__conf="", hiera__yaml=CONFIG, data_c__yaml=data)
    write(
        tmp_path,
        modules_shop_manifests_init__pp="class shop { lookup('shop::looked::up') }",
        modules_shop_manifests_server__pp="class shop::server($port) { notice($port) }",
        modules_shop_manifests_site__pp="define shop::site($port) { notice($port) }",
        modules_shop_manifests_broken__pp="class shop::broken {",
        modules_shop_manifests_nested__pp=(
            "class shop::nested { class inner($port) { notice($port) } }"
        ),
        modules_empty_README__md="fetched later",
    )
    found = list(validate(tmp_path / "data", advice=True))
    assert {each.code for each in found} <= {"unknown_class"}
    if expected is None:
        assert found == []
    else:
        (only,) = found
        assert expected in only.message
        assert only.column == (1 if "::port" in data else data.index("shop::servr") + 1)


def test_a_key_looked_up_by_many_expressions(tmp_path: Path) -> None:
    """Whether the text may be the key is told at once, however many expressions it has."""
    code = 'class shop { lookup("${m}' + "${x}a" * 14 + 'b") }'
    data = f"shop::{'a' * 60}: 1\nshop::{'a' * 30}b: 1\n"
    write(tmp_path, environment__conf="", hiera__yaml=CONFIG, data_c__yaml=data)
    write(tmp_path, modules_shop_manifests_init__pp=code)
    assert found_in(tmp_path / "data") == ["w unknown_parameter c.yaml:1:1"]


def test_a_module_behind_a_link_looks_keys_up(tmp_path: Path) -> None:
    environment = tmp_path / "production"
    write(environment, environment__conf="", hiera__yaml=CONFIG, data_c__yaml="shop::extra: 1\n")
    write(tmp_path, shop_manifests_init__pp="class shop { notice(lookup('shop::extra')) }\n")
    (environment / "modules").mkdir()
    (environment / "modules/shop").symlink_to(tmp_path / "shop")
    assert validate(environment / "data", advice=True) == []


def test_a_module_has_data_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, metadata__json='{"name": "me-shop"}', hiera__yaml=CONFIG)
    write(tmp_path, data_c__yaml="lookup_options:\n  port: {merge: deep}\n  '^shop::x': {}\n")
    (found,) = validate(tmp_path / "data")
    assert found.message == "all lookup_options keys must start with module name 'shop'"
    assert (found.line, found.column) == (2, 3)


def test_hiera_yaml_says_what_is_data(tmp_path: Path) -> None:
    """Files that no level reaches are YAML, and no more is said; others are left alone."""
    config = (
        "version: 5\ndefaults: {datadir: config/nodes, data_hash: yaml_data}\nhierarchy:\n"
        "  - {name: a, path: '%{x}.yaml'}\n  - {name: b, data_hash: json_data, glob: '*/c.json'}\n"
        "  - {name: c, data_hash: mine::data, path: own.yml}\n"
    )
    wrong = "a: \"%{lokup('x')}\"\n"
    write(tmp_path, environment__conf="", hiera__yaml=config, data_x__yaml=wrong, x__yaml="a: [")
    write(tmp_path, config_nodes_a__yaml=wrong, config_nodes_own__yml=wrong)
    write(tmp_path, config_nodes_deep_c__json='{"a": "%{lokup(\'x\')}",\n "b": 1, "b": 2}')
    write(tmp_path, config_nodes_list__yml="[1, {a: 1, a: '%{lokup(1)}'}]")
    assert found_in(tmp_path) == [
        "e HIERA_INTERPOLATION config/nodes/a.yaml:1:5",
        "e HIERA_INTERPOLATION config/nodes/deep/c.json:1:8",
        "w duplicate_key config/nodes/deep/c.json:2:10",
        "w duplicate_key config/nodes/list.yml:1:12",
    ]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [("c.json", '{"a": 1,\n "b" 2}', 2), ("c.conf", "a: 1\nb: [1,\n", 3), ("c.yml", "a: [\n", 2)],
)
def test_broken_files_of_each_format(name: str, text: str, line: int, tmp_path: Path) -> None:
    write(tmp_path, environment__conf="")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / name).write_text(text)
    (found,) = validate(tmp_path)
    assert (found.severity, found.line) == ("error", line)
    assert found.message.startswith("Unable to parse (")


def test_encrypted_values_that_nobody_can_decrypt(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    from tests.language.data.test_eyaml import enc, message

    good = enc(message("hidden"))
    texts = [good, good[:-20] + "]", good.replace("MII", "M!I"), good[:-1], "ENC[GPG,x]", "ENC[x]"]
    data = "".join(f"{name}: '{text}'\n" for name, text in zip("abcdef", texts, strict=True))
    write(tmp_path, environment__conf="", hiera__yaml=CONFIG, data_c__yaml=data)
    assert found_in(tmp_path) == [
        "e encrypted_value data/c.yaml:2:5",
        "w encrypted_value data/c.yaml:3:5",
        "w encrypted_value data/c.yaml:4:5",
    ]


@pytest.mark.parametrize(
    "level",
    [
        "{name: a, datadir: .., glob: '**/*.yaml'}",
        "{name: a, datadir: 'data/%{x}/../../..', path: outer/x.yaml}",
        "{name: a, datadir: 'data/%{x}', glob: '../../outer/*.yaml'}",
        "{name: a, datadir: data, glob: '**/*.yaml'}",
    ],
)
@pytest.mark.parametrize("is_hermetic", [False, True])
def test_data_above_the_root_are_not_read(
    level: str, is_hermetic: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by a datadir that leads up, nor, with a reach, by a link."""
    root = tmp_path / "outer" / "root"
    write(root, environment__conf="", hiera__yaml=f"version: 5\nhierarchy:\n  - {level}\n")
    write(root, data_own__yaml="lookup_options: {own: {merge: deep}}\n")
    write(tmp_path / "outer", x__yaml="lookup_options: {theirs: {merge: deep}}\n")
    if is_hermetic:
        (root / "data" / "link.yaml").symlink_to(tmp_path / "outer" / "x.yaml")
    listed: list[str] = []
    scandir = os.scandir

    def listing(path: str) -> object:
        listed.append(path.partition("\0")[0])
        return scandir(path)

    monkeypatch.setattr(os, "scandir", listing)
    reach = Reach([str(root)]) if is_hermetic else None
    layout = Layout(str(root), reach, is_environment=True)
    assert "theirs" not in layout.changed
    assert ("own" in layout.changed) is ("datadir: data, " in level)
    assert all(os.path.realpath(each).startswith(str(root)) for each in listed)


def test_links_to_code_out_of_reach_are_not_read(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, manifests_own__pp="lookup('m::own')")
    write(tmp_path, theirs__pp="lookup('m::theirs')", theirs__yaml="a: \"%{lookup('m::data')}\"")
    for name in ("theirs.pp", "theirs.yaml"):
        (root / name).symlink_to(tmp_path / name)
    keys = ("m::own", "m::theirs", "m::data")
    assert [Mentions([str(root)]).has(key, "m") for key in keys] == [True, True, True]
    reach = Reach([str(root)])
    assert [Mentions([str(root)], reach).has(key, "m") for key in keys] == [True, False, False]


LONG = "9" * 5_000


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("data/c.conf", f"a: {LONG}\n", None),
        ("data/c.conf", f"a: {'9' * 100_001}\n", "an Integer of more than 100000 digits"),
        ("data/c.conf", f"a: {'[' * 3_000}", "String: 1: nested more than 1,000 deep"),
        ("data/c.conf", f"a:\n{'{a:' * 3_000}", "String: 2: nested more than 1,000 deep"),
        ("data/c.conf", f"{'a.' * 3_000}a: 1", "String: 1: nested more than 1,000 deep"),
        (
            "data/c.conf",
            "".join(f"a{n}: ${{a{n + 1}}}\n" for n in range(9_000)) + "a9000: 1",
            "The value is nested too deeply",
        ),
        ("data/c.yaml", f"lookup_options: {{a: {{merge: {LONG}}}}}\n", "Unknown merge strategy: "),
        ("hiera.yaml", f"version: {LONG}\n", f"does not support hiera.yaml version {LONG}"),
        ("hiera.yaml", f"version: '{LONG}'\n", f"does not support hiera.yaml version {LONG}"),
        ("hiera.yaml", f"version: '{'9' * 200_000}'\n", "an Integer of more than 100000 digits"),
    ],
)
def test_limits_of_python_are_findings(
    name: str, text: str, message: str | None, tmp_path: Path
) -> None:
    config = CONFIG + "  - {name: d, data_hash: hocon_data, path: c.conf}\n"
    write(tmp_path, environment__conf="", hiera__yaml=config)
    (tmp_path / "data").mkdir()
    (tmp_path / name).write_text(text)
    found = [each for each in validate(tmp_path, advice=True) if each.severity == "error"]
    assert [each.file for each in found] == ([] if message is None else [str(tmp_path / name)])
    assert all(message is not None and message in each.message for each in found)
