"""Compare the programs of Puppet's own specs: what they parse, evaluate and compile.

``python -m tests.corpus.spec_programs suites MODULES FACTS OUT`` is for specs of modules: it runs
the suites that modules have for rspec-puppet with rspec-core alone (Debian: ruby-rspec-core), and
writes what their examples would compile with the sets of facts of a directory as cases for ``python
-m tests.corpus.record --programs``; of a module the --most cases that are the most different.

``python -m tests.corpus.spec_programs record TREE FILE`` runs the specs of a Puppet tree with
rspec (Debian: ruby-rspec, ruby-rspec-its, ruby-webmock, ruby-vcr, ruby-json-schema), and writes
the texts that Puppet is given to a file. ``python -m tests.corpus.spec_programs compare FILE
[--save CASES]`` asks Puppet (``PUPPET_LIB``) and this interpreter about each of them, alone and
without the scope that the spec has: value, texts, type, tree, catalog, message, position and logs
must be the same. Where Puppet fails inside, any error will do.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.corpus.referee import Comparison
from tests.recorded import Case, read

HOOK = Path(__file__).with_name("spec_hook.rb")
SUITE_HOOK = Path(__file__).with_name("suite_hook.rb")
SPECS = (
    *("unit/pops", "unit/parser", "unit/functions", "unit/datatypes", "unit/data_providers"),
    *("unit/resource", "unit/node", "unit/hiera", "unit/interface", "unit/application"),
    *("unit/puppet_pal_2pec.rb", "unit/puppet_pal_catalog_spec.rb", "unit/functions4_spec.rb"),
    *("unit/environments_spec.rb", "unit/hiera_puppet_spec.rb", "unit/info_service_spec.rb"),
    *("unit/indirector/catalog", "unit/type", "unit/util"),
    *("integration/parser", "integration/application", "integration/data_binding_spec.rb"),
    *("integration/environments", "integration/faces", "integration/node"),
    *("integration/resource", "integration/transaction", "integration/type"),
)
MINUTES = 20


def record(tree: Path, out: Path) -> None:
    """Run the specs of a tree; append each text that they give to Puppet to a file."""
    environment = {**os.environ, "PROGRAMS": str(out.absolute())}
    for spec in SPECS:
        path = tree / "spec" / spec
        if not path.exists():
            continue
        command = ["rspec", "-I", "lib", "-I", "spec/lib", "-r", str(HOOK), str(path)]
        try:
            done = subprocess.run(
                command,
                cwd=tree,
                env=environment,
                capture_output=True,
                text=True,
                timeout=60 * MINUTES,
            )
            found = [line for line in done.stdout.split("\n") if " examples, " in line]
            print(spec, *found[-1:], flush=True)
        except subprocess.TimeoutExpired:
            print(spec, f"took more than {MINUTES} minutes", flush=True)


def programs(path: Path) -> Iterator[Case]:
    """Yield requests: the texts of a file, each once for each mode."""
    seen = set()
    for row in read(path):
        key = row["mode"], row["code"]
        if key not in seen:
            seen.add(key)
            yield {"id": f"specs-{len(seen)}", **row}


def suite_of(module: Path, facts: Path) -> list[Case]:
    """Run the suite of a module; return what its examples for classes and defines compile."""
    files = [
        str(path.relative_to(module))
        for path in sorted((module / "spec").rglob("*_spec.rb"))
        if {"classes", "defines"} & {*path.parts} and not {"acceptance", "fixtures"} & {*path.parts}
    ]
    if not files:
        return []
    library = os.environ.get("PUPPET_LIB")
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "cases.jsonl"
        command = ["rspec", "--options", os.devnull, "--format", "failures"]
        command += ["-I", "lib", "-r", str(SUITE_HOOK)]
        done = subprocess.run(
            [*command, *files],
            cwd=module,
            env={
                **os.environ,
                "RUBYLIB": library or os.environ.get("RUBYLIB", ""),
                "CASES": str(out),
                "FACTS": str(facts.resolve()),
            },
            capture_output=True,
            text=True,
            timeout=60 * MINUTES,
            check=False,
        )
        print(done.stderr, end="", file=sys.stderr)
        return read(out) if out.is_file() else []


def most_different(cases: list[Case], most: int) -> list[Case]:
    """Return at most ``most`` cases: first programs that no other has, of each system in turn."""
    left = list(range(len(cases)))
    taken: Counter[str] = Counter()
    kept: list[int] = []
    while left and len(kept) < most:
        best = min(left, key=lambda n: (taken[cases[n]["code"]], taken[cases[n]["facts"]], n))
        left.remove(best)
        kept.append(best)
        taken.update((cases[best]["code"], cases[best]["facts"]))
    return [cases[number] for number in sorted(kept)]


def suites(modules: Path, facts: Path, out: Path, only: list[str], most: int) -> None:
    """Write the cases of the suites of modules, and print how many each has."""
    with out.open("w", encoding="utf-8") as stream:
        for module in sorted(path for path in modules.iterdir() if not only or path.name in only):
            found = suite_of(module, facts)
            kept = most_different(found, most)
            print(f"{module.name}: {len(kept)} of {len(found)} cases", flush=True)
            for number, case in enumerate(kept):
                name = f"{case['facts']}/{module.name}/suite/{number}"
                row = {"id": name, "module": module.name, "kind": "suite", **case}
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> int:
    """Record or compare; fail where less than 99.5 % agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("tree", type=Path)
    recording.add_argument("file", type=Path)
    comparing = commands.add_parser("compare")
    comparing.add_argument("file", type=Path)
    comparing.add_argument("--save", type=Path, help="append Puppet's answers to a file, as cases")
    harvesting = commands.add_parser("suites")
    for name in ("modules", "facts", "out"):
        harvesting.add_argument(name, type=Path)
    harvesting.add_argument("--only", nargs="+", default=[], help="names of modules")
    harvesting.add_argument("--most", type=int, default=14, help="cases of a module")
    arguments = parser.parse_args()
    if arguments.command == "suites":
        given = arguments
        suites(given.modules, given.facts, given.out, given.only, given.most)
        return 0
    if arguments.command == "record":
        record(arguments.tree, arguments.file)
        return 0
    comparison = Comparison(arguments.save)
    comparison.run(programs(arguments.file))
    print(comparison.report())
    return 0 if comparison.agrees() else 1


if __name__ == "__main__":
    sys.exit(main())
