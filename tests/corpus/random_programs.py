"""Compare what Puppet and this interpreter make of programs that nobody wrote.

``python -m tests.corpus.random_programs mutations|types|long [COUNT [SEED]] [--save FILE]`` needs
Ruby and Puppet (``PUPPET_LIB`` names the lib directory of a Puppet 8 tree); with ``STDLIBS``, a
directory with VERSION/stdlib, the cases of stdlib are changed too.
Value, texts, type, tree, catalog, message, position and logs must be the same. Where Puppet fails
inside, any error will do.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tests.corpus import long_programs, mutations, odd_types
from tests.corpus.referee import Comparison
from tests.recorded import Case, suite

FILES = ("specification", "functions", "parse", "evaluate", "catalog", "epp", "random")
STDLIB_FILES = ("stdlib", "stdlib8")


def visible_cases() -> list[Case]:
    """Return the recorded cases that can be changed, those of stdlib if there is one."""
    files = (*FILES, *(STDLIB_FILES if "STDLIBS" in os.environ else ()))
    cases = [case for name in files for case in suite(name)]
    return [case for case in cases if "environment_files" not in case and "node" not in case]


def main() -> int:
    """Compare; fail where less than 99.5 % agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("mutations", "types", "long"))
    parser.add_argument("count", nargs="?", type=int, default=5000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--save", type=Path, help="append Puppet's answers to a file, as cases")
    arguments = parser.parse_args()
    comparison = Comparison(arguments.save)
    if arguments.kind == "types":
        comparison.run(odd_types.programs(arguments.count, arguments.seed))
    elif arguments.kind == "long":
        comparison.run(long_programs.programs(arguments.count, arguments.seed))
    else:
        comparison.run(mutations.programs(visible_cases(), arguments.count, arguments.seed))
    print(comparison.report())
    return 0 if comparison.agrees() else 1


if __name__ == "__main__":
    sys.exit(main())
