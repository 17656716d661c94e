"""Load changed modules in place of the real ones.

Every Python imports this when it starts with this directory on PYTHONPATH. So the programs that
tests start have the changed modules, too. Nothing is imported that a start of Python has not.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib_external import PathFinder, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType

CODE = "MUTANTS_CODE"
"""The variable with the path of the changed code: a dict by names of modules, as marshal writes."""
LOG = "MUTANTS_LOG"
"""The variable with the path where processes write which lines they reach."""
REACHED = "__reached__"
"""The name under which a module with probes calls them."""


class Probe:
    """Notes which lines of a module have been reached."""

    __slots__ = ("lines", "module")

    def __init__(self, module: str) -> None:
        self.module = module
        self.lines: set[int] = set()

    def __call__(self, line: int) -> None:
        """Note a line; a process that runs no tests itself also writes it to the log."""
        if line not in self.lines:
            self.lines.add(line)
            if log is not None:
                os.write(log, f"{self.module} {line}\n".encode())


probes: dict[str, Probe] = {}
log: int | None = None


class Changed(SourceFileLoader):
    """Runs changed code in place of a module's own."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the changed code."""
        return self._code

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed code, whose probes are its own."""
        module.__dict__[REACHED] = probes.setdefault(module.__name__, Probe(module.__name__))
        super().exec_module(module)


class Finder:
    """Finds changed modules under their names."""

    def __init__(self, codes: Mapping[str, CodeType]) -> None:
        self._codes = codes

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is, None for those that are not changed."""
        if fullname not in self._codes:
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is not None and spec.origin is not None:
            spec.loader = Changed(fullname, spec.origin, self._codes[fullname])
        return spec


def install(codes: Mapping[str, CodeType]) -> None:
    """Load changed code from now on."""
    sys.meta_path.insert(0, Finder(codes))


def write_log() -> None:
    """Write reached lines to the log from now on."""
    global log
    log = os.open(os.environ[LOG], os.O_WRONLY | os.O_APPEND)


if __name__ == "sitecustomize" and CODE in os.environ:
    with open(os.environ[CODE], "rb") as _stream:
        install(marshal.load(_stream))
    if LOG in os.environ:
        write_log()
