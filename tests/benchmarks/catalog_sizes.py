"""Catalogs of 1,000 resources and more, beside Puppet: CPU time, and memory for each resource.

Each program is compiled once in a process of its own, after a small one of its shape, on both sides
in turn; the least of a few such processes counts. Classes have a file each, which ours reads for
the first time, or has the code of in its cache. ``python -m tests.benchmarks.catalog_sizes
SIZE...`` measures other sizes.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from puppet_repl.base.memory import tune_process
from puppet_repl.session import Options, Session
from tests.benchmarks import puppet, report
from tests.benchmarks.rows import Absent, Row, Rows

REFERENCE = Path(__file__).with_name("catalog_sizes.rb")
SIZES = (1_000, 10_000)
SMALL = 20
TIMES = 3
GOAL = 15
COLD_GOAL = 8
"""Where files are parsed and compiled as well, as for whole catalogs."""
MEMORY_GOAL = 2
LEAST_FOR_MEMORY = 5_000
"""Resources: fewer fit into memory that a process has already."""


def files(size: int) -> str:
    """Return a program that declares files in a loop."""
    return f"""Integer[1, {size}].each |$i| {{
  file {{ "/srv/$i": ensure => file, mode => '0644', owner => 'root', content => "number $i" }}
}}
"""


def defines(size: int) -> str:
    """Return a program with instances of a define, each of which declares three resources."""
    return f"""define site(String $root, Integer $port = 80) {{
  file {{ "$root/$name": ensure => directory }}
  file {{ "$root/$name/conf": content => "Listen $port", require => File["$root/$name"] }}
  exec {{ "reload $name": command => '/bin/true', subscribe => File["$root/$name/conf"] }}
}}
Integer[1, {size // 4}].each |$i| {{ site {{ "site$i": root => '/srv', port => $i }} }}
"""


def classes(size: int) -> str:
    """Return a program that includes classes of a module; see ``class_files``."""
    return "".join(f"include bench::c{number}\n" for number in range(size // 10))


def class_files(size: int) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of manifests, each with a class that declares nine resources."""
    for number in range(size // 10):
        resources = "".join(
            f"  package {{ 'p{number}-{each}': ensure => $ensure }}\n" for each in range(9)
        )
        text = f"class bench::c{number}(String $ensure = 'present') {{\n{resources}}}\n"
        yield f"c{number}.pp", text


def collected(size: int) -> str:
    """Return a program that realizes virtual resources by collectors, and relates them."""
    return f"""Integer[1, {size}].each |$i| {{
  @user {{ "user$i": ensure => present, uid => $i, tag => "group${{$i % 10}}" }}
}}
Integer[0, 9].each |$i| {{ User <| tag == "group$i" |> {{ shell => '/bin/sh' }} }}
group {{ 'all': }}
Group['all'] -> User <| |>
"""


def created(size: int) -> str:
    """Return a program that passes a hash to create_resources()."""
    return f"""$hosts = Integer[1, {size}].reduce({{}}) |$all, $i| {{
  $all + {{ "host$i" => {{ 'ip' => "10.0.0.$i", 'comment' => "number $i" }} }}
}}
create_resources('notify', $hosts.map |$name, $host| {{
  [$name, {{ 'message' => $host['ip'], 'withpath' => true }}]
}}.then |$pairs| {{ Hash($pairs) }})
"""


SHAPES = {
    "files": files,
    "defines": defines,
    "classes": classes,
    "collected": collected,
    "created": created,
}


WITH_FILES = "classes"
OURS = [sys.executable, "-m", "tests.benchmarks.catalog_sizes", "--here"]


def compile_here(folder: Path, *, cache: bool) -> None:
    """Compile the manifest of a directory in this process, and print what that took."""
    tune_process(1 << 34)
    _compile(folder, "warm.pp", cache=cache)
    gc.collect()
    empty = _memory("VmRSS")
    seconds, count = _compile(folder, "site.pp", cache=cache)
    found = {"seconds": seconds, "empty": empty, "peak": _memory("VmHWM"), "resources": count}
    print(json.dumps(found))


def _compile(folder: Path, name: str, *, cache: bool) -> tuple[float, int]:
    text = (folder / name).read_text(encoding="utf-8")
    options = Options(modulepath=(str(folder / "modules"),), stdlib="off", cache=cache)
    session = Session(options, facts={})
    start = time.process_time()
    outcome = session.execute(text, str(folder / name))
    seconds = time.process_time() - start
    if outcome.error is not None:
        raise outcome.error
    return seconds, len(session.catalog.tables.members)


def _memory(field: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    raise LookupError(field)


class Measured(NamedTuple):
    """One catalog in a process of its own: CPU seconds, and bytes for each resource."""

    seconds: float
    bytes: float


def catalog_sizes(sizes: Iterable[int] = SIZES) -> Rows:
    """Yield each shape in each size."""
    beside, reference = puppet.version(), puppet.command(REFERENCE)
    if beside is None or reference is None:
        yield Absent("catalogs by size", puppet.NO_PUPPET)
        return
    memory = []
    for shape in SHAPES:
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                write(Path(folder), shape, size)
                commands = [OURS, reference]
                if shape == WITH_FILES:
                    commands.append([*OURS, "--cache"])
                mine, theirs, *cached = _measured(commands, folder)
            name = f"{size:,} in {shape}"
            goal = COLD_GOAL if cached else GOAL
            row = Row("catalogs by size", name, mine.seconds, theirs.seconds, beside, goal)
            yield row
            for kept in cached:
                yield row._replace(name=f"{name}, files cached", ours=kept.seconds, goal=GOAL)
            if size < LEAST_FOR_MEMORY:
                continue
            row = Row("memory of a resource, catalogs by size", name, mine.bytes, theirs.bytes)
            memory.append(row._replace(beside=beside, goal=MEMORY_GOAL, unit="bytes"))
    yield from memory


def write(folder: Path, shape: str, size: int) -> None:
    """Write what both sides compile into a directory."""
    manifests = folder / "modules" / "bench" / "manifests"
    manifests.mkdir(parents=True)
    (folder / "site.pp").write_text(SHAPES[shape](size), encoding="utf-8")
    (folder / "warm.pp").write_text(SHAPES[shape](SMALL), encoding="utf-8")
    if shape == WITH_FILES:
        for name, text in class_files(size):
            (manifests / name).write_text(text, encoding="utf-8")


def _measured(commands: list[list[str]], folder: str) -> list[Measured]:
    """Return the least that each command takes for a directory; the first times fill a cache."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(Path(folder, "cache"))}
    found: list[list[Measured]] = [[] for _ in commands]
    for _ in range(TIMES):
        for command, measured in zip(commands, found, strict=True):
            done = subprocess.run(
                [*command, folder], capture_output=True, text=True, check=True, env=environment
            )
            seen = json.loads(done.stdout.splitlines()[-1])
            memory = (seen["peak"] - seen["empty"]) / seen["resources"]
            measured.append(Measured(seen["seconds"], memory))
    return [
        Measured(min(each.seconds for each in measured), min(each.bytes for each in measured))
        for measured in found
    ]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        compile_here(Path(sys.argv[-1]), cache="--cache" in sys.argv)
    else:
        print(
            *report.lines(list(catalog_sizes([int(size) for size in sys.argv[1:]])), {}), sep="\n"
        )
