"""The plain line mode, fed with lines."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host, config_directory


def dialogue(text: str, host: Host | None = None) -> str:
    output = io.StringIO()
    mode = LineMode(host or Host(facts={"kernel": "Linux"}), io.StringIO(text), output)
    assert mode.run() == 0
    return output.getvalue()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1 + 1\n", "puppet [1]> 2\npuppet [2]> \n"),
        ("[1,\n2]\n", "puppet [1]> ... [1, 2]\npuppet [2]> \n"),
        ("[1,\n\n\n", "puppet [1]> ... ... Error: Syntax error at end of input In[1]\n"),
        ("@(END)\na\n| END\n", "puppet [1]> ... ... 'a\n"),
        ("undef\n", "puppet [1]> undef\npuppet [2]> \n"),
        ("undef;\n", "puppet [1]> puppet [2]> \n"),
        ("if false { 1 }\n", "puppet [1]> puppet [2]> \n"),
        ("notice('x')\n", "puppet [1]> Notice: x\npuppet [2]> \n"),
        ("if false { 1 }\nelse { 2 }\n", "puppet [1]> puppet [2]> 2\npuppet [2]> \n"),
        ("5\n.type\n", "puppet [1]> 5\npuppet [2]> Integer[5, 5]\n"),
        ("Integer[1, 3].reverse_each\n", "puppet [1]> [3, 2, 1]  Iterator[Integer]\n"),
        ("User<| |>\n", "puppet [1]> []  Catalog-Collector[User]\n"),
        (":show yaml [1]\n", "puppet [1]> ---\n- 1\npuppet [1]> \n"),
        ("$x = 1;\n$x\n", "puppet [1]> puppet [2]> 1\n"),
        (":type 1\n", "puppet [1]> Integer[1, 1]\npuppet [1]> \n"),
        (":type [1,\n2]\n", "puppet [1]> ... Tuple[Integer[1, 1], Integer[2, 2]]\n"),
        (":quit\n1\n", "puppet [1]> "),
        (
            "2\n5\n:rerun 1-2\n",
            "puppet [1]> 2\npuppet [2]> 5\npuppet [3]> 2\n2\n5\n5\npuppet [5]> \n",
        ),
        ("2\n:rerun 1 1-2\n", "puppet [1]> 2\npuppet [2]> 2\n2\n2\n2\npuppet [4]> \n"),
        (":watch 1\n", "puppet [1]> Error: there is no screen to watch on\n"),
        ("\n\n1\n", "puppet [1]> puppet [1]> puppet [1]> 1\n"),
        ("$facts['kernel']", "puppet [1]> 'Linux'\npuppet [2]> \n"),
    ],
)
def test_lines(text: str, shown: str) -> None:
    written = dialogue(text)
    assert written.startswith(shown.split("'a\n")[0]), written
    assert "\x1b" not in written


def test_a_question_is_answered_by_a_hint() -> None:
    for question in ("each?", "each??", " stdlib::ip_in_range? "):
        shown = dialogue(f"{question}\n1\n")
        assert f"hint: :doc {question.strip(' ?')} shows the documentation" in shown
        assert shown.endswith("puppet [1]> 1\npuppet [2]> \n")
    assert dialogue("5 ?\n{ 5 => 6 }\n") == "puppet [1]> ... 6\npuppet [2]> \n"


MODE = """file { '/x': mode => 0644 }
"""
ADVICE = """\
warning: a mode is a string, and 0644 is the number 420: write '0644'
  [unquoted_file_mode]
  1 | file { '/x': mode => 0644 }
    |                      ^^^^
"""


def test_probable_mistakes_are_named_below_the_result() -> None:
    assert (
        dialogue(MODE) == f"puppet [1]> file {{ '/x':\n  mode => 420,\n}}\n{ADVICE}puppet [2]> \n"
    )
    assert ADVICE in dialogue("1;\n" + MODE).replace("In[2]", "In[1]")
    assert "warning" not in dialogue(f":set advice off\n{MODE}")
    assert "warning" not in dialogue(MODE.replace("}", "} # lint:ignore:unquoted_file_mode"))
    assert "warning" not in dialogue("fail(0644)\n")
    shown = dialogue("[\n" + "0644,\n" * 7 + "]\n")
    assert shown.count("warning: 0644 is an octal number") == 5
    assert "2 more warnings\n" in shown


def test_what_the_session_knows_is_no_mistake() -> None:
    exec_of = "exec { 'ls': }\n"
    assert "[exec_without_path]" in dialogue(exec_of)
    assert "warning" not in dialogue("Exec { path => '/bin' }\n" + exec_of)
    use = "class a { notice($fqdn) }\n"
    assert "[legacy_facts]" in dialogue(use)
    assert "warning" not in dialogue("$fqdn = 'x'\n" + use)
    assert "warning" not in dialogue(use, Host(facts={"fqdn": "x"}))


def user_host(config: str = "", startup: bytes = b"", **overrides: object) -> Host:
    """Return a host with these files of the user; their directory is the test's own."""
    directory = Path(config_directory())
    directory.mkdir(parents=True)
    (directory / "config.toml").write_text(config)
    (directory / "startup.pp").write_bytes(startup)
    host = Host(facts={}, overrides=overrides)
    host.read_user_files()
    return host


def test_strict_of_the_command_line_counts() -> None:
    assert "puppet [1]> 2\n" in dialogue("1 + '1'\n", user_host(strict="off"))


def test_the_log_level_counts() -> None:
    shown = dialogue("debug('x') notice('y')\n:set log_level err\nnotice('z')\n", user_host())
    assert "Debug: x" not in shown and "Notice: y\n" in shown and "Notice: z" not in shown


def test_a_startup_file_that_is_not_utf8_is_a_warning() -> None:
    shown = dialogue("1 + 1\n", user_host(startup=b"\xff"))
    assert shown.startswith("cannot read ") and "puppet [1]> 2\n" in shown


def test_a_startup_file_that_fails_is_shown_and_its_value_is_not() -> None:
    assert "Unknown variable" in dialogue("1\n", user_host(startup=b"$nope"))


def test_a_startup_value_is_not_shown() -> None:
    assert dialogue("$a\n", user_host(startup=b"$a = 41")).startswith("puppet [1]> 41\n")


def test_an_internal_error_does_not_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(facts={})
    execute = host.session.execute

    def fail(text: str, *rest: object, **options: object) -> object:
        if text == "1":
            raise LookupError("lost")
        return execute(text, *rest, **options)

    monkeypatch.setattr(host.session, "execute", fail)
    shown = dialogue("1\n2\n", host)
    assert "Error: this is a defect of puppet-repl: LookupError: lost" in shown
    assert "puppet [1]> 2\n" in shown


def test_a_line_that_is_not_utf8_does_not_end_it() -> None:
    lines = io.TextIOWrapper(io.BytesIO(b"\xff\n"), encoding="utf-8")
    output = io.StringIO()
    assert LineMode(Host(facts={}), lines, output).run() == 0
    assert "Error: the input is not UTF-8" in output.getvalue()


def test_inputs_go_to_the_history() -> None:
    dialogue("40 + 2\n", user_host())
    host = Host(facts={})
    host.read_user_files()
    assert host.history.loaded.wait(5)
    assert "40 + 2" in dialogue(":history\n", host)


def test_an_interrupt_while_the_history_is_written_keeps_the_prompt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host = user_host()
    tries = iter([KeyboardInterrupt(), None, None])

    def append(path: object, data: bytes) -> None:
        error = next(tries)
        if error is not None:
            raise error
        written.append(data)

    written: list[bytes] = []
    monkeypatch.setattr("puppet_repl.host.history.append_privately", append)
    shown = dialogue("1 + 1\n2 + 2\n", host)
    assert "4\n" in shown
    assert b"".join(written).count(b"+1 + 1\n") == 1
    assert b"".join(written).count(b"+2 + 2\n") == 1


def test_an_input_is_run_again_without_the_empty_lines_around_it(tmp_path: Path) -> None:
    file = tmp_path / "x.pp"
    file.write_text("\n\n40 +\n\n2\n\n")
    shown = dialogue(f":load {file}\n:rerun 1\n")
    assert shown.endswith("puppet [2]> 40 +\n\n2\n42\npuppet [3]> \n")
