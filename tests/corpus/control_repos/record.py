"""Record what Puppet makes of the nodes of control repositories.

``python -m tests.corpus.control_repos.record DIRECTORY OUT.jsonl.gz``: DIRECTORY holds the
environments that tests.corpus.control_repos.prepare has made, PUPPET_LIB names the lib directory of
Puppet, RUBYLIB what else Ruby needs: the Resource API and the gem scanf, which Puppet's packages
hold. --answers keeps Puppet's answers as a whole; what that file has already is not asked again.
Each repository has a process of its own: to Puppet, resource types in Ruby that one environment has
loaded are there for all others too.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.corpus.control_repos.digests import Catalog, catalog_of, digest_of, pack
from tests.corpus.control_repos.repositories import (
    REPOSITORIES,
    Request,
    identifiers,
    request_for,
)
from tests.corpus.modules import Answer
from tests.recorded import lines

HERE = Path(__file__).parent


def ask(requests: Iterable[Request]) -> Iterator[str]:
    """Yield the answers of Puppet, a line each."""
    library = os.environ.get("PUPPET_LIB")
    command = ["ruby", "--disable=did_you_mean", *(["-I", library] if library else [])]
    with subprocess.Popen(
        [*command, str(HERE / "environments.rb")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"},
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for request in requests:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            yield process.stdout.readline()


def without_paths(answer: Answer, request: Request) -> Answer:
    """Return an answer that names files as paths below its environment."""
    text = json.dumps(answer).replace(json.dumps(f"{request['environment']}/")[1:-1], "")
    found: Answer = json.loads(text)
    return found


def sample(directory: Path, size: int) -> list[str]:
    """Return nodes of each repository, at most ``size``, in an order that has no meaning."""
    every = sorted(identifiers(directory))
    random.Random(0).shuffle(every)
    found: dict[str, list[str]] = {}
    for each in every:
        found.setdefault(each.partition("/")[0], []).append(each)
    return [each for names in found.values() for each in names[:size]]


def rows(answers: Iterable[Answer], directory: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a recording."""
    catalogs: dict[str, Catalog] = {}
    facts, refused = {}, []
    for answer in answers:
        request = request_for(answer["id"], directory)
        answer = without_paths(answer, request)
        facts[answer["id"]] = digest_of(request["facts"])
        if "error" in answer:
            refused.append({"id": answer["id"], "error": answer["error"]})
        else:
            catalogs[answer["id"]] = catalog_of(answer)
    pool, *packed = pack(catalogs)
    yield pool
    for row in sorted(packed + refused, key=lambda row: str(row["id"])):
        yield {**row, "facts": facts[row["id"]]}


def main(arguments: list[str]) -> int:
    """Record, print how much."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.control_repos.record")
    parser.add_argument("directory", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--answers", type=Path, default=Path("build/control-repos-answers.jsonl"))
    parser.add_argument("--size", type=int, default=10_000, help="nodes of a repository")
    given = parser.parse_args(arguments)
    given.answers.parent.mkdir(parents=True, exist_ok=True)
    given.answers.touch()
    known = {each["id"] for each in lines(given.answers.read_text("utf-8"))}
    missing = [each for each in sample(given.directory, given.size) if each not in known]
    with given.answers.open("a", encoding="utf-8") as kept:
        for name in REPOSITORIES:
            own = [each for each in missing if each.startswith(f"{name}/")]
            for line in ask(request_for(each, given.directory) for each in own):
                kept.write(line)
                kept.flush()
    answers = lines(given.answers.read_text("utf-8"))
    with gzip.open(given.out, "wt", encoding="utf-8") as out:
        for row in rows(answers, given.directory):
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{len(answers)} nodes recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
