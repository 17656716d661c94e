"""Commands for many nodes as processes: what dies, what is interrupted, a Dask cluster.

What is killed or interrupted are children, and theirs.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from distributed import LocalCluster

from tests.environment.ruby.engine import ENGINE, needs_ruby
from tests.frontends.cli.test_cli import run

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

SITE = """\
node 'killer' { generate('%s', '-c', 'kill -9 $PPID') }
node 'bad' { fail('no') }
node default {
  Integer[1, %d].each |$i| { $x = $i }
  notify { "${trusted['certname']} ${facts['role']}": }
}
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A directory with an environment, and facts of 40 nodes."""
    write_site(tmp_path, work=10)
    facts = tmp_path / "facts"
    facts.mkdir()
    for number in range(40):
        (facts / f"n{number:02}.json").write_text(json.dumps({"role": f"role{number}"}))
    return tmp_path


def write_site(directory: Path, work: int) -> None:
    """Write the environment; the catalog of a node takes so many steps of work."""
    manifests = directory / "production" / "manifests"
    manifests.mkdir(parents=True, exist_ok=True)
    (manifests / "site.pp").write_text(SITE % ("/bin/sh", work))


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "puppet_repl", *arguments]


COMPILE = ("compile", "--environment", "production", "--facts", "facts")


def documents(lines: str) -> dict[str, dict[str, object]]:
    """Return the lines of ndjson by the name of their node, each of which is there once."""
    rows = [json.loads(line) for line in lines.splitlines()]
    found = {row["name"]: row for row in rows}
    assert len(found) == len(rows)
    return found


def test_lines_are_the_documents_of_the_nodes(site: Path) -> None:
    status, out, err = run(*COMPILE, directory=site)
    assert (status, err.splitlines()[-1]) == (0, "40 of 40 catalogs compiled")
    whole = json.loads(out)
    for jobs in ("1", "2"):
        status, out, _ = run(*COMPILE, "--format", "ndjson", "--jobs", jobs, directory=site)
        assert status == 0
        lines = documents(out)
        assert without_marks(lines) == without_marks(whole)


def without_marks(documents: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """Return documents without what marks a compilation: its time and its identifier."""
    return {
        node: {key: value for key, value in row.items() if key not in ("version", "catalog_uuid")}
        for node, row in documents.items()
    }


def test_a_node_that_fails_has_a_line(site: Path) -> None:
    nodes = ("--node", "n01", "--node", "bad", "--facts", "debian-12")
    status, out, err = run(*COMPILE, *nodes, "--format", "ndjson", directory=site)
    lines = documents(out)
    assert (status, set(lines)) == (1, {"n01", "bad"})
    assert str(lines["bad"]["error"]).startswith("Error: Evaluation Error: ")
    assert "bad: Error: Evaluation Error: " in err
    assert err.endswith("1 of 2 catalogs compiled\n")


@pytest.mark.parametrize("where", ["file", "input"])
def test_nodes_of_a_file(site: Path, where: str) -> None:
    text = "\ufeffn03\n# those of today\nn03\n\n  N04 \nn1?\nn03\n"
    (site / "nodes.txt").write_text(text)
    nodes = ("--nodes", "nodes.txt" if where == "file" else "-")
    status, out, _ = run(*COMPILE, *nodes, directory=site, given=text.encode())
    assert (status, list(json.loads(out))) == (0, ["n03", "n04", *(f"n1{n}" for n in range(10))])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--nodes", "nope.txt"), "cannot read nope.txt: No such file or directory"),
        (("--nodes", "empty.txt"), "--nodes: no node is named in empty.txt"),
        (("--nodes", "odd.txt"), "--node: 'a/b' is not a valid node name"),
        (("--scheduler", "nonsense"), "no Dask scheduler at nonsense: missing port number"),
        (("--scheduler", "tcp://127.0.0.1:1"), "tcp://127.0.0.1:1: Connection refused"),
    ],
)
def test_usage(site: Path, arguments: tuple[str, ...], message: str) -> None:
    (site / "empty.txt").write_text("# nobody\n")
    (site / "odd.txt").write_text("n01\na/b\n")
    status, out, err = run(*COMPILE, *arguments, directory=site)
    assert (status, out) == (2, "")
    assert message in err and err.count("\n") == 1


def test_a_node_that_kills_its_process_has_failed_and_no_other(site: Path) -> None:
    (site / "facts" / "killer.json").write_text('{"role": "k"}')
    status, out, err = run(
        *COMPILE, "--allow-generate", "--format", "ndjson", "--jobs", "2", directory=site
    )
    lines = documents(out)
    assert (status, len(lines)) == (1, 41)
    assert lines["killer"]["error"] == (
        "Error: the process that compiles was killed, 3 times or more (out of memory?)"
    )
    assert [name for name, row in lines.items() if "error" in row] == ["killer"]
    assert err.endswith("40 of 41 catalogs compiled\n")


@contextmanager
def running(directory: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command that writes 40 files into ``made``; the context begins when there are some."""
    with subprocess.Popen(
        command(*COMPILE, "--output", "made", *arguments),
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a terminal interrupts a whole group
    ) as process:
        try:
            while len(made_in(directory)) < 4:
                assert process.poll() is None
                time.sleep(0.01)
            yield process
        finally:
            process.kill()


def made_in(directory: Path) -> list[Path]:
    return list((directory / "made").glob("*.json"))


def test_a_process_that_is_killed_loses_nothing(site: Path) -> None:
    write_site(site, work=150_000)
    with running(site, "--jobs", "2") as process:
        workers = [
            child
            for child in psutil.Process(process.pid).children()
            if "spawn_main" in " ".join(child.cmdline())
        ]
        assert len(workers) == 2
        workers[0].kill()
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0
        assert err.endswith("40 of 40 catalogs compiled\n")
    assert len(made_in(site)) == 40
    for path in made_in(site):
        assert json.loads(path.read_text())["name"] == path.stem


def test_an_interrupt_leaves_what_is_done(site: Path) -> None:
    write_site(site, work=150_000)
    with running(site, "--jobs", "2") as process:
        workers = psutil.Process(process.pid).children()
        os.killpg(process.pid, signal.SIGINT)
        start = time.monotonic()
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert time.monotonic() - start < 10
        assert "Traceback" not in err and "of 40 catalogs compiled" in err
    assert 4 <= len(made_in(site)) < 40
    for path in made_in(site):
        assert json.loads(path.read_text())["name"] == path.stem
    assert not psutil.wait_procs(workers, timeout=10)[1]
    assert not list((site / "made").glob(".*"))


def test_a_reader_that_has_seen_enough(site: Path) -> None:
    with subprocess.Popen(
        command(*COMPILE, "--format", "ndjson", "--jobs", "2"),
        cwd=site,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        json.loads(process.stdout.readline())
        process.stdout.close()
        err = process.stderr.read()
        assert process.wait(60) == 0
    assert "Traceback" not in err and "Broken pipe" not in err


@needs_ruby
def test_processes_with_ruby_end_in_silence(site: Path) -> None:
    functions = site / "production" / "modules" / "app" / "lib" / "puppet" / "functions" / "app"
    functions.mkdir(parents=True)
    (functions / "two.rb").write_text(
        "Puppet::Functions.create_function(:'app::two') { dispatch(:two) {}; def two() 2 end }"
    )
    (site / "production" / "manifests" / "site.pp").write_text('notify { "${app::two()}": }')
    status, out, err = run(
        *COMPILE, "--jobs", "2", "--ruby", ENGINE, "--format", "ndjson", directory=site
    )
    assert (status, len(documents(out))) == (0, 40)
    assert err == "40 of 40 catalogs compiled\n"


# A Dask cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """A cluster of two workers, which are processes."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as made:
        yield made


def pids(cluster: LocalCluster) -> list[int]:
    return [worker.pid for worker in cluster.workers.values()]


def test_a_cluster_compiles_what_one_process_compiles(site: Path, cluster: LocalCluster) -> None:
    scheduler = ("--scheduler", cluster.scheduler_address)
    status, out, err = run(*COMPILE, "--format", "ndjson", *scheduler, directory=site)
    assert (status, err.splitlines()[-1]) == (0, "40 of 40 catalogs compiled")
    _, alone, _ = run(*COMPILE, "--format", "ndjson", "--jobs", "1", directory=site)
    assert without_marks(documents(out)) == without_marks(documents(alone))


def test_a_worker_of_a_cluster_that_is_killed_loses_nothing(
    site: Path, cluster: LocalCluster
) -> None:
    write_site(site, work=150_000)
    before = pids(cluster)
    with running(site, "--scheduler", cluster.scheduler_address) as process:
        os.kill(before[0], signal.SIGKILL)
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0
        assert err.endswith("40 of 40 catalogs compiled\n")
    made = {path.stem: json.loads(path.read_text()) for path in made_in(site)}
    assert len(made) == 40
    _, alone, _ = run(*COMPILE, "--jobs", "1", directory=site)
    assert without_marks(made) == without_marks(json.loads(alone))


def test_a_node_that_kills_workers_of_a_cluster(site: Path, cluster: LocalCluster) -> None:
    (site / "facts" / "killer.json").write_text('{"role": "k"}')
    status, out, _ = run(
        *(*COMPILE, "--allow-generate", "--format", "ndjson"),
        *("--scheduler", cluster.scheduler_address),
        directory=site,
        timeout=300,  # each of its workers is started several times
    )
    lines = documents(out)
    assert (status, len(lines)) == (1, 41)
    assert [name for name, row in lines.items() if "error" in row] == ["killer"]
    assert "was killed, 3 times" in str(lines["killer"]["error"])


def test_a_cluster_that_is_gone_is_an_error(site: Path) -> None:
    write_site(site, work=150_000)
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
        address = cluster.scheduler_address
        with running(site, "--scheduler", address) as process:
            cluster.close()
            _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert err.endswith(f"puppet-repl: the connection to the scheduler at {address} is lost\n")
    assert "Traceback" not in err


def test_a_cluster_without_workers(site: Path) -> None:
    with LocalCluster(n_workers=0, dashboard_address=":0") as cluster:
        address = cluster.scheduler_address
        status, out, err = run(*COMPILE, "--scheduler", address, directory=site)
    assert (status, out) == (2, "")
    assert err == f"puppet-repl: --scheduler: the scheduler at {address} has no workers\n"
