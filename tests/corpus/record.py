"""Record what Puppet makes of a directory of modules: the input of tests/corpus/modules.py.

``python -m tests.corpus.record MODULES OUT.jsonl.gz`` compiles every class, every example and every
block of the documents of the modules with Puppet, and keeps the answers; where this interpreter
answers otherwise, Puppet is asked again, in another order, and has to say the same. It needs Ruby
and Puppet; ``PUPPET_LIB`` names the lib directory of a Puppet tree, or else the one that is
installed is used. --facts names files or bundled sets, --only modules to record, all others being
there for them to use, --programs a file of further cases, JSON objects with id, code and facts:
``python -m tests.corpus.spec_programs suites`` makes such a file of the suites of the modules.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from puppet_repl.base.errors import PuppetError
from puppet_repl.frontends.doctest.documents import all_blocks
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from tests.corpus.modules import EQUAL, SAME_MESSAGE, Answer, Case, Requests, compare
from tests.recorded import read

HERE = Path(__file__).parent
NODE = "foo.example.com"
A_PROCESS = 20
"""How many cases a process of Puppet answers, so that none can do much to others."""


def classes_of(module: Path) -> dict[str, int]:
    """Return the classes of a module with the number of their parameters without a default."""
    found = {}
    for path in sorted((module / "manifests").rglob("*.pp")):
        try:
            program = parse(Source(path.read_text("utf-8")))
        except PuppetError:
            continue  # Puppet refuses it too, as tests.corpus.compare checks
        for node in program.definitions:
            if isinstance(node, ast.HostClassDefinition):
                found[node.name] = sum(1 for each in node.parameters if each.value is None)
    return found


def blocks_of(module: Path) -> Iterator[tuple[str, str]]:
    """Yield the blocks of Puppet code of a module's documents, by file and line."""
    for name in ("README.md", "REFERENCE.md"):
        path = module / name
        text = path.read_text("utf-8", "replace") if path.is_file() else ""
        for block in all_blocks(name, text):
            if block.language in ("puppet", "pp"):
                yield f"{name}:{block.line}", "\n".join(block.lines)


def cases_of(modules: Path, facts: Iterable[str], names: Iterable[str] = ()) -> Iterator[Case]:
    """Yield a case for each class, alone and with the class of its module, and each example.

    ``names`` are those of the modules whose classes and examples are meant, none for all.
    """
    chosen = [modules / name for name in names] or list(modules.iterdir())
    for module in sorted(path for path in chosen if path.is_dir()):
        classes = classes_of(module)
        programs = {name: f"include {name}" for name in classes}
        if classes.get(module.name) == 0:
            programs.update(
                (f"{name}+base", f"include {module.name}\ninclude {name}")
                for name in classes
                if name != module.name
            )
        blocks = dict(blocks_of(module))
        examples = [str(p.relative_to(modules)) for p in sorted(module.glob("examples/**/*.pp"))]
        for set_name in facts:
            common = {"module": module.name, "facts": set_name, "node": NODE}
            start = f"{set_name}/{module.name}"
            for name, code in sorted(programs.items()):
                mandatory = classes[name.removesuffix("+base")]
                yield {
                    **common,
                    "id": f"{start}/{name}",
                    "kind": "class",
                    "mandatory": mandatory,
                    "code": code,
                }
            for name, code in blocks.items():
                yield {**common, "id": f"{start}/{name}", "kind": "document", "code": code}
            for file in examples:
                yield {**common, "id": f"{set_name}/{file}", "kind": "example", "file": file}


def ask(requests: Iterable[dict[str, Any]], group: int) -> dict[str, Answer]:
    """Return the answers of Puppet by identifier."""
    library = os.environ.get("PUPPET_LIB")
    command = ["ruby", *(["-I", library] if library else []), str(HERE / "catalogs.rb")]
    process = subprocess.Popen(
        [*command, str(group)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"},
    )
    answers = {}
    with ThreadPoolExecutor(1) as pool:
        assert process.stdin is not None and process.stdout is not None
        writing = pool.submit(_write, process, requests)
        for line in process.stdout:
            answer = json.loads(line)
            answers[answer.pop("id")] = answer
        writing.result()
    process.wait()
    return answers


def _write(process: subprocess.Popen[str], requests: Iterable[dict[str, Any]]) -> None:
    assert process.stdin is not None
    with process.stdin:
        for request in requests:
            process.stdin.write(json.dumps(request) + "\n")


def stable(first: Answer | None, second: Answer | None) -> bool:
    """Tell whether Puppet gave the same answer twice."""
    if first is None or second is None or "crash" in first:
        return False
    return all(first.get(key) == second.get(key) for key in ("resources", "edges", "error"))


def recorded(case: Case, answer: Answer, requests: Requests) -> Case:
    """Return a case with its answer, without the paths of this machine."""
    answer = requests.without_paths(answer)
    kept = {key: value for key, value in answer.items() if key != "class" and value}
    needs = kept.pop("needs", [])
    if "error" not in kept:
        kept.setdefault("resources", [])
        kept.setdefault("edges", [])
    return {**case, "needs": needs, "answer": kept}


def main(arguments: list[str]) -> int:
    """Record, print how much was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.record")
    parser.add_argument("modules", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--facts", nargs="+", default=["debian-12"])
    parser.add_argument("--only", nargs="+", default=[], help="names of modules")
    parser.add_argument("--facts-directory", type=Path, default=Path())
    parser.add_argument("--programs", type=Path, help="further cases")
    parser.add_argument("--only-programs", action="store_true")
    given = parser.parse_args(arguments)
    cases = [] if given.only_programs else list(cases_of(given.modules, given.facts, given.only))
    if given.programs is not None:
        cases += [{"node": NODE, "kind": "program", **each} for each in read(given.programs)]
    requests = Requests(given.modules, given.facts_directory)
    rows = list(rows_of(cases, requests))
    with gzip.open(given.out, "wt", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    kept = {row["id"] for row in rows}
    for name in (case["id"] for case in cases if case["id"] not in kept):
        print("left out:", name, file=sys.stderr)
    print(f"{len(rows)} of {len(cases)} cases kept")
    return 0


def rows_of(cases: list[Case], requests: Requests) -> Iterator[Case]:
    """Yield the cases that Puppet answers the same each time, with its answers.

    Where this interpreter agrees, an answer is not by chance; the others are asked for again.
    """
    first = ask(map(requests.request, cases), A_PROCESS)
    known = [case for case in cases if stable(first.get(case["id"]), first.get(case["id"]))]
    rows = [recorded(case, dict(first[case["id"]]), requests) for case in known]
    odd = {
        case["id"]: case
        for case, _, verdict in compare(rows, requests)
        if verdict.kind not in (EQUAL, SAME_MESSAGE)
    }
    again = ask(map(requests.request, reversed(odd.values())), A_PROCESS - 3)
    for row in rows:
        if row["id"] not in odd or stable(first[row["id"]], again.get(row["id"])):
            yield row


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
