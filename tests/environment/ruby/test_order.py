"""What types of modules refuse, and the order that they imply, is Puppet's, edge by edge.

tests/catalog/record_order.rb has recorded order.jsonl.gz. Its types use the same parts of Puppet as
those of public modules.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.catalog.order import order_of
from puppet_repl.frontends.commands import run
from puppet_repl.session import Options, Session
from puppet_repl.tools.reports.parts import Failure
from tests.environment.ruby.engine import ENGINE, needs_ruby, needs_sandbox
from tests.recorded import Case, read

pytestmark = needs_ruby

RECORDED = read(Path(__file__).with_name("order.jsonl.gz"))


def session_of(case: Case, directory: Path, ruby_seconds: int = 60) -> Session:
    """Return a session that has compiled a program with the types of a case."""
    for name, text in case["files"].items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    options = Options(
        node="node.example.com",
        modulepath=(str(directory),),
        ruby=ENGINE,
        ruby_seconds=ruby_seconds,
    )
    session = Session(options, facts={})
    outcome = session.finish_catalog(session.compile_site(case["code"]))
    assert outcome.error is None
    return session


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["id"])
def test_the_graph_is_that_of_puppet(case: Case, tmp_path: Path) -> None:
    session = session_of(case, tmp_path)
    order = order_of(session.catalog)
    session.close()
    if "error" in case:
        (warning,) = order.warnings()
        is_of_values = case["id"].startswith("refused: ")
        message = f"Failed to apply catalog: {case['error']}"
        assert warning == message if is_of_values else warning.startswith(f"{message} (auto")
        return
    edges = [[first, second] for first, after in order.after.items() for second in after]
    assert sorted(edges) == case["edges"]
    assert sorted(pair for pair in edges if order.after[pair[0]][pair[1]]) == case["refreshes"]
    assert bool(order.warnings()) is (case["cycles"] is not None)


def test_code_without_an_end_fails_as_any_other(tmp_path: Path) -> None:
    body = "newparam(:name); autorequire(:file) { again }; def again; again; end"
    text = f"Puppet::Type.newtype(:endless) {{ {body} }}"
    case = {"files": {"m/lib/puppet/type/endless.rb": text}, "code": "endless { 'x': }"}
    session = session_of(case, tmp_path)
    assert order_of(session.catalog).warnings() == [
        "Failed to apply catalog: stack level too deep (autorequire of Endless[x])"
    ]


def test_a_ruby_that_takes_too_long_is_an_error_of_the_graph(tmp_path: Path) -> None:
    text = "Puppet::Type.newtype(:slow) { newparam(:name); autorequire(:file) { loop {} } }"
    case = {"files": {"m/lib/puppet/type/slow.rb": text}, "code": "slow { 'x': }"}
    session = session_of(case, tmp_path, ruby_seconds=1)
    (part,) = run(session, ":graph text").parts
    assert isinstance(part, Failure)
    assert run(session, ":resources").parts


# Blocks that an agent runs and the sandbox does not, and a part of the reason.
ONLY_ON_AGENTS = {
    "a program": ("`hostname`", "`hostname` is not available"),
    "a part of Puppet": ("Puppet::Util::Execution.execute('x')", "Puppet::Util::Execution"),
    "a library": ("require 'no_such_gem'", "cannot load such file -- no_such_gem"),
    "a file": ("File.read('/etc/hostname')", "Ruby code of modules may read files of modules only"),
    "a method": ("self.class.instances.first.name", "undefined method `instances'"),
}


@needs_sandbox
@pytest.mark.parametrize("case", ONLY_ON_AGENTS)
def test_what_only_an_agent_can_run_is_no_reason_to_refuse(case: str, tmp_path: Path) -> None:
    block, reason = ONLY_ON_AGENTS[case]
    text = f"Puppet::Type.newtype(:asking) {{ newparam(:name); autorequire(:file) {{ {block} }} }}"
    code = "asking { ['x', 'y']: }"
    session = session_of({"files": {"m/lib/puppet/type/asking.rb": text}, "code": code}, tmp_path)
    order = order_of(session.catalog)
    session.close()
    assert order.refusals() == []
    (warning,) = order.warnings()
    assert warning.startswith("order of Asking[x] unknown: ")
    assert reason in warning


# Checks of a type that can fail only here, or whose failure here says nothing.
UNKNOWN_CHECKS = {
    "a provider": "validate { fail 'no' unless provider }",
    "the default provider": "newparam(:provider) {}; validate { fail 'no' unless self[:provider] }",
    "a program": "newparam(:size) { validate { |v| fail 'no' if `hostname` } }",
    "a part of Puppet": "newparam(:size) { munge { |v| Puppet::Util::Execution.execute(v) } }",
    "a file": "newparam(:size) { validate { |v| File.read('/etc/hostname') } }",
    "a function": "newparam(:size) { validate { |v| Puppet::Util.no_such } }",
    "a value of a rich type": "newparam(:size) { validate { |v| fail 'no' unless v.to_s == '7' } }",
}


@needs_sandbox
@pytest.mark.parametrize("case", UNKNOWN_CHECKS)
def test_checks_that_only_an_agent_can_run_refuse_nothing(case: str, tmp_path: Path) -> None:
    text = f"Puppet::Type.newtype(:checked) {{ newparam(:name); {UNKNOWN_CHECKS[case]} }}"
    size = "Deferred('get', [])" if "rich" in case else "7"
    code = f"checked {{ 'x': {f'size => {size}' if ':size' in text else ''} }}"
    session = session_of({"files": {"m/lib/puppet/type/checked.rb": text}, "code": code}, tmp_path)
    order = order_of(session.catalog)
    session.close()
    assert order.warnings() == []
