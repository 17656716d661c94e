"""The rules that need other files: each warns of its example, of nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import puppet_repl.tools.validation
from puppet_repl.frontends.api.validation import validate
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.advice.rules import RULES
from puppet_repl.tools.validation import definitions, manifests
from puppet_repl.tools.validation.rules import REPOSITORY_RULES, RepositoryRule

CHECKS = Path(puppet_repl.tools.validation.__file__).parent
WARNS = re.compile(r'(?:context\.warn(?:_span)?\(|_warn_of\(\s*context,)\s*"([a-z_]+)"')
NAMES = [rule.name for rule in REPOSITORY_RULES]


def write(directory: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def broken_in(path: Path) -> list[str]:
    """Return the rules of this table that a file breaks, with their messages."""
    found = validate(path, advice=True)
    return [f"{each.code}: {each.message}" for each in found if each.code in NAMES]


def rules_broken(directory: Path, rule: RepositoryRule, code: str) -> list[str]:
    modules = directory / "modules"
    write(modules, {**rule.files, rule.path: code})
    return [each.partition(":")[0] for each in broken_in(modules / rule.path)]


@pytest.mark.parametrize("rule", REPOSITORY_RULES, ids=lambda rule: rule.name)
def test_the_example_of_a_rule_breaks_it_and_the_other_code_none(
    rule: RepositoryRule, tmp_path: Path
) -> None:
    assert rules_broken(tmp_path, rule, rule.example) == [rule.name]
    assert rules_broken(tmp_path, rule, rule.instead) == []


@pytest.mark.parametrize("rule", REPOSITORY_RULES, ids=lambda rule: rule.name)
def test_a_comment_switches_a_rule_off(rule: RepositoryRule, tmp_path: Path) -> None:
    assert rules_broken(tmp_path, rule, f"{rule.example} # lint:ignore:{rule.name}") == []


def test_the_table_has_every_rule_that_a_check_names() -> None:
    assert sorted({*NAMES}) == NAMES
    assert not {*NAMES} & {rule.name for rule in RULES}
    texts = [path.read_text("utf-8") for path in CHECKS.glob("*.py")]
    warned = {name for text in texts for name in WARNS.findall(text)}
    assert warned == {*NAMES}


MODULES = {
    "web/manifests/init.pp": "class web(Integer $port = 1, Sensitive[String] $key = undef) { }",
    "web/manifests/site.pp": "define web::site($port, Optional[Integer] $size) { }",
    "web/manifests/optional.pp": "define web::optional(Array[Enum[a, b]] $x = [a]) { }",
    "web/manifests/data.pp": "class web::data(Integer $x) { }",
    "web/manifests/set.pp": "define web::set($x) { }",
    "web/manifests/user.pp": "class web::user { Web::Set { x => 1 } }",
    "web/lib/puppet/type/web_page.rb": (
        "Puppet::Type.newtype(:web_page) do\n  newparam(:name)\n  newproperty(:size)\nend\n"
    ),
    "web/lib/puppet/type/web_open.rb": (
        "Puppet::Type.newtype(:web_open) do\n  newparam(:name)\n  instance_eval(&MORE)\nend\n"
    ),
    "web/templates/a.epp": "",
    "web/templates/b.erb": "",
    "web/templates/page.epp": "<%- | String $title_of, $size = 1 | -%><%= $title_of %>",
    "web/templates/none.epp": "<%- | | -%>",
    "web/manifests/base.pp": "class web::base { $root = '/srv' }",
    "web/manifests/child.pp": "class web::child inherits web::base { [$one, $two] = [1, 2] }",
    "web/manifests/orphan.pp": "class web::orphan inherits far::away { }",
    "web/manifests/ruby.pp": "class web::ruby { $x = inline_template('<% scope.setvar(1) %>') }",
    "web/files/here/x": "",
}


def findings(directory: Path, code: str, file: str = "app/manifests/init.pp") -> list[str]:
    write(directory / "modules", {**MODULES, file: code})
    return broken_in(directory / "modules" / file)


@pytest.mark.parametrize(
    "code",
    [
        # Names that vary, or that the code itself asks for.
        'class app($x) { include $x, "web::${x}", far::away }',
        "class app { if defined('web::more') { include web::more } }",
        "class app { if defined(Class['web::more']) { Class['web::more'] -> Class['app'] } }",
        "class app { notice(defined(Class['web::more'])) }",
        "class app($x) { notice(template($x, \"web/${x}.erb\", '/etc/x', 'far/x.erb')) }",
        "class app($x) { create_resources($x, {}) create_resources('class', { 'x' => {} }) }",
        # What is there.
        "class app { create_resources('@@web::site', {}) ensure_resource('file', '/x') }",
        "class app { include ::web Class['web'] -> Web::Site['x'] }",
        "class app { notice(epp('web/a'), epp('web/a.epp'), template('web/b.erb')) }",
        "class app { file { '/x': source => ['puppet:///modules/web/no', \"/x/${facts['x']}\"] } }",
        "class app { file { '/x': source => 'puppet:///modules/web/here', recurse => true } }",
        "class app { file { '/x': content => file('web/no', 'far/x') } }",
        "class app { notice($facts.dig('a'), 'a'.upcase, [1].each |$x| { }) }",
        # Attributes that all resources have, and values from elsewhere.
        "class app { class { 'web': name => 'x', stage => 'main', tag => 'y' } }",
        "class app { web::site { 'x': * => { port => 1 } } }",
        "class app { web::site { default: port => 1, size => 2; 'x': } }",
        "class app { web::set { 'x': } }",
        "class app { web_page { 'x': size => 1, provider => 'y', tag => 'z', name => 'n' } }",
        "class app { web_open { 'x': size => 1 } }",
        "class app { class { 'web': port => undef } class { 'web::data': x => undef } }",
        "class app { file { '/x': source => 'puppet:///modules/web/a%20b' } }",
        "class app($x) { class { 'web': port => $x } }",
        "class app { web::optional { 'x': x => [a, b] } }",
        # Defaults that fit, that are computed, or whose type is not known.
        "class app(Enum[on] $a = on, Integer[1] $b = $a, Far::Type[1] $c = 'x', $d = 1) { }",
        # Another rule tells of a default of another kind of data.
        "class app(Integer $port = 'x', Integer[0] $size = undef) { }",
        "function app::f(Integer[1] $x = 0) { $x } class app { [1].each |Integer[1] $x = 0| { } }",
        # Templates whose parameters are given or not known, or that take any.
        "class app { notice(epp('web/page', { title_of => 'x' }), epp('web/a', { x => 1 })) }",
        "class app($x) { notice(epp('web/page.epp', $x), epp('web/page', { $x => 1 })) }",
        "class app($x) { notice(epp('web/page', { title_of => 1 } + $x), epp($x), epp(*$x)) }",
        # Variables that a class, or one above it, may set.
        "class app { notice($web::port, $web::child::one, $web::child::root, $::web::title) }",
        "class app { notice($web::orphan::x, $far::away::x, $web::ruby::x, $web::site::x) }",
        "class app { if defined('$web::x') { notice($web::x) } notice(\"${web::base::root}\") }",
    ],
)
def test_what_is_right_or_may_be_is_not_reported(code: str, tmp_path: Path) -> None:
    assert findings(tmp_path, code) == []


# The messages about values are Puppet's own.
@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "class app { include web::usr }",
            "unknown_class: unknown class web::usr: the module web has none; "
            "did you mean web::user?",
        ),
        ("class app inherits web::no { }", "unknown_class: unknown class web::no"),
        ("class app { class { 'web::no': } }", "unknown_class: unknown class web::no"),
        ("class app { 'web::no'.contain }", "unknown_class: unknown class web::no"),
        ("class app { Class['web::no'] -> Class['app'] }", "unknown_class: unknown class web::no"),
        (
            "class app { web::user { 'x': } }",
            "unknown_type: unknown type web::user: that is a class",
        ),
        ("class app { contain web::site }", "unknown_class: web::site is a defined type, no class"),
        ("class app { Web::No <| |> }", "unknown_type: unknown type Web::No"),
        (
            "class app { create_resources('@web::sit', { 'x' => { port => 1 } }) }",
            "unknown_type: unknown type web::sit: the module web has none; did you mean web::site?",
        ),
        (
            "class app($x) { ensure_resource('web::user', $x) }",
            "unknown_type: unknown type web::user: that is a class: Class['web::user']",
        ),
        ("class app { web::site { 'x': port => 1 } }", "missing_parameter: the defined type"),
        (
            "class app { web::optional { 'x': x => [c] } }",
            "parameter_type: the defined type web::optional: parameter 'x' index 0 expects a "
            "match for Enum['a', 'b'], got 'c'",
        ),
        (
            "class app(Integer[1, 10] $port = 20) { }",
            "parameter_type: the class app: parameter 'port' expects an Integer[1, 10] value, "
            "got Integer[20, 20]",
        ),
        (
            "define app::x(Optional[Enum['on']] $x = ('of')) { }",
            "parameter_type: the defined type app::x: parameter 'x' expects an undef value or a "
            "match for Enum['on'], got 'of'",
        ),
        (
            "class app(Hash[String, Integer] $h = { 'a' => 'b' }) { }",
            "parameter_type: the class app: parameter 'h' entry 'a' expects an Integer value, "
            "got String",
        ),
        (
            "class app(Array[String] $list = [1]) { }",
            "parameter_type: the class app: parameter 'list' index 0 expects a String value, "
            "got Integer",
        ),
        (
            "class app { class { 'web': port => 'x' } }",
            "parameter_type: the class web: parameter 'port' expects an Integer value, got String",
        ),
        (
            "class app { class { 'web': prot => 1 } }",
            "unknown_parameter: the class web has no parameter prot; did you mean port?",
        ),
        (
            "class app { Class['web'] { prot => 1 } }",
            "unknown_parameter: the class web has no parameter prot; did you mean port?",
        ),
        (
            "class app { web_page { 'x': sise => 1 } }",
            "unknown_parameter: the type web_page has no parameter sise; did you mean size?",
        ),
        (
            'class app { notice(template("${module_name}/x.erb")) }',
            "missing_template: the module app has no file templates/x.erb",
        ),
        (
            "class app { file { '/x': source => ['puppet:///modules/web/x', "
            "'puppet:///modules/web/y'] } }",
            "missing_file: the module web has no file files/x",
        ),
        (
            "class app { notice(epp('web/page', { title_of => 'x', sise => 2 })) }",
            "unknown_parameter: the template web/page.epp has no parameter sise; "
            "did you mean size?",
        ),
        (
            "class app { notice('web/page.epp'.epp({ 'size' => 2 })) }",
            "missing_parameter: the template web/page.epp needs a value for title_of",
        ),
        (
            "class app { notice(epp('web/none', { x => 1 })) }",
            "unknown_parameter: the template web/none.epp has no parameter x",
        ),
        (
            'class app { notice("on ${web::prot}") }',
            "unknown_class_variable: the class web sets no $prot",
        ),
        (
            "class app { notice($web::child::three) }",
            "unknown_class_variable: the class web::child sets no $three",
        ),
        *(
            (
                f"class app {{ notice($web::prot) {key} }}",
                "unknown_class_variable: the class web sets no $prot",
            )
            for key in (
                "lookup('web::prot')",
                "hiera ( 'web::prot', 1 )",
                "lookup(['a', 'web::prot'])",
                "'web::prot'.lookup",
            )
        ),
        (
            "class app { file { '/x': content => file('web/x') } }",
            "missing_file: the module web has no file files/x",
        ),
    ],
)
def test_what_is_wrong_for_sure_is_reported(code: str, message: str, tmp_path: Path) -> None:
    found = findings(tmp_path, code)
    assert len(found) == 1
    assert found[0].startswith(message)


@pytest.mark.parametrize(
    ("code", "near"),
    [
        ("epp('web/pgae')", "page.epp"),
        ("epp('web/page.ep')", "page.epp"),
        ("template('web/conf/nme.erb')", "conf/name.erb"),
        # The same name in another directory, if only one file has it.
        ("template('web/name.erb')", "conf/name.erb"),
        ("epp('web/name')", None),
        ("file('web/hre/x')", "here/x"),
        ("file('web/c')", None),
    ],
)
def test_a_near_file_of_the_same_kind_is_offered(
    code: str, near: str | None, tmp_path: Path
) -> None:
    write(tmp_path / "modules", {"web/templates/conf/name.erb": "", "web/files/here/y": ""})
    (found,) = findings(tmp_path, f"class app {{ notice({code}) }}")
    assert found.partition("; did you mean ")[2] == (f"{near}?" if near else "")


def test_no_name_of_another_kind_is_offered(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "class app { include web::sit }")
    assert found == "unknown_class: unknown class web::sit: the module web has none"


def test_names_without_a_namespace_are_known_to_be_missing_in_a_whole_repository(
    tmp_path: Path,
) -> None:
    code = "class app { notice(no_such()) no_such { 'x': } }"
    write(tmp_path, {"environment.conf": "", "Puppetfile": "mod 'them-web'\nmod 'them-far'"})
    assert findings(tmp_path, code) == []
    write(tmp_path, {"Puppetfile": "mod 'them-web'"})
    assert findings(tmp_path, code) == [
        "unknown_function: unknown function no_such: the environment has no module with it",
        "unknown_type: unknown type no_such: the environment has no module with it",
    ]


METADATA = '{"name": "me-app", "dependencies": [{"name": "them/web"}]%s}'


@pytest.mark.parametrize(
    ("code", "module"),
    [
        ("include far::away", "far"),
        ("$x = far::away(1)", "far"),
        ("far::away { 'x': }", "far"),
        ("notice(1 =~ Far::Away)", "far"),
        ("notice(template('far/x.erb'))", "far"),
        ("file { '/x': source => 'puppet:///modules/far/x' }", "far"),
        ("notice(validate_re('a', 'b'))", "stdlib"),
        ("file_line { 'x': }", "stdlib"),
    ],
)
def test_a_module_that_is_used_has_to_be_named(code: str, module: str, tmp_path: Path) -> None:
    write(tmp_path / "modules", {"app/metadata.json": METADATA % ""})
    found = findings(tmp_path, f"class app {{ {code} }}")
    assert len(found) == 1
    assert found[0].startswith("undeclared_dependency: ")
    assert found[0].endswith(f" is of the module {module}, which metadata.json does not name")


def test_modules_that_are_named_or_optional_are_not_reported(tmp_path: Path) -> None:
    simp = ', "simp": {"optional_dependencies": [{"name": "simp/far"}]}'
    write(tmp_path / "modules", {"app/metadata.json": METADATA % simp})
    code = "class app { include web, far if defined('other::x') { include other } }"
    assert findings(tmp_path, code) == []
    # Examples use what they like.
    assert findings(tmp_path, "include another", "app/examples/init.pp") == []


@pytest.mark.parametrize("place", ["local", "modules/local"])
def test_a_control_repository_names_modules_in_its_puppetfile(place: str, tmp_path: Path) -> None:
    write(tmp_path, {"environment.conf": "modulepath = elsewhere"})
    code = "class app { include far no_such { 'x': } }"
    write(tmp_path / place, {"app/metadata.json": METADATA % "", "app/manifests/init.pp": code})
    assert broken_in(tmp_path / place / "app") == []


def test_a_parse_error_elsewhere_leaves_names_open(tmp_path: Path) -> None:
    write(tmp_path / "modules", {"web/manifests/bad.pp": "class web::bad {"})
    assert findings(tmp_path, "class app { include web::bad }") == []


def test_each_manifest_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def count(source: Source, **options: bool) -> ast.Program:
        parsed.append((source.name or "").rpartition("modules/")[2])
        return parse(source, **options)

    monkeypatch.setattr(definitions, "parse", count)
    monkeypatch.setattr(manifests, "parse", count)
    code = "class app { include web, zoo web::site { 'x': port => 1, size => 1 } }"
    write(tmp_path / "modules", {"zoo/manifests/init.pp": "class zoo { include app }"})
    findings(tmp_path, code)
    parsed.clear()
    validate(tmp_path / "modules", advice=True)
    files = {str(path.relative_to(tmp_path / "modules")) for path in tmp_path.rglob("*.*pp")}
    assert sorted(parsed) == sorted(files)


@pytest.mark.parametrize(
    ("statement", "codes"),
    [
        ("'idle'", ["IDEM_EXPRESSION_NOT_LAST", "unknown_class", "unquoted_file_mode"]),
        ("$a::b = 1", ["CROSS_SCOPE_ASSIGNMENT", "unknown_class", "unquoted_file_mode"]),
        # Several errors.
        (
            "'idle' $a::b = 1",
            [
                "CROSS_SCOPE_ASSIGNMENT",
                "IDEM_EXPRESSION_NOT_LAST",
                "unknown_class",
                "unquoted_file_mode",
            ],
        ),
        # Nothing else is said about the code that is refused.
        ('"idle ${no_such}"', ["IDEM_EXPRESSION_NOT_LAST", "unknown_class", "unquoted_file_mode"]),
        # Without a tree nothing can be said.
        ("$x = = 1", ["SYNTAX_ERROR"]),
    ],
)
def test_an_error_hides_no_warnings_about_other_code(
    statement: str, codes: list[str], tmp_path: Path
) -> None:
    code = f"class app {{ {statement} include web::no file {{ '/x': mode => 644 }} }}"
    write(tmp_path / "modules", {**MODULES, "app/manifests/init.pp": code})
    found = validate(tmp_path / "modules/app/manifests/init.pp", advice=True)
    assert sorted(each.code for each in found) == codes
    without = validate(tmp_path / "modules/app/manifests/init.pp")
    assert {each.code for each in without} == {each for each in codes if each.isupper()}
