""".fixtures.yml: what puppetlabs_spec_helper refuses or does not understand in it."""

from __future__ import annotations

from puppet_repl.base.yaml_nodes import Mapping
from puppet_repl.environment.modules.fixtures import CATEGORIES, OPTIONS, PROGRAMS, Fixture
from puppet_repl.tools.validation.yaml_files import Pair, YamlFile, is_empty, scalar_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.yaml_nodes import Node
    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

_CODE = "fixtures"
_UNKNOWN = "fixtures_key"


def check(file: File) -> list[Diagnostic]:
    """Return the findings in a .fixtures.yml."""
    data = YamlFile(file)
    if data.is_refused or data.root is None or is_empty(data.root):
        return data.found
    content = data.mapping(data.root)
    if "fixtures" not in content:
        message = f"No 'fixtures' entries found in '{file.path}'; required"
        data.found.append(file.error(_CODE, message, 1, 1))
        return data.found
    for pair in content.values():
        if pair.name not in ("fixtures", "defaults"):
            data.advise(_UNKNOWN, f"'{pair.name}' has no meaning: fixtures, defaults", pair.key)
    fixtures = content["fixtures"]
    if type(fixtures.value) is not Mapping:
        data.error(_CODE, "'fixtures' must be a mapping", fixtures.key)
        return data.found
    for pair in data.pairs(fixtures.value):
        if pair.name in CATEGORIES:
            _check_category(data, pair)
        elif pair.name != "defaults":
            data.advise(
                _UNKNOWN, f"'{pair.name}' has no meaning: {', '.join(CATEGORIES)}", pair.key
            )
    return data.found


def _check_category(data: YamlFile, category: Pair) -> None:
    if is_empty(category.value):
        return
    if type(category.value) is not Mapping:
        data.error(_CODE, f"'{category.name}' must be a mapping", category.key)
        return
    known: dict[str, str] = {}
    for fixture in data.pairs(category.value):
        if type(fixture.value) is Mapping:
            repo = _check_fixture(data, fixture, category.name)
        else:
            repo = scalar_value(fixture.value)
            if type(repo) is not str:
                message = f"'{fixture.name}' is ignored: neither a text nor a mapping"
                data.advise(_CODE, message, fixture.key)
        if type(repo) is not str:
            continue
        if known.setdefault(repo, fixture.name) != fixture.name:
            message = f"{repo} is also that of '{known[repo]}': only the last one is fetched"
            data.advise("fixtures_repo", message, fixture.key)


def _check_fixture(data: YamlFile, fixture: Pair, category: str) -> str | None:
    """Check the options of one fixture; return its repository."""
    options = data.mapping(fixture.value)
    for pair in options.values():
        if pair.name not in OPTIONS:
            data.advise(_UNKNOWN, f"a fixture has no option '{pair.name}'", pair.key)
    read = Fixture(fixture.name, {name: scalar_value(pair.value) for name, pair in options.items()})
    program = read.text("scm")
    if program is not None and program not in PROGRAMS and category == "repositories":
        message = f"Unfortunately {program} is not supported yet"
        data.error(_CODE, message, options["scm"].value)
    problem = read.ref_problem()
    if problem is not None:
        data.error(_CODE, problem, options[read.ref_option].value)
    elif read.ref:
        _check_number(data, options[read.ref_option].value)
    problem = read.version_problem()
    if problem is not None:
        data.error(_CODE, problem, options["puppet_version"].value)
    if "repo" not in options:
        data.error(_CODE, f"'{fixture.name}' has no 'repo'", fixture.key)
        return None
    # A repository for some versions of Puppet may be there again for others.
    return None if "puppet_version" in options else read.text("repo")


def _check_number(data: YamlFile, node: Node) -> None:
    """Warn of a version that YAML reads as another one: 4.10 is 4.1."""
    value = scalar_value(node)
    if type(value) in (int, float):
        written = data.file.text[slice(*node.span)]
        if str(value) != written:
            data.advise("fixtures_ref", f"{written} is the number {value}: quote it", node)
