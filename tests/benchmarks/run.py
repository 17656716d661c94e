"""Compare the speed of this project in one run: python -m tests.benchmarks.run [--keep] [PART...].

Prints one table. What counts are ratios: of the seconds of something else that does the same, in
the same run, to ours; a row with another answer than Puppet's has failed. A row whose ratio is more
than a tenth below the usual one of such a machine is measured again, with its part; when it stays
there, the exit status is 1. With --keep the run is added to history.jsonl, from which the page
about speed is made, and shown in README.md.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from pathlib import Path

from puppet_repl.base.memory import tune_process
from tests.benchmarks import history, puppet, report
from tests.benchmarks.catalog_sizes import catalog_sizes
from tests.benchmarks.catalogs import catalogs
from tests.benchmarks.editors import editors
from tests.benchmarks.evaluation import programs
from tests.benchmarks.figures import write_readme
from tests.benchmarks.fleet import fleets
from tests.benchmarks.formatting import formatting
from tests.benchmarks.kernel import kernel
from tests.benchmarks.lexers import lexers
from tests.benchmarks.machine import commit, this_machine
from tests.benchmarks.parsing import parsing
from tests.benchmarks.rows import WRONG, Absent, Benchmark, Row
from tests.benchmarks.services import services
from tests.benchmarks.start import start
from tests.benchmarks.stdlib import stdlib, templates
from tests.benchmarks.terminal import terminal
from tests.benchmarks.terminals import terminals

PARTS: dict[str, Benchmark] = {
    "start": start,
    "terminals": terminals,
    "terminal": terminal,
    "kernel": kernel,
    "editors": editors,
    "programs": programs,
    "parsing": parsing,
    "formatting": formatting,
    "catalogs": catalogs,
    "sizes": catalog_sizes,
    "fleets": fleets,
    "services": services,
    "stdlib": stdlib,
    "templates": templates,
    "lexers": lexers,
}
ATTEMPTS = 3


def measured(benchmark: Benchmark, usual: dict[tuple[str, ...], float]) -> list[Row | Absent]:
    """Return the rows of a benchmark; for those that seem slower, the best of some attempts."""
    rows = list(benchmark())
    for _ in range(ATTEMPTS - 1):
        if not any(isinstance(row, Row) and history.is_slower(row, usual) for row in rows):
            break
        again = {row.key: row for row in benchmark() if isinstance(row, Row)}
        rows = [
            better(row, again.get(row.key, row)) if isinstance(row, Row) else row for row in rows
        ]
    return rows


def better(row: Row, other: Row) -> Row:
    """Return the row with the higher ratio."""
    return max(row, other, key=lambda each: each.ratio or 0)


def run(names: list[str], usual: dict[tuple[str, ...], float]) -> tuple[list[Row], list[str]]:
    """Measure the parts of these names, print their rows; return the rows, and parts that failed.

    A run takes long: what one part stumbles over is not to lose what the others have measured.
    """
    found: list[Row] = []
    failed = []
    for name in names:
        try:
            rows = measured(PARTS[name], usual)
        except Exception:
            traceback.print_exc()
            failed.append(name)
            continue
        print(*report.lines(rows, usual), sep="\n", flush=True)
        found += [row for row in rows if isinstance(row, Row)]
    return found, failed


def main(arguments: list[str] | None = None, path: Path = history.HISTORY) -> int:
    """Run the parts named, or all; in a process tuned as the program tunes its own."""
    options = _options(arguments)
    tune_process(1 << 34)
    machine, load, measured_commit = this_machine(), round(os.getloadavg()[0], 1), commit()
    usual = history.usual_ratios(history.read(path), machine)
    print(f"{machine}, load {load}, commit {measured_commit}")
    rows, failed = run(options.parts or list(PARTS), usual)
    failed += [" ".join(row.key) for row in rows if row.name.endswith(WRONG)]
    rows = [row for row in rows if not row.name.endswith(WRONG)]
    if options.keep:
        date = time.strftime("%Y-%m-%d", time.gmtime())
        history.append(history.Entry(date, measured_commit, machine, load, tuple(rows)), path)
        if not failed:
            write_readme(rows)
    slower = [row for row in rows if history.is_slower(row, usual)]
    for row in slower:
        print(
            f"slower: {' '.join(row.key)}: {report.ratio(row.ratio or 0)},"
            f" usually {report.ratio(usual[row.key])}",
            file=sys.stderr,
        )
    for name in failed:
        print(f"failed: {name}", file=sys.stderr)
    return 2 if failed else 1 if slower else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.parts if name not in PARTS]:
        parser.error(f"no part '{unknown[0]}'; there are {', '.join(PARTS)}")
    if options.keep and options.parts:
        parser.error("what is kept is a run of all parts")
    if options.keep and puppet.version() is None:
        parser.error(f"what is kept has rows beside Puppet: {puppet.NO_PUPPET}")
    return options


if __name__ == "__main__":
    sys.exit(main())
