"""Rules by their names: the table of other files, comments, and --ignore."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import puppet_repl as puppet
import puppet_repl.tools.validation
from puppet_repl.frontends.cli.validate import main
from puppet_repl.tools.validation.comments import LINT_CHECKS, LINT_PLUGINS
from puppet_repl.tools.validation.file_rules import FILE_RULES, rule_named

CHECKS = Path(puppet_repl.tools.validation.__file__).parent
MODULES = (
    *("environment_files", "fixtures", "json_files", "metadata", "puppetfile", "ruby_files"),
    *("tasks", "yaml_files", "yaml_plans"),
)
CALL = re.compile(r'(?:advi[cs]e|error|warning|_errors)\([^"]{0,20}"([a-z]+_[a-z_]+|license)",')


def test_the_table_names_the_codes() -> None:
    texts = [(CHECKS / f"{name}.py").read_text("utf-8") for name in MODULES]
    used = {code for text in texts for code in CALL.findall(text)}
    named = {name for rules in FILE_RULES.values() for name in rules}
    assert len(used) > 20
    assert used <= named


def test_names_of_puppet_lint_without_a_rule_have_none() -> None:
    names = LINT_CHECKS | LINT_PLUGINS
    assert names and [name for name in sorted(names) if rule_named(name) is not None] == []


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("Puppetfile", "mod 'a/b', 'x'{}\n", "puppetfile_version"),
        ("Puppetfile", "mod 'a/b' '1.0.0'{}\n", "puppetfile_module"),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: a\n    data_hash: yaml_dta{}\n    path: b\n",
            "unknown_function",
        ),
        ("data/common.yaml", "a: '%{::fqdn}'{}\n", "legacy_facts"),
        ("plans/p.yaml", "steps: []\nsteps: []{}\n", "duplicate_key"),
        ("manifests/a.pp", "notice($::fqdn){}\n", "legacy_facts"),
        ("templates/a.erb", "a <% b{}\n", "erb_tag"),
    ],
)
def test_comments_and_options_leave_rules_out(
    path: str, text: str, code: str, tmp_path: Path
) -> None:
    file = tmp_path / path
    file.parent.mkdir(exist_ok=True)
    (tmp_path / "environment.conf").touch()

    def codes(behind: str, *ignore: str) -> list[str]:
        file.write_text(text.replace("{}", behind))
        return [each.code for each in puppet.validate(file, advice=True, ignore=ignore)]

    assert code in codes("")
    assert code not in codes(f" # lint:ignore:{code}")
    assert code not in codes("", code)
    assert code in codes(" # lint:ignore:another")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("legacy_fact", "legacy_facts"),
        ("140char", "140chars"),
        ("puppetfile_versoin", "puppetfile_version"),
        ("legacy_facts", None),
        ("140chars", None),
        ("leading_zero", None),
        ("unquoted_string_in_case", None),
        ("parameter_types", None),
        ("a_check_of_our_own", None),
    ],
)
def test_rules_that_comments_misspell(name: str, meant: str | None, tmp_path: Path) -> None:
    for path, text in (("a.pp", "class a { }"), ("Puppetfile", "forge 'https://a.example'")):
        (tmp_path / path).write_text(f"\n{text} # lint:ignore:{name}\n")
        found = puppet.validate(tmp_path / path, advice=True)
        column = len(text) + len(" # lint:ignore:") + 1
        wanted = [("unknown_rule", 2, column, column + len(name))] if meant else []
        assert [(each.code, each.line, each.column, each.end_column) for each in found] == wanted
        assert all(each.message.endswith(f"did you mean {meant}?") for each in found)


def test_rules_that_nobody_can_leave_out(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="no rule 'legacy_fact'; did you mean legacy_facts"):
        puppet.validate(text="", ignore=["legacy_fact"])
    with pytest.raises(ValueError, match="no rule 'SYNTAX_ERROR'"):
        puppet.validate(text="", ignore=["SYNTAX_ERROR"])
    with pytest.raises(SystemExit) as ended:
        main(["validate", "--ignore", "legacy_fact", "x.pp"])
    assert ended.value.code == 2
    assert "--ignore: no rule 'legacy_fact'; did you mean legacy_facts?" in capsys.readouterr().err


def test_an_ignored_rule_does_not_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.pp"
    path.write_text("notice($::fqdn, 0644)")
    arguments = ["validate", "--fail-on-warnings", "--ignore", "legacy_facts", str(path)]
    assert main(arguments) == 1
    assert "octal_number" in capsys.readouterr().err
    assert main([*arguments, "--ignore", "leading_zero"]) == 0
    assert capsys.readouterr().err == ""
