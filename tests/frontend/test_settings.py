"""Settings: what a file says, what is written to it, and names of former versions."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from puppet_repl.commands import run
from puppet_repl.frontend.host import Host
from puppet_repl.frontend.settings import SETTINGS, SettingError, Settings
from puppet_repl.render.fragments import plain
from puppet_repl.render.report import render_report
from puppet_repl.runtime.options import Options


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


def test_every_setting_can_be_saved_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"
    settings = Settings()
    for setting in SETTINGS:
        settings.save(path, setting.name)
    again = Settings()
    assert again.load(path) == []
    assert again.values == settings.values


def test_a_number(config: Path) -> None:
    host = Host()
    assert host.session.options.ruby_seconds == 60
    answer(host, ":set ruby_seconds 5 --save")
    assert host.session.options.ruby_seconds == 5
    path = config / "config.toml"
    assert path.read_text() == "ruby_seconds = 5\n"
    again = Settings()
    assert again.load(path) == []
    assert again["ruby_seconds"] == 5


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
