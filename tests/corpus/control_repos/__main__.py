"""Compile the nodes of control repositories with ``puppet-repl batch``; compare with Puppet's.

``python -m tests.corpus.control_repos DIRECTORY``: DIRECTORY holds the environments that
tests.corpus.control_repos.prepare has made. A node counts as answered where its catalog is
Puppet's, each resource with its parameters, tags and line and all edges, or where both refuse with
the same message. The exit status tells whether the share of equal catalogs, among those that Puppet
compiles, has reached the bar in each repository.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.corpus.control_repos.digests import (
    Digest,
    catalog_of,
    digest_of,
    first_difference,
    unpack,
)
from tests.corpus.control_repos.record import without_paths
from tests.corpus.control_repos.repositories import request_for
from tests.corpus.modules import (
    COMPILED,
    DIFFERS,
    EQUAL,
    OTHER_MESSAGE,
    REFUSED,
    SAME_MESSAGE,
    Answer,
    Verdict,
    cleaned,
    judge,
    shortened,
)
from tests.frontends.cli.batch import Batch
from tests.recorded import lines, read

RECORDING = Path(__file__).parents[1] / "recordings" / "control-repos.jsonl.gz"
BAR = 97.0
"""Percent of the catalogs that Puppet compiles."""
PATIENCE = 600
"""Seconds that a catalog may take, and Ruby in it: not the speed of a machine is compared."""


def verdict_of(row: dict[str, Any], pool: list[Digest], answer: Answer) -> Verdict:
    """Compare a row of the recording with an answer of ``puppet-repl batch``."""
    error = answer.get("error")
    if "error" in row:
        if error is None:
            return Verdict(COMPILED, shortened(row["error"]))
        if cleaned(row["error"]) == cleaned(error["message"]):
            return Verdict(SAME_MESSAGE)
        return Verdict(OTHER_MESSAGE, f"{error['message']} | Puppet: {row['error']}")
    if error is not None:
        return Verdict(REFUSED, error["message"])
    difference = first_difference(unpack(row, pool), catalog_of(answer))
    return Verdict(EQUAL) if difference is None else Verdict(DIFFERS, difference)


def compare(
    rows: list[dict[str, Any]], directory: Path, whole: dict[str, Answer], ruby: str
) -> Iterator[tuple[str, Verdict, float]]:
    """Yield each node with the verdict and the seconds that its catalog took.

    ``whole`` are answers of Puppet as a whole, which tell more about what differs.
    """
    pool = [Digest(*each) for each in rows[0]["pool"]]
    with Batch(patience=PATIENCE) as batch:
        for row in rows[1:]:
            identifier = row["id"]
            request = request_for(identifier, directory)
            if digest_of(request["facts"]) != row["facts"]:
                yield identifier, Verdict(DIFFERS, "recorded with other facts"), 0.0
                continue
            start = time.monotonic()
            answer = batch.ask({**request, "ruby": ruby, "ruby_seconds": PATIENCE})
            seconds = time.monotonic() - start
            verdict = verdict_of(row, pool, without_paths(answer, request))
            if verdict.kind == DIFFERS and identifier in whole:
                detail = judge(whole[identifier], answer).cause
                verdict = Verdict(DIFFERS, f"{verdict.cause} ({detail})")
            yield identifier, verdict, seconds


def report(counts: dict[str, Counter[str]]) -> Iterator[tuple[str, float]]:
    """Yield a line for each repository, and the percentage of its catalogs that are equal."""
    for name, found in sorted(counts.items()):
        compiling = found[EQUAL] + found[DIFFERS] + found[REFUSED]
        share = 100 * found[EQUAL] / (compiling or 1)
        same = found[EQUAL] + found[SAME_MESSAGE]
        yield (
            f"{name}: {found[EQUAL]} of {compiling} catalogs equal: {share:.1f} %; "
            f"{same} of {found.total()} nodes answered as by Puppet",
            share,
        )


def main(arguments: list[str]) -> int:
    """Compare, report; 1 below the bar."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.control_repos")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--recording", type=Path, default=RECORDING)
    parser.add_argument("--answers", type=Path, help="answers of Puppet as a whole")
    parser.add_argument("--only", default="", help="nodes whose identifier contains this")
    parser.add_argument("--every", type=int, default=1, help="each N-th node only")
    parser.add_argument("--ruby", default="auto", help="auto, sandbox, system or a path")
    given = parser.parse_args(arguments)
    pool, *rows = read(given.recording)
    rows = [row for row in rows if given.only in row["id"]][:: given.every]
    kept = lines(given.answers.read_text("utf-8")) if given.answers else ()
    whole = {each["id"]: each for each in kept}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for identifier, verdict, seconds in compare([pool, *rows], given.directory, whole, given.ruby):
        counts[identifier.partition("/")[0]][verdict.kind] += 1
        cause = json.dumps(verdict.cause) if verdict.cause else ""
        print(f"{seconds:6.1f} s  {identifier}: {verdict.kind} {cause}".rstrip(), flush=True)
    results = list(report(counts))
    for line, _ in results:
        print(line)
    if any(share < BAR for _, share in results):
        print(f"the bar is {BAR:g} % of the catalogs")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
