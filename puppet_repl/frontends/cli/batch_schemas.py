"""The JSON schemas of the machine interface: files beside this module.

The keys of a request that are options of its session are added from the table of options.
"""

from __future__ import annotations

import json
import os

from puppet_repl.frontends.cli.batch_options import REFUSED, schemas_of_options

KINDS = ("request", "response")
DIRECTORY = os.path.join(os.path.dirname(__file__), "schemas")


def schema(kind: str) -> str:
    """Return the text of the schema of requests or responses."""
    path = os.path.join(DIRECTORY, f"batch-{kind}.schema.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if kind == "response":
        return text
    described = json.loads(text)
    described["properties"] |= schemas_of_options()
    described["propertyNames"] = {"not": {"enum": sorted(REFUSED)}}
    return json.dumps(described, indent=2) + "\n"
