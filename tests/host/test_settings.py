"""Settings: what a file says, what is written to it, and names of former versions."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.host.options_file import OptionsFile
from puppet_repl.host.settings import AT_PROMPT, SETTINGS, SettingError, Settings, find_setting
from puppet_repl.language.runtime.options import Options
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report


def answer(host: Host, text: str) -> str:
    return plain(render_report(run(host.session, text, host), 100))


def test_settings_are_kept(config: Path) -> None:
    host = Host()
    assert "saved in" in answer(host, ":set theme monokai --save")
    answer(host, ":set prompt 'P {n} ' --save")
    answer(host, ":set pager off")
    path = config / "config.toml"
    assert path.read_text() == 'theme = "monokai"\nprompt = "P {n} "\n'
    again = Settings()
    assert again.load(path) == []
    assert (again["theme"], again["prompt"], again["pager"]) == ("monokai", "P {n} ", True)


def test_a_full_disk_is_told_with_the_file(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("puppet_repl.base.file_replacement.replace_file", fail)
    path = config / "config.toml"
    assert answer(Host(), ":set pager off --save").endswith(
        f"cannot save it: {path}: No space left on device"
    )


def test_every_setting_can_be_saved_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"
    settings = Settings()
    for setting in AT_PROMPT:
        settings.save(path, setting.name)
    again = Settings()
    assert again.load(path) == []
    assert again.values == settings.values


def test_a_restored_default_is_removed_from_the_file(config: Path) -> None:
    host = Host()
    path = config / "config.toml"
    answer(host, ":set prompt '> ' --save")
    answer(host, ":set pager off --save")
    assert answer(host, ":set prompt --default").startswith("prompt = 'puppet [{n}]> '\n")
    assert (host.settings["prompt"], path.read_text()) == (
        "puppet [{n}]> ",
        'prompt = "> "\npager = false\n',
    )
    assert answer(host, ":set prompt --default --save").startswith("removed from")
    assert path.read_text() == "pager = false\n"
    assert "prompt" not in host.settings.chosen
    answer(host, ":set strict off")
    answer(host, ":set strict --default")
    assert host.session.options.strict == "error"


def test_the_file_has_options_that_no_prompt_changes(config: Path) -> None:
    (config / "config.toml").write_text("cache = false\nruby_seconds = 5\nbind_once = true\n")
    host = Host()
    assert host.session.options.cache
    host.read_user_files()
    options = host.session.options
    assert (options.cache, options.ruby_seconds, options.bind_once) == (False, 5, True)
    assert host.problems == []


def test_the_default_of_stdlib_depends_on_the_environment(config: Path) -> None:
    for environment, default in ((None, "9"), (str(config), "off")):
        host = Host(Options(environment=environment, stdlib="8"))
        answer(host, ":set stdlib --default")
        assert host.session.options.stdlib == default


@pytest.mark.parametrize(
    "text", ["puppet [{n}]> ", "a b", "'a'", '"a"', "it's", "", "'", "\t", "plain"]
)
def test_a_value_is_shown_as_it_is_typed(text: str) -> None:
    setting = find_setting("prompt")
    assert setting.parse(setting.show(text)) == text


def test_settings_of_the_file_only_are_not_changed_at_a_prompt(config: Path) -> None:
    host = Host()
    assert len(AT_PROMPT) <= 20 < len(SETTINGS)
    assert answer(host, ":set ruby_seconds 5") == (
        "Error: ruby_seconds is set before the start: by the option --ruby-seconds or a line of "
        "config.toml"
    )
    told = answer(host, ":set bind_once")
    assert told == "Error: bind_once is set before the start: by a line of config.toml"
    listed = answer(host, ":set")
    assert not [each.name for each in SETTINGS if (f"  {each.name} " in listed) != each.at_prompt]


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "86401", "\N{SUPERSCRIPT TWO}"])
def test_what_is_no_number_is_refused(text: str) -> None:
    settings = Settings()
    with pytest.raises(SettingError, match="ruby_seconds is a whole number from 1 to 86400, not"):
        settings.set("ruby_seconds", text)
    assert settings["ruby_seconds"] == 60


def test_a_limit_of_time(config: Path) -> None:
    host = Host()
    assert host.session.options.max_seconds is None
    assert "off" in answer(host, ":set max_seconds")
    answer(host, ":set max_seconds 2.5 --save")
    assert host.session.options.max_seconds == 2.5
    path = config / "config.toml"
    assert path.read_text() == "max_seconds = 2.5\n"
    again = Settings()
    assert again.load(path) == []
    assert again["max_seconds"] == 2.5
    answer(host, ":set max_seconds off --save")
    assert host.session.options.max_seconds is None
    assert path.read_text() == 'max_seconds = "off"\n'
    assert again.load(path) == []
    assert again["max_seconds"] is None


@pytest.mark.parametrize("text", ["0", "-1", "many", "86401", "nan", "inf", "\N{SUPERSCRIPT TWO}"])
def test_what_is_no_limit_of_time_is_refused(text: str) -> None:
    settings = Settings()
    with pytest.raises(SettingError, match="max_seconds is a number of seconds above 0, up to"):
        settings.set("max_seconds", text)
    assert settings["max_seconds"] is None


def test_saving_leaves_comments_strings_and_tables_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(
        "# mine\n"
        'prompt = """\n'
        "log_level = debug\n"
        '> """  # two lines\n'
        'log_level = "info"  # not too much\n'
        "\n"
        "[other]\n"
        "log_level = 1\n"
    )
    before = path.read_text()
    settings = Settings()
    settings.set("log_level", "err")
    settings.save(path, "log_level")
    assert path.read_text() == before.replace('"info"  #', '"err"  #')
    settings.save(path, "theme")
    table = tomllib.loads(path.read_text())
    assert table["theme"] == "puppet" and table["other"] == {"log_level": 1}
    assert table["prompt"] == "log_level = debug\n> "


@pytest.mark.parametrize("content", [b"= nonsense", b"theme = '\xff'"])
def test_a_file_that_cannot_be_read_is_not_written(config: Path, content: bytes) -> None:
    path = config / "config.toml"
    path.write_bytes(content)
    with pytest.raises(SettingError, match="nothing was saved"):
        Settings().save(path, "theme")
    assert "nothing was saved" in answer(Host(), ":set pager off --save")
    assert path.read_bytes() == content


def test_saving_reports_a_broken_file_as_loading_does(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("x = [1,\n")
    with pytest.raises(SettingError, match="Invalid value"):
        Settings().save(path, "theme")
    assert "Invalid value" in Settings().load(path)[0]


def test_a_broken_settings_file_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('theme = "nope"\nwhat = 1\npager = false\n')
    settings = Settings()
    problems = settings.load(path)
    assert len(problems) == 2 and settings["pager"] is False
    path.write_text("= nonsense")
    assert Settings().load(path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "ruby_seconds = " + "9" * 50,
            "ruby_seconds is an integer, not an integer of 167 bits",
        ),
        ("ruby_seconds = " + "[" * 30_000, "it is nested too deeply"),
        ("a = 2024-13-45", "Expected newline or end of document after a statement"),
        ("a = 9999-99-99T99:99:99Z", "Expected newline or end of document after a statement"),
        ('prompt = ["a"]', "prompt is a string, not an array"),
        ("prompt = 5", "prompt is a string, not an integer"),
        ("prompt = true", "prompt is a string, not a Boolean"),
        ("prompt = {a = 1}", "prompt is a string, not a table"),
        ("[prompt]\na = 1", "prompt is a string, not a table"),
        ("theme = 1979-05-27", "theme is a string, not a date or a time"),
        ("pager = 1.5", "pager is true or false, not a float"),
        ("pager = []", "pager is true or false, not an array"),
        ("ruby_seconds = 5.0", "ruby_seconds is an integer, not a float"),
        ("ruby_seconds = true", "ruby_seconds is a whole number from 1 to 86400, not 'on'"),
        ("stdlib = [9]", "stdlib is a string, not an array"),
        ("stdlib = 7", "stdlib is one of "),
        ("max_seconds = []", "max_seconds is a number or 'off', not an array"),
        ("max_seconds = nan", "max_seconds is a number of seconds above 0"),
    ],
)
def test_values_of_other_types_are_told_of(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    settings = Settings()
    (told,) = settings.load(path)
    assert told.startswith(f"{path}: {problem}"), told
    assert settings.values == Settings().values


def test_a_number_longer_than_python_reads_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("ruby_seconds = " + "9" * 5000 + "\n")
    settings = Settings()
    (told,) = settings.load(path)
    assert len(told) < len(str(path)) + 100
    assert "sys" not in told
    assert settings["ruby_seconds"] == 60


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ruby_seconds = 5", 5),
        ('ruby_seconds = "5"', 5),
        ("pager = false", False),
        ('pager = "off"', False),
        ("pager = 0", False),
        ("stdlib = 9", "9"),
        ("max_seconds = 2.5", 2.5),
        ("max_seconds = false", None),
        ("stdlib = false", "off"),
        ('prompt = "5"', "5"),
    ],
)
def test_values_that_a_setting_takes(tmp_path: Path, text: str, value: object) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    settings = Settings()
    assert settings.load(path) == []
    assert settings[text.partition(" ")[0]] == value


@pytest.mark.skipif(os.name != "posix", reason="named pipes of POSIX")
def test_a_pipe_in_place_of_the_file_does_not_hold_the_start_up(config: Path) -> None:
    for name in ("config.toml", "startup.pp"):
        os.mkfifo(config / name)
    host = Host(facts={})
    host.read_user_files()
    problems = [str(problem) for problem in host.start()]
    assert len(problems) == 2
    assert all("Not a regular file (a named pipe)" in problem for problem in problems)


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_full_disk_leaves_the_file_as_it_was(config: Path) -> None:
    """A limit on the size of files fails as a full disk does: in the middle of writing."""
    path = config / "config.toml"
    before = '# mine\ntheme = "monokai"\n' + "# and more\n" * 100
    path.write_text(before)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50));"
        "from puppet_repl.host.host import Host;"
        "from puppet_repl.frontends.terminal.line_mode import LineMode;"
        "LineMode(Host(facts={}), sys.stdin, sys.stdout).run()"
    )
    command = [sys.executable, "-c", code]
    given = ":set pager off --save\n"
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    assert "File too large" in done.stdout
    assert path.read_text() == before
    assert [entry.name for entry in config.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prompt = " + "[" * 30_000, "it is nested too deeply"),
        ("prompt = 1\nprompt = 2\n", "Cannot overwrite a value"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_not_saved_to(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(SettingError, match=message):
        Settings().save(path, "theme")
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("text", "strict", "bind_once", "notices"),
    [
        ('strict = "off"\nbind_once = true\n', "off", True, 0),
        ('puppet_strict = "warning"\n', "warning", False, 1),
        ("strict = true\n", "error", True, 1),
        ('strict = true\npuppet_strict = "off"\n', "off", True, 2),
        ('puppet_strict = "off"\nstrict = "warning"\n', "warning", False, 1),
        ("strict = true\nbind_once = false\n", "error", False, 1),
    ],
)
def test_former_names_are_still_read(
    tmp_path: Path, text: str, strict: str, bind_once: bool, notices: int
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    settings = Settings()
    told = settings.load(path)
    assert len(told) == notices and all("is called" in line for line in told), told
    assert (settings["strict"], settings["bind_once"]) == (strict, bind_once)


def test_saving_renames_former_names(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('strict = true  # a switch\npuppet_strict = "warning"  # a level\n')
    settings = Settings()
    settings.load(path)
    settings.set("strict", "off")
    settings.save(path, "strict")
    assert path.read_text() == 'bind_once = true  # a switch\nstrict = "off"  # a level\n'


def test_engine_settings_are_the_options_of_the_same_names() -> None:
    settings = Settings()
    settings.take_from(Options(strict="off", strict_variables=False, bind_once=True))
    assert settings["strict"] == "off"
    options = Options()
    settings.apply_to(options)
    assert (options.strict, options.strict_variables, options.bind_once) == ("off", False, True)


@pytest.mark.parametrize("level", ["alert", "emerg", "crit", "err"])
def test_what_is_above_an_error_is_always_shown(level: str) -> None:
    settings = Settings()
    settings.set("log_level", "err")
    assert settings.shows(level)
    assert not settings.shows("warning")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ca_server = 'ca.lan'", {"ca_server": "ca.lan"}),
        ("ca_server = 'a b'\nnoop = true", {"ca_server": "a b", "noop": True}),
        ("", {}),
    ],
)
def test_settings_of_puppet(text: str, value: object, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"[puppet_settings]\n{text}\n[profiles.a]\nnode = 'a'\n")
    settings = Settings()
    settings.set("theme", "vim")
    settings.save(path, "theme")
    again = Settings()
    assert again.load(path) == []
    assert (again["puppet_settings"], again["theme"]) == (value, "vim")
    assert OptionsFile(str(path), None).profiles == {"a": {"node": "a"}}


def test_settings_of_puppet_are_a_table(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    for text, problem in (
        ("puppet_settings = 1", "puppet_settings is a table, not an integer"),
        ("[puppet_settings]\nca_port = []", "puppet_settings: "),
        ("[puppet_settings]\nnix = 1", "puppet_settings: Puppet has no setting 'nix'"),
        (
            "[puppet_settings]\nstrict = 'off'",
            "the setting 'strict' is an option of its own: strict",
        ),
        ("[puppet_settings]\nmodulepath = 'a'", "is an option of its own: --modulepath"),
    ):
        path.write_text(text)
        (found,) = Settings().load(path)
        assert problem in found


def test_a_default_that_the_file_lacks_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "made" / "config.toml"
    settings = Settings()
    assert not settings.save(path, "theme", restored=True)
    assert not path.parent.exists()
    path.parent.mkdir()
    path.write_text("# mine\nlog_level = 'debug'\n")
    before = path.stat().st_mtime_ns
    assert not settings.save(path, "theme", restored=True)
    assert path.stat().st_mtime_ns == before
    assert settings.save(path, "log_level", restored=True)
    assert path.read_text() == "# mine\n"
