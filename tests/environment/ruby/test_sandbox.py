"""The sandbox: what code in it can do, what it cannot, and that the session goes on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import needs_sandbox
from tests.environment.ruby.sandbox import Probe, make_module

pytestmark = needs_sandbox


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return Probe(make_module(tmp_path_factory.mktemp("modules")))


REFUSED = (
    ("system('ls')", "system(ls) is not available"),
    ("`ls`", "`ls` is not available"),
    ("fork", "fork is not available"),
    ("spawn('ls')", "spawn(ls) is not available"),
    ("exec('ls')", "exec(ls) is not available"),
    ("Process.spawn('ls')", "Process.spawn is not available"),
    ("IO.popen('ls')", "IO.popen is not available"),
    ("exit", "exit is not available"),
    ("exit!", "exit! is not available"),
    ("abort('no')", "abort(no) is not available"),
    ("Thread.new { 1 }", "Thread.new is not available"),
    ("File.read('/etc/passwd')", "Permission denied @ rb_sysopen - /etc/passwd (Ruby code"),
    ("File.write('/etc/x', '')", "Read-only file system @ rb_sysopen - /etc/x (Ruby code"),
    ("Dir.entries('/etc')", "Permission denied"),
    ("Dir.mkdir('/etc/x')", "Read-only file system"),
    ("Dir.rmdir('/tmp')", "Read-only file system"),
    ("File.chmod(0o600, '/etc/passwd')", "Read-only file system"),
    ("File.rename('/etc/passwd', '/tmp/x')", "Read-only file system"),
    ("File.link('/etc/passwd', '/tmp/x')", "Read-only file system"),
    ("File.unlink('/etc/passwd')", "Read-only file system"),
    ("File.symlink('/etc', '/tmp/x')", "Read-only file system"),
    ("require 'socket'; TCPSocket.new('localhost', 1)", "TCPSocket.new is not available"),
    ("require 'socket'; UDPSocket.new", "UDPSocket.new is not available"),
    ("require 'open3'; Open3.capture2('ls')", "IO.pipe is not available"),
    ("require 'resolv'; Resolv.getaddress('localhost')", "Permission denied"),
    (
        "require 'net/http'; Net::HTTP.get(URI('http://localhost/'))",
        "TCPSocket.open is not availab",
    ),
    ("require 'net/http'; Net::HTTP.get(URI('https://localhost/'))", "TCPSocket.open is not avail"),
    ("require 'open-uri'; URI.open('https://localhost/')", "TCPSocket.open is not available"),
    ("OpenSSL::SSL::SSLSocket.new(1)", "OpenSSL::SSL::SSLSocket.new is not available"),
    ("'a' * (600 << 20)", "failed to allocate memory"),
    ("x = []; loop { x << 'a' * 100 }", "needs more memory than it may have"),
    ("def deep(n) = deep(n + 1)\ndeep(0)", "stack level too deep"),
    ("def deeper(n) = [1].each { deeper(n + 1) }\ndeeper(0)", "stack level too deep"),
    ("a = []; 30_000.times { a = [a] }; a.inspect", "stack level too deep"),
)


@pytest.mark.parametrize(("code", "message"), REFUSED, ids=[code for code, _ in REFUSED])
def test_what_is_refused_is_an_error_and_the_session_goes_on(
    probe: Probe, code: str, message: str
) -> None:
    error = probe.outcome(code).error
    assert error is not None
    assert message in error.message
    if "stack level too deep" not in message:  # Puppet reports that one without a location
        assert "Error while evaluating a Function Call" in str(error)
    assert probe.value("1 + 1") == 2


REDEFINITIONS = (
    ("class String\ndef length = 1\nend", "String#length"),
    ("class String\ndef +(other) = 1\nend", "String#+"),
    ("class Array\nalias_method :each, :map\nend", "Array#each"),
    ("Hash.define_method(:[]) { |key| 1 }", "Hash#[]"),
    ("Integer.send(:remove_method, :to_s)", "Integer#to_s"),
    ("String.send(:undef_method, :to_s)", "String#to_s"),
    ("def Time.now = 1", "Time.now"),
    ("def IO.read(*) = 1", "IO.read"),
    ("module Kernel\ndef raise(*) = 1\nend", "Kernel#raise"),
    ("def puts(*) = 1", None),
    ("String = 1", "String"),
    ("Object.send(:remove_const, :String)", "String"),
    ("Object.class_eval { remove_const 'Hash' }", "Hash"),
    ("class String\nprepend(Module.new { def length = 1 })\nend", "String#length"),
    ("class Object\ndef inspect = 1\nend", None),
)


@pytest.mark.parametrize(("code", "name"), REDEFINITIONS, ids=[code for code, _ in REDEFINITIONS])
def test_methods_of_ruby_cannot_be_replaced(tmp_path: Path, code: str, name: str | None) -> None:
    probe = Probe(make_module(tmp_path))  # a Ruby that no other test sees
    if name is None:
        # These hide a method of Kernel: they are additions to Object.
        probe.outcome(code)
    else:
        assert f"Ruby code of modules may not redefine {name} here" in probe.error(code)
    assert probe.value("'äb'.length + { 'a' => 1 }['a'] + [1].each { |x| x }.sum") == 4
    assert probe.value("1.to_s + 'x'.to_s + String.new('y')") == "1xy"


ALLOWED = (
    ("class String\ndef shout = upcase + '!'\nend\n'a'.shout", "A!"),
    ("class Hash\ndef with(x) = merge(x)\nend\nclass Hash\ndef with(x) = 1\nend\n{}.with(1)", 1),
    ("class Twice < String\ndef to_s = super * 2\nend\nTwice.new('a').to_s", "aa"),
    ("require 'bigdecimal/util'; '1.5'.to_d.to_s('F')", "1.5"),
    ("require 'json/add/core'; require 'pp'; require 'digest/sha2'; 1", 1),
    ("RUBY_VERSION[0, 3]", "3.2"),
    ("File.exist?('/etc/passwd')", False),
    ("require 'ipaddr'; IPAddr.new('10.1.0.0/16').include?('10.1.2.3')", True),
    ("require 'timeout'; Timeout.timeout(3) { 4 }", 4),
    ("require 'openssl'; OpenSSL::Digest::MD5.hexdigest('')", "d41d8cd98f00b204e9800998ecf8427e"),
    ("require 'csv'; CSV.parse_line('a,b').join('|')", "a|b"),
    ("'ä'.encoding.to_s + 'ä'.length.to_s", "UTF-81"),
    ("(::Time.now.to_i - Process.clock_gettime(Process::CLOCK_REALTIME)).abs < 5", True),
    ("ENV['PATH'].nil?", True),
    ("$stdin.read", ""),
)


@pytest.mark.parametrize(("code", "value"), ALLOWED, ids=[code for code, _ in ALLOWED])
def test_what_is_allowed(probe: Probe, code: str, value: object) -> None:
    assert probe.value(code) == value


def test_links_out_of_a_module_lead_nowhere(tmp_path: Path) -> None:
    secret = tmp_path / "outside" / "secret"
    secret.parent.mkdir()
    secret.write_text("secret")
    modules = make_module(tmp_path / "modules")
    evil = modules / "evil"
    (evil / "lib").mkdir(parents=True)
    (evil / "files").symlink_to(tmp_path / "outside")
    (evil / "metadata.json").symlink_to(secret)
    (evil / "lib" / "deep").symlink_to(secret.parent)
    (evil / "lib" / "own").write_text("own")
    (evil / "templates").symlink_to("lib")
    probe = Probe(modules)
    for path in ("files/secret", "metadata.json", "lib/deep/secret", "lib/../../../outside/secret"):
        assert "Permission denied" in probe.error(f"File.read('{evil / path}')")
    assert probe.value(f"File.read('{evil}/templates/own')") == "own"
    # What cannot be seen does not keep the rest of a directory from being listed.
    assert probe.value(f"Dir.children('{evil}/lib')") == ("own",)


def test_data_and_libraries_of_an_environment_are_visible(tmp_path: Path) -> None:
    environment = tmp_path / "production"
    make_module(environment / "modules")
    for name in ("data", "hieradata", "lib", "secrets"):
        (environment / name).mkdir()
        (environment / name / "a").write_text(f"in {name}")
    probe = Probe(environment / "modules")
    probe.session = Session(Options(environment=str(environment), ruby="sandbox"), facts={})
    for name in ("data", "hieradata", "lib"):
        assert probe.value(f"File.read('{environment}/{name}/a')") == f"in {name}"
    assert "Permission denied" in probe.error(f"File.read('{environment}/secrets/a')")


def test_a_linked_module_is_visible(tmp_path: Path) -> None:
    lib = tmp_path / "elsewhere" / "lib"
    lib.mkdir(parents=True)
    (lib / "a").write_text("a")
    modules = make_module(tmp_path / "modules")
    (modules / "linked").symlink_to(tmp_path / "elsewhere")
    assert Probe(modules).value(f"File.read('{modules}/linked/lib/a')") == "a"


def test_a_file_from_before_1970(tmp_path: Path) -> None:
    path = make_module(tmp_path) / "probe" / "lib" / "old"
    path.write_text("old")
    os.utime(path, (-1000, -1000))
    assert Probe(tmp_path).value(f"[File.mtime('{path}').to_i, File.read('{path}')]") == (0, "old")


def test_random_numbers_differ_between_sessions(tmp_path: Path) -> None:
    make_module(tmp_path)
    code = "require 'securerandom'; [rand, Random.rand, SecureRandom.hex, Random.new.rand]"
    first, second = Probe(tmp_path).value(code), Probe(tmp_path).value(code)
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    assert all(one != other for one, other in zip(first, second, strict=True))


def test_sessions_share_nothing(tmp_path: Path) -> None:
    make_module(tmp_path)
    probes = [Probe(tmp_path) for _ in range(5)]
    for number, each in enumerate(probes):
        assert each.value(f"$number = {number}") == number
    # Three Rubies are kept, and a new one loads the function again.
    assert [each.value("$number") for each in probes[-3:]] == [2, 3, 4]
    assert probes[0].value("$number") is None
    assert all(each.value("1") == 1 for each in probes)


def test_what_code_prints_goes_to_the_error_output(
    probe: Probe, capsys: pytest.CaptureFixture[str]
) -> None:
    assert probe.value("puts 'one'; $stderr.puts 'two'; 3") == 3
    assert capsys.readouterr() == ("", "one\ntwo\n")


def test_warnings_are_printed(probe: Probe, capsys: pytest.CaptureFixture[str]) -> None:
    assert probe.value("warn 'one', 'two'; 3") == 3
    code = (
        "inline_template('<% warn %q{three}; warn %q{four}, uplevel: 0 %><%= $VERBOSE.inspect %>')"
    )
    outcome = probe.session.execute(code)
    assert outcome.value == "false"
    assert capsys.readouterr() == ("", "one\ntwo\nthree\n(erb):1: warning: four\n")


@pytest.fixture(scope="module")
def nested(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    path = make_module(tmp_path_factory.mktemp("nested"))
    functions = path / "probe" / "lib" / "puppet" / "functions" / "probe"
    (functions / "back.rb").write_text(
        "Puppet::Functions.create_function(:'probe::back') do\n"
        "  dispatch(:run) { param 'Integer', :n; block_param }\n"
        "  def run(n) = n.times.map { |i| yield(i) }\n"
        "end\n"
    )
    return Probe(path)


def test_calls_at_any_depth(nested: Probe) -> None:
    code = (
        "probe::back(2) |$i| { probe::back(2) |$j| { probe::back(3) |$k| {"
        " probe::run('begin; Integer(%q(x)); rescue ArgumentError; 2; end') } } }"
    )
    outcome = nested.session.execute(code)
    assert outcome.error is None, outcome.error
    assert outcome.value == (((2, 2, 2),) * 2,) * 2


@pytest.mark.slow
def test_garbage_of_inner_calls_is_collected_later(nested: Probe) -> None:
    code = "probe::back(60) |$i| { probe::run('(1..60_000).map { |i| i.to_s }.size') }"
    outcome = nested.session.execute(code)
    assert outcome.error is None, outcome.error


def test_what_switches_stacks_works_at_any_depth(nested: Probe) -> None:
    for code in (
        "[3].each_slice(1).next",
        "catch(:a) { throw :a, [3] }",
        "Fiber.new { [3] }.resume",
    ):
        assert nested.value(code) == (3,)
        outcome = nested.session.execute(f"probe::back(1) |$i| {{ probe::run('{code}') }}")
        assert outcome.error is None, outcome.error
        assert outcome.value == ((3,),)


ZONES = (
    ("::Time.at(0).to_s", "1970-01-01 01:00:00 +0100"),
    ("::Time.at(1_720_000_000).strftime('%F %T %z %Z')", "2024-07-03 11:46:40 +0200 CEST"),
    ("::Time.at(1_720_000_000).zone", "CEST"),
    ("::Time.new(2024, 1, 2, 3).to_i", 1_704_160_800),
    ("::Time.local(2024, 7, 2, 3).to_i", 1_719_882_000),
    ("::Time.utc(2024, 7, 2, 3).localtime.hour", 5),
    ("::Time.utc(2024, 7, 2, 3).to_s", "2024-07-02 03:00:00 UTC"),
    ("::Time.at(0, in: '+03:00').hour", 3),
    ("::Time.now.utc_offset == ::Time.at(::Time.now.to_i).utc_offset", True),
    ("(::Time.now - ::Time.now.utc).abs < 1", True),
    ("::Time.at(0).dst?", False),
    ("::Time.parse('2024-07-02 03:00').to_i", 1_719_882_000),
)


@pytest.fixture(scope="module")
def berlin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Probe]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield Probe(make_module(tmp_path_factory.mktemp("modules")))
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be set")
@pytest.mark.parametrize(("code", "value"), ZONES, ids=[code for code, _ in ZONES])
def test_the_zone_is_that_of_the_process(berlin: Probe, code: str, value: object) -> None:
    assert berlin.value(code) == value


def test_a_module_on_the_path_itself(tmp_path: Path) -> None:
    module = make_module(tmp_path) / "probe"
    parts = ("name", "version", "author", "license", "source")
    metadata = {**dict.fromkeys(parts, "me-probe"), "dependencies": []}
    (module / "metadata.json").write_text(json.dumps(metadata))
    (tmp_path / "beside").mkdir()
    assert Probe(module.rename(tmp_path / "puppet-probe")).value("1 + 1") == 2
