"""Compare whole catalogs as JSON, each key and the order of keys, with those of Puppet.

``python -m tests.corpus.documents [COUNT]`` takes programs that Puppet compiles: half of them from
the recorded cases of this repository, half of them classes and examples of Debian's modules, which
``make corpus`` unpacks. PUPPET_LIB names the lib directory of a Puppet 8 tree. Only ``version`` and
``catalog_uuid`` are left out, which are other ones each time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from puppet_repl.catalog.json import document
from puppet_repl.session import Options, Outcome, Session
from tests.corpus.modules import LINKS, RECORDED, UNPACKED, Requests, link_modules
from tests.recorded import CONFORMANCE, Case, read

RECORDER = CONFORMANCE.parent / "catalog" / "record_documents.rb"
SUITES = sorted(
    [*CONFORMANCE.glob("*.jsonl"), *CONFORMANCE.parent.glob("catalog/*.jsonl")],
    key=lambda path: path.name,
)
NODE = "web01.example.com"


def of_suites() -> list[Case]:
    """Return the recorded programs that make a catalog with resources, without files."""
    return [
        {"id": case["id"], "code": case["code"]}
        for path in SUITES
        for case in read(path)
        if case.get("resources") and not {"files", "environment_files", "stdlib"} & case.keys()
    ]


def of_modules() -> list[Case]:
    """Return what is recorded of classes of Debian's modules and was compiled."""
    modules = str(link_modules(UNPACKED, LINKS).absolute())
    requests = Requests(Path(modules), RECORDED / "facts")
    return [
        {
            "id": case["id"],
            "code": case["code"],
            "facts": requests.facts(case["facts"]),
            "modulepath": [modules],
        }
        for case in read(RECORDED / "debian.jsonl.gz")
        if "resources" in case["answer"] and "code" in case
    ]


def evenly(cases: list[Case], count: int) -> list[Case]:
    """Return so many cases from all over a list."""
    return [cases[index * len(cases) // count] for index in range(min(count, len(cases)))]


def request_of(case: Case) -> Case:
    """Return the request for the recorder: the code is the site's manifest."""
    node = {"name": NODE, **({"facts": case["facts"]} if "facts" in case else {})}
    request = {"id": case["id"], "files": {"manifests/site.pp": case["code"]}, "nodes": [node]}
    return {**request, **{key: case[key] for key in ("modulepath",) if key in case}}


def of_puppet(cases: list[Case]) -> Iterator[tuple[Case, Case]]:
    """Yield cases with the document that Puppet makes, or with its error."""
    command = ["ruby", "-I", os.environ["PUPPET_LIB"], str(RECORDER)]
    lines = "".join(json.dumps(request_of(case)) + "\n" for case in cases)
    done = subprocess.run(
        command, input=lines, capture_output=True, text=True, encoding="utf-8", check=True
    )
    for case, line in zip(cases, done.stdout.splitlines(), strict=True):
        yield case, json.loads(line)["documents"][0]


def of_ours(case: Case, facts: dict[str, Any]) -> Case:
    """Return the document that is made here, or the error."""
    with TemporaryDirectory() as folder:
        directory = Path(folder, "production")
        (directory / "manifests").mkdir(parents=True)
        (directory / "manifests" / "site.pp").write_text(case["code"], "utf-8")
        options = Options(
            environment=str(directory), node=NODE, modulepath=tuple(case.get("modulepath", ()))
        )
        session = Session(options, facts=case.get("facts", facts))
        outcome: Outcome = session.finish_catalog(session.compile_site("", ""))
        if outcome.error is not None:
            return {"error": str(outcome.error)}
        made = document(session.catalog, redacted=False)
        session.close()
        del made["version"], made["catalog_uuid"]
        found: Case = json.loads(json.dumps(made).replace(str(directory), "<environment>"))
        return found


def differences(expected: Any, got: Any, path: str = "") -> Iterator[str]:
    """Yield where two documents differ, the order of keys included."""
    if isinstance(got, dict) and "error" in got and "error" not in expected:
        yield f"here: {got['error']}"
    elif isinstance(expected, dict) and isinstance(got, dict):
        if list(expected) != list(got):
            yield f"{path}: keys {list(expected)} here {list(got)}"
        for key in expected.keys() & got.keys():
            yield from differences(expected[key], got[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for index, (left, right) in enumerate(zip(expected, got, strict=True)):
            yield from differences(left, right, f"{path}[{index}]")
    elif type(expected) is not type(got) or expected != got:
        yield f"{path}: {str(expected)[:150]} here {str(got)[:150]}"


def main(count: int) -> int:
    """Print what differs and how many documents are equal; 1 if one differs."""
    from tests.catalog.test_documents import FACTS

    cases = evenly(of_suites(), count - count // 2) + evenly(of_modules(), count // 2)
    compiled = equal = 0
    for case, expected in of_puppet(cases):
        if "error" in expected:
            continue
        compiled += 1
        found = list(differences(expected, of_ours(case, FACTS)))
        equal += not found
        if found:
            print(case["id"], *found[:4], sep="\n    ")
    print(f"{equal} of {compiled} documents are equal; {len(cases)} programs")
    return int(equal < compiled)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
