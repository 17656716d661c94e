"""What has to fit before a Dask cluster works for a fleet."""

from __future__ import annotations

import sys

import pytest

from puppet_repl.base.version import __version__
from puppet_repl.frontends.shared import dask_cluster
from puppet_repl.frontends.shared.dask_cluster import Cluster
from puppet_repl.frontends.shared.fleet import FleetError

PYTHON = ".".join(map(str, sys.version_info[:3])) + ".final.0"


@pytest.mark.parametrize(
    ("package", "python", "expected"),
    [
        (__version__, PYTHON, None),
        ("0.0.1", PYTHON, f"has puppet-repl 0.0.1, this is {__version__}"),
        (None, PYTHON, f"lacks puppet-repl, of which it needs {__version__}"),
        (__version__, "3.5.2.final.0", "has Python 3.5, this is Python "),
    ],
)
def test_versions_of_a_worker(package: str | None, python: str, expected: str | None) -> None:
    # As distributed's Client.get_versions reports them of a worker.
    versions = {"host": {"python": python}, "packages": {"puppet_repl": package}}
    problem = dask_cluster._problem(versions)
    assert problem is None if expected is None else str(problem).startswith(expected)


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(FleetError, match=r"not installed: .*pip install 'distributed>=[\d.]+'"):
        Cluster("tcp://127.0.0.1:1")
