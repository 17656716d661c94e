"""The comparison of REFERENCE.md files itself."""

from __future__ import annotations

import re
from pathlib import Path

from tests.environment.reference.compare import COLUMNS, Facts, compared, listed

SHOP = (Path(__file__).parent / "recorded" / "shop.md").read_text(encoding="utf-8")


def test_facts() -> None:
    facts = Facts(SHOP).columns
    key = ("## Classes", "shop", "goods")
    assert facts["types"][key] == "Array[String[1]]"
    assert facts["defaults"][key] == "['apple', \"pear ${1 + 1}\"]"
    assert facts["texts"][key].startswith("What is sold,\nin two lines.")
    assert facts["examples"]["## Classes", "shop", "Plain"].startswith("```puppet\ninclude shop")
    assert all(facts[name] for name in COLUMNS)


def test_differences_are_counted() -> None:
    same = compared(SHOP, SHOP)
    assert all(equal == count > 0 for equal, count in same.values())
    other = compared(SHOP, SHOP.replace("Data type: `Array[String[1]]`", "Data type: `Array`"))
    assert {name for name in COLUMNS if other[name] != same[name]} == {"types"}
    assert other["types"] == (same["types"][0] - 1, same["types"][1])
    fewer = compared(SHOP, SHOP.replace("What is sold,", "What was sold,"))
    assert {name for name in COLUMNS if fewer[name] != same[name]} == {"texts"}


def test_the_list_of_public_modules() -> None:
    found = listed()
    assert len(found) > 150
    assert all(re.fullmatch("[0-9a-f]{40}", commit) for commit, _ in found.values())
    causes = {cause for _, cause in found.values()} - {""}
    assert causes == {"older than the code", "written by hand", "written by puppet-strings 2"}
