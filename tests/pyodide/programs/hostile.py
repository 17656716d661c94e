"""Run programs that recur without end or are nested very deep: print value or error of each."""

import json
from typing import Any

from puppet_repl.session import Session

TOO_LARGE = 2_000_000


def text_of(code: Any) -> str:
    """Return the text of a program; a part is a text, or a text and how often it is repeated."""
    if isinstance(code, str):
        return code
    return "".join(part if isinstance(part, str) else part[0] * part[1] for part in code)


with open("/repo/tests/hostile/programs.jsonl", encoding="utf-8") as file:
    programs = [json.loads(line) for line in file]
for number, program in enumerate(programs):
    code = text_of(program["code"])
    if program["theme"] not in ("recursion", "nesting") or "mode" in program:
        continue
    if len(code) > TOO_LARGE:
        continue
    session = Session(facts={})
    outcome = session.execute(code)
    error = None
    if outcome.error is not None:
        reports = getattr(outcome.error, "reports", ())
        error = "\n".join([each.message for each in reports[:3]] + [outcome.error.message])
    print(json.dumps({"number": number, "error": error}), flush=True)
