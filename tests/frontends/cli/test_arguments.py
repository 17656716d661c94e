"""Arguments that the command line refuses: in one line, with another one about the usage."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from puppet_repl.frontends.cli import main
from puppet_repl.frontends.cli.arguments import SUBCOMMANDS
from puppet_repl.language.runtime.options import OPTIONS
from tests.frontends.cli.test_cli import run

# The byte of an é in Latin-1, as Python keeps it.
LATIN = "\udce9"
# Arguments, the program that the message names, and the message.
REFUSED = [
    (("--bad",), "", "unrecognized arguments: --bad"),
    (
        ("--merge", "deep", "lookup", "a b"),
        "",
        "the options of a command come after it: puppet-repl lookup --merge deep 'a b'",
    ),
    (("--bad", "validate", "x.pp"), "", "unrecognized arguments: --bad"),
    (
        ("--facts", "debian-12", "--strict", "off", "--node=a", "validate", "a b.pp"),
        " validate",
        "validate does not take --facts and --node; "
        "without: puppet-repl validate --strict off 'a b.pp'",
    ),
    (("--plain", "cache", "path"), " cache", "cache does not take --plain; without: puppet-repl c"),
    (("complie", "--help"), "", "there is no command 'complie'; did you mean compile?"),
    (("lsp", "-h"), "", "there is no command 'lsp'; did you mean language-server?"),
    (("fmt", "x.pp"), "", "there is no command 'fmt'; did you mean format?"),
    (("validat", "x.pp"), "", "there is no command 'validat'; did you mean validate?"),
    (("kernle", "install"), "", "there is no command 'kernle'; did you mean kernel?"),
    (("x.pp", "y.pp"), "", "unrecognized arguments: y.pp"),
    (("--max-memory", "1X"), "", "argument --max-memory: not a size: '1X' (expected a number,"),
    (("--b\na\x1bd",), "", "unrecognized arguments: --b␊a␛d"),
    (("compile", "--bad"), " compile", "unrecognized arguments: --bad"),
    (
        ("compile", "--out", "x", "-e", "1"),
        " compile",
        "unrecognized arguments: --out; did you mean --output?",
    ),
    (("--form=json",), "", "unrecognized arguments: --form=json; did you mean --format?"),
    (("--strcit=off",), "", "unrecognized arguments: --strcit=off; did you mean --strict?"),
    (
        ("diff", "a", "b", "--fact"),
        " diff",
        "argument --fact: expected one argument",
    ),
    (("batch", "--bad"), " batch", "unrecognized arguments: --bad"),
    (("diff", "a"), " diff", "the following arguments are required: B"),
    (("doctest",), " doctest", "the following arguments are required: FILE"),
    (("validate", "--strict", "x"), " validate", "argument --strict: invalid choice: 'x'"),
    (("ruby",), " ruby", "the following arguments are required: ACTION"),
    (("completion", "csh"), " completion", "argument shell: invalid choice: 'csh'"),
    (("--plain", "-e", f"'caf{LATIN}'"), "", "argument -e: not UTF-8 (byte 4)"),
    (("-e", f"'ü{LATIN}'"), "", "argument -e: not UTF-8 (byte 3)"),
    (("parse", "-e", LATIN), " parse", "argument -e: not UTF-8 (byte 0)"),
    (("compile", "-e", LATIN), " compile", "argument -e: not UTF-8 (byte 0)"),
    (("diff", "a", "b", "-e", LATIN), " diff", "argument -e: not UTF-8 (byte 0)"),
    (("lookup", LATIN), " lookup", "argument KEY: not UTF-8 (byte 0)"),
    (("--fact", f"a={LATIN}"), "", "argument --fact: not UTF-8 (byte 2)"),
    (("--trusted", f"a={LATIN}"), "", "argument --trusted: not UTF-8 (byte 2)"),
    (("--node", LATIN), "", "argument --node: not UTF-8 (byte 0)"),
]


@pytest.fixture(autouse=True)
def limits_of_tests_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the command line from limiting the memory of the process that runs the tests."""
    for module in ("frontends.cli.program", "host.session_options"):
        monkeypatch.setattr(f"puppet_repl.{module}.tune_process", lambda _: None)


@pytest.mark.parametrize(("arguments", "name", "message"), REFUSED, ids=ascii)
def test_a_refusal_has_two_lines(
    arguments: tuple[str, ...], name: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"puppet-repl{name}: {message}")
    assert second == f"'puppet-repl{name} --help' shows the usage."


@pytest.mark.parametrize(
    ("early", "usual"),
    [
        ("--facts rocky-9 compile notify{a:} --format code", None),
        ("--fact a=b --node lookup compile -e notice($::a)1 --format tree", None),
        ("-enotice(1) compile --format code", None),
        ("--hermetic lookup a.b --default 1", "lookup --hermetic a.b --default 1"),
        ("--strict off validate missing.pp", None),
        ("--profile none lookup a", None),
        ("@none lookup a", "lookup @none a"),
        ("--no-cache lookup @none a", "lookup @none --no-cache a"),
        ("--help compile", None),
    ],
)
def test_options_of_a_session_may_come_before_the_command(
    early: str, usual: str | None, capfd: pytest.CaptureFixture[str]
) -> None:
    words = early.split()
    if usual is None:
        at = max(index for index, word in enumerate(words) if word in SUBCOMMANDS)
        usual = " ".join([words[at], *words[:at], *words[at + 1 :]])
    answers = []
    for line in (usual, early):
        try:
            status: object = main(line.split())
        except SystemExit as ended:
            status = ended.code
        answers.append((status, *capfd.readouterr()))
    assert answers[0] == answers[1]
    assert any(answers[0][1:])


def test_code_in_place_of_a_file_is_utf8(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", f"notice('{LATIN}')"]) == 2
    assert capsys.readouterr().err == "puppet-repl: the code is not UTF-8 (byte 8)\n"


@pytest.mark.skipif(os.name == "nt", reason="names of files are Unicode there")
def test_a_name_of_a_file_may_be_of_any_bytes(tmp_path: Path) -> None:
    name = f"caf{LATIN}.pp"
    try:
        (tmp_path / name).write_text("1 + 1\n")
    except OSError:
        pytest.skip("the file system has only UTF-8 names")
    assert run(name, directory=tmp_path) == (0, "2\n", "")
    assert run("validate", name, directory=tmp_path) == (0, "", "")


@pytest.mark.skipif(os.name == "nt", reason="such names are not possible")
@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("validate", "{}"), 1, "Error: Syntax error at ')' (file: {}, line: 2, column: 1)"),
        (("parse", "{}"), 1, "Error: Syntax error at ')' (file: {}, line: 2, column: 1)"),
        (("validate", "no{}"), 2, "Error: cannot read no{}: No such file or directory"),
        (("{}",), 1, "Error: Syntax error at ')' (file: {}, line: 2, column: 1)"),
        (("no{}",), 2, "puppet-repl: cannot read no{}: No such file or directory"),
        (("--stubs", "no{}", "-e", "1"), 2, "puppet-repl: --stubs: there is no file no{}"),
        (("doctest", "no{}"), 2, "puppet-repl doctest: no{}: No such file or directory"),
        (("compile", "{}", "--node", "a"), 1, "(file: {}, line: 2, column: 1)"),
    ],
)
def test_a_name_with_controls_stays_on_its_line(
    arguments: tuple[str, ...],
    status: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, shown = "a\n\x1b[31mb.pp", "a␊␛[31mb.pp"
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("$a = 1\n)")
    assert main([each.format(name) for each in arguments]) == status
    assert message.format(shown) in capsys.readouterr().err.splitlines()[0]


def test_warnings_of_code_name_such_a_file_on_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "a\nb.pp"
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("notify { 'a': }\nnotify { 'a': }\nlegacy_nope()")
    assert main([name]) == 1
    written = capsys.readouterr().err
    assert "a\nb.pp" not in written
    assert written.count("(file: a␊b.pp, line: 1)") == 1


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_hermetic_checks_leave_links_out_of_the_directory_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret.pp").write_text("password)")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "good.pp").write_text("$a = 1")
    link = inside / "link.pp"
    link.symlink_to("../secret.pp")
    for command in ("validate", "parse"):
        assert main([command, str(inside)]) == 1
        assert "Syntax error" in capsys.readouterr().err
        assert main([command, "--hermetic", str(inside)]) == 2
        said = f"Error: cannot read {link}: a link that leads out of {inside}\n"
        summary = "1 error\nchecked 1 file\n" if command == "validate" else ""
        assert capsys.readouterr().err == said + summary
        assert main([command, "--hermetic", str(inside / "good.pp")]) == 0
        capsys.readouterr()


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "['é', '→é', {'é' => 'a'}, Sensitive [value redacted]]\n"),
        ("latin-1", "['é', \"\\u{2192}é\", {'é' => 'a'}, Sensitive [value redacted]]\n"),
        ("ascii", '["\\u{E9}", "\\u{2192}\\u{E9}", {"\\u{E9}" => \'a\'},'),
    ],
)
def test_escapes_are_in_double_quotes(encoding: str, shown: str, tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("['é', '→é', {'é' => 'a'}, Sensitive('é')]", "utf-8")
    with open(tmp_path / "out", "w+", encoding=encoding) as output:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stdout", output)
            assert main([str(tmp_path / "a.pp")]) == 0
        output.seek(0)
        assert output.read().startswith(shown)


@pytest.mark.parametrize("name", ["compile", "diff", "lookup", "doctest", None])
def test_help_shows_the_options_of_the_command_before_those_of_the_session(
    name: str | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit, match="0"):
        main(["--help"] if name is None else [name, "--help"])
    usage, _, *lines = capsys.readouterr().out.splitlines()
    assert usage.startswith(f"usage: puppet-repl {name or ''}".rstrip() + " [options]")
    titles = [line for line in lines if re.fullmatch(r"[a-z].*:", line)]
    session = ["modules and data:", "the session:", "limits and Ruby (rarely needed):"]
    at = titles.index("modules and data:")
    assert titles[at : at + 3] == session
    assert titles[at - 1] in ("the node:", "the nodes:")
    flags = [line.split()[0].rstrip(",") for line in lines if line.startswith("  -")]
    assert len(flags) == len(set(flags))
    begin = flags.index("--node")
    known = {row.flag for row in OPTIONS.values() if row.flag} | {"--facts", "--fact"}
    assert not known.intersection(flags[:begin])
    assert known <= set(flags[begin:])
