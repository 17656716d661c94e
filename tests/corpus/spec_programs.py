"""Compare the programs of Puppet's own specs: what they parse, evaluate and compile.

``python -m tests.corpus.spec_programs record TREE FILE`` runs the specs of a Puppet tree with
rspec (Debian: ruby-rspec, ruby-rspec-its, ruby-webmock, ruby-vcr, ruby-json-schema), and writes
the texts that Puppet is given to a file. ``python -m tests.corpus.spec_programs compare FILE
[--save CASES]`` asks Puppet (``PUPPET_LIB``) and this interpreter about each of them, alone and
without the scope that the spec has: value, texts, type, tree, catalog, message, position and logs
must be the same. Where Puppet fails inside, any error will do.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.corpus.referee import Comparison
from tests.recorded import Case, read

HOOK = Path(__file__).with_name("spec_hook.rb")
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
NODE = "node.example.com"
NODE_BLOCK = re.compile(r"(?m)^\s*node\s")
"""What is compiled as a server does it, as only that evaluates node blocks."""


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
            node = {"node": NODE} if NODE_BLOCK.search(row["code"]) and key[0] == "catalog" else {}
            yield {"id": f"specs-{len(seen)}", **row, **node}


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
    arguments = parser.parse_args()
    if arguments.command == "record":
        record(arguments.tree, arguments.file)
        return 0
    comparison = Comparison(arguments.save)
    comparison.run(programs(arguments.file))
    print(comparison.report())
    return 0 if comparison.agrees() else 1


if __name__ == "__main__":
    sys.exit(main())
