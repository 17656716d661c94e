"""What the plugin for pytest does with the interpreter."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.programs import find_program, program_directories
from puppet_repl.base.wording import counted
from puppet_repl.environment.facts.facts import FactsError
from puppet_repl.environment.facts.factset_words import installed_sets
from puppet_repl.environment.modules.fixtures import FixturesError, fixtures_of
from puppet_repl.environment.modules.tested_module import (
    FIXTURE_MODULES,
    directory_of_module,
    module_of,
)
from puppet_repl.frontends.api.assertions import assert_contains, differences
from puppet_repl.frontends.api.catalog import Catalog
from puppet_repl.frontends.api.resource import Resource
from puppet_repl.integrations.pytest.coverage import Coverage
from puppet_repl.integrations.pytest.fixture import NAMES, Puppet, check_arguments
from puppet_repl.integrations.pytest.suite import NoModuleError, Suite, together
from puppet_repl.integrations.pytest.systems import NoFactsWarning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from typing import NoReturn

    from puppet_repl.environment.modules.fixtures import Fixture
    from puppet_repl.environment.modules.modules import Module
    from puppet_repl.integrations.pytest.systems import System

SYSTEM = "puppet_system"
_ENVIRONMENT = "environment.conf"
_TAKEN = "it takes code, facts, node, pre and the options of puppet_repl.compile"


def suite_of(config: pytest.Config, path: Path, suites: dict[str, Suite]) -> Suite:
    """Return the suite of the module that a file of tests belongs to, made when it is needed."""
    directory = os.path.dirname(path)
    home = directory_of_module(directory)
    if home is None:
        home = os.fspath(config.rootpath) if _environment(config) else directory
    if home not in suites:
        suites[home] = Suite(
            home,
            facts=config.getini("puppet_facts"),
            facts_path=_paths(config, "puppet_facts_path"),
            modulepath=_paths(config, "puppet_modulepath"),
            environment=_path(config, "puppet_environment") or _environment(config),
            hiera=_path(config, "puppet_hiera"),
            allows_refused=config.getini("puppet_refused_catalogs") == "warn",
            options={
                "ruby": config.getini("puppet_ruby"),
                "stubs": _paths(config, "puppet_stubs"),
                "unknown_functions": config.getini("puppet_unknown_functions"),
            },
        )
    return suites[home]


def fetch_fixtures(directory: Path) -> None:
    """Clone the missing modules of .fixtures.yml. Raises UsageError."""
    module = module_of(os.fspath(directory))
    if module is None:
        return
    try:
        found = fixtures_of(module, "repositories")
    except FixturesError as error:
        raise pytest.UsageError(f"--puppet-fixtures: {error}") from None
    for fixture in found:
        if not os.path.exists(module.file(FIXTURE_MODULES, fixture.name)):
            _fetch(module, fixture)


def _fetch(module: Module, fixture: Fixture) -> None:
    """Clone one module beside its place, and move the complete clone there."""
    url, branch = fixture.source(module.path), str(fixture.options.get("branch") or "")
    where = f"--puppet-fixtures: .fixtures.yml: {fixture.name}"
    refused = fixture.not_followed()
    if refused:
        raise pytest.UsageError(f"{where}: cannot follow {', '.join(refused)}; use rake spec_prep")
    if url is None:
        raise pytest.UsageError(f"{where} has no 'repo'")
    revision = fixture.ref or branch
    if not fixture.name.isidentifier() or revision.startswith("-"):
        raise pytest.UsageError(f".fixtures.yml: cannot fetch {fixture.name!r} at {revision!r}")
    modules = module.file(FIXTURE_MODULES)
    os.makedirs(modules, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".", dir=modules) as place:
        clone = os.path.join(place, fixture.name)
        _run_git(module.path, "clone", "--quiet", "--", url, clone)
        if revision:
            _run_git(clone, "checkout", "--quiet", revision, "--")
        os.rename(clone, os.path.join(modules, fixture.name))


def _run_git(directory: str, *arguments: str) -> None:
    # A question about a password would wait for an answer that nobody gives.
    silent = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "PATH": program_directories()}
    try:
        command = [find_program("git"), *arguments]
        subprocess.run(
            command, cwd=directory, env=silent, check=True, capture_output=True, text=True
        )
    except FileNotFoundError:
        raise pytest.UsageError("--puppet-fixtures needs git") from None
    except subprocess.CalledProcessError as error:
        raise pytest.UsageError(f"--puppet-fixtures: {error.stderr.strip()}") from None


def _paths(config: pytest.Config, name: str) -> list[str]:
    return [os.fspath(path) for path in config.getini(name)]


def _path(config: pytest.Config, name: str) -> str | None:
    found = _paths(config, name)
    if len(found) > 1:
        raise pytest.UsageError(f"{name}: one path, not {len(found)}")
    return found[0] if found else None


def _environment(config: pytest.Config) -> str | None:
    """Return the root of the tests where it is an environment, as a control repository is."""
    root = os.fspath(config.rootpath)
    return root if os.path.isfile(os.path.join(root, _ENVIRONMENT)) else None


def parameters(suite: Suite, test: pytest.Item, names: Sequence[str]) -> list[Any]:
    """Return the systems of a test as pytest has parameters; skipped where there are no facts."""
    try:
        systems = suite.systems(names)
    except (FactsError, NoModuleError) as error:
        raise pytest.Collector.CollectError(f"{test.nodeid}: puppet_systems: {error}") from None
    missing = [each.name for each in systems if each.problem]
    if missing and not suite.has_told_of_systems:
        suite.has_told_of_systems = True
        test.warn(NoFactsWarning(_without_facts(suite.name, missing, len(systems))))
    return [pytest.param(each, id=each.name, marks=_marks(each)) for each in systems]


def _without_facts(module: str, missing: Sequence[str], count: int) -> str:
    return (
        f"{module}: tests are skipped on {len(missing)} of {counted(count, 'system')}, of which "
        f"there are no facts: {', '.join(missing)}; name files of facts with puppet_facts_path"
    )


def _marks(system: System) -> tuple[pytest.MarkDecorator, ...]:
    return (pytest.mark.skip(reason=system.problem),) if system.problem else ()


def puppet_of(item: pytest.Item, suite: Suite) -> Puppet:
    """Return the value of the fixture ``puppet`` for a test."""
    given = _given(item)
    callspec = getattr(item, "callspec", None)
    facts: Any = suite.facts if callspec is None else callspec.params.get(SYSTEM, suite.facts)
    if "facts" in given:
        facts = [facts, given["facts"]]
    of_node = ("code", "facts", "node", "pre")
    options = {name: each for name, each in given.items() if name not in of_node}
    puppet = Puppet(suite, facts, options, node=given.get("node"), pre=given.get("pre") or "")
    try:
        _ = puppet.facts
    except FactsError as error:
        _refuse(item, f"{_origin_of_facts(suite, given)}: {error}")
    return puppet


def _origin_of_facts(suite: Suite, given: dict[str, Any]) -> str:
    """Return the setting, marker or parameter that named the unusable facts of a test."""
    try:
        suite.facts_of(suite.facts)
    except FactsError:
        return "the setting puppet_facts"
    return "the marker puppet" if "facts" in given else SYSTEM


def _refuse(item: pytest.Item, message: str) -> NoReturn:
    """Fail a test that is written wrongly, without the calls inside of pytest."""
    raise pytest.fail.Exception(f"{item.nodeid}: {message}", pytrace=False) from None


def _given(item: pytest.Item) -> dict[str, Any]:
    """Return what the markers of a test say, the nearest last."""
    given: dict[str, Any] = {}
    for marker in reversed(list(item.iter_markers("puppet"))):
        for name in sorted(marker.kwargs.keys() - {"facts", *NAMES}):
            hint = did_you_mean(name, ["facts", *NAMES]) or _TAKEN
            if name == "code":
                hint = "code comes first, without a name"
            _refuse(item, f"the marker puppet takes no argument {name!r}; {hint}")
        try:
            arguments = {name: each for name, each in marker.kwargs.items() if name != "facts"}
            check_arguments("puppet", arguments)
        except (TypeError, ValueError) as error:
            _refuse(item, f"the marker puppet: {error}")
        if len(marker.args) > 1:
            _refuse(item, "the marker puppet takes one argument with code")
        given = together(given, marker.kwargs)
        if marker.args:
            given["code"] = marker.args[0]
    return given


def code_of(item: pytest.Item, suite: Suite) -> Any:
    """Return the code that the fixture ``catalog`` compiles for a test.

    It is that of the nearest marker that has any, or the one by default.
    """
    code = _given(item).get("code")
    if code is not None:
        return code
    try:
        return suite.default_code
    except NoModuleError as error:
        _refuse(item, str(error))


def catalog_of(item: pytest.Item, puppet: Puppet, suite: Suite) -> Catalog:
    """Return the value of the fixture ``catalog`` for a test."""
    __tracebackhide__ = True
    code = code_of(item, suite)
    try:
        return puppet.compile(code)
    except PuppetError as error:
        _raise_at(item, error)


def _raise_at(item: pytest.Item, error: Exception) -> NoReturn:
    """Raise an error as if the first line of the test did it.

    The fixture is ours, so no line of the user's has called anything: pytest would only say that
    all calls are hidden.
    """
    __tracebackhide__ = True
    path, line, _ = item.reportinfo()
    code = compile("raise error", os.fspath(path), "exec").replace(co_firstlineno=(line or 0) + 1)
    exec(code, {"error": error})
    raise error


def explanation(op: str, left: object, right: object) -> list[str] | None:
    """Return the lines that explain a comparison which does not hold, None for the usual ones."""
    if op == "in" and isinstance(right, Catalog):
        return missing_lines(left, right)
    if op == "==" and isinstance(left, Resource):
        return resource_lines(left, right)
    if op == "==" and isinstance(right, Resource):
        return resource_lines(right, left)
    return None


def coverages(
    suites: dict[str, Suite], elsewhere: Iterable[tuple[str, dict[str, Any]]]
) -> list[Coverage]:
    """Return what the tests of each module have covered, in this process and in others."""
    found = {path: suite.coverage for path, suite in suites.items()}
    for path, data in elsewhere:
        if path not in found:
            found[path] = Coverage(module_of(path))
        found[path].add(data)
    return [coverage for coverage in found.values() if coverage.name]


def adapted_line(adapted: Mapping[str, str]) -> str:
    """Return the sentence about the systems whose facts are made from a set of another one."""
    told = ", ".join([f"{name} ({of})" for name, of in sorted(adapted.items())])
    hint = "" if installed_sets() else "; the package puppet-repl-facts has more sets"
    return f"facts made from the nearest set: {told}{hint}"


def missing_lines(key: Any, catalog: Catalog) -> list[str] | None:
    """Return the message about a resource that a catalog lacks; None if it has the resource."""
    try:
        assert_contains(catalog, key, {})
    except AssertionError as error:
        return str(error).split("\n")
    return None


def resource_lines(resource: Resource, other: object) -> list[str] | None:
    """Return how the attributes of a resource differ from those of another one, or a mapping."""
    if not isinstance(other, Mapping):
        return None
    lines = [f"{resource.ref} == {dict(other)!r}"]
    if isinstance(other, Resource):
        lines = [f"{resource.ref} == {other.ref}"]
    for problem in differences(resource, other):
        lines += problem.split("\n")
    further = [f"{name}: {resource[name]!r} is set, too" for name in resource if name not in other]
    return lines + further
