"""Make the archive of Ruby libraries that the sandbox has: ``python -m`` this module.

It takes them from the gems that are installed (Debian: ruby, ruby-concurrent, ruby-deep-merge,
ruby-hocon, ruby-scanf), as they are, with their licenses.
"""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

from puppet_repl.environment.ruby.sandbox.libraries import ARCHIVE

VERSIONS = {
    "concurrent-ruby": "1.1.6",
    "deep_merge": "1.1.1",
    "hocon": "1.3.1",
    "matrix": "0.4.2",
    "prime": "0.1.2",
    "rexml": "3.2.5",
    "rss": "0.2.9",
    "scanf": "1.0.0",
}
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


def main() -> None:
    """Write the archive; fail if another version is installed."""
    found = json.loads(subprocess.check_output(["ruby", "-e", _FIND, *VERSIONS], text=True))
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for name, (version, home, library) in found.items():
            if version != VERSIONS[name]:
                sys.exit(f"{name} is {version}, not {VERSIONS[name]}")
            for member, path in _files(name, Path(home), Path(library)).items():
                entry = tarfile.TarInfo(f"{name}-{version}/{member}")
                data = path.read_bytes()
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    ARCHIVE.write_bytes(gzip.compress(raw.getvalue(), mtime=0))


if __name__ == "__main__":
    main()
