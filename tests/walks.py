"""The ways that work takes through the storeys: python -m tests.walks prints them.

A walk is the calls of one kind of work, once everything that it needs is imported. A climb is a
call of a function in a higher storey, by one that no function passed to it: work begins in a front
end, goes down, and comes back.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from puppet_kernel.worker import Worker
from puppet_repl.frontends.cli import main as command_line
from puppet_repl.session import Options, Session
from tests.imports import SOURCES, module_of
from tests.test_architecture import ORDER

ENVIRONMENT = {
    "environment.conf": "",
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: all, path: all.yaml}\n",
    "data/all.yaml": "c: {d: 5}\n",
}


class Step(NamedTuple):
    """A call from one module to another, by their names, and the function that is called."""

    source: str
    target: str
    function: str


def storey_of(module: str) -> int | None:
    """Return the number of a module's storey; what is above the engine is in the highest."""
    names = module.split(".")
    if names[0] != "puppet_repl":
        return len(ORDER[""])
    return ORDER[""].index(names[1]) if names[1:] and names[1] in ORDER[""] else None


def steps(work: Callable[[], object]) -> list[Step]:
    """Return the calls between modules of the project that some work makes."""
    found: list[Step] = []
    modules: dict[str, str | None] = {}

    def module(frame: FrameType) -> str | None:
        path = frame.f_code.co_filename
        if path not in modules:
            is_ours = any(Path(path).is_relative_to(root) for root in SOURCES)
            modules[path] = module_of(Path(path)) if is_ours else None
        return modules[path]

    def called(frame: FrameType, event: str, _: object) -> None:
        target = module(frame) if event == "call" else None
        if target is None:
            return
        caller = frame.f_back
        while caller is not None and module(caller) is None:
            caller = caller.f_back
        source = None if caller is None else module(caller)
        if source is not None and source != target and frame.f_code.co_name != "<module>":
            found.append(Step(source, target, frame.f_code.co_name))

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def climbs(walk: Iterable[Step]) -> set[Step]:
    """Return the calls that lead to a higher storey.

    What base calls was passed to it, and so was the generator expression that a function iterates.
    """
    found = set()
    for step in walk:
        source, target = storey_of(step.source), storey_of(step.target)
        is_passed = step.function == "<genexpr>"
        if source and target and target > source and not is_passed:
            found.add(step)
    return found


def five_walks() -> Mapping[str, list[Step]]:
    """Return the walks of the kinds of work that users see most."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in ENVIRONMENT.items():
            path = Path(directory, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        session = Session(options=Options(environment=directory))
        worker = Worker(lambda _: None)
        class_ = "class a { notify { 'b': } } include a"

        def compiled() -> None:
            with redirect_stdout(io.TextIOWrapper(io.BytesIO())), redirect_stderr(io.StringIO()):
                command_line(["compile", "--no-cache", "--environment", directory, "-e", class_])

        def asked(**request: object) -> Callable[[], object]:
            return lambda: worker.answer(json.dumps(request))

        works: Mapping[str, Callable[[], object]] = {
            "text to value": lambda: session.execute("[1, 2].map |$x| { $x * 2 }"),
            "value to screen": asked(type="execute", code="{a => [1, /x/], b => Sensitive('x')}"),
            "completion in the kernel": asked(type="complete", code="notice(upc", cursor_pos=10),
            "catalog from the command line": compiled,
            "lookup": lambda: session.execute("lookup('c.d')"),
        }
        for work in works.values():  # imports what it needs
            work()
        return {name: steps(work) for name, work in works.items()}


def main() -> None:
    """Print for each walk how many files it passes, and its climbs."""
    for name, walk in five_walks().items():
        files = {step.target for step in walk} | {step.source for step in walk}
        print(f"{name}: {len(files)} files, {len(walk)} calls between them")
        for step in sorted(climbs(walk)):
            print(f"  {step.source} -> {step.target}.{step.function}")


if __name__ == "__main__":
    main()
