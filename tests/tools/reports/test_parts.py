"""Each part of a report can be shown by each front end."""

from __future__ import annotations

from puppet_kernel import commands
from puppet_repl.tools.reports import report
from puppet_repl.tools.reports.parts import Complaint, Failure, Message, Part


def test_each_part_has_a_text() -> None:
    """The kernel has parts of its own, that only notebooks show."""
    own = {part for part in Part.__subclasses__() if part.__module__ == commands.__name__}
    assert set(Part.__subclasses__()) - own == set(report._RENDERERS)


def test_each_part_has_a_way_out_of_the_kernel() -> None:
    """A message is printed, a failure ends the cell; all others are outputs."""
    assert set(Part.__subclasses__()) == {*commands._BUNDLES, Message, Complaint, Failure}
