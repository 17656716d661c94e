"""The Puppet code of our pages, notebooks, modules and examples is in the form of the formatter."""

from __future__ import annotations

from collections import Counter

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.tools.formatting import format_text
from tests.tools.formatting.our_code import chunks, our_code

# What is shown in another form: it teaches what that form means.
ON_PURPOSE = {
    "abc [1]\n",  # two statements
    "notice *[1]\n",  # a product
    "$i = 3\n$i ** 2\n",  # an operator of other languages
    '"$user-x ${user}x \\$user"\n',  # where a name without braces ends
}
_WITHOUT_BRACES = '"$user: ${home'


def test_our_code() -> None:
    others = {}
    kinds: Counter[str] = Counter()
    shown = set()
    for place, code, is_template in our_code():
        if code in ON_PURPOSE or _WITHOUT_BRACES in code:
            shown.add(code if code in ON_PURPOSE else _WITHOUT_BRACES)
            continue
        try:
            result = format_text(code, is_template=is_template, tasks="plans" in place)
        except PuppetError:  # a command, a magic, an error to learn from
            continue
        kinds[place.partition("/")[0]] += 1
        if result != code:
            others[place] = result
    assert others == {}
    assert shown == {*ON_PURPOSE, _WITHOUT_BRACES}
    assert kinds["docs"] > 200
    assert kinds["notebooks"] > 200
    assert kinds["kernel"] > 5


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("$a = 1\n$a   # => 1\n$b", ["$a = 1\n$a\n", "$b"]),
        ("f()  # error: no\n\n", ["f()\n"]),
        ("f() # why\n", ["f() # why\n"]),
    ],
)
def test_chunks(code: str, wanted: list[str]) -> None:
    assert chunks(code) == wanted
