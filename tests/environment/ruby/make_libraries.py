"""Make the archive of Ruby libraries that the sandbox has: ``make libraries``.

It takes them from the gems that are installed (Debian: ruby, ruby-concurrent, ruby-deep-merge,
ruby-hocon, ruby-scanf), as they are, with their licenses.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

from puppet_repl.environment.ruby.sandbox.libraries import ARCHIVE

LIBRARIES = {
    "concurrent-ruby": (
        "1.1.6",
        "09d653af2e5f6feb0014aefe0bf73233aeb0820f645c8cf47c193a06c07644b4",
    ),
    "deep_merge": (
        "1.1.1",
        "b1f2f0c395da1cb9d548d1350f229aa2fbc5e0780a352f5cd84a11f4ba635152",
    ),
    "hocon": (
        "1.3.1",
        "8792739281e69468e648d82c0628874a50d304ce58a046e74cd828762f1e51b0",
    ),
    "matrix": (
        "0.4.2",
        "f62777a5d550efb7fc6de3b89890ae46a544c5173fc900982216f5488abf2e37",
    ),
    "prime": (
        "0.1.2",
        "c330c74ba59ac6cf49a637a5c25ce2ba9fddddf32efea706df7d6feb12fec35d",
    ),
    "rexml": (
        "3.2.5",
        "938af54261907cb2225dc507c6292b4fadcc76540b197571b18f098ec6001a09",
    ),
    "rss": (
        "0.2.9",
        "f63cd46e7274128b684acfef63043615b81b90dabb23cd4c34b2d5207049d2b1",
    ),
    "scanf": (
        "1.0.0",
        "3f941bdc2f169299937f197586ab2bbef1c042bc6a75a77329336aac34148b9a",
    ),
}
"""Version and digest() of each library."""

_FIND = """
require 'json'
puts ARGV.to_h { |name|
  gem = Gem::Specification.find_by_name(name)
  [name, [gem.version.to_s, gem.full_gem_path, gem.full_require_paths.first]]
}.to_json
"""


def _files(name: str, home: Path, library: Path) -> dict[str, Path]:
    """Return the files of a library by their names in the archive."""
    package = "ruby-" + name.removesuffix("-ruby").replace("_", "-")
    licenses = home / "LICENSE.txt", Path("/usr/share/doc", package, "copyright")
    terms = next(path for path in licenses if path.exists())
    if not library.exists():  # Debian puts it where every Ruby finds it
        library = Path("/usr/lib/ruby/vendor_ruby")
    code = [*library.glob(f"{name}.rb"), *library.glob(f"{name}/**/*.rb")]
    if home in library.parents:
        code = list(library.rglob("*.rb"))
    return {"LICENSE": terms, **{str(path.relative_to(library)): path for path in sorted(code)}}


def digest(files: dict[str, bytes]) -> str:
    """Return the SHA-256 of path, size and data of each file, the size between NUL characters."""
    found = hashlib.sha256()
    for path, data in sorted(files.items()):
        found.update(f"{path}\0{len(data)}\0".encode() + data)
    return found.hexdigest()


def main() -> None:
    """Write the archive; fail if other versions or files are installed."""
    found = json.loads(subprocess.check_output(["ruby", "-e", _FIND, *LIBRARIES], text=True))
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for name, (version, home, library) in found.items():
            files = {
                member: path.read_bytes()
                for member, path in _files(name, Path(home), Path(library)).items()
            }
            if (version, digest(files)) != LIBRARIES[name]:
                sys.exit(f"{name} is {version} with the digest {digest(files)}: see LIBRARIES")
            for member, data in files.items():
                entry = tarfile.TarInfo(f"{name}-{version}/{member}")
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    Path(ARCHIVE).write_bytes(gzip.compress(raw.getvalue(), mtime=0))


if __name__ == "__main__":
    main()
