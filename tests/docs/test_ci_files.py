"""The hooks for pre-commit, the action for GitHub and the component for GitLab, each executed.

Not executed here: the services themselves, and ``actions/setup-python``. What calls pip is in
``tests/install/test_ci_files.py``.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from pathlib import Path

import pytest

from puppet_repl.tools.validation.kinds import DATA, KINDS, kind_of
from tests.docs.ci_files import BASH, HOOKS, SH, Action, Component, Script, inputs_in, of_hook
from tests.docs.test_shell_blocks import is_understood

GOOD = "class motd {\n  file { '/etc/motd':\n    ensure => file,\n  }\n}\n"
BAD = "class motd {\n  file { '/etc/motd'\n}\n"
DOUBTFUL = "class motd {\n  file { '/etc/motd':\n    mode => 0644,\n  }\n}\n"
OTHER_FORM = GOOD.replace("    ", "  ").replace(" {", "{")

# A file of each kind, by its path in a module or environment.
NAMES = {
    "manifests/init.pp": "manifest",
    "plans/deploy.pp": "manifest",
    "templates/motd.epp": "epp",
    "templates/etc/motd.conf.erb": "erb",
    "lib/facter/motd.rb": "ruby",
    "lib/puppet/functions/motd/line.rb": "ruby",
    "metadata.json": "metadata",
    "tasks/restart.json": "task metadata",
    "tasks/restart": "task",
    "tasks/restart.sh": "task",
    "plans/deploy.yaml": "plan",
    "environment.conf": "environment",
    "Puppetfile": "puppetfile",
    ".fixtures.yml": "fixtures",
    ".fixtures.yaml": "fixtures",
    "hiera.yaml": "hiera",
    "data/common.yaml": "data",
    "data/nodes/web01.example.com.yml": "data",
    "data/secret.eyaml": "data",
    "hieradata/common.json": "data",
}
NOT_FOR_VALIDATE = [
    *("README.md", "Gemfile", "Rakefile", "Puppetfile.lock", "package.json", "metadata.json.bak"),
    *(".github/workflows/test.yml", ".rubocop.yml", "spec/classes/motd_spec.rb", "lib/motd.py"),
    *("tasks/README.md", "tasks/main.yml", "roles/web/tasks/main.yaml", "tasks/nested/file.sh"),
    *("files/logo.png", "files/motd.erb", "mydata/x.yaml", "docs/hiera.yaml.md", "app.ppx"),
]


def repository(directory: Path, files: Mapping[str, str]) -> Path:
    """Return a repository of git that has files in its only commit."""
    write(directory, files)
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    for arguments in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "Begin"]):
        subprocess.run(["git", *arguments], cwd=directory, check=True)
    return directory


def write(directory: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, encoding="utf-8")


# pre-commit


def test_hooks_have_what_pre_commit_needs() -> None:
    assert list(HOOKS) == ["puppet-repl-validate", "puppet-repl-format", "puppet-repl-reference"]
    for hook in HOOKS.values():
        assert hook["language"] == "python" and hook["name"] and hook["description"]
        program, *arguments = shlex.split(hook["entry"])
        assert program == "puppet-repl" and is_understood(arguments)


@pytest.mark.parametrize("path", NAMES)
def test_validate_is_for_every_kind_of_file(path: str) -> None:
    pattern = HOOKS["puppet-repl-validate"]["files"]
    assert re.search(pattern, path) and re.search(pattern, f"site/motd/{path}")
    found = kind_of(path, None)
    assert (found or DATA).name == NAMES[path]


def test_each_kind_has_a_name_above() -> None:
    assert set(NAMES.values()) == {kind.name for kind in KINDS} - {DATA.name} | {"data"}


@pytest.mark.parametrize("path", NOT_FOR_VALIDATE)
def test_validate_is_not_for_other_files(path: str) -> None:
    assert re.search(HOOKS["puppet-repl-validate"]["files"], path) is None


@pytest.mark.parametrize(
    ("name", "for_it", "not_for_it"),
    [
        (
            "puppet-repl-format",
            ["manifests/init.pp", "site/motd/templates/motd.epp"],
            ["templates/motd.erb", "data/common.yaml", "README.md"],
        ),
        (
            "puppet-repl-reference",
            ["manifests/init.pp", "lib/puppet/functions/f.rb", "REFERENCE.md", "metadata.json"],
            ["modules/motd/manifests/init.pp", "spec/classes/motd_spec.rb", "README.md"],
        ),
    ],
)
def test_hooks_are_for_files(name: str, for_it: list[str], not_for_it: list[str]) -> None:
    pattern = HOOKS[name]["files"]
    assert [path for path in for_it + not_for_it if re.search(pattern, path)] == for_it


@pytest.mark.parametrize(
    ("name", "files", "arguments", "status", "printed"),
    [
        ("validate", {"manifests/init.pp": GOOD}, [], 0, ""),
        ("validate", {"manifests/init.pp": BAD}, [], 1, "Syntax error at '}'"),
        ("validate", {"manifests/init.pp": DOUBTFUL}, [], 0, ""),
        ("validate", {"manifests/init.pp": DOUBTFUL}, ["--fail-on-warnings"], 1, "0644"),
        ("validate", {"metadata.json": "{"}, [], 1, "metadata.json"),
        ("validate", {"data/common.yaml": "a: 1\na: 2\n", "hiera.yaml": "x"}, [], 1, "hiera.yaml"),
        ("format", {"manifests/init.pp": GOOD}, [], 0, ""),
        ("format", {"manifests/init.pp": BAD}, [], 1, "Syntax error at '}'"),
        ("format", {"manifests/init.pp": OTHER_FORM}, ["--check"], 1, "has another form"),
        ("reference", {"manifests/init.pp": GOOD}, [], 1, "REFERENCE.md"),
    ],
)
def test_hooks_run(
    name: str,
    files: dict[str, str],
    arguments: list[str],
    status: int,
    printed: str,
    tmp_path: Path,
) -> None:
    script = of_hook(f"puppet-repl-{name}", files, arguments)
    assert script is not None
    done = script.run(repository(tmp_path, files))
    assert done.returncode == status and printed in done.stdout, done.stdout
    assert status or done.stdout == ""


def test_the_format_hook_changes_the_file(tmp_path: Path) -> None:
    script = of_hook("puppet-repl-format", ["manifests/init.pp"])
    where = repository(tmp_path, {"manifests/init.pp": OTHER_FORM})
    assert script is not None and script.run(where).returncode == 0
    changed = subprocess.run(["git", "diff", "--quiet"], cwd=where).returncode
    assert changed == 1, "pre-commit fails where a hook changes a file"
    formatted = (where / "manifests/init.pp").read_text(encoding="utf-8")
    assert formatted == GOOD


def test_the_reference_hook_wants_a_file_that_is_up_to_date(tmp_path: Path) -> None:
    where = repository(tmp_path, {"manifests/init.pp": f"# @summary The message\n{GOOD}"})
    Script("puppet-repl reference --output REFERENCE.md").run(where)
    script = of_hook("puppet-repl-reference", ["REFERENCE.md"])
    assert script is not None and script.run(where).returncode == 0
    (where / "REFERENCE.md").write_text("# Reference\n", encoding="utf-8")
    assert script.run(where).returncode == 1


def test_files_of_other_kinds_do_no_harm(tmp_path: Path) -> None:
    where = repository(tmp_path, {"README.md": "# x\n", "logo.png": "\x00", "a.pp": "$a = 1\n"})
    done = Script("puppet-repl validate README.md logo.png a.pp").run(where)
    assert (done.returncode, done.stdout) == (0, "checked 1 file\nnot read: README.md, logo.png\n")


# GitHub and GitLab


def test_inputs_of_the_action_are_declared_and_used() -> None:
    action = Action()
    assert action.data["runs"]["using"] == "composite"
    used: set[str] = set()
    for step in action.steps:
        used |= inputs_in(str(step))
        if "run" in step:
            assert step["shell"] == "bash" and "${{" not in step["run"]
    assert used == set(action.inputs)
    assert all(
        each["description"] and type(each["default"]) is str for each in action.inputs.values()
    )


def test_one_step_of_the_action_is_not_executed_here() -> None:
    assert Action().uses == ["actions/setup-python@v5"]


def test_inputs_of_the_component_are_declared_and_used() -> None:
    component = Component()
    assert inputs_in(component.text) == set(component.inputs)
    job = component.job({})
    assert not inputs_in(str(job["script"]) + str(job["before_script"]))
    for name, declared in component.inputs.items():
        assert declared["description"], name
        assert declared["default"] in declared.get("options", [declared["default"]]), name


FORMS = pytest.mark.parametrize("form", [Action, Component])
CASES = [
    (GOOD, "none", 0),
    (GOOD, "fail", 0),
    (DOUBTFUL, "none", 0),
    (DOUBTFUL, "show", 0),
    (DOUBTFUL, "fail", 1),
    (BAD, "none", 1),
]


def check(
    form: type[Action] | type[Component], where: Path, shell: tuple[str, ...] = BASH, **given: str
) -> subprocess.CompletedProcess[str]:
    """Run the script of a form that calls validate."""
    (script,) = [script for script in form().scripts(given) if not script.installs]
    return script.run(where, shell)


@FORMS
@pytest.mark.parametrize(("text", "warnings", "status"), CASES)
def test_statuses(
    form: type[Action], text: str, warnings: str, status: int, tmp_path: Path
) -> None:
    write(tmp_path, {"manifests/init.pp": text})
    done = check(form, tmp_path, warnings=warnings)
    assert done.returncode == status
    assert ("0644" in done.stdout) == (text == DOUBTFUL and warnings != "none"), done.stdout


def test_the_action_annotates_lines(tmp_path: Path) -> None:
    write(tmp_path, {"manifests/init.pp": BAD})
    printed = check(Action, tmp_path).stdout
    assert printed.startswith("::error file=manifests/init.pp,line=3,col=1,title=")


@pytest.mark.parametrize("shell", [BASH, SH])
def test_the_component_leaves_a_report(shell: tuple[str, ...], tmp_path: Path) -> None:
    write(tmp_path, {"manifests/init.pp": BAD, "manifests/other.pp": "class motd::other {}\n"})
    assert check(Component, tmp_path, shell).returncode == 1
    artifacts = Component().job({})["artifacts"]
    assert artifacts["when"] == "always"
    (suite,) = ElementTree.parse(tmp_path / artifacts["reports"]["junit"]).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")


@FORMS
def test_several_paths(form: type[Action], tmp_path: Path) -> None:
    write(tmp_path, {"a/x.pp": GOOD.replace("motd {", "a {"), "b/y.pp": BAD, "c/z.pp": BAD})
    paths = "\n".join if form is Action else " ".join
    printed = check(form, tmp_path, paths=paths(["a", "b"])).stdout
    assert "b/y.pp" in printed and "c/z.pp" not in printed
    assert check(form, tmp_path, paths=paths(["a", "missing"])).returncode == 2


def test_a_path_of_the_action_may_have_a_space(tmp_path: Path) -> None:
    write(tmp_path, {"a b/x.pp": BAD})
    assert "::error file=a b/x.pp" in check(Action, tmp_path, paths="a b\n").stdout


@FORMS
@pytest.mark.parametrize("name", ["paths", "since"])
@pytest.mark.parametrize("value", ["$(touch made)", "`touch made`", "x; touch made", "*", "--help"])
def test_an_input_is_not_code(form: type[Action], name: str, value: str, tmp_path: Path) -> None:
    repository(tmp_path, {"manifests/init.pp": GOOD})
    assert check(form, tmp_path, **{name: value}).returncode == 2
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("name", ["warnings", "format"])
def test_another_word_is_an_error(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"manifests/init.pp": GOOD})
    done = check(Action, tmp_path, **{name: "true"})
    assert (done.returncode, done.stdout[:9]) == (2, "::error::")
    with pytest.raises(AssertionError):  # which GitLab refuses before the job begins
        Component().job({name: "true"})


@FORMS
def test_another_form(form: type[Action], tmp_path: Path) -> None:
    write(tmp_path, {"manifests/init.pp": OTHER_FORM, "data/common.yaml": "a: 1\n"})
    assert check(form, tmp_path).returncode == 0
    assert check(form, tmp_path, format="check").returncode == 1
    write(tmp_path, {"manifests/init.pp": GOOD})
    assert check(form, tmp_path, format="check").returncode == 0
    write(tmp_path, {"manifests/init.pp": BAD})
    assert check(form, tmp_path, format="check").returncode == 1


@FORMS
def test_since_a_revision(form: type[Action], tmp_path: Path) -> None:
    where = repository(tmp_path, {"old.pp": BAD, "changed.pp": GOOD})
    assert check(form, where, since="HEAD").returncode == 0
    write(where, {"changed.pp": BAD})
    printed = check(form, where, since="HEAD").stdout
    assert "changed.pp" in printed and "old.pp" not in printed
