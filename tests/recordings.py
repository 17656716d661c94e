"""Collects recordings: a .jsonl file of programs with Puppet's answers is a test.

A long file is divided into parts, so that several processes share it. A case that fails is shown
with its code, with what Puppet answered and with what was got.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import pytest

from tests.conformance.judge import COMPARED, REQUESTED, WITHOUT_WARNING
from tests.conformance.run import RUBY_FILES, listed
from tests.environment.ruby.engine import ENGINE, needs_ruby, needs_sandbox, needs_system
from tests.process_state import restored_process
from tests.recorded import CONFORMANCE, Case, check, read, text_and_type

TESTS = Path(__file__).parent
PART = 250
SHOWN = 20

READ_BY_TESTS = {
    "base/profiles.jsonl": "base/test_profiles.py",
    "benchmarks/history.jsonl": "benchmarks/history.py",
    "catalog/documents.jsonl": "catalog/test_documents.py",
    "catalog/settings.jsonl": "catalog/test_settings.py",
    "docs/differences.jsonl": "docs/test_differences.py",
    "environment/modules/environments.jsonl": "environment/modules/test_environments.py",
    "fuzz/found.jsonl": "fuzz/test_engine.py",
    "fuzz/found_files.jsonl": "fuzz/test_files.py",
    "hostile/programs.jsonl": "hostile/test_programs.py",
    "hostile/strangers.jsonl": "hostile/test_strangers.py",
    "language/data/deep_merges.jsonl": "language/data/test_merge.py",
    "language/data/merges.jsonl": "language/data/test_merge.py",
    "language/functions/stdlib/version_8_6/ensure_packages.jsonl": (
        "language/functions/stdlib/version_8_6/test_ensure_packages.py"
    ),
    "language/types/compared_aliases.jsonl": "language/types/test_compared_aliases.py",
    "language/values/prereleases.jsonl": "language/values/test_semver.py",
    "language/values/range_pairs.jsonl": "language/values/test_semver.py",
    "language/values/range_samples.jsonl": "language/values/test_semver.py",
    "language/values/ranges.jsonl": "language/values/test_semver.py",
    "language/values/regexps.jsonl": "language/values/test_regex.py",
    "language/values/uris.jsonl": "language/values/test_uri.py",
    "language/values/versions.jsonl": "language/values/test_semver.py",
    "session/enc.jsonl": "session/test_classification.py",
    "session/server_facts.jsonl": "session/test_server_facts.py",
    "tools/validation/files.jsonl": "tools/validation/test_files.py",
    "pygments/puppet_tokens.jsonl": "pygments/test_tokens_of_puppet.py",
}
"""Files with something else than programs and Puppet's answers, and the modules that read them."""

WITH_RUBY: Mapping[str, tuple[pytest.MarkDecorator, ...]] = {
    "environment/ruby/functions.jsonl": (needs_ruby,),
    "environment/ruby/resource_types.jsonl": (needs_ruby,),
    "environment/ruby/templates.jsonl": (needs_ruby,),
    **{f"conformance/{name}.jsonl": (needs_sandbox, pytest.mark.slow) for name in RUBY_FILES},
}
"""Files all of whose cases need a Ruby."""

PACKAGES = {"language/functions/stdlib/crypto.jsonl": ("bcrypt", "cryptography")}
"""Files whose cases need Python packages that may be missing."""

KEYS = frozenset(
    (
        *REQUESTED,
        *COMPARED,
        *("error", "logs", "internal", "files", "environment_files", "stdlib", "ruby"),
        *("divergence", "about", "why"),
    )
)
"""What a case with an id may say."""
KEYS_WITHOUT_ID = frozenset(("code", "str", "type", "error", "line", "column"))
"""What a case without an id may say."""


@cache
def known_differences() -> frozenset[str]:
    """Return the ids of the cases of tests/conformance that are answered differently."""
    return frozenset(listed("pending.txt")) | frozenset(listed("divergent.txt"))


def name_of(case: Case) -> str:
    """Return what a case is called: its id, or its program where it has none."""
    return str(case.get("id", case["code"]))


def relative(path: Path) -> str:
    """Return the name of a file below the tests, or its whole path where it lies elsewhere."""
    return (path.relative_to(TESTS) if path.is_relative_to(TESTS) else path).as_posix()


def unknown_keys(case: Case) -> list[str]:
    """Return the keys of a case that nothing reads, as a misspelt one."""
    return sorted(case.keys() - (KEYS if "id" in case else KEYS_WITHOUT_ID))


def sampled(cases: Sequence[Case], every: int) -> list[Case]:
    """Return one case in ``every``, the same ones each time."""
    return [case for case in cases if crc32(name_of(case).encode()) % every == 0]


def missing(case: Case) -> str | None:
    """Return why a case cannot run here: the Ruby that its key ``ruby`` asks for is missing."""
    mark = {None: None, True: needs_ruby, "system": needs_system}[case.get("ruby")]
    return mark.kwargs["reason"] if mark is not None and mark.args[0] else None


def found_in(case: Case, directory: Path) -> list[str]:
    """Return in what the answer to a case differs from the recorded one, a line each."""
    if "id" in case:
        settings: dict[str, Any] = {}
        if "ruby" in case:
            settings["ruby"] = "system" if case["ruby"] == "system" else ENGINE
        return check(case, directory, None, **settings)
    wanted = {key: value for key, value in case.items() if key != "code"}
    got = text_and_type(case["code"])
    return [
        f"{key}: expected {wanted.get(key)!r}, got {got.get(key)!r}"
        for key in {"str": None, "type": None, "error": None, **wanted}
        if wanted.get(key) != got.get(key)
    ]


def fault_of(case: Case, directory: Path, differs: bool) -> str | None:
    """Return what is wrong with the answer to a case, or None. ``differs``: it is known to."""
    found = found_in(case, directory)
    if differs and not found:
        found = ["is answered as by Puppet: take away what says that it differs"]
    elif differs and not any(fault in line for line in found for fault in _FAULTS):
        found = []
    return "\n    ".join((f"{name_of(case)}: {case['code']}", *found)) if found else None


_FAULTS = ("CRASH", "internal error: ", WITHOUT_WARNING)
"""What an answer may not be that is known to differ."""


class Differing(AssertionError):
    """Cases of a recording are not answered as they were recorded; its text says how."""


class Part(pytest.Item):
    """Some cases of a recording."""

    cases: Sequence[Case]

    def runtest(self) -> None:
        """Answer the cases and compare the answers."""
        left_out = {name_of(case): reason for case in self.cases if (reason := missing(case))}
        if left_out:
            reasons = ", ".join(sorted(set(left_out.values())))
            if len(left_out) == len(self.cases):
                pytest.skip(reasons)
            warnings.warn(f"{len(left_out)} cases left out: {reasons}", stacklevel=1)
        with TemporaryDirectory() as directory, restored_process():
            faults = [
                fault
                for case in self.cases
                if name_of(case) not in left_out
                and (fault := fault_of(case, Path(directory), self.is_known_to_differ(case)))
            ]
        if faults:
            shown = "\n".join(faults[:SHOWN])
            raise Differing(f"{len(faults)} cases differ from what was recorded:\n{shown}")

    def is_known_to_differ(self, case: Case) -> bool:
        """Tell whether a list or a key ``divergence`` says that a case is answered differently."""
        return "divergence" in case or (
            self.path.parent == CONFORMANCE and case["id"] in known_differences()
        )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> Any:
        """Show cases that differ without a traceback, which says nothing about them."""
        if isinstance(excinfo.value, Differing):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return file and name for a report."""
        return self.path, None, f"{relative(self.path)} {self.name}"


class Recording(pytest.File):
    """A file of recorded cases."""

    def collect(self) -> Iterator[Part]:
        """Yield parts of the file, or one that is a sample if one is asked for."""
        cases = self.read()
        whole = [Path(name).resolve() for name in self.config.getoption("--whole")]
        every = self.config.getoption("--sample")
        if every and not any(self.path.is_relative_to(path) for path in whole):
            chosen = sampled(cases, every)
            if chosen:
                yield self.part(f"1 in {every}", chosen)
            return
        for start in range(0, len(cases), PART):
            part = cases[start : start + PART]
            yield self.part(f"{start + 1}-{start + len(part)}", part)

    def read(self) -> list[Case]:
        """Return the cases; those of a file with Ruby ask for it. Refuse unknown keys."""
        cases = read(self.path)
        faults = [
            f"{name_of(case)}: unknown {', '.join(map(repr, keys))}"
            for case in cases
            if (keys := unknown_keys(case))
        ]
        if faults:
            raise self.CollectError("\n".join(faults[:SHOWN]))
        if "environment/ruby" in self.path.as_posix():
            cases = [{"ruby": True, **case} for case in cases]
        return cases

    def part(self, name: str, cases: Sequence[Case]) -> Part:
        """Return a test of some cases, with the marks of the file."""
        made: Part = Part.from_parent(self, name=name)
        made.cases = cases
        file = relative(self.path)
        for mark in WITH_RUBY.get(file, ()):
            made.add_marker(mark)
        absent = [name for name in PACKAGES.get(file, ()) if find_spec(name) is None]
        if absent:
            made.add_marker(pytest.mark.skip(reason=f"not installed: {', '.join(absent)}"))
        return made


def collect(path: Path, parent: pytest.Collector) -> Recording | None:
    """Return the recording that a file is, if it is one."""
    if relative(path) in READ_BY_TESTS:
        return None
    return Recording.from_parent(parent, path=path)


def paths() -> list[Path]:
    """Return all recordings."""
    return [path for path in sorted(TESTS.rglob("*.jsonl")) if relative(path) not in READ_BY_TESTS]
