"""What the kernel keeps of texts stays below a limit, however often cells are edited."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator

import pytest

from puppet_kernel import checks, sources
from puppet_kernel.cache import ENTRY_SIZE, SizedCache
from tests.kernel.inside import InsideKernel, inside_kernel

# A limit that is soon reached.
LIMIT = 400_000
# A long cell with a character for which Python keeps four bytes of each: 40 kB a version.
LARGE = "$value = 1\n" + "# \U0001f600 and so on\n" * 630
EDITS = 30


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> Iterator[InsideKernel]:
    monkeypatch.setattr(checks, "MAX_KEPT", LIMIT)
    monkeypatch.setattr(sources, "MAX_KEPT", LIMIT)
    with inside_kernel() as kernel:
        yield kernel


def kept_after(edits: Callable[[str], object], count: int) -> int:
    """Return the bytes that are kept after a cell was edited so many times."""
    edits(LARGE)
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(count):
            edits(LARGE + f"$edit_{number} = {number}\n")
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_checks_of_many_edits_of_a_large_cell(inside: InsideKernel) -> None:
    def edit(text: str) -> None:
        assert inside.kernel.editor_requests.checks.problems("notice($value)", [text]) == []

    kept = kept_after(edit, EDITS)
    assert LIMIT * 0.8 < kept < LIMIT * 1.1


def test_names_count_as_their_texts_do(inside: InsideKernel) -> None:
    names = "".join(f"$name_{number} = 1\n" for number in range(600))

    def edit(text: str) -> None:
        version = text.rpartition("\n$")[2]
        cells = [f"{names}\n${version}"]
        assert inside.kernel.editor_requests.checks.problems("$name_1", cells) == []

    kept = kept_after(edit, EDITS)
    assert LIMIT * 0.6 < kept < LIMIT * 1.2


def test_texts_of_the_debugger(inside: InsideKernel) -> None:
    known = sources.CellSources(inside.kernel.puppet)
    numbers = iter(range(EDITS + 1))
    assert kept_after(lambda text: known.know(f"cell {next(numbers)}", text), EDITS) < LIMIT * 1.1
    paths: list[str] = []
    assert kept_after(lambda text: paths.append(known.dump(text)), EDITS) < LIMIT * 1.1
    # Those that were named last are there.
    assert known.text(paths[0]) is None
    assert f"$edit_{EDITS - 1} =" in (known.text(paths[-1]) or "")


def test_what_was_used_last_is_kept() -> None:
    cache: SizedCache[str, int] = SizedCache(3 * (ENTRY_SIZE + 10))
    for number, key in enumerate("abc"):
        cache.put(key, number, 10)
    assert cache.get("a") == 0
    cache.put("d", 3, 10)
    assert [cache.get(key) for key in "abcd"] == [0, None, 2, 3]
    cache.put("a", 4, 5)
    assert (cache.get("a"), len(cache), cache.size) == (4, 3, 3 * ENTRY_SIZE + 25)
    cache.put("large", 5, 10_000)
    assert (len(cache), cache.get("large"), cache.size) == (1, 5, ENTRY_SIZE + 10_000)
