"""Checking all blocks of documents: what is refused, what is left out, what compiles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.frontends.doctest.block_checks import check_document
from puppet_repl.frontends.doctest.command import main
from puppet_repl.frontends.doctest.documents import all_blocks
from puppet_repl.host.host import Host

# The status of a block, whether Puppet 8.11 accepts it (puppet parser validate), and its text.
BLOCKS = [
    ("parsed", True, "file { '/a': ensure => file }"),
    ("parsed", True, "# nothing but a comment"),
    ("parsed", True, "'...'  # ... in strings and comments is not left out"),
    ("gaps", False, "class a {\n  ...\n}"),
    ("gaps", False, "file { '/a':\n  ensure => file,\n  ...\n}"),
    ("gaps", False, "file { '/a':\n  ensure => ...,\n}"),
    ("gaps", False, "$x = [1, ...]\n$y = f(..., 2)\n$z = …"),
    ("gaps", False, "service { 'a': subscribe => ..., }\nservice { 'b': ... }"),
    ("fragment", False, "ensure => present,\nowner  => 'root'"),
    ("fragment", False, "'Host *' => {\n  'SendEnv' => 'LANG',\n},"),
    ("fragment", False, "port => 80,\n..."),
    ("fragment", False, "String $owner,\nInteger $port = 80,"),
    ("fragment", False, "'Debian': { include apt }\ndefault: { }"),
    ("fragment", False, "'/a': ensure => file;\n'/b': ensure => absent;"),
    ("fragment", False, "'a',\n'b',"),
    ("refused", False, "file { '/a':\n  ensure => file\n  mode => '0644',\n}"),
    ("refused", False, "file { '/a'\n  ensure => file,\n}"),
    ("refused", False, "class { 'a':\n  b => 1,"),
    ("refused", False, "a::b: 1"),
    ("refused", False, "a => {\n  b => 1,\n  c: => 2,\n}"),
    ("refused", False, "class Upper { }"),
    ("refused", False, "} ... {"),
]


def document(code: str, language: str = "puppet") -> str:
    return f"# Title\n\n```{language}\n{code}\n```\n"


def checked(text: str, name: str = "x.md"):
    return list(check_document(name, text, Host(facts={}).session))


@pytest.mark.parametrize(("status", "_", "code"), BLOCKS)
def test_what_becomes_of_a_block(status: str, _: bool, code: str) -> None:
    assert [each.status for each in checked(document(code))] == [status]


@pytest.mark.parametrize(
    ("code", "line", "column", "told"),
    [
        (BLOCKS[15][2], 6, 3, "separate attributes, and entries"),
        (BLOCKS[16][2], 5, 3, "a colon follows the title"),
        (BLOCKS[17][2], 4, None, "the { of line 4, column 7 is never closed"),
        (BLOCKS[18][2], 4, 5, "this is YAML: call the block yaml"),
        (BLOCKS[19][2], 6, 4, "c: => 2"),
        ("include a\n$x = $y +\n", 4, None, "end of input"),
        ("$x = ...\n$y = )", 5, 6, "$y = )"),
    ],
)
def test_where_and_why(code: str, line: int, column: int | None, told: str) -> None:
    failure = checked(document(code))[0].failure
    assert failure is not None
    assert (failure.kind, failure.line, failure.column) == ("refused", line, column)
    assert told in failure.text("x.md")
    place = f"x.md:{line}" if column is None else f"x.md:{line}:{column}"
    assert failure.text("x.md").startswith(f"{place}: the example is not Puppet code\n    ")


def test_columns_are_those_of_the_document() -> None:
    text = "1. An item\n\n   ```puppet\n   $x = )\n   ```\n"
    failure = checked(text)[0].failure
    assert failure is not None and (failure.line, failure.column) == (4, 9)
    failure = checked("# @example A\n#   $x = )\nclass a { }\n", "a.pp")[0].failure
    assert failure is not None and (failure.line, failure.column) == (2, 10)


def test_which_blocks_are_checked() -> None:
    text = "\n".join(
        document("1 +", language)
        for language in ("pp", "Puppet", "puppet8", "epp", "ruby", "", "puppet-console")
    )
    assert [each.block.language for each in checked(text)] == ["pp", "puppet", "puppet8", "epp"]
    assert [each.status for each in checked(document("<% if $a { %>", "epp"))] == ["refused"]
    assert [each.status for each in checked(document("<%= $a %>", "epp"))] == ["parsed"]
    assert [each.status for each in checked("~~~ puppet\n1\n~~~\n")] == ["parsed"]
    assert [each.status for each in checked("* a\n\n    ~~~puppet\n    1\n    ~~~\n")] == ["parsed"]
    assert [each.status for each in checked("plan a() { run_task('x', 'y') }", "x.txt")] == []
    assert [each.status for each in checked(document("plan a() { run_task('x', 'y') }"))] == [
        "parsed"
    ]


def test_a_span_of_code_opens_no_block() -> None:
    text = "```a``` and\n```b``` are files.\n\n```puppet\n1\n```\n"
    assert [block.line for block in all_blocks("x.md", text)] == [5]


def test_markers() -> None:
    for marker, code, status in (
        ("skip", "1 +", "skipped"),
        ("fragment", "include a", "fragment"),
        ("fragment", "1 +", "refused"),
    ):
        comment = f"<!-- puppet-repl: {marker} -->\n"
        assert [each.status for each in checked(comment + document(code)[9:])] == [status]
        tagged = f"# {comment}# @example A\n#   {code}\nclass a {{ }}\n"
        assert [each.status for each in checked(tagged, "a.pp")] == [status]


def test_results_are_not_parsed_where_they_are_errors() -> None:
    assert [each.status for each in checked(document("1 ) # error\n"))] == ["run"]
    assert [each.status for each in checked(document("1 + 1 # => 2\n"))] == ["parsed"]


RUBY = """# frozen_string_literal: true

# @summary Doubles
Puppet::Functions.create_function(:twice) do
  # @param n A number
  # @example Twice
  #   twice(2)
  #
  # @example In Hiera
  #   twice::n: 2
  # @return [Integer] twice n
  dispatch :twice do
  end
end

Puppet::Type.newtype(:thing) do
  @doc = <<-DOC
    @summary A thing

    @example
      thing { 'a':
        ensure => present
      }

    Text.
  DOC
end
"""


def test_ruby() -> None:
    found = checked(RUBY, "lib/puppet/functions/twice.rb")
    assert [(each.block.line, each.status) for each in found] == [
        (7, "parsed"),
        (10, "data"),
        (21, "parsed"),
    ]
    assert found[2].block.lines[:2] == ["thing { 'a':", "  ensure => present"]


METADATA = '{"name": "me-web", "version": "1.0.0", "author": "me", "license": "x", "source": "x",'
METADATA += ' "dependencies": [{"name": "you/base"}]}'
CLASS = "# @example\n#   include web\nclass web($port = 80) { notify { 'web': } }\n"
SITE = 'define web::site { notify { "${title} on ${web::port}": } }\n'
README = """
```puppet
class { 'web': port => 8080 }
```

```puppet
web::site { 'a': require => File['/elsewhere'] }
```

```puppet
class role::web { class { 'web': sport => 1 } }
```

```puppet
include base
```

```puppet
include elsewhere
```

```puppet
node 'db01.example.com' { notify { $trusted['certname']: } fail('here') }
```

```puppet
web::port(1)  # => 2
1 + 1         # => 2
```

```puppet
Integer[1, 10000000000].each |$x| { }
```
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a module whose directory has another name than it, and the module that it needs."""
    home = tmp_path / "puppet-web"
    files = {
        "metadata.json": METADATA,
        "manifests/init.pp": CLASS,
        "manifests/site.pp": SITE,
        "README.md": README,
        "REFERENCE.md": document("1 +"),
        "spec/x.md": document("1 +"),
        ".fixtures.yml": "fixtures:\n  symlinks:\n    base: '#{source_dir}/../base'\n",
        "../base/metadata.json": METADATA.replace("me-web", "you-base"),
        "../base/manifests/init.pp": "class base { }",
    }
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(home)
    return home


def test_compiling_a_module(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--compile", "--max-seconds", "0.5", "--format", "json", "."]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [(row["file"], row["line"], row["status"], row["detail"]) for row in told["blocks"]] == [
        ("./README.md", 3, "compiled", None),
        ("./README.md", 7, "compiled with class", "web"),
        ("./README.md", 11, "failed", None),
        ("./README.md", 15, "compiled", None),
        ("./README.md", 19, "missing", None),
        ("./README.md", 23, "failed", None),
        ("./README.md", 27, "run", None),
        ("./README.md", 32, "failed", None),
        ("./manifests/init.pp", 2, "compiled", None),
    ]
    messages = {row["line"]: row["message"] for row in told["findings"]}
    assert "Class[Web]: has no parameter named 'sport'" in messages[11]
    assert "Could not find class ::elsewhere" in messages[19]
    assert "here" in messages[23]
    assert "Unknown function: 'web::port'" in messages[27]
    assert "Time limit exceeded" in messages[32]
    assert told["summary"]["examples"] == 2 and told["summary"]["differ"] == 1


def test_a_missing_module_takes_one_line(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (module / "x.md").write_text(document("include elsewhere") + document("include web, nowhere"))
    assert main(["--compile", "x.md"]) == 1
    told = "the example needs the module {}, which is not on the module path"
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.startswith("x.md:4") and first.endswith(f": {told.format('elsewhere')}")
    assert second.startswith("x.md:9") and second.endswith(f": {told.format('nowhere')}")
    assert last == "2 blocks, 2 not compiled, because a module is missing"
    assert main(["--compile", "--format", "github", "x.md"]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first.endswith(f"::{told.format('elsewhere')}")


@pytest.mark.parametrize(
    ("name", "text", "options", "why"),
    [
        ("a.md", "```\n$x = )\n```\n", ["--syntax"], "no block says puppet"),
        ("a.md", "```ruby\nx\n```\n", [], "no block says puppet"),
        ("a.md", document("$x = 1"), [], "no example has a result"),
        ("a.md", "```puppet-console\n>> 1\n1\n```\n", ["--syntax"], "without --syntax"),
        ("a.pp", "class a { }\n", ["--compile"], "no comment has an @example"),
        ("a.txt", "Words.\n", ["--syntax"], "only Markdown (.md)"),
        ("a.txt", "Words.\n", [], "no paragraph has a result"),
        ("a.ipynb", "{}", [], "notebooks are not read"),
        ("empty/a.md", "Words.\n", ["--syntax"], "no document in it"),
    ],
)
def test_why_nothing_was_found(
    name: str,
    text: str,
    options: list[str],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    (tmp_path / "b.md").write_text(document("1 # => 1"))
    path = name.partition("/")[0]
    assert main([*options, path, "b.md"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("1 ")
    assert err.startswith(f"puppet-repl doctest: {path}: {why}") or err.endswith(f"{why}\n")
    assert err.count("\n") == 1


def test_annotations_for_github(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (module / "a,b.md").write_text(document("a: 1"))
    assert main(["--syntax", "--format", "github", "a,b.md"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first == (
        "::error file=a%2Cb.md,line=4,col=2,title=the example is not Puppet code::"
        "Error: Syntax error at ':' (file: a,b.md, line: 4, column: 2)%0A"
        "  4 | a: 1%0A    |  ^%0A  hint: this is YAML: call the block yaml"
    )
    assert second == "1 block, 1 refused"


def test_annotations_tell_why_a_block_fails(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (module / "x.md").write_text(document("fail('no')") + document("include elsewhere"))
    assert main(["--compile", "--format", "github", "x.md"]) == 1
    titles = [
        row.split("::")[1].split("title=")[1] for row in capsys.readouterr().out.splitlines()[:2]
    ]
    assert titles == [
        "the example does not compile",
        "the example needs the module elsewhere%2C which is not on the module path",
    ]


def test_the_line_of_numbers(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (module / "x.md").write_text("".join(document(code) for _, _, code in BLOCKS))
    assert main(["--syntax", "x.md"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == (
        "22 blocks, 3 parsed, 5 parsed without the parts left out, 7 parsed as a part, 7 refused"
    )
    (module / "y.md").write_text(document("1") + document("2 # => 3"))
    assert main(["--syntax", "y.md"]) == 0
    assert capsys.readouterr().out == "2 blocks, 2 parsed\n"
    assert main(["--compile", "-v", "y.md"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == [
        "y.md: 2 blocks, 1 example",
        "2 blocks, 1 compiled, 1 run for the results in it; 1 example, 0 hold, 1 differs",
    ]


def test_one_mode_at_a_time(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--syntax", "--compile", "README.md"])
    assert ended.value.code == 2
    assert "not allowed with" in capsys.readouterr().err


def test_an_endless_example_ends(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (module / "x.md").write_text(
        "```puppet-console\n>> :time Integer[1, 10000000000].each |$x| { }\n1\n>> 1 + 1\n2\n```\n"
    )
    assert main(["--max-seconds", "0.3", "x.md"]) == 1
    out = capsys.readouterr().out
    assert "Time limit exceeded" in out and "2 examples, 1 holds, 1 differs" in out
