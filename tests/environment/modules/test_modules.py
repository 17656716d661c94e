"""Finding modules and loading what they define."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.environment.modules.listings import Listings
from puppet_repl.environment.modules.modules import (
    find_modules,
    is_module_name,
    short_name,
)
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files


def session(root: Path, files: dict[str, str], **options: Any) -> Session:
    """A session with modules."""
    write_files(root, files)
    return Session(Options(modulepath=(str(root),), **options), facts={})


def logs(one: Session, code: str) -> list[str]:
    """What an input logs; it must succeed."""
    outcome = one.execute(code)
    assert outcome.error is None, outcome.error
    return [text for _, text in outcome.logs]


def refused(one: Session, code: str) -> str:
    """The message of an input that must fail."""
    outcome = one.execute(code)
    assert outcome.error is not None
    return outcome.error.message


@pytest.mark.parametrize(
    ("name", "valid"),
    [("stdlib", True), ("a_1", True), ("puppetlabs-stdlib", False), ("_x", False), ("A", False)],
)
def test_module_names(name: str, valid: bool) -> None:
    assert is_module_name(name) is valid


def test_short_names() -> None:
    assert short_name("puppetlabs-stdlib") == short_name("puppetlabs/stdlib") == "stdlib"


def test_directory_named_by_its_metadata(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "puppetlabs-ntp/metadata.json": '{"name": "puppetlabs-ntp", "version": "1.2.3", '
            '"dependencies": [{"name": "puppetlabs/stdlib"}]}',
            "broken-one/metadata.json": "{",
            "plain/manifests/init.pp": "",
        },
    )
    modules = find_modules((str(tmp_path), str(tmp_path / "missing")), Listings())
    assert list(modules) == ["plain", "ntp"]
    assert modules["ntp"].version == "1.2.3"
    assert modules["ntp"].dependencies == ["stdlib"]


def test_a_directory_of_the_path_that_is_a_module(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "puppet-ntp/metadata.json": '{"name": "puppetlabs-ntp"}',
            "puppet-ntp/manifests/init.pp": "",
            "others/plain/manifests/init.pp": "",
            "others/metadata.json": "{",
        },
    )
    modules = find_modules((str(tmp_path / "puppet-ntp"), str(tmp_path / "others")), Listings())
    assert {name: module.path for name, module in modules.items()} == {
        "ntp": str(tmp_path / "puppet-ntp"),
        "plain": str(tmp_path / "others" / "plain"),
    }


def test_first_directory_of_the_path_wins(tmp_path: Path) -> None:
    write_files(tmp_path, {"one/m/x": "", "two/m/x": ""})
    modules = find_modules((str(tmp_path / "one"), str(tmp_path / "two")), Listings())
    assert modules["m"].path == str(tmp_path / "one" / "m")


def test_autoload_of_everything(tmp_path: Path) -> None:
    one = session(
        tmp_path,
        {
            "m/manifests/init.pp": "class m($x = m::f(20)) inherits m::params { notice($x) }",
            "m/manifests/params.pp": "class m::params { $p = $module_name }",
            "m/manifests/d.pp": 'define m::d(M::Port $port) { notice("${title} ${port}") }',
            "m/manifests/deep/er.pp": "class m::deep::er { notice('deep') }",
            "m/functions/f.pp": "function m::f($n) { m::inner::g($n) + 1 }",
            "m/functions/inner/g.pp": "function m::inner::g($n) { $n * 2 }",
            "m/types/port.pp": "type M::Port = Integer[1, 65535]",
            "m/templates/t.epp": "<%- | $v | -%>\nv=<%= $v %>",
        },
    )
    assert logs(one, "include m  include m::deep::er notice($m::params::p)") == [
        "41",
        "deep",
        "m",
    ]
    assert logs(one, "m::d { 't': port => 80 }") == ["t 80"]
    assert logs(one, "notice(epp('m/t.epp', {v => 1}))") == ["v=1"]
    assert "M::Port" in refused(one, "m::d { 'u': port => 0 }")


def test_class_in_the_file_of_its_parent(tmp_path: Path) -> None:
    one = session(
        tmp_path, {"m/manifests/init.pp": "class m { } class m::other { notice('found') }"}
    )
    assert logs(one, "include m::other") == ["found"]


UNACCEPTABLE = "is unacceptable as a top level construct in this location"


@pytest.mark.parametrize(
    ("file", "text", "code", "message"),
    [
        (
            "manifests/init.pp",
            "notice('outside') class m { }",
            "include m",
            f"This Function Call {UNACCEPTABLE}",
        ),
        (
            "manifests/q/r.pp",
            "class m::q::r { } node default { }",
            "include m::q::r",
            f"This Node Definition {UNACCEPTABLE}",
        ),
        (
            "functions/f.pp",
            "function m::f() { } notice(1)",
            "m::f()",
            f"This Function Call {UNACCEPTABLE}",
        ),
        (
            "manifests/init.pp",
            "class other { }",
            "include m",
            "Unacceptable location. The name 'other' is unacceptable in file 'FILE'",
        ),
        (
            "functions/f.pp",
            "function m::g() { }",
            "m::f()",
            "Unacceptable location. The name 'm::g' is unacceptable in file 'FILE'",
        ),
        (
            "manifests/z.pp",
            "class m { } $x = 1 include m::z",
            "include m::z",
            "Language validation logged 3 errors. Giving up",
        ),
    ],
)
def test_what_may_stand_in_files_of_modules(
    tmp_path: Path, file: str, text: str, code: str, message: str
) -> None:
    one = session(tmp_path, {f"m/{file}": text})
    path = os.path.join(str(tmp_path), "m", *file.split("/"))
    assert refused(one, code) == message.replace("FILE", path)


def test_which_files_are_read_for_a_class(tmp_path: Path) -> None:
    files = {
        "m/manifests/init.pp": "class m { }",
        "m/manifests/a.pp": "class m::a { }",
        "m/manifests/a/b.pp": "class m::a::b { }",
    }
    one = session(tmp_path, files)
    one.execute("include m::a::b")
    environment = one.environment
    read = [
        os.path.relpath(path, tmp_path / "m/manifests") for path in environment.autoloader.loaded
    ]
    assert read == ["init.pp", os.path.join("a", "b.pp")]


@pytest.mark.parametrize(
    ("file", "text", "code", "message"),
    [
        ("functions/f.pp", "", "m::f()", "does not define the function 'm::f' - it is empty."),
        (
            "functions/f.pp",
            "function m::f() { } function m::fg() { }",
            "m::f()",
            "must contain only the function 'm::f' - it has additional definitions.",
        ),
        (
            "functions/f.pp",
            "class m::f { }",
            "m::f()",
            "does not define the function 'm::f' - no function found.",
        ),
        (
            "functions/f.pp",
            "function m::fg() { }",
            "m::f()",
            "produced function with the wrong name, expected m::f, actual m::fg",
        ),
        (
            "types/t.pp",
            "type M::U = Integer",
            "notice(M::T)",
            "produced type with the wrong name, expected 'm::t', actual 'M::U'",
        ),
        (
            "types/t.pp",
            "function m::t() { }",
            "notice(M::T)",
            "does not define the type 'm::t' - no type alias or type definition found.",
        ),
    ],
)
def test_misplaced_content(tmp_path: Path, file: str, text: str, code: str, message: str) -> None:
    one = session(tmp_path, {f"m/{file}": text})
    path = os.path.join(str(tmp_path), "m", *file.split("/"))
    assert f"The code loaded from {path} {message}" in refused(one, code)


def test_broken_file_is_reported_with_its_place(tmp_path: Path) -> None:
    one = session(tmp_path, {"m/manifests/init.pp": "class m {\n  $x = = 1\n}"})
    outcome = one.execute("include m")
    assert outcome.error is not None
    assert outcome.error.line == 2
    assert outcome.error.file == str(tmp_path / "m" / "manifests" / "init.pp")


def test_changed_file_is_loaded_again(tmp_path: Path) -> None:
    one = session(
        tmp_path,
        {
            "m/manifests/init.pp": "class m { notice(m::f()) notice(5 =~ M::T) }",
            "m/functions/f.pp": "function m::f() { 'old' }",
            "m/types/t.pp": "type M::T = Integer",
        },
    )
    assert logs(one, "include m") == ["old", "true"]
    write_files(
        tmp_path,
        {
            "m/manifests/init.pp": "class m { notice('changed') notice(m::f()) notice(5 =~ M::T) }",
            "m/functions/f.pp": "function m::f() { 'new one' }",
            "m/types/t.pp": "type M::T = String[1]",
        },
    )
    assert logs(one, "include m") == ["changed", "new one", "false"]


def test_file_added_later_is_found(tmp_path: Path) -> None:
    one = session(tmp_path, {"m/manifests/init.pp": "class m { }"})
    assert "Could not find class ::m::late" in refused(one, "include m::late")
    write_files(tmp_path, {"m/manifests/late.pp": "class m::late { notice('late') }"})
    assert logs(one, "include m::late") == ["late"]


def test_what_a_failed_input_loaded_is_loaded_again(tmp_path: Path) -> None:
    one = session(
        tmp_path,
        {
            "m/manifests/init.pp": "class m { }",
            "m/functions/f.pp": "function m::f() { 'f' }",
        },
    )
    refused(one, "include m notice(m::f()) fail('x')")
    assert logs(one, "include m notice(m::f())") == ["f"]


def test_ruby_function_is_known_and_not_run(tmp_path: Path) -> None:
    one = session(
        tmp_path,
        {
            "m/lib/puppet/functions/m/f.rb": "",
            "m/lib/puppet/parser/functions/old.rb": "",
        },
        ruby="off",
    )
    path = tmp_path / "m" / "lib" / "puppet"
    assert f"The function 'm::f' is in Ruby ({path}/functions/m/f.rb), which cannot be" in refused(
        one, "m::f(1)"
    )
    assert "The function 'old' is in Ruby" in refused(one, "old('x')")
    assert "Unknown function: 'nope'" in refused(one, "nope('x')")


def test_stubs_replace_functions_in_ruby(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "modules/m/lib/puppet/functions/m/f.rb": "",
            "stubs.pp": "function m::f($x) { \"stub ${x}\" } function old() { 'old stub' }",
        },
    )
    stubs = tmp_path / "stubs.pp"
    one = Session(Options(modulepath=(str(tmp_path / "modules"),), stubs=(str(stubs),)), facts={})
    refused(one, "notice(m::f(1)) fail('x')")
    assert logs(one, "notice(m::f(1), old())") == ["stub 1 old stub"]
    stubs.write_text('function m::f($x) { "changed ${x}" }', encoding="utf-8")
    assert logs(one, "notice(m::f(1))") == ["changed 1"]
    missing = Session(Options(stubs=(str(tmp_path / "missing.pp"),)), facts={})
    assert "missing.pp (--stubs) cannot be read" in refused(missing, "nosuch()")


def test_ruby_resource_type_is_checked(tmp_path: Path) -> None:
    one = session(
        tmp_path,
        {
            "m/lib/puppet/type/thing.rb": """
              Puppet::Type.newtype(:thing) do
                ensurable
                newparam(:path, :namevar => true)
                newproperty(:size)
              end
            """
        },
    )
    assert logs(one, "thing { '/x': ensure => present, size => 1 } notice(Thing['/x'][size])") == [
        "1"
    ]
    assert "no parameter named 'colour'" in refused(one, "thing { '/y': colour => 1 }")
    assert "Cannot alias Thing[z]" in refused(one, "thing { '/y': } thing { 'z': path => '/y' }")


def test_environment_directory(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "environment.conf": "# comment\nmodulepath = site:modules:$basemodulepath\n",
            "manifests/b.pp": "notice('b')",
            "manifests/a.pp": "notice('a')",
            "site/role/manifests/web.pp": "class role::web { notice($environment) }",
            "functions/environment/f.pp": "function environment::f() { 'own' }",
            "functions/g.pp": "function g() { 'global' }",
        },
    )
    directory = str(tmp_path)
    one = Session(Options(environment=directory), facts={})
    assert logs(one, "include role::web notice(environment::f(), g())") == [
        tmp_path.name,
        "own global",
    ]


def test_names_that_modules_could_provide(tmp_path: Path) -> None:
    one = session(
        tmp_path,
        {
            "m/manifests/init.pp": "# The\nclass m($x = 1) { }",
            "m/manifests/a/b.pp": "define m::a::b { }",
            "m/manifests/nothing.pp": "# class m::nothing { }",
            "m/functions/f.pp": "",
            "m/types/t.pp": "",
            "m/lib/puppet/functions/g.rb": "",
            "m/lib/puppet/type/thing.rb": "",
        },
    )
    environment = one.environment
    assert environment.names_of("classes") == ["m"]
    assert environment.names_of("defined_types") == ["m::a::b"]
    assert environment.names_of("functions") == ["g", "m::f"]
    assert environment.names_of("types") == ["M::T"]
    assert environment.names_of("resource_types") == ["thing"]


def test_files_of_modules(tmp_path: Path) -> None:
    one = session(tmp_path, {"m/files/a/b.txt": "x", "m/templates/t.epp": "y"})
    environment = one.environment
    assert environment.find_file("files", "m/a/b.txt") == str(tmp_path / "m/files/a/b.txt")
    assert environment.find_file("files", "m/nope") is None
    assert environment.find_file("files", "nope/a") is None
    assert environment.module_directory("m") == str(tmp_path / "m")
    assert environment.load_template("m/t.epp").text == "y"


def test_a_function_that_puppet_lacks_is_hidden_by_that_of_a_module(tmp_path: Path) -> None:
    environment = tmp_path / "environments/production"
    path = environment / "modules/debug/functions/break.pp"
    path.parent.mkdir(parents=True)
    path.write_text('function debug::break($n = 1) { "mine ${n}" }\n')
    command = [sys.executable, "-m", "puppet_repl", "--environment", str(environment)]
    for code in ("debug::break()", "[2].map |$i| { $i.debug::break }", "call('debug::break', 3)"):
        done = subprocess.run([*command, "-e", code], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        assert "mine" in done.stdout
    path.unlink()
    done = subprocess.run([*command, "-e", "debug::break()"], capture_output=True, text=True)
    assert "has not stopped the code" in done.stderr


def test_the_own_function_of_the_user_hides_it_too() -> None:
    session = Session(facts={})
    assert session.execute("function debug::break() { 5 }\ndebug::break()").value == 5
    assert session.execute("debug::break()").value == 5
