"""Download the Debian packages ``puppet-module-*`` and unpack them, without installing any.

``python -m tests.corpus.fetch`` fills build/corpus with what the packages hold; it needs apt-get
and dpkg, and does nothing if the corpus is there.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CORPUS = Path("build/corpus")
DOWNLOADS = Path("build/packages")


def package_names() -> list[str]:
    """The names of all packages of Puppet modules."""
    found = subprocess.run(
        ["apt-cache", "search", "--names-only", "^puppet-module-"],
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(line.split(" ", 1)[0] for line in found.stdout.splitlines())


def main() -> int:
    """Download and unpack what is missing."""
    if CORPUS.exists() and any(CORPUS.rglob("*.pp")):
        return 0
    names = package_names()
    if not names:
        print("no packages puppet-module-*: is this a Debian system with package lists?")
        return 1
    DOWNLOADS.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "download", "--quiet", *names], cwd=DOWNLOADS, check=True)
    CORPUS.mkdir(parents=True, exist_ok=True)
    for package in sorted(DOWNLOADS.glob("*.deb")):
        subprocess.run(["dpkg", "-x", str(package), str(CORPUS)], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
