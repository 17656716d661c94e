"""All of a release but its upload: python -m tests.release; --check says what is missing for it."""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import yaml

import puppet_pygments
from puppet_repl.base.version import __version__, full_version
from tests.environment.facts.make_factsets import DISTRIBUTION
from tests.frontends.cli import manual
from tests.install.environment import LEXERS, PROJECT, Environment
from tests.pygments import browser_rules, upstream

DIST = PROJECT / "dist"
SUMS = "SHA256SUMS"
EXTENSION = PROJECT / "build" / "vscode" / "puppet-repl.vsix"
ADDRESSES = ("Source", "Issues", "Documentation", "Changelog")
RECIPE = PROJECT / ".github" / "conda" / "recipe.yaml"


class Refused(Exception):
    """What was built is not fit to be released."""


def missing(pyproject: str, changelog: str, version: str) -> list[str]:
    """Return a sentence for each thing that a release of that version lacks."""
    project = tomllib.loads(pyproject)["project"]
    found = []
    if not [author for author in project.get("authors", ()) if author.get("name")]:
        found.append("pyproject.toml names no authors")
    urls = project.get("urls", {})
    found += [
        f"pyproject.toml has no URL called {name}"
        for name in ADDRESSES
        if not urls.get(name, "").startswith("https://")
    ]
    if f"puppet-pygments~={version}" not in project["dependencies"]:
        found.append(f"pyproject.toml does not require puppet-pygments~={version}")
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        found.append(f"CHANGELOG.md has no heading '## {version} - YYYY-MM-DD'")
    return found


def other_versions() -> dict[str, str]:
    """Return the versions that files apart from puppet_repl/base/version.py say."""
    recipe = yaml.safe_load(RECIPE.read_text(encoding="utf-8"))
    return {
        "lexer_pygments/puppet_pygments/__init__.py": puppet_pygments.__version__,
        **{
            name: json.loads((PROJECT / name).read_text("utf-8"))["version"]
            for name in (
                "kernel/labextension/package.json",
                "kernel/jupyterlite/package.json",
                "puppet_repl/frontends/language_server/editors/vscode/package.json",
            )
        },
        ".github/conda/recipe.yaml": recipe["context"]["version"],
    }


def stale() -> list[str]:
    """Return a sentence for each file that is to be generated anew."""
    page = manual.FILE.read_text(encoding="utf-8")
    found = []
    if manual.undated(page) != manual.undated(manual.text()):
        found.append("docs/puppet-repl.1 is not of today's command line: make manual")
    for path, text in browser_rules.FILES.items():
        if path.read_text(encoding="utf-8") != text():
            found.append(f"{path.relative_to(PROJECT)} is out of date: make labextension")
    return found


def problems() -> list[str]:
    """Return a sentence for all that a release of this checkout lacks."""
    found = missing(
        (PROJECT / "pyproject.toml").read_text(encoding="utf-8"),
        (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8"),
        __version__,
    )
    found += [
        f"{name} has version {version}, not {__version__}"
        for name, version in other_versions().items()
        if version != __version__
    ]
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    if status.stdout:
        found.append("there are changes that are not committed")
    return found + stale()


def build(directory: Path) -> list[Path]:
    """Build the archives of all distributions, each wheel from its source archive."""
    for source in (LEXERS, PROJECT, DISTRIBUTION):
        subprocess.run(
            [sys.executable, "-m", "build", "--quiet", "--outdir", directory, source], check=True
        )
    return sorted([*directory.glob("*.whl"), *directory.glob("*.tar.gz")])


def check(archives: list[Path]) -> None:
    """Raise an error if archives are not all that is wanted, or not fit to be uploaded."""
    names = [
        f"{name}{ending}"
        for name in (
            f"puppet_pygments-{__version__}",
            f"puppet_repl-{__version__}",
            f"puppet_repl_facts-{version_of_facts()}",
        )
        for ending in ("-py3-none-any.whl", ".tar.gz")
    ]
    if [archive.name for archive in archives] != names:
        raise Refused(f"expected {names}, found {[archive.name for archive in archives]}")
    for archive in archives:
        if archive.suffix == ".whl" and (direct := direct_references(archive)):
            raise Refused(f"{archive.name} requires files of this machine: {direct}")
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *archives], check=True)


def version_of_facts() -> str:
    """Return the version of the fact sets, which is that of FacterDB."""
    text = (DISTRIBUTION / "pyproject.toml").read_text(encoding="utf-8")
    version: str = tomllib.loads(text)["project"]["version"]
    return version


def add_lexers_for_pygments(directory: Path) -> Path:
    """Make an archive of the modules that are offered to Pygments itself."""
    with tempfile.TemporaryDirectory() as scratch:
        upstream.offer(Path(scratch))
        name = f"lexers_for_pygments-{__version__}"
        return Path(shutil.make_archive(str(directory / name), "zip", scratch))


def add_extension(extension: Path, directory: Path) -> Path:
    """Copy the extension for VS Code, which ``make vscode`` has built, if it has this version."""
    if not extension.exists():
        raise Refused("there is no extension for VS Code: make vscode")
    with zipfile.ZipFile(extension) as archive:
        manifest = json.loads(archive.read("extension/package.json"))
        lacks = {"extension/out/extension.js", "extension/LICENSE.txt"} - {*archive.namelist()}
    if lacks or manifest["version"] != __version__:
        raise Refused(f"the extension has version {manifest['version']}, and lacks {sorted(lacks)}")
    return Path(shutil.copy(extension, directory / f"puppet-repl-{__version__}.vsix"))


def direct_references(wheel: Path) -> list[str]:
    """Return the requirements of a wheel that name an address, as those of a checkout do."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        headers = Parser().parsestr(archive.read(name).decode("utf-8"), headersonly=True)
    return [each for each in headers.get_all("Requires-Dist") or [] if "@" in each]


def try_out(archives: list[Path], directory: Path) -> None:
    """Install wheels in an empty environment, and raise an error unless each part of them works."""
    lexers, project, facts = (archive for archive in archives if archive.suffix == ".whl")
    environment = Environment(directory, str(lexers), f"{project}[kernel]", str(facts))
    versions = environment.distributions()
    if {versions["puppet-repl"], versions["puppet-pygments"]} != {__version__}:
        raise Refused(f"other versions are installed: {versions}")
    expected = {
        "the version": (f"puppet-repl {full_version()}\n", ("puppet-repl", "--version")),
        "the facts": (
            "'FreeBSD'\n",
            ("puppet-repl", "--facts", "freebsd-14", "-e", "$facts['os']['family']"),
        ),
        "a value": ("[2, 4]\n", ("puppet-repl", "-e", "[1, 2].map |$x| { $x * 2 }")),
        "the lexers": ("Token.Name.Variable\t'$x'\n", ("pygmentize", "-f", "raw", "x.pp")),
    }
    (directory / "x.pp").write_text("$x", encoding="utf-8")
    for what, (output, command) in expected.items():
        found = environment.run(*command)
        if not found.startswith(output):
            raise Refused(f"{what}: {command} prints {found!r}")
    if "puppet" not in environment.kernels():
        raise Refused("Jupyter does not find the kernel")
    if not (environment.directory / "share/man/man1/puppet-repl.1").exists():
        raise Refused("the manual page is not installed")
    environment.run("python", "-m", "pip", "check")


def write_sums(archives: list[Path], directory: Path) -> None:
    """Write the checksums of archives, in the form that ``sha256sum --check`` reads."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in archives]
    (directory / SUMS).write_text("".join(lines), encoding="utf-8")


def release(directory: Path, extension: Path | None) -> list[Path]:
    """Build the archives for the index in a directory, try them, add the other ones, and sums.

    Return those for the index. Without an ``extension`` for VS Code there is none.
    """
    archives = build(directory)
    check(archives)
    with tempfile.TemporaryDirectory() as scratch:
        try_out(archives, Path(scratch))
    others = [add_lexers_for_pygments(directory)]
    if extension is not None:
        others.append(add_extension(extension, directory))
    write_sums([*archives, *others], directory)
    return archives


def main(arguments: list[str] | None = None) -> int:
    """Print what is missing; where nothing is, and it is asked for, make the release."""
    parser = argparse.ArgumentParser(prog="python -m tests.release", description=__doc__)
    parser.add_argument("--check", action="store_true", help="build nothing")
    options = parser.parse_args(arguments)
    found = problems()
    print("\n".join(found) or f"ready to release {__version__}")
    if found or options.check:
        return 1 if found else 0
    if DIST.exists() and any(DIST.iterdir()):
        print(f"{DIST} holds other files: remove them first")
        return 1
    try:
        archives = release(DIST, EXTENSION)
    except (Refused, subprocess.CalledProcessError, AssertionError) as error:
        print(error)
        return 1
    print(f"to upload: python -m twine upload {' '.join(f'dist/{each.name}' for each in archives)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
