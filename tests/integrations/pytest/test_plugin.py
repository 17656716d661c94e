"""The plugin for pytest, run on the tests of a small module of our own."""

from __future__ import annotations

import json
import subprocess
import sys
from fnmatch import fnmatchcase
from glob import escape
from pathlib import Path
from types import ModuleType

import pytest
import yaml  # noqa: F401 - a module in C that cannot be imported twice

import puppet_repl.integrations.pytest.hooks  # noqa: F401 - the tests of tests import it
from tests.environment.ruby.engine import needs_system

pytest_plugins = ["pytester"]

METADATA = {
    "name": "me-motd",
    "version": "1.0.0",
    "author": "me",
    "license": "Apache-2.0",
    "source": "x",
    "summary": "The message of the day",
    "dependencies": [{"name": "you/lines", "version_requirement": ">= 1.0.0"}],
    "operatingsystem_support": [
        {"operatingsystem": "Debian", "operatingsystemrelease": ["11", "12"]},
        {"operatingsystem": "AlmaLinux", "operatingsystemrelease": ["9"]},
        {"operatingsystem": "BeOS"},
    ],
}
INIT = """
# The message.
class motd (String $text = 'Welcome', Boolean $notify_users = true) {
  include lines
  contain motd::package
  $mode = $facts['os']['family'] ? { 'RedHat' => '0600', default => '0644' }
  file { '/etc/motd':
    ensure  => file,
    mode    => $mode,
    content => "${text}\\non ${facts['os']['name']} ${facts['os']['release']['full']}\\n",
    require => Class['motd::package'],
  }
  service { 'motd-news': ensure => running, subscribe => File['/etc/motd'] }
}
"""
FILES = {
    "metadata.json": json.dumps(METADATA),
    "manifests/init.pp": INIT,
    "manifests/package.pp": "class motd::package { package { 'motd': ensure => installed } }",
    "manifests/line.pp": "define motd::line (String $text) { notify { $title: message => $text } }",
    "functions/shout.pp": "function motd::shout(String $s) >> String { upcase($s) }",
    "types/word.pp": "type Motd::Word = Pattern[/\\A\\w+\\z/]",
    "templates/line.epp": "<%- | String $text | -%>\n* <%= $text %>\n",
    "spec/fixtures/modules/lines/manifests/init.pp": "class lines { notify { 'lines': } }",
    "spec/fixtures/modules/lines/spec/test_lines.py": "def test_never(): assert False",
}


@pytest.fixture
def module(pytester: pytest.Pytester) -> pytest.Pytester:
    """Make the module; its directory has another name, and its fixtures a link to it."""
    for name, text in FILES.items():
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (pytester.path / "spec/fixtures/modules/motd").symlink_to(pytester.path)
    return pytester


def write(module: pytest.Pytester, text: str, name: str = "spec/test_motd.py") -> None:
    path = module.path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("import pytest, re\n" + text)


class Modules:
    """Keeps the modules that tests import, which pytester would take from Python again.

    There would be two of each then, with classes of their own.
    """

    def __init__(self) -> None:
        self.found: dict[str, ModuleType] = {}

    def pytest_unconfigure(self) -> None:
        self.found = dict(sys.modules)

    def put_back(self, directory: Path) -> None:
        for name, module in self.found.items():
            if not str(getattr(module, "__file__", None) or "").startswith(str(directory)):
                sys.modules.setdefault(name, module)


def run_all(module: pytest.Pytester, *options: str) -> pytest.RunResult:
    modules = Modules()
    result = module.runpytest("-q", "-p", "no:cacheprovider", *options, plugins=[modules])
    modules.put_back(module.path)
    return result


def run(module: pytest.Pytester, text: str, *options: str) -> pytest.RunResult:
    write(module, text)
    return run_all(module, *options)


def lines_of(result: pytest.RunResult) -> list[str]:
    return [line.removeprefix("E   ").strip() for line in result.outlines if line.startswith("E  ")]


def test_a_module_needs_no_configuration(module: pytest.Pytester) -> None:
    result = run(
        module,
        """
def test_class(catalog):
    assert catalog.classes == ["motd", "lines", "motd::package"]
    assert catalog["File", "/etc/motd"]["mode"] == "0644"
    assert "Package[motd]" in catalog and "Package[mtd]" not in catalog
    catalog.assert_contains("Service", "motd-news", ensure="running")
    catalog.assert_before("Package[motd]", "File[/etc/motd]")
    catalog.assert_notifies("File[/etc/motd]", "Service[motd-news]")
    catalog.assert_lacks("Package", "other")

@pytest.mark.puppet(
    "class { 'motd': text => 'Hello' }", facts={"role": "web"}, node="web01.example.org"
)
def test_marker(catalog, puppet):
    assert catalog["File[/etc/motd]"]["content"].startswith("Hello\\non Debian 12")
    assert catalog.name == "web01.example.org"
    assert puppet.facts["role"] == "web" and puppet.facts["os"]["family"] == "Debian"

def test_puppet(puppet):
    catalog = puppet.declare("motd", text="it's $x", notify_users=False)
    assert catalog["Class[motd]"]["text"] == "it's $x"
    catalog = puppet.on("almalinux-9").compile()
    catalog.assert_contains("File", "/etc/motd", mode="0600", content=re.compile("on AlmaLinux 9"))
    catalog = puppet.on({"os": {"family": "X", "name": "Y", "release": {"full": "1"}}}).compile()
    assert "on Y 1" in catalog["File[/etc/motd]"]["content"]
    assert puppet.declare("motd::line", "one", text="a")["Notify[one]"]["message"] == "a"
    assert puppet.on(pre="$x = 'b'").compile("notify { $x: }")["Notify[b]"].title == "b"

def test_parts(puppet):
    assert puppet.call("motd::shout", "hey") == "HEY"
    assert puppet.accepts("Motd::Word", "abc") and not puppet.accepts("Motd::Word", "a b")
    assert puppet.render("motd/line.epp", text="x") == "* x\\n"
    assert puppet.evaluate("$facts['os']['name']") == "Debian"
    assert puppet.module == "motd"

def test_errors(puppet):
    with pytest.raises(puppet.CompileError, match="has no parameter named 'txt'"):
        puppet.declare("motd", txt="x")
    with pytest.raises(puppet.ParseError):
        puppet.compile("1 +")
    with pytest.raises(puppet.EvaluationError, match="expects a String"):
        puppet.call("motd::shout", 1)
""",
    )
    result.assert_outcomes(passed=5)


def test_the_supported_systems(module: pytest.Pytester) -> None:
    result = run(
        module,
        """
@pytest.mark.puppet_systems
def test_all(catalog, puppet):
    mode = "0600" if puppet.facts["os"]["family"] == "RedHat" else "0644"
    assert catalog["File[/etc/motd]"]["mode"] == mode

@pytest.mark.puppet_systems("ubuntu-22.04", "rocky-9")
def test_some(puppet_system, puppet):
    assert puppet.facts["os"]["release"]["major"] in ("22.04", "9")
    assert puppet_system.family == puppet.facts["os"]["family"]

def test_fixture(puppet_system, catalog):
    assert puppet_system.os_name in catalog["File[/etc/motd]"]["content"]
""",
        "-vv",
        "-rs",
    )
    result.assert_outcomes(passed=8, skipped=2)
    for name in ("all[debian-11]", "all[debian-12]", "all[almalinux-9]", "some[ubuntu-22.04]"):
        result.stdout.fnmatch_lines(f"*::test_{name.replace('[', '[[]')} PASSED*")
    result.stdout.fnmatch_lines("SKIPPED*there are no facts of beos*puppet_facts_path*")


def test_facts_of_files(module: pytest.Pytester) -> None:
    facts = {"os": {"family": "BeOS", "name": "BeOS", "release": {"full": "7.4"}}}
    (module.path / "facts").mkdir()
    (module.path / "facts/beos-7.4-amd64.facts").write_text(json.dumps(facts))
    (module.path / "pytest.ini").write_text("[pytest]\npuppet_facts_path = facts\n")
    result = run(
        module,
        """
@pytest.mark.puppet_systems
def test_all(catalog): assert "/etc/motd" in [each.title for each in catalog]
def test_file(puppet):
    catalog = puppet.on("facts/beos-7.4-amd64.facts").compile()
    assert "on BeOS 7.4" in catalog["File[/etc/motd]"]["content"]
""",
    )
    result.assert_outcomes(passed=5)


def test_settings(module: pytest.Pytester) -> None:
    for name, text in {
        "more/extra/manifests/init.pp": "class extra { notify { lookup('word'): } }",
        "hiera/hiera.yaml": "version: 5\nhierarchy: [{name: c, path: common.yaml}]\n",
        "hiera/data/common.yaml": "word: from hiera\n",
        "pytest.ini": "[pytest]\npuppet_modulepath = more\npuppet_hiera = hiera/hiera.yaml\n"
        "puppet_facts = rocky-9\n",
    }.items():
        (module.path / name).parent.mkdir(parents=True, exist_ok=True)
        (module.path / name).write_text(text)
    result = run(
        module,
        """
@pytest.mark.puppet("include extra")
def test_extra(catalog, puppet):
    assert "Notify[from hiera]" in catalog
    assert puppet.facts["os"]["name"] == "Rocky"
""",
    )
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    "name", ["puppet_modulepath", "puppet_facts_path", "puppet_environment", "puppet_hiera"]
)
def test_settings_with_paths_that_do_not_exist(module: pytest.Pytester, name: str) -> None:
    (module.path / "pytest.ini").write_text(f"[pytest]\n{name} = nope\n")
    result = run(module, "def test_a(): pass")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(f"ERROR: {name}: there is no *nope")


def test_settings_for_functions_in_ruby(module: pytest.Pytester) -> None:
    ini = module.path / "pytest.ini"
    text = "def test_a(puppet): assert puppet.evaluate('none(1)') is None"
    ini.write_text("[pytest]\npuppet_ruby = off\npuppet_unknown_functions = warn\n")
    run(module, text).assert_outcomes(passed=1)
    (module.path / "stubs.pp").write_text("function none($x) { undef }")
    ini.write_text("[pytest]\npuppet_stubs = stubs.pp\n")
    run(module, text).assert_outcomes(passed=1)
    ini.write_text("[pytest]\n")
    run(module, text).assert_outcomes(failed=1)
    for name in ("puppet_ruby", "puppet_unknown_functions"):
        ini.write_text(f"[pytest]\n{name} = of\n")
        result = run(module, text)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(f"ERROR: {name} is one of *, not 'of'")


CYCLES = """
import pytest

CODE = "notify { 'a': require => Class['c'] } class c { notify { 'c': } } include c"

@pytest.mark.puppet(CODE + " Notify['a'] -> Class['c']")
def test_marker(catalog): pass

@pytest.mark.parametrize("times", [1, 2])
def test_fixture(puppet, times):
    assert puppet.compile(CODE).cycles == []
    with pytest.raises(puppet.CompileError, match="Found 1 dependency cycle:"):
        puppet.compile(CODE + " Notify['a'] -> Class['c']")
"""


def test_a_dependency_cycle_is_an_error(module: pytest.Pytester) -> None:
    result = run(module, CYCLES)
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(
        ["*CompileError: Found 1 dependency cycle:", "*(Notify?a? => Class?C? => Notify?c? => *)"]
    )
    ini = module.path / "pytest.ini"
    ini.write_text("[pytest]\npuppet_refused_catalogs = warn\n")
    run(module, CYCLES).assert_outcomes(passed=1, failed=2)
    ini.write_text("[pytest]\npuppet_refused_catalogs = off\n")
    run(module, CYCLES).stderr.fnmatch_lines(
        "ERROR: puppet_refused_catalogs is one of error, warn, not 'off'"
    )


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }",
         ["E *CompileError: Found 1 dependency cycle:", "E *(Notify*Notify*Notify*)"]),
        ("fail('never')", ["E *CompileError: *never*", "E     1 | fail('never')"]),
        ("$x =", ["E *ParseError: *"]),
    ],
)  # fmt: skip
def test_a_catalog_that_fails_shows_where_the_test_begins(
    module: pytest.Pytester, code: str, told: list[str]
) -> None:
    """The fixture has no line of the user's; what pytest tells instead is of no help."""
    marker = f'@pytest.mark.puppet("{code}")'
    result = run(module, f"{marker}\ndef test_a(catalog): pass")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f">   {escape(marker)}", *told, "spec?test_motd.py:2: *Error"])
    assert not any("hidden" in line or "puppet_repl/" in line for line in result.outlines)


@needs_system
def test_a_value_that_a_type_refuses_is_an_error(module: pytest.Pytester) -> None:
    text = "Puppet::Type.newtype(:sized) { newparam(:name) { newvalues(:small, :large) } }"
    path = module.path / "lib" / "puppet" / "type" / "sized.rb"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    (module.path / "pytest.ini").write_text("[pytest]\npuppet_ruby = system\n")
    test = """
import pytest

@pytest.mark.parametrize("size", ["small", "huge"])
def test_fixture(puppet, size):
    assert puppet.declare("sized", size).refusals == []
"""
    result = run(module, test)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines("*CompileError: *Parameter name failed on Sized?huge?: Invalid *")


def test_an_environment(pytester: pytest.Pytester) -> None:
    for name, text in {
        "environment.conf": "modulepath = site-modules:modules\n",
        "site-modules/profile/manifests/base.pp": "class profile::base { notify { 'base': } }",
        "manifests/site.pp": "node default { notify { 'site': } }",
    }.items():
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    code = "puppet.compile('include profile::base')"
    write(pytester, f"def test_a(puppet): assert 'Notify[base]' in {code}", "test_profile.py")
    run_all(pytester).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (
            "assert ('Package', 'mtod') in catalog",
            [
                "assert the catalog has no Package[mtod]; did you mean Package[motd]?",
                "of this type it has motd",
            ],
        ),
        (
            "catalog.assert_contains('File', '/etc/motd', mode='0600', owner='root')",
            [
                "AssertionError: File[/etc/motd] (*manifests/init.pp:*) is not as expected",
                "mode: expected '0600', but it is '0644'",
                "owner: expected 'root', but it is not set (set: ensure, mode, *)",
            ],
        ),
        (
            "catalog.assert_contains('File[/etc/motd]', content='Welcome\\n')",
            [
                "content: the text differs (- expected, + there)",
                "@@ -1,2 +1,3 @@",
                "Welcome",
                "+on Debian 12.5",
            ],
        ),
        (
            "catalog.assert_contains('User', 'root')",
            [
                "AssertionError: the catalog has no User[root]",
                "it has no resource of the type User",
            ],
        ),
        (
            "catalog.assert_before('Service[motd-news]', 'Package[motd]')",
            [
                "AssertionError: Service[motd-news] does not come before Package[motd]: "
                "it comes after it",
                "File[/etc/motd] ~> Service[motd-news]",
            ],
        ),
        (
            "catalog.assert_notifies('Package[motd]', 'Service[motd-news]')",
            [
                "AssertionError: Package[motd] does not notify Service[motd-news]: "
                "it only comes before it"
            ],
        ),
        (
            "catalog.assert_lacks('Package', 'motd')",
            ["AssertionError: the catalog has <Package[motd] ensure='installed'> (*package.pp:1)"],
        ),
        (
            "assert catalog['Package[motd]'] == {'ensure': 'absent', 'provider': 'apt'}",
            [
                "AssertionError: assert Package[motd] == *",
                "ensure: expected 'absent', but it is 'installed'",
                "provider: expected 'apt', but it is not set (set: ensure)",
            ],
        ),
        (
            "catalog['Package[mtod]']",
            ["puppet_repl.frontends.api.resource.MissingError: the catalog has no Package[mtod]; "
             "did you mean Package[motd]?"],
        ),
        (
            "puppet.declare('motd', txt='x')",
            [
                "puppet_repl.base.errors.CompileError: *Error: *has no parameter named 'txt'*",
                "2 |   txt => pytest::given('txt'),",
                "hint: did you mean text?",
            ],
        ),
    ],
)  # fmt: skip
def test_failures_say_what_is_there(
    module: pytest.Pytester, statement: str, told: list[str]
) -> None:
    result = run(module, f"def test_it(catalog, puppet):\n    {statement}\n")
    result.assert_outcomes(failed=1)
    shown = lines_of(result)
    for line in told:
        pattern = line.replace("[", "[[]")
        assert any(fnmatchcase(each, pattern) for each in shown), (line, shown)
    # The test itself is what is shown, not how the catalog is made.
    assert not any("puppet_repl/" in line for line in result.outlines if line.endswith("Error"))


def test_catalogs_that_depend_on_more_than_data_are_compiled_each(module: pytest.Pytester) -> None:
    text = """
def test_exports(puppet):
    found = []
    for name in ("one", "two"):
        other = puppet.on(node="other").compile(f"@@notify {{ '{name}': }}")
        found.append(puppet.compile("Notify <<| |>>", exports=[other]).resources("Notify"))
    assert [[each.title for each in some] for some in found] == [["one"], ["two"]]

def test_messages(puppet):
    for _ in range(2):
        messages = []
        puppet.compile("notice('hey')", log=lambda level, text: messages.append(text))
        assert any("hey" in each for each in messages)

def test_keys_of_facts(puppet):
    assert len(puppet.on({"h": {1: 2, "a": 3}}).compile("notify { 'a': }"))
"""
    run(module, text).assert_outcomes(passed=3)


def test_a_catalog_that_tests_share_is_the_same_for_each(module: pytest.Pytester) -> None:
    text = """
import pytest

@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.puppet("notice('hey') notify { 'a': message => [['b'], { 'c' => 1 }] }")
def test_changing(catalog, puppet, number):
    message = catalog["Notify", "a"]["message"]
    assert message == [["b"], {"c": 1}]
    assert catalog.facts["os"]["family"] == puppet.facts["os"]["family"] == "Debian"
    assert len(catalog.logs) == 1
    message[0].append("x")
    message[1]["c"] = "x"
    catalog.facts["os"]["family"] = puppet.facts["os"]["family"] = "x"
    catalog.logs.clear()
"""
    run(module, text).assert_outcomes(passed=2)


def test_wrong_use_is_told(module: pytest.Pytester) -> None:
    for text, told in (
        ("@pytest.mark.puppet_systems('beos-5')\ndef test_a(catalog): pass",
         "test_motd.py::test_a: puppet_systems: there are no facts of 'beos-5'; "
         "the sets are debian-12*"),
        ("@pytest.mark.puppet_systems('debian12')\ndef test_a(catalog): pass",
         "there are no facts of 'debian12'; the sets are *; did you mean debian-12?"),
        ("@pytest.mark.puppet(code='x')\ndef test_a(catalog): pass",
         "test_motd.py::test_a: the marker puppet takes no argument 'code'; "
         "code comes first, without a name"),
        ("@pytest.mark.puppet(zest=1, hiera_=1, fact={})\ndef test_a(catalog): pass",
         "test_motd.py::test_a: the marker puppet takes no argument 'fact'; did you mean facts?"),
        ("@pytest.mark.puppet('a', 'b')\ndef test_a(catalog): pass",
         "test_motd.py::test_a: the marker puppet takes one argument with code"),
        ("@pytest.mark.puppet(heira={})\ndef test_a(puppet): pass",
         "test_motd.py::test_a: the marker puppet takes no argument 'heira'; did you mean hiera?"),
        ("@pytest.mark.puppet(strict='warn')\ndef test_a(puppet): pass",
         "test_motd.py::test_a: the marker puppet: strict is one of error, warning, off, not*"),
        ("@pytest.mark.puppet(variables={'A': 1})\ndef test_a(puppet): pass",
         "test_motd.py::test_a: the marker puppet: variables: no variable can have the name 'A'"),
        ("@pytest.mark.puppet(facts='debian12')\ndef test_a(catalog): pass",
         "test_motd.py::test_a: the marker puppet: there are no facts of 'debian12'*"),
    ):  # fmt: skip
        result = run(module, text)
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(f"*{told}*")
        assert not [line for line in result.outlines if "pluggy" in line or "Error" in line]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("puppet.on(heira={})", "TypeError: on() has no argument 'heira'; did you mean 'hiera'?"),
        ("puppet.on(facts={})", "TypeError: on() has no argument 'facts'; facts come first,*"),
        ("puppet.compile(trused={})",
         "TypeError: compile() has no argument 'trused'; did you mean 'trusted'?"),
        ("puppet.on(strict='warn')", "ValueError: strict is one of error, warning, off, not*"),
        ("puppet.on(hiera=3)", "TypeError: hiera is a path, not 3, a int"),
        ("puppet.on(functions=[len])", "TypeError: functions are callables by the names*"),
        ("puppet.compile(environment='/nowhere')",
         "ValueError: environment: /nowhere is not a directory"),
        ("puppet.on('debian12')", "*FactsError: there are no facts of 'debian12'; *"),
        ("puppet.evaluate('1', variables={'A': 1})",
         "ValueError: variables: no variable can have the name 'A'"),
        ("puppet.render('no.epp')", "FileNotFoundError: [[]Errno 2] neither a file nor a *"),
        ("puppet.compile(3)", "TypeError: code is a string, or the path of a file, not 3"),
    ],
)  # fmt: skip
def test_wrong_arguments_fail_at_the_line_of_the_test(
    module: pytest.Pytester, statement: str, told: str
) -> None:
    result = run(module, f"def test_a(puppet):\n    {statement}\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f">   *{escape(statement)}", f"E *{told}", "*test_motd.py:3: *"])
    assert not any("puppet_repl/" in line for line in result.outlines)


def test_misspelt_facts_of_the_settings(module: pytest.Pytester) -> None:
    (module.path / "pytest.ini").write_text("[pytest]\npuppet_facts = debian12\n")
    result = run(module, "def test_a(catalog): pass")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        "*::test_a: the setting puppet_facts: there are no facts of 'debian12'; "
        "*did you mean debian-12[?]"
    )
    assert not [line for line in result.outlines if "pluggy" in line]


@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        (None, "there is no module above *spec: no metadata.json"),
        ("{", "*metadata.json: not JSON: Expecting property name*(line: 1, column: 2)"),
        ("[]", "*metadata.json: not a JSON object"),
        ("{}", "*metadata.json: it has no name"),
        ('{"name": "a-b c"}', "*metadata.json: its name is not that of a module: *a-b c*"),
    ],
)
def test_without_a_module_nothing_passes(
    module: pytest.Pytester, metadata: str | None, told: str
) -> None:
    (module.path / "metadata.json").unlink()
    if metadata is not None:
        (module.path / "metadata.json").write_text(metadata)
    result = run(module, "def test_a(catalog): assert 'File[/x]' not in catalog")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(f"*::test_a: {told}")
    result = run(module, "@pytest.mark.puppet_systems\ndef test_a(catalog): pass")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(f"*::test_a: puppet_systems: {told}")
    # What needs no module works.
    text = "@pytest.mark.puppet('notify { a: }')\ndef test_a(catalog): assert len(catalog) == 1"
    run(module, text).assert_outcomes(passed=1)


def test_a_module_that_supports_no_system(module: pytest.Pytester) -> None:
    (module.path / "metadata.json").write_text('{"name": "me-motd"}')
    result = run(module, "@pytest.mark.puppet_systems\ndef test_a(catalog): pass")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines("*metadata.json: operatingsystem_support names no system")


def test_coverage(module: pytest.Pytester) -> None:
    text = "def test_a(catalog): assert 'File[/etc/motd]' in catalog and 'Package[motd]' in catalog"
    result = run(module, text, "--puppet-coverage")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "*coverage of Puppet code*",
            "module motd: 2 of 5 resources looked at (40.0 %)",
            "not looked at:",
            "  Class[[]Motd::Package]",
            "  Class[[]Motd]",
            "  Service[[]motd-news]",
            "never compiled:",
            "  motd::line",
        ]
    )
    assert run(module, text, "--puppet-coverage=40").ret == 0
    result = run(module, text, "--puppet-coverage=41")
    assert result.ret == 1
    result.stdout.fnmatch_lines("less than the 41 % of --puppet-coverage")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def test_a(): pass", "nothing was compiled of any module"),
        ("def test_a(puppet): assert puppet.call('upcase', 'a') == 'A'",
         "module motd: nothing was compiled"),
    ],
)  # fmt: skip
def test_coverage_of_nothing(module: pytest.Pytester, text: str, told: str) -> None:
    result = run(module, text, "--puppet-coverage=95")
    result.assert_outcomes(passed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(told)
    assert run(module, text, "--puppet-coverage").ret == 0


@pytest.mark.parametrize("number", ["-1", "101", "nan", "x"])
def test_coverage_is_a_percentage(module: pytest.Pytester, number: str) -> None:
    result = run(module, "def test_a(): pass", f"--puppet-coverage={number}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(f"*a number from 0 to 100*, not '{number}'*")


@pytest.mark.slow
def test_coverage_of_several_processes(module: pytest.Pytester) -> None:
    write(
        module,
        "def test_a(catalog): assert 'File[/etc/motd]' in catalog\n"
        "def test_b(catalog): assert 'Package[motd]' in catalog\n",
    )
    result = module.runpytest_subprocess("-q", "-n2", "--puppet-coverage=40")
    assert result.ret == 0
    result.stdout.fnmatch_lines("module motd: 2 of 5 resources looked at (40.0 %)")


def test_runs_that_do_not_use_it_load_no_interpreter(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_a="import sys\ndef test_a():\n"
        "    loaded = [name for name in sys.modules if name.startswith('puppet_repl')]\n"
        "    assert sorted(loaded) == ['puppet_repl', 'puppet_repl.base', "
        "'puppet_repl.base.modules', 'puppet_repl.integrations', "
        "'puppet_repl.integrations.pytest', 'puppet_repl.integrations.pytest.plugin']\n"
        "    assert 'hypothesis' not in sys.modules\n"
    )
    pytester.runpytest_subprocess("-q", "-p", "no:hypothesispytest").assert_outcomes(passed=1)


def test_pytest_does_not_rewrite_the_interpreter(module: pytest.Pytester) -> None:
    write(
        module,
        "import sys\ndef test_a(catalog):\n"
        "    loader = type(sys.modules['puppet_repl.session'].__spec__.loader)\n"
        "    assert loader.__name__ == 'SourceFileLoader'\n",
    )
    module.runpytest_subprocess("-q").assert_outcomes(passed=1)


def test_a_markers_page_lists_them() -> None:
    command = [sys.executable, "-m", "pytest", "--markers", "-p", "no:cacheprovider"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "@pytest.mark.puppet_systems(*names):" in done.stdout


def test_files_that_the_module_does_not_have_are_warnings(module: pytest.Pytester) -> None:
    tests = """
def test_one(puppet):
    cat = puppet.compile("file { '/x': source => 'puppet:///modules/motd/nope' }")
    (message,) = cat.missing_sources
    assert message.startswith("File[/x]: the module motd has no file files/nope")
"""
    result = run(module, tests)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*UserWarning: File?/x?: the module motd has no file files/nope*"])
