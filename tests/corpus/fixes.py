"""``puppet-repl validate --fix`` over modules: warnings before and after, and catalogs.

``python -m tests.corpus.fixes MODULES --recording FILE`` fixes a copy of a directory of modules
and compiles the cases of the recording (see tests/corpus/record.py) with the code before and
after. Warnings are counted in both trees; one that is gone counts as compiled if the class or
defined type of its file is in a catalog. With --answers the catalogs afterwards are compared with
those of the recording, with --puppet N Puppet compiles the fixed code of N cases.

Attributes may change their order. Modes that were numbers, and sources that nothing served, are
meant to change: they are counted apart. Code that is refused before may compile afterwards. The
exit status is 1 where a catalog differs or a warning is new.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import puppet_repl as puppet
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.advice.walk import advise
from puppet_repl.tools.validation import manifests
from puppet_repl.tools.validation.file import Choices
from puppet_repl.tools.validation.kinds import PUPPET_CODE
from puppet_repl.tools.validation.placement import is_plan
from puppet_repl.tools.validation.walk import Walk
from puppet_repl.tools.validation.workspace import Workspace
from tests.corpus.modules import LINKS, RECORDED, UNPACKED, Requests, judge, link_modules, selected
from tests.corpus.record import A_PROCESS, ask
from tests.frontends.cli.batch import Batch
from tests.recorded import read

Answer = dict[str, Any]
_MEANT = {("File", "mode"), ("File", "source")}


def fix(modules: Path, *, fix_all: bool) -> tuple[dict[str, Counter[str]], int]:
    """Fix all manifests and templates; return warnings that are gone, and how many files are worse.

    The warnings are counted by path and rule.
    """
    gone: dict[str, Counter[str]] = {}
    files = worse = 0
    workspace = Workspace(Choices(advice=True))
    walk = Walk(workspace, PUPPET_CODE)
    walk.add(os.fspath(modules))
    for file in walk.files:
        path = Path(file.path or "")
        try:
            before = file.text
            manifests.fix(file, asked=fix_all)
        except puppet.PuppetError:
            continue
        after = file.text
        files += 1
        if after == before:
            continue
        left, were = (_warnings(text, path) for text in (after, before))
        if left - were:
            worse += 1
            print(f"new in {path}: {dict(left - were)}")
        gone[os.fspath(path.relative_to(modules))] = were - left
        path.write_bytes(after.encode())
    print(f"{files} files read")
    return gone, worse


def _warnings(text: str, path: Path) -> Counter[str]:
    """Return the findings in a text, those of style included."""
    name = os.fspath(path)
    program = parse(Source(text, name), epp=path.suffix == ".epp", tasks=is_plan(name))
    return Counter(each.rule for each in advise(program, with_style=True))


def unordered(answer: Answer) -> Answer:
    """Return a catalog with the attributes of each resource in one order, without lines."""
    if answer.get("error") is not None:
        error = answer["error"]
        message: str = error if isinstance(error, str) else error["message"]
        return {"error": message.partition(" (file: ")[0]}
    resources = [
        {
            **{key: value for key, value in each.items() if key != "line"},
            "parameters": dict(sorted((each.get("parameters") or {}).items())),
        }
        for each in answer["resources"]
    ]
    return {"resources": resources, "edges": answer["edges"]}


def differences(before: Answer, after: Answer) -> Iterator[str]:
    """Yield how two catalogs differ; attributes that were meant to change have a prefix."""
    if "error" in before or "error" in after:
        if before != after:
            yield f"{before.get('error', 'a catalog')} -> {after.get('error', 'a catalog')}"
        return
    if before["edges"] != after["edges"] or len(before["resources"]) != len(after["resources"]):
        yield "other resources or edges"
    for left, right in zip(before["resources"], after["resources"], strict=False):
        for key in {**left, **right}:
            if key != "parameters" and left.get(key) != right.get(key):
                yield f"{left['type']}[{left['title']}]: {key}"
        mine, theirs = left["parameters"], right["parameters"]
        for name in {**mine, **theirs}:
            if mine.get(name) != theirs.get(name):
                meant = "meant: " if (left["type"], name) in _MEANT else ""
                change = f"{mine.get(name)!r} -> {theirs.get(name)!r}"
                yield f"{meant}{left['type']}[{left['title']}] {name}: {change}"


def files_of(answer: Answer) -> Iterator[str]:
    """Yield the manifests of the classes and defined types in a catalog."""
    for resource in answer.get("resources", ()):
        name = resource["title"] if resource["type"] == "Class" else resource["type"]
        module, *rest = name.lower().split("::")
        yield f"{module}/manifests/{'/'.join(rest) or 'init'}.pp"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the arguments."""
    made = argparse.ArgumentParser(prog="python -m tests.corpus.fixes")
    made.add_argument(
        "modules", nargs="?", type=Path, help="a directory of modules under their names (Debian's)"
    )
    made.add_argument("--recording", type=Path, default=RECORDED / "debian.jsonl.gz")
    made.add_argument("--facts", type=Path, default=RECORDED / "facts")
    made.add_argument("--copy", type=Path, default=Path("build/fixes"))
    made.add_argument("--only", help="cases whose identifier contains this")
    made.add_argument("--every", type=int, default=1, help="each N-th case only")
    made.add_argument("--fix-all", action="store_true", help="as of puppet-repl validate")
    made.add_argument("--puppet", type=int, default=0, help="ask Puppet for so many fixed cases")
    made.add_argument("--answers", action="store_true", help="compare with Puppet's answers, too")
    return made


def main(arguments: list[str]) -> int:
    """Fix, compile twice, report."""
    given = parser().parse_args(arguments)
    shutil.rmtree(given.copy, ignore_errors=True)
    modules = given.modules or link_modules(UNPACKED, LINKS)
    shutil.copytree(modules, given.copy)
    gone, wrong = fix(given.copy, fix_all=given.fix_all)
    by_rule: Counter[str] = sum(gone.values(), Counter())
    print(f"{by_rule.total()} warnings gone in {len(gone)} files: {dict(by_rule.most_common())}")
    old, new = (Requests(each, given.facts) for each in (modules, given.copy))
    compiled: set[str] = set()
    sample: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    with Batch() as batch:
        for case in selected(read(given.recording), given.only, given.every):
            first, second = (
                each.without_paths(batch.ask(each.request(case))) for each in (old, new)
            )
            before, after = unordered(first), unordered(second)
            found = list(differences(before, after))
            unexpected = [each for each in found if not each.startswith("meant: ")]
            kind = "refused both times" if "error" in before else "same catalog"
            if not unexpected and "error" not in before:
                files = set(files_of(before))
                if not compiled.issuperset(files & set(gone)):
                    sample.append(case)
                compiled |= files
            if "error" in before and unexpected:
                kind, unexpected = "refused before, other answer after", []
            counts[
                "differs" if unexpected else "as meant" if found and "error" not in before else kind
            ] += 1
            wrong += bool(unexpected)
            for each in unexpected[:3]:
                print(f"{case['id']}: {each}")
            if given.answers:
                counts[f"Puppet's answer: {judge(case['answer'], second).kind}"] += 1
    covered: Counter[str] = sum((gone[each] for each in compiled & set(gone)), Counter())
    print(f"catalogs: {dict(counts.most_common())}")
    print(f"{covered.total()} of these warnings are in what was compiled: {dict(covered)}")
    wrong += asked_puppet(sample, new, given.puppet)
    return int(wrong > 0)


def asked_puppet(sample: list[dict[str, Any]], new: Requests, count: int) -> int:
    """Ask Puppet for catalogs of fixed code; return how many differ from those recorded before."""
    chosen = sample[:: max(len(sample) // count, 1)][:count] if count else []
    answers = ask(map(new.request, chosen), A_PROCESS) if chosen else {}
    wrong = 0
    for case in chosen:
        after = unordered(new.without_paths(answers[case["id"]]))
        found = [
            each
            for each in differences(unordered(case["answer"]), after)
            if not each.startswith("meant: ")
        ]
        wrong += bool(found)
        print(*(f"Puppet, {case['id']}: {each}" for each in found[:3]), sep="\n", end="")
    if chosen:
        print(f"Puppet compiles {len(chosen) - wrong} of {len(chosen)} as before")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
