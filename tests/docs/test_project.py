"""The files that a stranger meets first: metadata, templates, release steps."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from puppet_repl.base.version import __version__
from puppet_repl.frontends.cli.arguments import SUBCOMMANDS
from tests.frontends.cli import manual
from tests.release import RECIPE, missing, other_versions

ROOT = Path(__file__).parents[2]
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/maintaining.md", "docs/conf.py")
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))


def filled_in() -> str:
    """Return pyproject.toml with its commented lines uncommented and filled in."""
    text = PYPROJECT.replace('# authors = [{ name = ""', 'authors = [{ name = "A. Person"')
    text = text.replace("# urls = ", "urls = ")
    return re.sub(
        r'(Source|Issues|Documentation|Changelog) = ""', r'\1 = "https://x.example"', text
    )


def test_what_a_release_lacks_is_named() -> None:
    lacking = missing(PYPROJECT, "## Unreleased\n", "1.2.3")
    assert lacking.pop(-2) == "pyproject.toml does not require puppet-pygments~=1.2.3"
    if "# authors" in PYPROJECT:
        assert lacking == [
            "pyproject.toml names no authors",
            "pyproject.toml has no URL called Source",
            "pyproject.toml has no URL called Issues",
            "pyproject.toml has no URL called Documentation",
            "pyproject.toml has no URL called Changelog",
            "CHANGELOG.md has no heading '## 1.2.3 - YYYY-MM-DD'",
        ]
    changelog = f"# Changelog\n\n## {__version__} - 2026-01-31\n"
    assert missing(filled_in(), changelog, __version__) == []


def test_versions_are_the_same_everywhere() -> None:
    assert set(other_versions().values()) == {__version__}


# What conda calls what pip calls otherwise.
OF_CONDA = {"prompt_toolkit": "prompt-toolkit", "PyYAML": "pyyaml", "tzdata": "python-tzdata"}


def test_the_recipe_for_conda_has_the_same_requirements() -> None:
    recipe = yaml.safe_load(RECIPE.read_text(encoding="utf-8"))
    outputs = {output["package"]["name"]: output for output in recipe["outputs"]}
    assert set(outputs) == {"puppet-pygments", "puppet-repl"}
    project = tomllib.loads(PYPROJECT)["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["kernel"]
    # conda knows no requirement that is for some systems only.
    plain = [text.partition(";")[0] for text in wanted]
    names = [re.sub(r"(\w)(?=[~<>=])", r"\1 ", text, count=1).split() for text in plain]
    expected = {f"{OF_CONDA.get(name, name)} {version}" for name, version in names}
    found = set(outputs["puppet-repl"]["requirements"]["run"])
    (pinned,) = [text for text in found if "pin_subpackage" in text]
    assert found - {pinned, "python >=${{ python_min }}"} == expected - {
        f"puppet-pygments ~={__version__}"
    }
    assert f">={recipe['context']['python_min']}" == project["requires-python"]


def test_the_manual_page_is_that_of_the_command_line() -> None:
    page = manual.FILE.read_text(encoding="utf-8")
    assert manual.undated(page) == manual.undated(manual.text()), "make manual writes it"
    assert re.search(r'^\.TH PUPPET\\-REPL "1" "\d{4}-\d\d-\d\d"', page)
    for name in SUBCOMMANDS:
        shown = name.replace("-", r"\-")
        assert f".SS \\fBpuppet\\-repl {shown}\\fR" in page


@pytest.mark.parametrize("command", ["mandoc -T lint", "man --warnings -l"])
def test_the_manual_page_has_no_faults(command: str) -> None:
    program, *options = command.split()
    if shutil.which(program) is None:
        pytest.skip(f"there is no {program}")
    process = subprocess.run(
        [program, *options, manual.FILE],
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    output = process.stdout if program == "mandoc" else process.stderr
    assert (process.returncode, output) == (0, "")


@pytest.mark.parametrize(("name", "most"), [("CONTRIBUTING.md", 950), ("README.md", 1000)])
def test_newcomers_have_little_to_read(name: str, most: int) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").split()) <= most


def test_addresses_stand_in_one_place() -> None:
    """Nothing but pyproject.toml may name the project's address, so that one place is filled in."""
    others = re.compile(r"https://github\.com/google/atheris\b")
    urls = tomllib.loads(filled_in())["project"]["urls"]
    assert set(urls) == {"Source", "Issues", "Documentation", "Changelog"}
    for name in PAGES:
        text = others.sub("", (ROOT / name).read_text(encoding="utf-8"))
        assert not re.search(r"(github|gitlab|readthedocs)\.(com|io)", text), name


def test_both_distributions_have_one_licence() -> None:
    lexers = ROOT / "lexer_pygments"
    assert (lexers / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    project = tomllib.loads(PYPROJECT)["project"]
    of_lexers = tomllib.loads((lexers / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for field in ("license", "requires-python"):
        assert of_lexers[field] == project[field], field
    assert f"{of_lexers['name']}~={__version__}" in project["dependencies"]
    assert of_lexers["dependencies"] == [
        entry for entry in project["dependencies"] if entry.startswith("pygments")
    ]


def test_classifiers_and_workflow_name_the_same_versions_of_python() -> None:
    project = tomllib.loads(PYPROJECT)["project"]
    classified = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["tests"]["strategy"]["matrix"]
    for_tags, usual = map(json.loads, re.findall(r"'(\[.*?\])'", matrix["python"]))
    assert for_tags == classified
    assert usual == [classified[0], classified[-1]]
    systems, system = map(json.loads, re.findall(r"'(\[.*?\])'", matrix["os"]))
    assert (len(systems), len(system)) == (3, 1)
    assert project["requires-python"] == f">={classified[0]}"
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" in classified


def test_the_targets_that_ci_calls_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for name in (".github/workflows/test.yml", ".ci/run", "CONTRIBUTING.md", "docs/maintaining.md"):
        path = ROOT / name
        if path.exists():
            named = re.findall(
                r"(?:run: |^|`|\$ )make ([\w= -]+)", path.read_text("utf-8"), re.MULTILINE
            )
            assert {
                target for names in named for target in names.split() if "=" not in target
            } <= targets, name


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_issue_forms_are_what_github_reads(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form["name"] and form["description"]
    fields = form["body"]
    assert {field["type"] for field in fields} <= {"textarea", "input", "dropdown", "markdown"}
    ids = [field["id"] for field in fields]
    assert len(set(ids)) == len(ids)
    assert all(field["attributes"]["label"] for field in fields)


def test_a_bug_is_told_with_its_program_and_with_what_puppet_says() -> None:
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/bug.yml").read_text(encoding="utf-8"))
    required = {f["id"] for f in form["body"] if f.get("validations", {}).get("required")}
    assert {"program", "expected", "got"} <= required


@pytest.mark.parametrize("is_filled_in", [True, False])
def test_pages_link_to_their_source_once_its_address_is_known(
    is_filled_in: bool, tmp_path: Path
) -> None:
    pytest.importorskip("sphinx")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "conf.py").write_bytes((ROOT / "docs" / "conf.py").read_bytes())
    text = filled_in() if is_filled_in else PYPROJECT
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    search_path = list(sys.path)
    try:
        configuration = runpy.run_path(str(tmp_path / "docs" / "conf.py"))
    finally:
        sys.path[:] = search_path
    has_addresses = "urls" in tomllib.loads(text)["project"]
    options = configuration["html_theme_options"]
    assert ("source_repository" in options) == has_addresses
    assert bool(configuration["ogp_site_url"]) == has_addresses
