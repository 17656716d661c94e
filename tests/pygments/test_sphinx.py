"""Sphinx builds with the extension: every way to show Puppet code, no warning, also in parallel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

PAGE = """
Code
====

.. code-block:: puppet

   @@file { '/x': content => "${x}", mode => $a % 2 } ...

.. code-block:: Puppet
   :linenos:

   $second = /a(b)/ =~ 1

.. literalinclude:: init.pp
   :language: puppet8
   :emphasize-lines: 2

.. code-block:: epp

   <%= $x %> text

.. code-block:: puppet-console

   >> 1 + 1
   2

.. highlight:: puppet

A literal block::

   $x = @(END)
     text
     END

.. role:: pp(code)
   :language: puppet

Inline: :pp:`$facts['os']`.
"""
FENCED = """# Fenced

```puppet
$y = $x.map |$i| { "${i}" }
```

```{code-block} pp
notify { 'x': }
```
"""


def build(source: Path, target: Path, *options: str) -> None:
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "-n",
        "-q",
        "--no-color",
        *options,
        str(source),
        str(target),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [[], ["-j2"], ["-b", "latex"]], ids=["html", "parallel", "latex"]
)
def test_every_way_to_show_code(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "conf.py").write_text(
        "extensions = ['myst_parser', 'puppet_pygments.sphinx']\n", encoding="utf-8"
    )
    (tmp_path / "index.rst").write_text(
        "Index\n=====\n\n.. toctree::\n\n   page\n   fenced\n", encoding="utf-8"
    )
    (tmp_path / "page.rst").write_text(PAGE, encoding="utf-8")
    (tmp_path / "fenced.md").write_text(FENCED, encoding="utf-8")
    (tmp_path / "init.pp").write_text("\nclass a { }\n", encoding="utf-8")
    build(tmp_path, tmp_path / "out", *options)
    if options == []:
        page = (tmp_path / "out" / "page.html").read_text(encoding="utf-8")
        assert '<span class="nv">$second</span>' in page
        assert '<span class="hll"><span class="kd">class</span>' in page
        assert '<span class="sr">/a(b)/</span>' in page
        assert '<span class="gp">&gt;&gt; </span>' in page
        assert '<span class="sh">  text' in page
        fenced = (tmp_path / "out" / "fenced.html").read_text(encoding="utf-8")
        assert '<span class="si">${</span>' in fenced
