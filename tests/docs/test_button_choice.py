"""Which examples of a page get a run button, and which of them a link to the playground."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sphinx")

DOCS = Path(__file__).parents[2] / "docs"
_DATA = re.compile(r'<script type="application/json" id="try-examples">(.*?)</script>', re.S)
PAGE = """
# Examples

```puppet-console
>> $greeting = 'Hello'
'Hello'
>> "${greeting}, web01"
'Hello, web01'
```

```puppet
$wrong = 1  # => 2
```

```puppet
$wrong + 1  # => 2
```

```puppet-console
>> 7 * 6
42
```

```puppet
$greeting.length  # => 5
```

```puppet
upcase(1, 2)  # error
```

```puppet-console
>> :type 1
Integer
>> :set theme monokai --save
```

```puppet-console
>> :type 1
Integer[1, 1]
```

```puppet
[1, 2]  # => [1, 2]
[3]     # => [3]
```

```puppet
notice('alone')
```

```puppet
$nothing = 1
```

```puppet
function twice($x) { $x * 2 }
twice(4)             # => 8
{a => 1}['b']        # => undef
```

```puppet-console
>> function half($x) { $x / 2 }
```

```puppet-console
>> :set max_seconds off
```

```puppet-console
>> half(8)
4
```
"""
CONF = """
import sys
sys.path[:0] = [{extensions!r}, {root!r}, {kernel!r}, {lexer!r}]
extensions = ['myst_parser', 'try_examples']
suppress_warnings = ['misc.highlighting_failure']
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The source of a site with one page."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "index.md").write_text(PAGE)
    root = DOCS.parent
    (source / "conf.py").write_text(
        CONF.format(
            extensions=str(DOCS / "_ext"),
            root=str(root),
            kernel=str(root / "kernel"),
            lexer=str(root / "lexer_pygments"),
        )
    )
    return source


def written(source: Path, *tags: str) -> list[dict[str, Any]]:
    """Build the site, which may have been built before; return the examples of its page."""
    given = [word for tag in tags for word in ("-t", tag)]
    target = source.parent / "html"
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-b", "html", *given, str(source), str(target)],
        env={**os.environ, "XDG_CONFIG_HOME": str(source.parent / "user")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    data = _DATA.search((target / "index.html").read_text("utf-8"))
    return json.loads(data[1]) if data else []


def test_examples_that_show_what_they_say_get_a_button(source: Path) -> None:
    found = written(source, "playground")
    # Neither the wrong one nor that which needs it, nor what would save a setting.
    assert [each["inputs"][-1].strip() for each in found] == [
        '"${greeting}, web01"',
        "7 * 6",
        "$greeting.length",
        "upcase(1, 2)",
        ":type 1",
        "[3]",
        "notice('alone')",
        "$nothing = 1",
        "{a => 1}['b']",
        "function half($x) { $x / 2 }",
        ":set max_seconds off",
        "half(8)",
    ]
    assert [each["undef"] for each in found if each["undef"]] == [[1]]
    # It has no button, but runs before those behind it.
    assert [each["inputs"] for each in found if each["silent"]] == [[":set max_seconds off"]]
    assert not (source.parent / "user").exists()


def test_a_program_has_what_it_needs_of_its_page(source: Path) -> None:
    found = written(source, "playground")
    programs = [
        "\n".join(found[number]["inputs"][at].strip() for number, at in each["program"])
        for each in found
    ]
    assert programs == [
        "$greeting = 'Hello'\n\"${greeting}, web01\"",
        "7 * 6",
        # Not the values, which are errors in the middle of a program.
        "$greeting = 'Hello'\n$greeting.length",
        "upcase(1, 2)",
        "",
        "",
        "notice('alone')",
        "$nothing = 1",
        "",
        "function half($x) { $x / 2 }",
        "",
        "$greeting = 'Hello'\n$greeting.length\nfunction twice($x) { $x * 2 }\ntwice(4)\n"
        "function half($x) { $x / 2 }\nhalf(8)",
    ]


def test_buttons_come_and_go_with_the_tag(source: Path) -> None:
    """The second build reads no page again."""
    assert written(source) == []
    first = written(source, "playground")
    assert len(first) == 12
    (source.parent / "html" / "index.html").unlink()
    assert written(source, "playground") == first
    assert written(source) == []
