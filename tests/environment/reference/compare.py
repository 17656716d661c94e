"""Compare what is written for modules with the REFERENCE.md that they have.

    python -m tests.environment.reference.compare MODULES [GENERATED]
    python -m tests.environment.reference.compare --fetch MODULES

MODULES is a directory of modules. GENERATED is one with files NAME.md that a generator has written
of the same modules; where they are given, they are compared with, too: the REFERENCE.md of a module
may be older than the module. Of each column it is told how many are equal, and of how many.

``--fetch`` fills the directory with the modules that ``public_modules.txt`` lists, at the commits
there, and leaves what it has. The list also says why a REFERENCE.md is not what is written.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from puppet_repl.environment.reference.markdown import as_markdown
from puppet_repl.environment.reference.module import read_module

LIST = Path(__file__).parent / "public_modules.txt"
COLUMNS = ("entries", "parameters", "types", "defaults", "texts", "examples")
_ENTRY = re.compile(r'^### <a name="[^"]*"></a>`(.*)`$')
_PART = re.compile(r'^#{4,6} (?:<a name="[^"]*"></a>)?`?(.*?)`?$')
_TYPE = re.compile(r"^Data type:(?: `([^\n]*)`|\n\n```puppet\n([\s\S]*?)\n```)$", re.MULTILINE)
_DEFAULT = re.compile(r"^Default value:(?: `([^\n]*)`|\n\n```\w+\n([\s\S]*?)\n```)$", re.MULTILINE)


class Facts:
    """What a REFERENCE.md says: facts of each column by their names."""

    def __init__(self, text: str) -> None:
        self.columns: dict[str, dict[tuple[str, ...], str]] = {name: {} for name in COLUMNS}
        section = entry = part = ""
        lines: list[str] = []
        is_code = False
        for line in [*text.split("\n"), "## "]:
            if line.startswith("```"):
                is_code = not is_code
            found = None if is_code else _ENTRY.match(line) or _PART.match(line)
            if found is None and (is_code or not line.startswith("## ")):
                lines.append(line)
                continue
            if entry:
                self._add((section, entry, part), "\n".join(lines).strip())
            lines = []
            if line.startswith("## "):
                section, entry, part = line, "", ""
            elif line.startswith("### "):
                assert found is not None
                entry, part = found[1], ""
            elif found is not None:
                part = found[1]

    def _add(self, key: tuple[str, ...], text: str) -> None:
        columns = self.columns
        while key in columns["parameters"] or key in columns["examples"]:
            key = (*key, "again")
        if not key[2]:
            columns["entries"][key] = key[1]
            columns["texts"][key] = text
            return
        if text.startswith("```puppet"):
            columns["examples"][key] = text
            return
        columns["parameters"][key] = key[2]
        kind, default = _TYPE.search(text), _DEFAULT.search(text)
        if kind is not None:
            columns["types"][key] = kind[1] or kind[2] or ""
        if default is not None:
            columns["defaults"][key] = default[1] or default[2] or ""
        columns["texts"][key] = _DEFAULT.sub("", _TYPE.sub("", text)).strip()


def compared(theirs: str, ours: str) -> dict[str, tuple[int, int]]:
    """Return how many facts of each column are equal, and how many there are."""
    left, right = Facts(theirs).columns, Facts(ours).columns
    result = {}
    for name in COLUMNS:
        keys = left[name].keys() | right[name].keys()
        same = sum(left[name].get(key) == right[name].get(key) for key in keys)
        result[name] = (same, len(keys))
    return result


def report(title: str, pairs: list[tuple[str, str, str]], states: dict[str, str]) -> None:
    """Print the table for modules: name, their text, and ours; then the files that are not equal.

    ``states`` has a text for each module whose file is not what is written.
    """
    total: Counter[tuple[str, int]] = Counter()
    for _, theirs, ours in pairs:
        for column, (same, count) in compared(theirs, ours).items():
            total[column, 0] += same
            total[column, 1] += count
    equal = sum(theirs == ours for _, theirs, ours in pairs)
    sums = [f"{total[name, 0]:,} of {total[name, 1]:,}" for name in COLUMNS]
    print(f"\n{title}\n\n|", " | ".join(COLUMNS), "| whole files |")
    print("| --- " * (len(COLUMNS) + 1) + "|")
    print(f"| {' | '.join(sums)} | {equal} of {len(pairs)} |\n")
    for name, theirs, ours in pairs:
        if theirs != ours:
            print(f"| {name} | {states.get(name, 'differs')} |")


def listed() -> dict[str, tuple[str, str]]:
    """Return the public modules: names of directories, their commits, and why a file differs."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    parts = [(*line.split(" ", 2), "")[:3] for line in lines]
    return {name.replace("/", "+"): (commit, cause) for name, commit, cause in parts}


def fetch(directory: Path) -> None:
    """Fetch the public modules that are not there, each at its commit, without its history."""
    for name, (commit, _) in listed().items():
        module = directory / name
        if (module / "REFERENCE.md").exists():
            continue
        module.mkdir(parents=True, exist_ok=True)
        address = f"https://github.com/{name.replace('+', '/')}"
        for command in (
            ["init", "--quiet"],
            ["fetch", "--quiet", "--depth", "1", address, commit],
            ["checkout", "--quiet", "FETCH_HEAD"],
        ):
            subprocess.run(["git", "-C", str(module), *command], check=True)


def main(arguments: list[str]) -> int:
    """Compare all modules; return 1 where a file differs from what a generator writes."""
    if arguments[0] == "--fetch":
        fetch(Path(arguments[1]))
        return 0
    modules = sorted(path for path in Path(arguments[0]).iterdir() if path.is_dir())
    causes = {name: cause for name, (_, cause) in listed().items() if cause}
    committed, generated = [], []
    seconds = 0.0
    for module in modules:
        start = time.perf_counter()
        reference = read_module(module)
        ours = as_markdown(reference)
        seconds += time.perf_counter() - start
        file = module / "REFERENCE.md"
        if file.is_file():
            text = file.read_text(encoding="utf-8")
            committed.append((module.name, text, ours))
            if text == as_markdown(reference, with_data=False):
                causes[module.name] = "written by an older generator, without the data"
        if len(arguments) > 1:
            fresh = Path(arguments[1], f"{module.name}.md")
            if fresh.is_file():
                generated.append((module.name, fresh.read_text(encoding="utf-8"), ours))
    report("Compared with the REFERENCE.md of the modules", committed, causes)
    if generated:
        report("Compared with what a generator writes now", generated, {})
    print(f"\n{len(modules)} modules in {seconds:.1f} s")
    return int(any(theirs != ours for _, theirs, ours in generated))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
