"""Functions that read files of modules and of the machine, and generate()."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.language.types.text.format import program_text
from puppet_repl.session import Options, Session

CALL = "Evaluation Error: Error while evaluating a Function Call, "


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    files = {
        "web/files/motd": "hello\n",
        "web/files/bytes.bin": b"\xff\x00",
        "web/templates/page.epp": (
            "<%- | String $name, Integer $n = 2 | -%>\n<%= $name %>x<%= $n %>\n"
        ),
        "web/templates/free.epp": "<%= $given %> <%= $top %>",
        "web/templates/broken.epp": "<%= 1 + %>",
        "web/templates/old.erb": "<%= 1 %>",
        "db/manifests/init.pp": "class db { }\n",
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return tmp_path


def session(modules: Path, *, allow_generate: bool = False) -> Session:
    options = Options(modulepath=(str(modules),), allow_generate=allow_generate, ruby="off")
    return Session(options, facts={})


VALUES = [
    ("file('web/motd')", '"hello\\n"'),
    ("file('/no/such', 'no_module/x', 'web/motd')", '"hello\\n"'),
    ("file('MODULES/web/files/motd')", '"hello\\n"'),
    ("binary_file('web/bytes.bin').length", "2"),
    ("find_file('web/nope', 'web/motd')", "'MODULES/web/files/motd'"),
    ("find_file(['web/nope', 'web/motd'])", "'MODULES/web/files/motd'"),
    ("find_file('web')", "undef"),
    ("find_template('web/page.epp')", "'MODULES/web/templates/page.epp'"),
    ("module_directory('nope', 'db', 'web')", "'MODULES/db'"),
    ("module_directory(['nope'], ['web'])", "'MODULES/web'"),
    ("epp('web/page.epp', {name => 'a'})", '"ax2\\n"'),
    ("epp('web/page', {name => 'a', n => 3})", '"ax3\\n"'),
    ("epp('MODULES/web/templates/page.epp', {name => 'b'})", '"bx2\\n"'),
    ("$top = 'T' epp('web/free', {given => 1})", "'1 T'"),
    ("inline_template('plain')", "'plain'"),
]


@pytest.mark.parametrize(("code", "expected"), VALUES)
def test_value(modules: Path, code: str, expected: str) -> None:
    outcome = session(modules).execute(code.replace("MODULES", str(modules)))
    assert outcome.error is None, outcome.error
    assert program_text(outcome.value) == expected.replace("MODULES", str(modules))


ERRORS = [
    ("file('web/nope', 'x')", CALL + "Could not find any files from web/nope, x"),
    ("file('web/bytes.bin')", CALL + "file(): MODULES/web/files/bytes.bin is not UTF-8 text"),
    ("binary_file('web/nope')", CALL + "binary_file(): The given file 'web/nope' does not exist"),
    ("epp('web/page')", CALL + "lambda: expects a value for parameter 'name'"),
    ("epp('web/page', {name => 1})", CALL + "lambda: parameter 'name' expects a String value"),
    ("epp('web/nope')", CALL + "Could not find template 'web/nope.epp'"),
    ("epp('web/broken')", CALL + "epp(): Invalid EPP: Syntax error at '%>'"),
    ("template('web/nope.erb')", CALL + "Could not find template 'web/nope.erb'"),
    (
        "template('web/old.erb')",
        CALL + "The template 'web/old.erb' (MODULES/web/templates/old.erb) is in ERB, which needs",
    ),
    (
        "inline_template('<%= 1 %>')",
        CALL + "The text of inline_template() is in ERB, which needs Ruby",
    ),
    ("generate('date')", CALL + "Generators must be fully qualified"),
    (
        "generate('/bin/date;x')",
        CALL + "Generators can only contain alphanumerics, file separators, and dashes",
    ),
    ("generate('/bin/../x')", CALL + "Can not use generators with '..' in them."),
    ("generate('/bin/echo', 'hi')", CALL + "generate(): running /bin/echo is not allowed"),
]


@pytest.mark.parametrize(("code", "message"), ERRORS)
def test_error(modules: Path, code: str, message: str) -> None:
    outcome = session(modules).execute(code)
    assert outcome.error is not None
    assert outcome.error.message.startswith(message.replace("MODULES", str(modules)))


@pytest.mark.parametrize("code", ["template('web/old.erb')", "include web"])
def test_templates_in_epp_are_for_those_who_can_change_the_code(
    modules: Path, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code of a release is somebody else's, unless it is edited here."""
    (modules / "web" / "manifests").mkdir(exist_ok=True)
    init = modules / "web" / "manifests" / "init.pp"
    init.write_text("class web { notice(inline_template('<%= 1 %>')) }\n")

    def notes(code: str) -> tuple[str, ...]:
        error = session(modules).execute(code).error
        assert error is not None and "is in ERB, which needs Ruby" in error.message
        return error.notes

    hint = ("epp() and inline_epp() render templates in Puppet's own language",)
    assert notes(code) == hint
    (modules / "web" / "metadata.json").write_text(
        '{"name": "me-web", "version": "1.0.0", "author": "me", "license": "MIT", '
        '"summary": "", "source": "", "dependencies": []}'
    )
    assert notes(code) == ()
    assert notes("inline_template('<%= 1 %>')") == hint
    monkeypatch.chdir(modules / "web" / "templates")
    assert notes(code) == hint


def test_generate_where_it_is_allowed(modules: Path) -> None:
    running = session(modules, allow_generate=True)
    assert running.execute("generate('/bin/echo', 'hi', 2)").value == "hi 2\n"
    failed = running.execute("generate('/bin/cat', '/no/such/file')")
    assert failed.error is not None
    assert "Failed to execute generator /bin/cat: " in failed.error.message
    missing = running.execute("generate('/no/such/program')")
    assert missing.error is not None
    assert "Failed to execute generator /no/such/program: " in missing.error.message


def test_epp_sees_no_locals(modules: Path) -> None:
    code = "[1].each |$top| { epp('web/free', {given => 1}) }"
    outcome = session(modules).execute(code)
    assert outcome.error is not None
    assert "Unknown variable: 'top'" in outcome.error.message
