"""Record what puppet-strings says of the modules below ``modules``, for the tests.

    python -m tests.environment.reference.record COMMAND

COMMAND runs ``puppet strings generate`` in a module: it is called with the directory, the format
(markdown or json) and the file to write. What it writes, and the warnings that it prints, go to the
directory ``recorded``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
MODULES = HERE / "modules"
RECORDED = HERE / "recorded"


def main(command: str) -> None:
    """Record all modules."""
    RECORDED.mkdir(exist_ok=True)
    for module in sorted(MODULES.iterdir()):
        log = ""
        for form, ending in (("markdown", "md"), ("json", "json")):
            with tempfile.TemporaryDirectory() as directory:
                copy = Path(directory, module.name)
                shutil.copytree(module, copy)
                out = Path(directory, "out")
                run = subprocess.run(
                    [command, str(copy), form, str(out)], capture_output=True, check=False
                )
                recording = RECORDED / f"{module.name}.{ending}"
                if out.exists():
                    recording.write_bytes(out.read_bytes())
                elif form == "markdown":  # it ends in an error where a type is missing
                    recording.unlink(missing_ok=True)
                else:
                    sys.exit(f"{module.name}: no {form}\n{run.stderr.decode()}")
                log = run.stdout.decode() + run.stderr.decode()
        messages = [line for line in log.split("\n") if line.startswith(("[warn]", "[error]"))]
        told = [line for line in messages if not line.endswith("Stack trace:")]
        RECORDED.joinpath(f"{module.name}.log").write_text("\n".join(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
