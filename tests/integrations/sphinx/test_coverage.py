"""The builder that says what has no documentation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.integrations.sphinx.building import MISTAKES, Documentation

INDEX = ".. puppet:automodule:: widget\n   :exclude: widget::deploy\n"
TABLE = """\
attributes            6 of     6   100.0 %
classes               1 of     1   100.0 %
data types            2 of     2   100.0 %
defined types         1 of     1   100.0 %
functions             3 of     3   100.0 %
on a page            11 of    12    91.7 %
parameters            8 of    16    50.0 %
plans                 1 of     1   100.0 %
providers             1 of     1   100.0 %
resource types        2 of     2   100.0 %
return values         2 of     4    50.0 %
tasks                 1 of     1   100.0 %
"""
#: But for the last one, puppet-strings warns of the same.
MISSING = """\
module/manifests/init.pp:36: class widget: parameter options has no description
module/manifests/init.pp:37: class widget: parameter undocumented has no description
module/manifests/init.pp:41: class widget: parameter required has no description
module/manifests/init.pp:42: class widget: parameter text has no description
module/manifests/init.pp:45: class widget: parameter level has no description
module/manifests/part.pp:7: defined type widget::part: parameter flag has no description
module/manifests/part.pp:7: defined type widget::part: parameter rest has no description
module/lib/puppet/functions/widget/join.rb:17: function widget::join: no @return
module/lib/puppet/functions/widget/join.rb:19: function widget::join: parameter block has no \
description
module/lib/puppet/parser/functions/widget_old.rb:1: function widget_old: no @return
module/plans/deploy.pp:3: plan widget::deploy: on no page
"""


def test_the_report(tmp_path: Path) -> None:
    found = Documentation(tmp_path, INDEX)
    out = found.build("puppet-coverage")
    title = "Documentation of the sources\n============================\n"
    text = (out / "puppet-coverage.txt").read_text(encoding="utf-8")
    assert text == f"{title}\n{TABLE}\n{MISSING}"
    warnings = [line.replace(": ", ": WARNING: ", 1) for line in MISSING.splitlines()]
    assert found.warnings == [*MISTAKES, *(f"{line} [puppet.coverage]" for line in warnings)]


def test_what_is_described_elsewhere(tmp_path: Path) -> None:
    found = Documentation(tmp_path, INDEX)
    ignore = ["widget", "widget::[pj]*", "Widget_Old", "widget::deploy"]
    out = found.build("puppet-coverage", puppet_coverage_ignore=ignore)
    text = (out / "puppet-coverage.txt").read_text(encoding="utf-8")
    assert found.warnings == MISTAKES
    assert "functions             1 of     1   100.0 %" in text
    assert "classes" not in text


@pytest.mark.slow
def test_the_exit_status(tmp_path: Path) -> None:
    Documentation(tmp_path, INDEX)
    command = [sys.executable, "-m", "sphinx", "-b", "puppet-coverage", "--no-color"]
    paths = [str(tmp_path), str(tmp_path / "out-coverage")]
    for options, status in (([], 0), (["-W", "--keep-going"], 1)):
        done = subprocess.run(
            [*command, *options, *paths], capture_output=True, text=True, check=False
        )
        assert done.returncode == status
        for line in TABLE.splitlines():
            assert line in done.stdout
        assert ("out-coverage/puppet-coverage.txt" in done.stdout) == (status == 0)
