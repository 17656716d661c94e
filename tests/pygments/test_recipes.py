"""What docs/highlighting.md says of other programs."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import markdown
import pytest
import yaml

PAGE = (Path(__file__).parents[2] / "docs" / "highlighting.md").read_text(encoding="utf-8")
MANIFEST = "class web (Stdlib::Fqdn $host) {\n  file { '/x': ensure => file }\n}\n"
TEMPLATE = "server { listen <%= $port %>; }\n"


def section(name: str) -> str:
    return re.split(r"^## ", PAGE.partition(f"\n## {name}\n")[2], flags=re.MULTILINE)[0]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_mkdocs_with_pymdownx() -> None:
    (config,) = blocks(section("MkDocs"), "yaml")
    listed = yaml.safe_load(config)["markdown_extensions"]
    settings = [each if isinstance(each, dict) else {each: {}} for each in listed]
    configs = {name: options for each in settings for name, options in each.items()}
    text = f"```puppet\n{MANIFEST}```\n\n```nginx-epp\n{TEMPLATE}```\n\n`#!puppet $a::b`\n"

    page = markdown.markdown(text, extensions=list(configs), extension_configs=configs)

    assert '<span class="kt">Stdlib::Fqdn</span>' in page
    assert '<span class="kc">file</span>' in page
    assert '<span class="kn">listen</span>' in page
    assert page.count('<span class="nv">') == 3
    assert 'class="err"' not in page


def test_mkdocs_with_codehilite_and_the_hook() -> None:
    (hook,) = blocks(section("MkDocs"), "python")
    code = f"""{hook}
import markdown, sys
print(markdown.markdown(sys.stdin.read(), extensions=["fenced_code", "codehilite"]))"""
    run = [sys.executable, "-c", code]
    page = subprocess.run(
        run, input=f"```puppet\n{MANIFEST}```\n", capture_output=True, text=True, check=True
    ).stdout
    assert '<span class="kt">Stdlib::Fqdn</span>' in page


def written(directory: Path) -> Path:
    """Write a manifest, and with the commands of the page what LaTeX needs of it."""
    (directory / "init.pp").write_text(MANIFEST, encoding="utf-8")
    (commands,) = blocks(section("LaTeX"), "console")
    for line in commands.splitlines():
        command, _, target = line.removeprefix("$ ").partition(" > ")
        program, *options = shlex.split(command)
        assert program == "pygmentize"
        process = subprocess.run(
            [sys.executable, "-m", "pygments", *options],
            cwd=directory,
            capture_output=True,
            text=True,
            check=True,
        )
        if target:
            (directory / target).write_text(process.stdout, encoding="utf-8")
    return directory


def test_what_pygmentize_writes_for_latex(tmp_path: Path) -> None:
    directory = written(tmp_path)
    assert r"\PY{k+kt}{Stdlib::Fqdn}" in (directory / "init.tex").read_text(encoding="utf-8")
    assert r"PY@tok@kt" in (directory / "pygments-style.tex").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX")
def test_latex_without_minted(tmp_path: Path) -> None:
    directory = written(tmp_path)
    (packages, body) = blocks(section("LaTeX"), "latex")[1].split("...\n")
    document = (
        f"\\documentclass{{article}}\n{packages}\\begin{{document}}\n{body}\\end{{document}}\n"
    )
    (directory / "page.tex").write_text(document, encoding="utf-8")
    subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page"],
        cwd=directory,
        capture_output=True,
        check=True,
    )
    assert (directory / "page.pdf").stat().st_size > 5000
