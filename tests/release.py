"""What is missing for a release: python -m tests.release."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

from puppet_repl.version import __version__

ROOT = Path(__file__).parents[1]


def missing(pyproject: str, changelog: str, version: str) -> list[str]:
    """Return a sentence for each thing that a release of that version lacks."""
    project = tomllib.loads(pyproject)["project"]
    found = []
    if not [author for author in project.get("authors", ()) if author.get("name")]:
        found.append("pyproject.toml names no authors")
    urls = project.get("urls", {})
    found += [
        f"pyproject.toml has no URL called {name}"
        for name in ("Source", "Issues", "Documentation", "Changelog")
        if not urls.get(name, "").startswith("https://")
    ]
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        found.append(f"CHANGELOG.md has no heading '## {version} - YYYY-MM-DD'")
    return found


def main() -> int:
    """Print what is missing."""
    found = missing(
        (ROOT / "pyproject.toml").read_text(encoding="utf-8"),
        (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        __version__,
    )
    print("\n".join(found) or f"ready to release {__version__}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
