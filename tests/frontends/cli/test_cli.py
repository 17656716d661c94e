"""The command line as a process: what it prints where, and its exit status."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

Answer = tuple[int, str, str]


def run(
    *arguments: str,
    given: bytes | None = None,
    directory: Path | None = None,
    environment: dict[str, str] | None = None,
    timeout: float = 60,
) -> Answer:
    """Exit status, standard output and standard error of ``puppet-repl ARGUMENTS``."""
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", *arguments],
        input=given if given is not None else b"",
        capture_output=True,
        cwd=directory,
        timeout=timeout,
        env={**os.environ, **(environment or {})},
    )
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    assert "Traceback" not in err, err
    return done.returncode, out, err


VALUES = [
    ("1 + 1", "2\n"),
    ("[1,2,3].map |$x| { $x * 10 }", "[10, 20, 30]\n"),
    ("'it'", "'it'\n"),
    ("undef", ""),
    ("", ""),
    ("# nothing", ""),
    ("{a => undef}", "{'a' => undef}\n"),
    ('"two\\nlines"', '"two\\nlines"\n'),
    ("Integer[1, default]", "Integer[1]\n"),
    ("$x = 'ü'", "'ü'\n"),
]


@pytest.mark.parametrize(("code", "shown"), VALUES)
def test_the_value_goes_to_standard_output(code: str, shown: str) -> None:
    assert run("-e", code) == (0, shown, "")


def test_each_piece_of_code_is_an_input() -> None:
    assert run("-e", "$x = 20", "-e", "$x + 1", "-e", ":type $x") == (
        0,
        "20\n21\nInteger[20, 20]\n",
        "",
    )
    status, out, err = run("-e", "1", "-e", "1/0", "-e", "2")
    assert (status, out) == (1, "1\n")
    assert "Division by 0 (line: 1" in err


def test_a_pipe_is_one_manifest_and_the_error_of_two_values_says_so() -> None:
    status, out, err = run(given=b"1+1\n2+2\n")
    assert (status, out) == (1, "")
    assert "This '+' expression has no effect" in err
    assert err.endswith(
        "hint: what is piped in is one manifest, whose last value is shown; "
        "-e A -e B runs two inputs\n"
    )
    assert "piped" not in run("-e", "1+1\n2+2\n")[2]


def test_a_misspelt_subcommand_is_no_file(tmp_path: Path) -> None:
    status, out, err = run("validat", directory=tmp_path)
    assert (status, out) == (2, "")
    assert err == (
        "puppet-repl: cannot read validat: No such file or directory; did you mean validate?\n"
    )
    assert "did you mean" not in run("validate.pp", directory=tmp_path)[2]
    (tmp_path / "validat").write_text("1 + 1")
    assert run("validat", directory=tmp_path) == (0, "2\n", "")


def test_help_and_apply_are_no_files(tmp_path: Path) -> None:
    assert run("help", directory=tmp_path) == run("--help")
    assert run("help", "validate", directory=tmp_path) == run("validate", "--help")
    (tmp_path / "man.pp").write_text("1")
    status, out, err = run("apply", "man.pp", directory=tmp_path)
    assert (status, out) == (2, "")
    assert err.splitlines()[0] == (
        "puppet-repl: there is no command 'apply'; "
        "puppet-repl evaluates code and applies nothing: puppet-repl man.pp"
    )
    assert "puppet-repl FILE.pp" in run("apply", directory=tmp_path)[2]
    (tmp_path / "help").write_text("1 + 1")
    assert run("help", directory=tmp_path) == (0, "2\n", "")


def test_keys_are_those_of_the_prompt() -> None:
    status, _, err = run("-e", ":help keys")
    assert (status, "JupyterLab" in err) == (1, False)
    assert "the full-screen prompt has them" in err


def test_code_from_a_pipe_a_file_and_the_command_line_is_the_same(tmp_path: Path) -> None:
    code = "$a = 20\n$a + 1\n"
    (tmp_path / "some.pp").write_text(code)
    expected = (0, "21\n", "")
    assert run("-e", code) == expected
    assert run(given=code.encode()) == expected
    assert run("-", given=code.encode()) == expected
    assert run("some.pp", directory=tmp_path) == expected
    assert run("--strict", "warning", str(tmp_path / "some.pp")) == expected


# Messages as Puppet 8.11 words them, with its line and column.
FAILURES = [
    ("1 +", "Syntax error at end of input"),
    ("$a = )", "Syntax error at ')' (line: 1, column: 6)"),
    ("\n\n  $nix", "Evaluation Error: Unknown variable: 'nix'. (line: 3, column: 3)"),
    ("nix(1)", "Evaluation Error: Unknown function: 'nix'. (line: 1, column: 1)"),
    (
        "function f(Integer $x) { $x }\nf('a')",
        "Evaluation Error: Error while evaluating a Function Call, 'f' parameter 'x' expects an"
        " Integer value, got String (line: 2, column: 1)",
    ),
    ("1 / 0", "Evaluation Error: Division by 0 (line: 1, column: 5)"),
    ("$a = 1\n$a = 2", "Evaluation Error: Cannot reassign variable '$a' (line: 2, column: 4)"),
    (
        "fail('so')",
        "Evaluation Error: Error while evaluating a Function Call, so (line: 1, column: 1)",
    ),
    ("break()", "break() from context where this is illegal (line: 1)"),
    ("realize(Notify['x'])", "Failed to realize virtual resources Notify[x]"),
    ("Notify['x'] { message => 'm' }", "Could not find resource(s) Notify[x] for overriding"),
    (
        "notify { 'a': require => Notify['x'] }",
        "Could not find resource 'Notify[x]' in parameter 'require' (line: 1)",
    ),
]


@pytest.mark.parametrize(("code", "message"), FAILURES)
def test_what_puppet_refuses_exits_with_1(code: str, message: str) -> None:
    status, out, err = run("-e", code)
    assert (status, out) == (1, "")
    assert err.splitlines()[0] == "Error: " + message


def test_an_error_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "bad.pp").write_text("$a = 1\nnotice($b)\n")
    status, out, err = run("bad.pp", directory=tmp_path)
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        "Error: Evaluation Error: Unknown variable: 'b'. (file: bad.pp, line: 2, column: 8)",
        "  2 | notice($b)",
        "    |        ^^",
    ]


def test_several_errors_are_all_shown() -> None:
    status, out, err = run("-e", "1 = 2\n2 = 3")
    assert (status, out) == (1, "")
    message = "Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference"
    assert f"{message} (line: 1, column: 1)" in err
    assert f"{message} (line: 2, column: 1)" in err
    assert "Language validation logged 2 errors. Giving up" in err


def test_logs_go_to_standard_error_in_their_order() -> None:
    status, out, err = run("-e", "notice('n') warning('w') err('e') info('i') 5")
    assert (status, out) == (0, "5\n")
    assert err.splitlines() == ["Notice: n", "Warning: w", "Error: e", "Info: i"]


UNUSABLE = [
    (("missing.pp",), "cannot read missing.pp: No such file or directory"),
    (("directory",), "cannot read directory: Is a directory"),
    (("bytes.pp",), "invalid UTF-8 (file: bytes.pp, line: 2, column: 7)"),
    (("-e", "1", "some.pp"), "give either -e CODE or a file, not both"),
    (("--facts", "missing.yaml", "-e", "1"), "missing.yaml"),
    (("--facts", "bytes.pp", "-e", "1"), "bytes.pp"),
    (("--environment", "missing", "-e", "1"), "--environment: missing is not a directory"),
    (("--stubs", "missing.pp", "-e", "1"), "--stubs: there is no file missing.pp"),
    (("--hiera-config", "no.yaml", "-e", "1"), "--hiera-config: there is no file no.yaml"),
    (("--fact", "os.family", "-e", "1"), "'os.family' is not of the form fact.name=value"),
    (("--trusted", "pp_role", "-e", "1"), "--trusted: 'pp_role' is not of the form NAME=VALUE"),
    (("--trusted", "=web", "-e", "1"), "--trusted: '=web' is not of the form NAME=VALUE"),
    (("--node", "", "-e", "1"), "puppet-repl: --node: '' is not a valid node name\n"),
    (("--node", " ", "some.pp"), "puppet-repl: --node: ' ' is not a valid node name\n"),
    (("compile", "--node", "", "-e", "1"), "puppet-repl: --node: '' is not a valid node name\n"),
    (("diff", "a", "b", "--node", ""), "puppet-repl: --node: '' is not a valid node name\n"),
    (("--max-memory", "lots", "-e", "1"), "not a size: 'lots'"),
    (("--max-memory", "0", "-e", "1"), "0 is too little"),
    (("--max-memory", "-5", "-e", "1"), "--max-memory"),
    (("--ruby-seconds", "0", "-e", "1"), "not a whole number from 1 to 86400: '0'"),
    (("--max-seconds", "0", "-e", "1"), "not a number of seconds above 0, up to 86400: '0'"),
    (("--max-seconds", "1e3", "-e", "1"), "not a number of seconds above 0, up to 86400: '1e3'"),
    (
        ("--max-seconds", "90000", "-e", "1"),
        "not a number of seconds above 0, up to 86400: '90000'",
    ),
    (("--ruby-seconds", "1.5", "-e", "1"), "not a whole number from 1 to 86400: '1.5'"),
    (("--strict", "very", "-e", "1"), "invalid choice: 'very'"),
    (("--nonsense",), "unrecognized arguments: --nonsense"),
    (("-e",), "expected one argument"),
    (("a.pp", "b.pp"), "unrecognized arguments: b.pp"),
    (("validate", "missing.pp"), "missing.pp: No such file"),
    (("validate", "--nonsense"), "unrecognized arguments: --nonsense"),
    (("parse", "missing.pp"), "missing.pp: No such file"),
    (("doctest", "missing.md"), "missing.md: No such file"),
    (("doctest",), "required: FILE"),
    (("completion", "cmd.exe"), "bash"),
    (("batch", "--port", "1"), "unrecognized arguments"),
]


@pytest.fixture(scope="module")
def odd_files() -> object:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "directory").mkdir()
        (directory / "some.pp").write_text("1")
        (directory / "bytes.pp").write_bytes(b"# one\n$a = '\xff'\n")
        yield directory


@pytest.mark.parametrize(("arguments", "message"), UNUSABLE)
def test_wrong_use_exits_with_2(arguments: tuple[str, ...], message: str, odd_files: Path) -> None:
    status, out, err = run(*arguments, directory=odd_files)
    assert status == 2, err
    assert message in out + err
    if arguments[0] != "completion":
        assert out == ""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "secret.pp"
    path.write_text("1")
    path.chmod(0)
    status, out, err = run("secret.pp", directory=tmp_path)
    assert (status, out) == (2, "")
    assert err == "puppet-repl: cannot read secret.pp: Permission denied\n"


def test_bytes_of_a_pipe_that_are_no_text() -> None:
    assert run(given=b"$a = 1\n'\xc3\x28'\n") == (
        2,
        "",
        "puppet-repl: invalid UTF-8 (file: standard input, line: 2, column: 2)\n",
    )


def test_a_byte_order_mark_is_refused_as_puppet_does(tmp_path: Path) -> None:
    (tmp_path / "bom.pp").write_bytes(b"\xef\xbb\xbf1\n")
    status, out, err = run("bom.pp", directory=tmp_path)
    assert (status, out) == (1, "")
    assert err == (
        "Error: Illegal UTF-8 Byte Order mark at beginning of input: [EF BB BF] - remove these"
        " from the puppet source (file: bom.pp)\n"
    )


def test_line_ends_of_windows(tmp_path: Path) -> None:
    (tmp_path / "dos.pp").write_bytes(b"$a = 1\r\n$a +\r\n1\r\n")
    assert run("dos.pp", directory=tmp_path) == (0, "2\n", "")


def test_facts_node_and_modules(tmp_path: Path) -> None:
    module = tmp_path / "modules" / "m"
    (module / "manifests").mkdir(parents=True)
    (module / "manifests" / "init.pp").write_text(
        "class m { notice(\"on ${facts['os']['name']}\") }"
    )
    (module / "functions").mkdir()
    (module / "functions" / "twice.pp").write_text("function m::twice($x) { $x * 2 }")
    (tmp_path / "facts.json").write_text('{"os": {"name": "Plan 9"}}')
    (tmp_path / "facts.yaml").write_text("os: {name: Inferno}")
    (tmp_path / "stubs.pp").write_text("function stand_in() { 'stand-in' }")
    modules = ("--modulepath", "modules")
    assert run(*modules, "-e", "m::twice(4)", directory=tmp_path) == (0, "8\n", "")
    for path, name in (("facts.json", "Plan 9"), ("facts.yaml", "Inferno")):
        status, _, err = run(*modules, "--facts", path, "-e", "include m", directory=tmp_path)
        assert (status, err) == (0, f"Notice: on {name}\n")
    shown = run("--facts", "rocky-9", "-e", "$facts['os']['family']")
    assert shown == (0, "'RedHat'\n", "")
    shown = run("--node", "web1.example.com", "-e", "$trusted['hostname']")
    assert shown == (0, "'web1'\n", "")
    shown = run("--stubs", "stubs.pp", "-e", "stand_in()", directory=tmp_path)
    assert shown == (0, "'stand-in'\n", "")
    status, out, err = run(
        "--modulepath", "modules:nowhere", "-e", "m::twice(1)", directory=tmp_path
    )
    assert (status, out) == (0, "2\n")
    assert err == "puppet-repl: --modulepath: nowhere is not a directory and is ignored\n"


def test_an_environment_with_data(tmp_path: Path) -> None:
    (tmp_path / "environment.conf").write_text("modulepath = site\n")
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\n"
        "hierarchy:\n  - {name: node, path: '%{trusted.certname}.yaml'}\n"
        "  - {name: all, path: all.yaml}\n"
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "all.yaml").write_text("web::port: 80\n")
    (tmp_path / "data" / "a.yaml").write_text("web::port: 81\n")
    (tmp_path / "site" / "web" / "manifests").mkdir(parents=True)
    (tmp_path / "site" / "web" / "manifests" / "init.pp").write_text(
        "class web(Integer $port) { notice($port) }"
    )
    for node, port in (("a", 81), ("b", 80)):
        status, _, err = run(
            "--environment", str(tmp_path), "--node", node, "-e", "include web; lookup('web::port')"
        )
        assert (status, err) == (0, f"Notice: {port}\n")


def test_generate_wants_permission() -> None:
    code = "generate('/bin/echo', 'hi')"
    status, out, err = run("-e", code)
    assert (status, out) == (1, "")
    assert "--allow-generate" in err
    assert run("--allow-generate", "-e", code) == (0, '"hi\\n"\n', "")


def test_commands_of_the_prompt_work_with_e() -> None:
    status, out, err = run("-e", ":type 1")
    assert (status, out, err) == (0, "Integer[1, 1]\n", "")
    status, out, err = run("-e", ":no_such_command")
    assert (status, out) == (1, "")
    assert ":no_such_command" in err


def test_validate_reports_every_file_and_says_nothing_when_all_is_well(tmp_path: Path) -> None:
    (tmp_path / "good.pp").write_text("$a = 1")
    (tmp_path / "good.epp").write_text("<% if true { %>x<% } %>")
    (tmp_path / "bad.pp").write_text("$a = )")
    (tmp_path / "bad.epp").write_text("<% if { %>")
    assert run("validate", "good.pp", "good.epp", directory=tmp_path) == (0, "", "")
    status, out, err = run("validate", "bad.pp", "good.pp", "bad.epp", directory=tmp_path)
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        "Error: Syntax error at ')' (file: bad.pp, line: 1, column: 6)",
        "  1 | $a = )",
        "    |      ^",
        "  hint: no ( is open here",
        "Error: Syntax error at end of input (file: bad.epp)",
        "  1 | <% if { %>",
        "    |       ^",
        "  hint: the { of line 1, column 7 is never closed",
        "2 errors",
    ]
    assert run("validate", given=b"1 +")[0] == 1
    assert run("validate", given=b"$x = 1")[0] == 0


def test_validate_gives_the_hints_of_a_run_and_counts_what_it_found(tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("if $x { notice(0) } else if $y { notice(1) }")
    (tmp_path / "b.pp").write_text(
        "$x = 'a'\nif 'x' { notice('\\q') }\nfile { '/x': mode => 0644 }"
    )
    (tmp_path / "c.pp").write_text('$1 = 1\n$2 = 2\nnotice("\\q")')
    _, _, run_alone = run("a.pp", directory=tmp_path)
    assert "hint: a further condition is written elsif" in run_alone
    status, out, err = run("validate", "a.pp", directory=tmp_path)
    assert (status, out) == (1, "")
    assert err == f"{run_alone}1 error\n"
    files = ("a.pp", "b.pp", "c.pp", "none.pp")
    status, out, err = run("validate", "--warn", *files, directory=tmp_path)
    assert (status, out) == (2, "")
    heads = [line for line in err.splitlines() if line[:1] != " "]
    assert [line.split(":")[0] for line in heads].count("Warning") == 3
    # The two of one file, and that there are two; those of the others.
    assert [line.split(":")[0] for line in heads].count("Error") == 3 + 2
    assert heads[-2:] == [
        "Error: cannot read none.pp: No such file or directory",
        "3 warnings, 4 errors",
    ]
    assert "errors" not in run("parse", "a.pp", directory=tmp_path)[2]


def test_validate_knows_plans_by_their_path(tmp_path: Path) -> None:
    plan = "plan m::deploy(TargetSpec $nodes) { run_task('x', $nodes) }"
    for directory in ("m/plans", "m/manifests", "plans/n/manifests"):
        (tmp_path / directory).mkdir(parents=True)
    (tmp_path / "m/metadata.json").write_text("{}")
    (tmp_path / "m/plans/deploy.pp").write_text(plan)
    checked = "checked 2 files: metadata.json 1, manifests 1\n"
    assert run("validate", "m", directory=tmp_path) == (0, "", checked)
    assert run("validate", "deploy.pp", directory=tmp_path / "m/plans") == (0, "", "")
    for name, title in (("m/manifests/init.pp", "m::x"), ("plans/n/manifests/init.pp", "n")):
        (tmp_path / name).write_text(plan.replace("m::deploy", title))
        assert run("validate", name, directory=tmp_path)[0] == 1
        assert run("validate", "--tasks", name, directory=tmp_path) == (0, "", "")


def test_validate_warns_of_probable_mistakes_where_it_is_asked_to(tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("file { '/x':\n  mode => 0644,\n}\nnotice($::osfamily)")
    (tmp_path / "b.epp").write_text("<%\n# lint:ignore:constant_condition\nif 'x' { %>x<% } %>")
    (tmp_path / "c.pp").write_text("notice(1)")
    warnings = [
        "Warning: a mode is a string, and 0644 is the number 420: write '0644'"
        " [unquoted_file_mode] (file: a.pp, line: 2, column: 11)",
        "  2 |   mode => 0644,",
        "    |           ^^^^",
        "Warning: Puppet 8 leaves out the fact osfamily: write $facts['os']['family']"
        " [legacy_facts] (file: a.pp, line: 4, column: 8)",
        "  4 | notice($::osfamily)",
        "    |        ^^^^^^^^^^^",
        "2 warnings",
    ]
    files = ("a.pp", "b.epp", "c.pp")
    assert run("validate", *files, directory=tmp_path) == (0, "", "")
    status, out, err = run("validate", "--warn", *files, directory=tmp_path)
    assert (status, out, err.splitlines()) == (0, "", warnings)
    status, out, err = run("validate", "--fail-on-warnings", *files, directory=tmp_path)
    assert (status, out, err.splitlines()) == (1, "", warnings)
    assert run("validate", "--fail-on-warnings", "c.pp", directory=tmp_path) == (0, "", "")


def test_parse_prints_trees() -> None:
    assert run("parse", "-e", "1 + 2 * 3") == (0, "(+ 1 (* 2 3))\n", "")
    assert run("parse", given=b"$a") == (0, '(var "a")\n', "")
    status, out, _ = run("parse", "-e", "1 +")
    assert (status, out) == (1, "")


def test_help_and_version() -> None:
    from puppet_repl.base.version import full_version

    assert run("--version") == (0, f"puppet-repl {full_version()}\n", "")
    for arguments in ((), ("validate",), ("parse",), ("doctest",), ("kernel",)):
        status, out, err = run(*arguments, "--help")
        assert (status, err) == (0, "")
        assert out.startswith("usage: puppet-repl")


def in_terminal(*arguments: str, environment: dict[str, str]) -> str:
    """What a process writes whose output and error are a pseudo-terminal."""
    pexpect = pytest.importorskip("pexpect")
    child = pexpect.spawn(
        sys.executable,
        ["-m", "puppet_repl", *arguments],
        env={**os.environ, "TERM": "xterm-256color", **environment},
        encoding="utf-8",
        timeout=30,
    )
    text: str = child.read()
    child.close()
    return text


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_colours_are_for_terminals_that_want_them() -> None:
    code = "notice(1) [1, 'a']"
    without = {name: text for name, text in os.environ.items() if name == "NO_COLOR"}
    if not without:
        assert "\x1b[" in in_terminal("-e", code, environment={})
    plain = "Notice: 1\r\n[1, 'a']\r\n"
    assert in_terminal("-e", code, environment={"NO_COLOR": "1"}) == plain
    assert in_terminal("-e", code, environment={"TERM": "dumb"}) == plain
    assert in_terminal("--no-color", "-e", code, environment={}) == plain
    assert "\x1b" not in "".join(run("-e", code)[1:])
    assert "\x1b" not in "".join(run("-e", "$nix")[1:])


HEAVY = ("prompt_toolkit", "pygments", "asyncio", "argparse", "inspect", "json", "yaml", "psutil")


def test_e_imports_nothing_that_it_does_not_need() -> None:
    program = (
        "import sys; from puppet_repl.frontends.cli import main; status = main(['-e', '[1, 2]']);"
        f"print([name for name in {HEAVY!r} if name in sys.modules]); sys.exit(status)"
    )
    # The measuring of coverage would start in the process, and import more.
    environment = {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
    command = [sys.executable, "-I", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[1, 2]\n[]\n", "")


def test_node_blocks_tell_whether_they_apply(tmp_path: Path) -> None:
    code = "node default { notice('d') } node db { notice('db') } 7"
    told = "node db applies to db\nNotice: db\n"
    assert run("--node", "db", "-e", code) == (0, "7\n", told)
    manifest = tmp_path / "a.pp"
    manifest.write_text(code)
    assert run("--node", "db", str(manifest)) == (0, "7\n", told)
    told = "node db does not apply to web01\n"
    assert run("--node", "web01", "-e", "node db { notice('db') }") == (0, "", told)


@pytest.mark.parametrize(
    ("options", "command", "status", "shown"),
    [
        (("--node", "db07"), ":catalog json", 0, '"title": "on Debian"'),
        (("--node", "mail"), ":catalog json", 1, "Could not find node statement"),
        (("--node", "mail"), ":node db07", 1, "Could not find node statement"),
        (("--node", "db07"), ":node mail", 1, "with name 'default' or 'mail'"),
        (("--node", "db07"), ":facts rocky-9", 0, "facts of rocky-9; session reset"),
    ],
)
def test_commands_run_for_the_node(
    tmp_path: Path, options: tuple[str, ...], command: str, status: int, shown: str
) -> None:
    (tmp_path / "manifests").mkdir()
    site = "node /^db/ { notify { \"on ${facts['os']['family']}\": } }\n"
    (tmp_path / "manifests" / "site.pp").write_text(site)
    environment = ("--environment", str(tmp_path), "--facts", "debian-12")
    found, out, err = run(*environment, *options, "-e", command)
    assert found == status
    assert shown in out + err


def test_the_manifests_of_an_environment_run_first(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    site = tmp_path / "manifests" / "site.pp"
    site.write_text("$site = 7\nnode 'web01' { notify { 'here': } }\n", encoding="utf-8")
    shown = "[$site, defined(Notify['here'])]"
    status, value, notes = run("--environment", str(tmp_path), "-e", shown)
    assert (status, value) == (0, "[7, false]\n")
    assert notes.startswith("no node block applies to ")
    assert run("--environment", str(tmp_path), "--node", "web01", "-e", shown)[1] == "[7, true]\n"
    command = run("--environment", str(tmp_path), "--node", "web01", "-e", ":catalog json")
    assert '"title": "here"' in command[1]
    site.write_text("$site = ", encoding="utf-8")
    status, out, err = run("--environment", str(tmp_path), "-e", "1")
    assert (status, out) == (1, "")
    head = f"Could not parse for environment {tmp_path.name}"
    assert err == (
        f"Error: {head}: Syntax error at end of input (file: {site})\n"
        "  1 | $site = \n    |       ^\n"
        "  hint: something has to follow the = of line 1, column 7\n"
    )
    assert run("--environment", str(tmp_path), "-e", ":doc split")[0::2] == (1, err)


def test_a_machine_that_fails_is_in_the_exit_status() -> None:
    code = "if $facts['os']['family'] == 'RedHat' { fail('no') } 5"
    status, out, err = run("-e", f":on debian-12 rocky-9 {code}")
    assert (status, err) == (1, "")
    assert out.startswith("debian-12  5\nrocky-9    Error: ")
    assert run("-e", f":on debian-12 ubuntu-24.04 {code}")[0] == 0
    assert run("-e", ":on debian-12 missing.yaml 5")[0] == 1
    assert run("--facts", "rocky-9", "-e", ":diff debian-12")[0] == 0


@pytest.mark.parametrize("block", ["node 'web01'", "node /^web/, 'db'", "node default"])
def test_errors_name_node_blocks_as_they_are_written(block: str) -> None:
    code = f"class some_class {{ fail('no') }}\n{block} {{ include some_class }}"
    _, _, err = run("--node", "web01", "-e", code)
    assert f"  from {block} at input:2:" in err
    assert "  from class some_class at input:1:" in err


STAYING = [
    (("-i", "FILE"), "$a = 40\n$a + 1\n", "$a + 2\n", "41\n", ["42"], ""),
    (("-i", "FILE"), "$a = 40\nfail('no')\n", "1 + 2\n", "", ["3"], "no (file: "),
    (("-i", "-e", "$b = 5", "-e", "$b + 1"), "", "[$b, $_2]\n", "5\n6\n", ["[5, 6]"], ""),
    (("-i", "-e", "nix(1)", "-e", "1"), "", "2 + 3\n", "", ["5"], "Unknown function: 'nix'"),
    (("-i", "-e", ":quit"), "", "2 + 3\n", "", ["5"], ""),
    (("-i",), "", "2 + 3\n", "", ["5"], ""),
    (("-i", "-"), "", "2 + 3\n1 + 3\n", "", ["5", "4"], ""),
    (("-i", "-e", "class web { }"), "", "include web\n", "", ["[Class[web]]"], ""),
]


@pytest.mark.parametrize(("arguments", "text", "typed", "printed", "answers", "error"), STAYING)
def test_the_prompt_opens_behind_a_program(
    tmp_path: Path,
    arguments: tuple[str, ...],
    text: str,
    typed: str,
    printed: str,
    answers: list[str],
    error: str,
) -> None:
    file = tmp_path / "site.pp"
    file.write_text(text)
    words = [str(file) if word == "FILE" else word for word in arguments]
    homes = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    status, out, err = run(*words, given=typed.encode(), environment=homes)
    assert status == 0
    before, *shown = out.split("puppet [")
    assert before == printed
    assert [each.partition("]> ")[2].rstrip("\n") for each in shown] == [*answers, ""]
    assert error in err if error else err == ""


def test_no_prompt_opens_behind_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    status, out, err = run("-i", str(tmp_path / "none.pp"), given=b"1\n")
    assert (status, out) == (2, "")
    assert "cannot read" in err


def test_the_site_runs_once_before_a_program_that_stays(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("notice('site')\n")
    homes = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    words = ("-i", "--environment", str(tmp_path), "-e", "notice('code')")
    status, _, err = run(*words, given=b"1\n", environment=homes)
    assert status == 0
    assert [line for line in err.split("\n") if "Notice" in line] == [
        "Notice: site",
        "Notice: code",
    ]
