"""The modules whose mutants are run, each with what pytest is given to test them."""

from __future__ import annotations

__all__ = ["MODULES"]

HIERA = (
    "tests/environment/hiera/test_hiera.py",
    "tests/environment/hiera/yaml_data.jsonl",
    "tests/environment/hiera/hiera_functions.jsonl",
    "tests/environment/hiera/hiera.jsonl",
    "tests/environment/hiera/file_contents.jsonl",
    "tests/environment/hiera/test_explanation.py",
    "tests/environment/hiera/test_hiera_reads.py",
)
# Of the tests in the directory of a module's package only those files that concern it: a mutant
# that they notice is noticed by the directory.
MODULES: dict[str, tuple[str, ...]] = {
    "puppet_repl.tools.rendering.width": ("tests/tools/rendering/test_width.py",),
    "puppet_repl.catalog.cycles": ("tests/catalog/test_cycles.py",),
    "puppet_repl.language.syntax.completeness": (
        "tests/language/syntax/test_completeness.py",
        "--deselect=tests/language/syntax/test_completeness.py::test_every_prefix_of_every_case",
    ),
    "puppet_repl.language.data.merge": ("tests/language/data/test_merge.py",),
    "puppet_repl.language.values.semver": ("tests/language/values/test_semver.py",),
    "puppet_repl.environment.hiera.interpolation": HIERA,
    "puppet_repl.environment.hiera.config": HIERA,
    "puppet_repl.language.syntax.scan": ("tests/language/syntax/test_scan.py",),
    "puppet_repl.language.values.semver_range": ("tests/language/values/test_semver.py",),
    "puppet_repl.host.history": ("tests/host/test_history.py",),
}
