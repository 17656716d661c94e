"""The JSON schemas of the machine interface, which are files beside this module."""

from __future__ import annotations

import os

KINDS = ("request", "response")
DIRECTORY = os.path.join(os.path.dirname(__file__), "schemas")


def schema(kind: str) -> str:
    """Return the text of the schema of requests or responses."""
    path = os.path.join(DIRECTORY, f"batch-{kind}.schema.json")
    with open(path, encoding="utf-8") as file:
        return file.read()
