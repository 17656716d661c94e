"""Catalogs as digests: what a recording holds of them, and where two of them differ."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from tests.corpus.modules import Answer

SIZE = 8
"""Hexadecimal digits of a digest."""


class Digest(NamedTuple):
    """A resource: its reference, and a digest of all that the catalog says about it."""

    reference: str
    contents: str


class Catalog(NamedTuple):
    """The resources of a catalog in their order, and a digest of its edges."""

    resources: list[Digest]
    edges: str


def digest_of(value: object) -> str:
    """Return a digest of JSON data; the order of keys does not count."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:SIZE]


def catalog_of(answer: Answer) -> Catalog:
    """Return the catalog of an answer as digests."""
    resources = [
        Digest(f"{each['type']}[{each['title']}]", digest_of(each)) for each in answer["resources"]
    ]
    return Catalog(resources, digest_of(answer["edges"]))


def first_difference(wanted: Catalog, found: Catalog) -> str | None:
    """Return what the first difference of two catalogs is; None if there is none."""
    for theirs, ours in zip(wanted.resources, found.resources, strict=False):
        if theirs.reference != ours.reference:
            return f"{ours.reference} in the place of {theirs.reference}"
        if theirs != ours:
            return f"{ours.reference}: attributes, tags or line"
    missing = len(wanted.resources) - len(found.resources)
    if missing:
        return f"{abs(missing)} resources {'missing' if missing > 0 else 'added'} at the end"
    return None if wanted.edges == found.edges else "edges"


def pack(catalogs: dict[str, Catalog]) -> Iterable[dict[str, Any]]:
    """Yield the rows of a recording: all resources once, then catalogs that refer to them."""
    numbers: dict[Digest, int] = {}
    rows = []
    for identifier, catalog in catalogs.items():
        own = [numbers.setdefault(each, len(numbers)) for each in catalog.resources]
        rows.append({"id": identifier, "resources": _runs(own), "edges": catalog.edges})
    yield {"pool": list(numbers)}
    yield from rows


def _runs(numbers: list[int]) -> list[list[int]]:
    """Return numbers as pairs: the first of a run of neighbours, and how many it has."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == sum(runs[-1]):
            runs[-1][1] += 1
        else:
            runs.append([number, 1])
    return runs


def unpack(row: dict[str, Any], pool: list[Digest]) -> Catalog:
    """Return a catalog of a recording."""
    resources = [
        pool[number] for start, count in row["resources"] for number in range(start, start + count)
    ]
    return Catalog(resources, row["edges"])
