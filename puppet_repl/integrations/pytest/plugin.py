"""The plugin for pytest: ``pip install puppet-repl`` is enough to have its fixtures.

Every run of pytest imports this module where puppet-repl is installed, so it imports nothing of the
interpreter itself: the package ``testing`` comes with the first test that asks for a fixture.
"""

from __future__ import annotations

from argparse import ArgumentTypeError

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType
    from typing import Any

    from puppet_repl.frontends.api.catalog import Catalog
    from puppet_repl.integrations.pytest.coverage import Coverage
    from puppet_repl.integrations.pytest.fixture import Puppet
    from puppet_repl.integrations.pytest.suite import Suite
    from puppet_repl.integrations.pytest.systems import System

DEFAULT_FACTS = "debian-12"
_SYSTEM = "puppet_system"
_COVERAGE = "puppet_coverage"
_ADAPTED = "puppet_adapted"
# Where ``rake spec_prep`` puts modules, with links to the module itself that never end.
_FIXTURES = ("spec", "fixtures", "modules")
_MARKERS = (
    "puppet(code, facts=None, node=None, pre=None, hiera=None, trusted=None, ...): "
    "what the fixtures `catalog` and `puppet` of a test are about",
    "puppet_systems(*names): "
    "run a test on each system that metadata.json supports, or on those of these names",
)
# The packages of the distribution.
_NOT_REWRITTEN = ("puppet_repl", "puppet_kernel", "puppet_pygments")
_DIRECTORIES = ("puppet_modulepath", "puppet_facts_path", "puppet_environment")
_PATHS = (*_DIRECTORIES, "puppet_hiera", "puppet_stubs")
_CHOICES = {
    "puppet_refused_catalogs": ("error", "warn"),
    "puppet_ruby": ("auto", "sandbox", "system", "off"),
    "puppet_unknown_functions": ("error", "warn"),
}
_suites = pytest.StashKey["dict[str, Suite]"]()
_elsewhere = pytest.StashKey["list[tuple[str, dict[str, Any]]]"]()
_adapted = pytest.StashKey["dict[str, str]"]()


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options and the settings of the plugin."""
    _keep_from_rewriting(pluginmanager)
    group = parser.getgroup("puppet", "Puppet modules")
    group.addoption(
        "--puppet-coverage",
        nargs="?",
        const=0.0,
        type=_percentage,
        metavar="PERCENT",
        help="say which resources of the module no test has looked at; with a number fail below it",
    )
    group.addoption(
        "--puppet-fixtures",
        action="store_true",
        help="clone missing repositories of .fixtures.yml into spec/fixtures/modules",
    )
    parser.addini("puppet_modulepath", "directories of modules", type="paths", default=[])
    parser.addini(
        "puppet_facts",
        f"the facts of tests that name none ({DEFAULT_FACTS})",
        default=DEFAULT_FACTS,
    )
    parser.addini("puppet_facts_path", "directories of files of facts", type="paths", default=[])
    parser.addini("puppet_hiera", "the hiera.yaml of the global layer", type="paths", default=[])
    parser.addini("puppet_stubs", "files with stubs of functions", type="paths", default=[])
    parser.addini("puppet_ruby", "auto, sandbox, system, off or the path of a ruby", default="auto")
    parser.addini(
        "puppet_unknown_functions", "what calls of them are: error or warn", default="error"
    )
    parser.addini(
        "puppet_refused_catalogs",
        "what catalogs are that an agent refuses: error or warn",
        default="error",
    )
    parser.addini("puppet_environment", "the environment of the tests", type="paths", default=[])


def _percentage(text: str) -> float:
    """Return the number of an option. Raises ArgumentTypeError for one that is not a percentage."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:
        raise ArgumentTypeError(f"a number from 0 to 100, as in --puppet-coverage=95, not {text!r}")
    return number


def _keep_from_rewriting(pluginmanager: pytest.PytestPluginManager) -> None:
    """Let Python import the interpreter as it is.

    pytest rewrites the assertions in all modules of a distribution with a plugin: in hundreds here,
    which have none. There is no public way to say that one is to be left alone.
    """
    marked = getattr(getattr(pluginmanager, "rewrite_hook", None), "_must_rewrite", None)
    if isinstance(marked, set):
        marked.difference_update(
            {name for name in marked if name.partition(".")[0] in _NOT_REWRITTEN}
        )


def pytest_configure(config: pytest.Config) -> None:
    """Say what the markers are. Raises UsageError for settings with paths that do not exist."""
    for name in _PATHS:
        for path in config.getini(name):
            if not path.exists():
                raise pytest.UsageError(f"{name}: there is no {path}")
            if name in _DIRECTORIES and not path.is_dir():
                raise pytest.UsageError(f"{name}: {path} is not a directory")
    for name, choices in _CHOICES.items():
        chosen = config.getini(name)
        if chosen not in choices and not (name == "puppet_ruby" and "/" in chosen):
            raise pytest.UsageError(f"{name} is one of {', '.join(choices)}, not {chosen!r}")
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)
    config.stash[_suites] = {}
    config.stash[_elsewhere] = []
    config.stash[_adapted] = {}


def pytest_sessionstart(session: pytest.Session) -> None:
    """Fetch the fixtures of the module, where the option asks for this."""
    config = session.config
    if config.option.puppet_fixtures and not hasattr(config, "workerinput"):
        _hooks().fetch_fixtures(config.rootpath)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out the modules that a module under test depends on."""
    return True if collection_path.parts[-3:] == _FIXTURES else None


def _hooks() -> ModuleType:
    """Return what needs the interpreter."""
    from puppet_repl.integrations.pytest import hooks

    return hooks


def _suite_of(config: pytest.Config, path: Path) -> Suite:
    """Return what the tests of a file have in common with others of the same module."""
    suite: Suite = _hooks().suite_of(config, path, config.stash[_suites])
    return suite


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests on each system that the module supports, or that their marker names."""
    marker = metafunc.definition.get_closest_marker("puppet_systems")
    if marker is None and _SYSTEM not in metafunc.fixturenames:
        return
    if _SYSTEM not in metafunc.fixturenames:
        metafunc.fixturenames.append(_SYSTEM)
    names = () if marker is None else marker.args
    suite = _suite_of(metafunc.config, metafunc.definition.path)
    metafunc.parametrize(_SYSTEM, _hooks().parameters(suite, metafunc.definition, names))


@pytest.fixture
def puppet_system(request: pytest.FixtureRequest) -> System:
    """Return the operating system that the test runs on; see the marker ``puppet_systems``."""
    raise pytest.UsageError(f"{request.node.nodeid}: {_SYSTEM} is parametrized by the plugin")


@pytest.fixture
def puppet(request: pytest.FixtureRequest) -> Puppet:
    """Return the module under test on a node: ``puppet.compile("include nginx")``."""
    found: Puppet = _hooks().puppet_of(request.node, _suite_of(request.config, request.node.path))
    return found


@pytest.fixture
def catalog(request: pytest.FixtureRequest, puppet: Puppet) -> Catalog:
    """Return the catalog of the code of the marker ``puppet``, or of the class of the module."""
    __tracebackhide__ = True
    suite = _suite_of(request.config, request.node.path)
    found: Catalog = _hooks().catalog_of(request.node, puppet, suite)
    return found


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain comparisons with catalogs and resources that do not hold."""
    if not any(
        type(each).__module__.startswith("puppet_repl.frontends.api.") for each in (left, right)
    ):
        return None
    lines: list[str] | None = _hooks().explanation(op, left, right)
    return lines


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Pass what is reported at the end to the process that does it; fail if coverage is too low."""
    config = session.config
    for suite in config.stash[_suites].values():
        config.stash[_adapted].update(suite.adapted)
    least = config.option.puppet_coverage
    output = getattr(config, "workeroutput", None)
    if output is not None:  # a worker of pytest-xdist
        output[_ADAPTED] = config.stash[_adapted]
    if least is None or config.option.collectonly:
        return
    if output is not None:
        output[_COVERAGE] = [
            (path, suite.coverage.data()) for path, suite in config.stash[_suites].items()
        ]
        return
    # Where no test has used a fixture there is no module to count.
    percentages = [coverage.percentage for coverage in _coverages(config)] or [0.0]
    if min(percentages) < least:
        if session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what a worker of pytest-xdist has to report."""
    output = getattr(node, "workeroutput", {})
    node.config.stash[_elsewhere] += output.get(_COVERAGE, ())
    node.config.stash[_adapted].update(output.get(_ADAPTED, {}))


def _coverages(config: pytest.Config) -> list[Coverage]:
    """Return what the tests of each module have covered, in all processes."""
    found: list[Coverage] = _hooks().coverages(config.stash[_suites], config.stash[_elsewhere])
    return found


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the systems without facts of their own, and the resources that no test looked at."""
    adapted = config.stash[_adapted]
    if adapted and config.get_verbosity() > -2:
        terminalreporter.write_line(_hooks().adapted_line(adapted))
    least = config.option.puppet_coverage
    if least is None or config.option.collectonly:
        return
    terminalreporter.section("coverage of Puppet code")
    coverages = _coverages(config)
    if not coverages:
        terminalreporter.write_line("nothing was compiled of any module")
    for coverage in coverages:
        for line in coverage.lines:
            terminalreporter.write_line(line)
        if coverage.percentage < least:
            terminalreporter.write_line(f"less than the {least:g} % of --puppet-coverage")
