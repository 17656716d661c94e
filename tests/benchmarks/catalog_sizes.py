"""Catalogs of 1,000 to 100,000 resources, beside Puppet: CPU time and memory.

``python -m tests.benchmarks.catalog_sizes [SIZE...]`` makes a program of each shape with about so
many resources, 1,000 and 10,000 by default. Each is compiled once in a process of its own, by both
sides in turn, after a small one of its shape; so the peak of memory is that of one catalog. Bytes
a resource are what the process takes more than before, at the peak.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from puppet_repl.base.memory import tune_process
from puppet_repl.session import Options, Session

REFERENCE = Path(__file__).with_name("catalog_sizes.rb")
SIZES = (1_000, 10_000)
SMALL = 20


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


class Measured(NamedTuple):
    """One catalog in a process of its own: CPU seconds, resources, bytes more than before."""

    seconds: float
    resources: int
    bytes: int

    @property
    def bytes_each(self) -> float:
        """Bytes of memory for each resource."""
        return self.bytes / self.resources


def compile_here(folder: Path) -> None:
    """Compile the manifest of a directory in this process, and print what that took."""
    tune_process(1 << 34)
    _compile(folder, "warm.pp")
    gc.collect()
    empty = _memory("VmRSS")
    seconds, count = _compile(folder, "site.pp")
    found = {"seconds": seconds, "empty": empty, "peak": _memory("VmHWM"), "resources": count}
    print(json.dumps(found))


def _compile(folder: Path, name: str) -> tuple[float, int]:
    text = (folder / name).read_text(encoding="utf-8")
    options = Options(modulepath=(str(folder / "modules"),), stdlib="off", cache=False)
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


def measure(shape: str, size: int) -> tuple[Measured, Measured | None]:
    """Compile one program on both sides; None for Puppet where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), shape, size)
        ours = _run([sys.executable, "-m", "tests.benchmarks.catalog_sizes", "--here", folder])
        ruby = shutil.which("ruby")
        if ruby is None:
            return ours, None
        lib = [f"-I{os.environ['PUPPET_LIB']}"] if "PUPPET_LIB" in os.environ else []
        return ours, _run([ruby, *lib, str(REFERENCE), folder])


def write(folder: Path, shape: str, size: int) -> None:
    """Write what both sides compile into a directory."""
    manifests = folder / "modules" / "bench" / "manifests"
    manifests.mkdir(parents=True)
    (folder / "site.pp").write_text(SHAPES[shape](size), encoding="utf-8")
    (folder / "warm.pp").write_text(SHAPES[shape](SMALL), encoding="utf-8")
    if shape == "classes":
        for name, text in class_files(size):
            (manifests / name).write_text(text, encoding="utf-8")


def _run(command: list[str]) -> Measured:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    return Measured(found["seconds"], found["resources"], found["peak"] - found["empty"])


def catalog_sizes(sizes: tuple[int, ...] = SIZES) -> None:
    """Print each shape in each size."""
    print("\ncatalogs by size: CPU seconds, bytes of memory a resource")
    print(
        f"{'shape':10} {'resources':>9} {'ours':>8} {'Puppet':>8} {'faster':>7}"
        f" {'ours':>7} {'Puppet':>7} {'of it':>6}"
    )
    for shape in SHAPES:
        for size in sizes:
            ours, puppet = measure(shape, size)
            line = f"{shape:10} {ours.resources:9,} {ours.seconds:8.3f}"
            if puppet is None:
                line += f" {'':8} {'':7} {ours.bytes_each:7,.0f}"
            else:
                line += f" {puppet.seconds:8.2f} {puppet.seconds / ours.seconds:6.1f}x"
                line += f" {ours.bytes_each:7,.0f} {puppet.bytes_each:7,.0f}"
                line += f" {ours.bytes / puppet.bytes:6.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        compile_here(Path(sys.argv[2]))
    else:
        catalog_sizes(tuple(map(int, sys.argv[1:])) or SIZES)
