"""Examples in documents: found in every form, run, compared, reported with their lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from puppet_repl.base.differences import ENDS_IN_ERROR
from puppet_repl.frontends.doctest import Runner, blocks_of, examples_of
from puppet_repl.frontends.doctest.command import main

ZERO = "Evaluation Error: Division by 0 (line: 1, column: 5)"
GOOD = """# Sums

```puppet
[1, 2] + 3      # => [1, 2, 3]
$x = {
  a => 1,       # => 99, in the middle of an expression, is a comment like any other
}
$x['a']         # => 1
notice('x')     # notice: x
# Nothing of this is a result.
1 / 0           # error: Division by 0
'a' + 1         # error
[1, 2].map |$y| {
  $y * 2
}
# => [2,
#     4]
```

<!-- puppet-repl: skip -->
```puppet
1 # => 2
```

```ruby
1 # => 2
```

    3 + 4 # => 7 (seven)

<!-- puppet-repl: run -->
```puppet
function twice($n) { $n * 2 }
```

~~~puppet
twice(4)          # produces 8
notice(1) notice('b c') # notice: 1
                        # notice: b c
~~~

```puppet-console
>> $z = [1,
..  2]
[1, 2]
>> notice($z)
Notice: [1, 2]
>> 1 +
.. 'x'
Error: ... In[11]:2:1
>> $q
Error: Evaluation Error: Unknown variable: 'q'.
>> :vars
...
puppet [7]> [1].map |$i| {
       ...   $i
       ... }
[1]  Array[Integer]
```
"""


def differences(name: str, text: str) -> list[tuple[int, str, str]]:
    return [(d.line, d.expected, d.got) for d in Runner().run_document(name, text)]


def count(name: str, text: str) -> int:
    runner = Runner()
    runner.run_document(name, text)
    return runner.count


def test_what_holds_is_not_reported() -> None:
    assert differences("good.md", GOOD) == []
    assert count("good.md", GOOD) == 15


@pytest.mark.parametrize(
    ("code", "expected", "got"),
    [
        ("1 + 1 # => 3", "3", "2"),
        ("'1' # => 1", "1", "'1'"),
        ("1.0 # => 1", "1", "1.0"),
        ("1 / 0 # => 1", "1", ZERO),
        ("1 # error", "error", "1"),
        ("1 / 0 # error: other", "error: other", ZERO),
        ("notice('x') # notice: y", "notice: y", "notice: x"),
        ("warning('x') # notice: x", "notice: x", "warning: x"),
        ("1 # notice: x", "notice: x", "nothing logged"),
        ("[1] # => [1, 2]", "[1, 2]", "[1]"),
        ("1 # => no value at all", "no value at all", "1"),
    ],
)  # fmt: skip
def test_what_differs_is_reported(code: str, expected: str, got: str) -> None:
    assert differences("x.md", f"Text\n\n```puppet\n{code}\n```\n") == [(4, expected, got)]


def test_transcripts_that_differ() -> None:
    text = "```puppet-console\n>> 1\n2\n>> 3\n>> $n = 4\nError: x\n>> undef\n```\n"
    assert differences("x.md", text) == [
        (2, "2", "1"),
        (4, "no output", "3"),
        (5, "Error: x", "4"),
    ]


def test_reStructuredText() -> None:
    text = """
Title
=====

.. code-block:: puppet
   :linenos:

   $a = 1
   $a + 1  # => 3

An indented one::

    $a + 1  # => 2
    $a      # => 2

.. code-block:: puppet-console

   >> $a
   5

.. puppet-repl: skip

.. code-block:: puppet

   1 # => 2
"""
    assert [line for line, _, _ in differences("x.rst", text)] == [9, 14, 18]


def test_plain_text() -> None:
    text = "Some words\n\n1 + 1  # => 2\n2 + 2  # => 5\n\nNot # an example\n"
    assert differences("x.txt", text) == [(4, "5", "4")]


def test_manifests() -> None:
    text = """# Doubles.
#
# @example Twice one
#   m::twice(1)  # => 2
#   m::twice(2)  # => 5
# @param n a number
function m::twice(Integer $n) >> Integer {
  $n * 2
}
"""
    assert differences("twice.pp", text) == [(5, "5", "4")]


def test_a_manifest_that_does_not_load() -> None:
    text = "# @example Broken\n#   1 + 1 # => 2\nfunction twice(\n  Integer $n $m) { }\n"
    assert differences("twice.pp", text) == [
        (4, "no error", "Syntax error at 'm' (line: 4, column: 14)")
    ]


def test_an_input_without_result_that_fails_is_reported() -> None:
    text = "```puppet\nfail('no')\n\n1 # => 1\n```\n"
    assert [line for line, _, _ in differences("x.md", text)] == [4]


def test_an_example_changes_nothing_when_it_fails() -> None:
    text = "```puppet\n$b = 1\n$b # => 1\n$b = fail('x') # error: x\n$b # => 1\n```\n"
    assert differences("x.md", text) == []


def test_blocks_have_the_lines_of_the_document() -> None:
    blocks = blocks_of("x.md", GOOD)
    assert [block.line for block in blocks] == [4, 29, 33, 37, 43]
    assert [example.line for example in examples_of(blocks[0])] == [4, 8, 9, 11, 12, 15]


def test_notebooks_are_left_to_the_kernel() -> None:
    assert blocks_of("x.ipynb", '{"source": ["1 # => 2"]}') == []


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "good.md"
    good.write_text(GOOD, encoding="utf-8")
    bad = tmp_path / "bad.md"
    bad.write_text("```puppet\n1 + 1 # => 3\n```\n", encoding="utf-8")
    assert main([str(good)]) == 0
    assert capsys.readouterr().out == "15 examples, 15 hold, 0 differ\n"
    assert main(["-v", str(good), str(bad)]) == 1
    assert capsys.readouterr().out == (
        f"{good}: 15 examples\n{bad}:2:\n    1 + 1\n    expected: 3\n    got:      2\n"
        f"{bad}: 1 example\n16 examples, 15 hold, 1 differs\n"
    )
    assert main([str(tmp_path / "none.md")]) == 2
    assert "No such file" in capsys.readouterr().err
    (tmp_path / "latin.md").write_bytes(b"\xff")
    assert main([str(tmp_path / "latin.md")]) == 2
    assert main(["--facts", str(tmp_path / "none.json"), str(good)]) == 2


def test_facts(tmp_path: Path) -> None:
    text = "```puppet\n$facts['os']['family'] # => 'RedHat'\n```\n"
    assert differences("x.md", text) == [(2, "'RedHat'", "'Debian'")]
    path = tmp_path / "x.md"
    path.write_text(text, encoding="utf-8")
    assert main(["--facts", "rocky-9", str(path)]) == 0


def test_it_is_a_subcommand(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("```puppet\n1 # => 1\n```\n", encoding="utf-8")
    command = [sys.executable, "-m", "puppet_repl", "doctest", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "1 example, 1 holds, 0 differ\n")


def test_examples_have_limits(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text(
        '```puppet\nInteger[0, 60].reduce("a") |$m, $x| { "${m}${m}" }  # error\n'
        "Integer[1, 1000000000].each |$x| { }  # => 1\n```\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "puppet_repl", "doctest", "--max-seconds", "1", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert "got:      Time limit exceeded (see --max-seconds)" in done.stdout
    assert done.stdout.endswith("2 examples, 1 holds, 1 differs\n")


@pytest.mark.parametrize("mode", [[], ["--syntax"], ["--compile"]])
def test_a_warning_where_puppet_ends_in_an_error(
    mode: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unless the example expects it; the status stays that of the examples."""
    page = tmp_path / "a.md"
    code = 'notice("${true}")' if mode else "\"${true}\"  # => 'true'"
    page.write_text(f"```puppet\n{code}\n```\n", encoding="utf-8")
    assert main([*mode, str(page)]) == 0
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert told[0].startswith(f"{page}: Warning: {ENDS_IN_ERROR}: ")
    assert "line: 2" in told[0] or "line 2" in told[0]
