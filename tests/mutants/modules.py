"""The modules whose mutants are run, each with what pytest is given to test them."""

from __future__ import annotations

__all__ = ["MODULES"]

HIERA = (
    "tests/environment/test_hiera.py",
    "tests/environment/test_yaml_data.py",
    "tests/environment/test_explanation.py",
    "tests/environment/test_hiera_reads.py",
)
# Of the tests in the directory of a module's package only those files that concern it: a mutant
# that they notice is noticed by the directory.
MODULES: dict[str, tuple[str, ...]] = {
    "puppet_repl.rendering.width": ("tests/rendering/test_width.py",),
    "puppet_repl.catalog.cycles": ("tests/catalog/test_cycles.py",),
    "puppet_repl.syntax.completeness": (
        "tests/syntax/test_completeness.py",
        "--deselect=tests/syntax/test_completeness.py::test_every_prefix_of_every_case",  # slow
    ),
    "puppet_repl.functions.data_merge": ("tests/functions/test_data_merge.py",),
    "puppet_repl.values.semver": ("tests/values/test_semver.py",),
    "puppet_repl.environment.hiera_interpolation": HIERA,
    "puppet_repl.environment.hiera_config": HIERA,
    "puppet_repl.syntax.scan": ("tests/syntax/test_scan.py",),
    "puppet_repl.values.semver_range": ("tests/values/test_semver.py",),
    "puppet_repl.frontend.history": ("tests/frontend/test_history.py",),
}
