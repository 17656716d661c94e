"""Ask the engine about the recorded cases of files: print each as JSON, with its differences."""

import json
import sys
import traceback
from pathlib import Path

from puppet_repl.frontends.cli.batch import answer
from tests.conformance.judge import Case, differences, recorded_form, request_of

DIRECTORY = Path("/tmp/cases")


def check(case: Case) -> list[str]:
    """Return in what the answer to a case differs from Puppet's."""
    request = request_of(case, DIRECTORY)
    try:
        reply = answer(request)
    except Exception:
        reply = {"error": {"code": "INTERNAL", "message": traceback.format_exc(limit=-4)}}
    return differences(case, recorded_form(request, reply))


for name in sys.argv[1:]:
    text = Path(f"/repo/tests/conformance/{name}.jsonl").read_text(encoding="utf-8")
    for line in text.split("\n"):  # not splitlines(): strings hold U+2028 and the like
        if line.strip():
            case = json.loads(line)
            print(json.dumps({"id": case["id"], "differences": check(case)}))
