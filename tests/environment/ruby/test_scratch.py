"""Files that Ruby code in the sandbox makes: in memory, as long as the session lives."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from puppet_repl.environment.ruby.sandbox.scratch import MAX_BYTES, MAX_FILES
from tests.environment.ruby.engine import needs_sandbox
from tests.environment.ruby.sandbox import Probe, make_module

pytestmark = needs_sandbox

_IN = "Dir.mkdir('/tmp/t') unless Dir.exist?('/tmp/t'); Dir.chdir('/tmp/t'); "


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return Probe(make_module(tmp_path_factory.mktemp("modules")))


# The values are what Ruby gives on a Linux for the same code.
MADE = (
    ("File.write('x', 'abc'); [File.read('x'), File.size('x'), File.file?('x')]", ("abc", 3, True)),
    ("File.write('a', 'b'); File.open('a', 'a') { |f| f << 'c' }; File.read('a')", "bc"),
    (
        "File.write('e', 'abcdef'); File.open('e', 'r+') { |f| f.seek(1); f << 'Z';"
        " f.truncate(4) }; File.read('e')",
        "aZcd",
    ),
    ("File.open('h', 'w') { |f| f.seek(2); f << 'x' }; File.binread('h').bytes", (0, 0, 120)),
    ("File.open('p', 'w+') { |f| f.pwrite('ab', 1); f.pread(2, 1) }", "ab"),
    (
        "File.write('o', '1'); File.rename('o', 'n'); [File.exist?('o'), File.read('n')]",
        (False, "1"),
    ),
    (
        "FileUtils.mkdir_p('d/e/f'); File.write('d/e/g', ''); Dir.glob('d/**/*').sort",
        ("d/e", "d/e/f", "d/e/g"),
    ),
    (
        "FileUtils.mkdir_p('m/n'); File.write('m/n/o', '5'); File.rename('m', 'q');"
        " IO.read('q/n/o')",
        "5",
    ),
    ("FileUtils.mkdir_p('r/s'); FileUtils.rm_r('r'); File.exist?('r')", False),
    ("File.write('c', '7'); FileUtils.cp('c', 'k'); File.unlink('c'); File.read('k')", "7"),
    ("File.write('u', ''); File.chmod(0o600, 'u') + File.chown(0, nil, 'u')", 2),
    ("Tempfile.create('a') { |f| f << 'hi'; f.flush; File.read(f.path) }", "hi"),
    ("f = Tempfile.new('q'); f << '1'; f.unlink; f.rewind; f.read", "1"),
    ("Dir.mktmpdir { |d| File.write(d + '/a', 'x'); Dir.children(d) }", ("a",)),
    (
        "require 'yaml/store'; YAML::Store.new('s').transaction { |s| s['a'] = 2 }; IO.read('s')",
        "---\na: 2\n",
    ),
)


@pytest.mark.parametrize(("code", "value"), MADE, ids=[code for code, _ in MADE])
def test_files_in_memory(probe: Probe, code: str, value: object) -> None:
    assert probe.value(_IN + code) == value


FAILING = (
    ("File.read('none')", "No such file or directory @ rb_sysopen - none"),
    ("File.write('f', ''); File.open('f', 'wx')", "File exists @ rb_sysopen - f"),
    ("Dir.mkdir('g'); Dir.mkdir('g')", "File exists @ dir_s_mkdir - g"),
    (
        "Dir.mkdir('i'); File.write('i/j', ''); Dir.rmdir('i')",
        "Directory not empty @ dir_s_rmdir - i",
    ),
    ("Dir.mkdir('l'); File.write('l', '')", "Is a directory @ rb_sysopen - l"),
    (f"File.write('v', 'x' * {MAX_BYTES + 1})", "No space left on device @ io_write - v"),
    (f"{MAX_FILES + 1}.times {{ |n| File.write(n.to_s, '') }}", "No space left on device"),
)


@pytest.mark.parametrize(("code", "message"), FAILING, ids=[code for code, _ in FAILING])
def test_what_fails_as_on_a_disk(probe: Probe, code: str, message: str) -> None:
    code = f"begin; {code}; ensure; Dir.chdir('/'); FileUtils.rm_rf('/tmp/t'); end"
    assert message in probe.error(_IN + code)


def test_removed_files_take_memory_while_they_are_open(probe: Probe) -> None:
    code = (
        "f = (1..9).map { |n| g = File.new('/tmp/g', 'w'); File.unlink('/tmp/g'); g << 'x' * %d }"
    )
    assert "No space left on device" in probe.error(code % (MAX_BYTES // 8))


def test_nothing_reaches_the_host(tmp_path: Path) -> None:
    probe = Probe(make_module(tmp_path))
    name = f"/tmp/{uuid4()}"
    assert probe.value(f"File.write('{name}', 'x'); Dir.children('/tmp').size > 0") is True
    assert not Path(name).exists()
    # A directory of the host that leads to a module holds nothing else, and stays as it is.
    assert "Read-only file system" in probe.error(f"File.write('{tmp_path}/x', '')")
    assert "Read-only file system" in probe.error(f"File.write('{tmp_path}/probe/lib/x', '')")
    assert "Permission denied" in probe.error(f"File.read('{tmp_path}/x')")


def test_sessions_have_files_of_their_own_over_a_new_ruby(tmp_path: Path) -> None:
    make_module(tmp_path)
    one, other = Probe(tmp_path), Probe(tmp_path)
    path = "File.join(Puppet[:vardir], 'kept')"
    assert one.value(f"File.write({path}, 'x')") == 1
    assert other.value(f"File.exist?({path})") is False
    assert "needs more memory" in one.error("x = []; loop { x << 'a' * 100 }")
    assert one.value(f"File.read({path})") == "x"
