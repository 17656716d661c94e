"""The lexers as plain modules, for Pygments itself: python -m tests.pygments.upstream TREE.

TREE is a clone of Pygments, which gets two commits, the lexer for manifests and the one for
templates, or a directory that gets the new files only: the modules, made of the sources of
`puppet_pygments`, and their golden files. The rules are the same; what applies them is the
`ExtendedRegexLexer` of Pygments, and there are no annotations.
"""

from __future__ import annotations

import ast
import os
import pprint
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pygments

from puppet_pygments import _builtins, _heredoc, _rules, _signs, epp, lexer
from tests.pygments import goldens

EXAMPLES = goldens.DIRECTORY / "examples"
#: Means nothing in the one module.
LEFT_OUT = ("__all__", "TYPE_CHECKING")
BUILTINS = '''\
"""
    pygments.lexers._puppet_builtins
    ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

    Names that Puppet 8 itself defines.

    Run it with lib/puppet of a later Puppet to write the functions anew.

    :copyright: Copyright 2006-present by the Pygments team, see AUTHORS.
    :license: BSD, see LICENSE for details.
"""

# States that resources are wanted in.
STATES = {states}

# Functions that every Puppet has, without any module.
FUNCTIONS = {functions}

# Functions that may be called as statements, without parentheses around their arguments.
STATEMENT_FUNCTIONS = {statements}


if __name__ == "__main__":  # pragma: no cover
    import pprint
    import re
    import sys
    from pathlib import Path

    def regenerate(puppet):
        files = [*puppet.glob("functions/*.rb"), *puppet.glob("parser/functions/*.rb")]
        factory = (puppet / "pops/model/factory.rb").read_text(encoding="utf-8")
        table = re.search(r"STATEMENT_CALLS = {{(.*?)}}", factory, re.DOTALL).group(1)
        # these have rules of their own
        others = {{"contain", "include", "require"}}
        return {{
            "FUNCTIONS": {{path.stem for path in files}},
            "STATEMENT_FUNCTIONS": set(re.findall(r"'(\\w+)'", table)) - others,
        }}

    def run(puppet):
        path = Path(__file__)
        text = path.read_text(encoding="utf-8")
        for name, names in regenerate(puppet).items():
            new = f"{{name}} = {{pprint.pformat(tuple(sorted(names)), compact=True)}}"
            text = re.sub(rf"^{{name}} = \\(.*?\\)", new, text, flags=re.DOTALL | re.MULTILINE)
        path.write_text(text, encoding="utf-8")

    run(Path(sys.argv[1]))
'''
# Each with whether the templates are in it.
COMMITS = {
    """\
Puppet: Rewrite the lexer for Puppet 4 to 8

The lexer was for the language of Puppet 2: a heredoc was an error, a quote in
it or in a regular expression began a string, interpolations were not seen, and
types looked like attributes. The new one follows the lexer of Puppet 8.

In the old example file these tokens differ:

* a type of resources is Name.Tag: some were Keyword, others Name.Attribute,
* `node` is Keyword.Declaration and `default` Keyword.Constant, not Keyword,
* strings are String.Single or String.Double, with the escapes in them apart.
""": False,
    """\
Add a lexer for EPP, the templates of Puppet
""": True,
}
HEADER = '''\
"""
    pygments.lexers.puppet
    ~~~~~~~~~~~~~~~~~~~~~~

    Lexers for Puppet.

    :copyright: Copyright 2006-present by the Pygments team, see AUTHORS.
    :license: BSD, see LICENSE for details.
"""

import re
from collections import namedtuple

from pygments.lexer import {bases}, include, words
{html}from pygments.lexers._puppet_builtins import FUNCTIONS, STATEMENT_FUNCTIONS, \\
    STATES
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, \\
    {other}Punctuation, String, Whitespace

__all__ = {names}

'''
#: `default` matches at the end of a part of a text too, where the next part has to go on.
AT_END = '''\
#: Leaves a state, but not at the end of a line that the text of a heredoc follows.
_MORE = r"(?=[\\s\\S])"


def _leave(lexer, match, ctx):
    """Yield nothing, for a rule that only changes the state."""
    return iter(())


'''
PUPPET = '''\


class PuppetLexer(ExtendedRegexLexer):
    """
    Lexer for Puppet manifests (Puppet 4 and later).
    """

    name = "Puppet"
    url = "https://www.puppet.com/"
    aliases = ["puppet"]
    filenames = ["*.pp"]
    mimetypes = ["text/x-puppet"]
    version_added = "1.6"

    # The rules follow the lexer of Puppet 8: which characters end a bare word,
    # where a slash starts a regular expression, how a heredoc ends.
{tokens}
    def analyse_text(text):
        return _rating_of(text)

    def get_tokens_unprocessed(self, text=None, context=None):
        """Split a text into (position, token type, value).

        The code and, within it, the heredocs whose texts are open are contexts,
        outermost first. The text of a heredoc begins on the line below its
        header, and is lexed line by line.
        """
        contexts = [Context(["root"], [], CODE)]
        depths = {{}}
        pos = 0
        while pos < len(text):
            end = len(text)
            if len(contexts) > 1:
                end = text.find("\\n", pos) + 1 or end
                line = text[pos:end]
                closed = min((depths[tag] for tag in depths if ends_text(line, tag)),
                             default=0)
                if closed:
                    yield from end_line_tokens(pos, line, contexts[closed].heredoc.tag)
                    del contexts[closed:]
                    depths = {{tag: depth for tag, depth in depths.items()
                              if depth < closed}}
                    pos = end
            ctx = contexts[-1]
            if pos < end:
                ctx.text, ctx.pos, ctx.end = text, pos, end
                yield from super().get_tokens_unprocessed(context=ctx)
                pos = ctx.end
            if ctx.pending:
                _open_heredoc(contexts)
                depths.setdefault(contexts[-1].heredoc.tag, len(contexts) - 1)
'''
TEMPLATES = '''\


class EppLexer(PuppetLexer):
    """
    Lexer for EPP templates, where Puppet code is in tags.
    """

    name = "EPP"
    url = "{epp_url}"
    aliases = ["epp"]
    filenames = ["*.epp"]
    mimetypes = ["text/x-puppet-epp"]
    version_added = "{version}"

{epp_tokens}
{epp_analysis}

class HtmlEppLexer(DelegatingLexer):
    """
    Lexer for EPP templates of HTML pages.
    """

    name = "HTML+EPP"
    url = "{epp_url}"
    aliases = ["html+epp"]
    filenames = ["*.html.epp", "*.htm.epp"]
    mimetypes = ["text/html+epp"]
    version_added = "{version}"

    def __init__(self, **options):
        super().__init__(HtmlLexer, EppLexer, **options)

    def analyse_text(text):
        return EppLexer.analyse_text(text) + (0.01 if "<html" in text.lower() else 0)
'''


class Source:
    """The source of a module, of which parts are taken, without annotations."""

    def __init__(self, module: ModuleType) -> None:
        self.text = Path(str(module.__file__)).read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)
        self.starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def offset(self, line: int, column: int) -> int:
        """Return the position in the text of a line, counted from 1, and a column."""
        return self.starts[line - 1] + column

    def end(self, node: ast.expr | ast.arg | ast.stmt) -> int:
        """Return the position behind a node."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.offset(node.end_lineno, node.end_col_offset)

    def plain(self, node: ast.stmt) -> str:
        """Return the text of a statement with the comments above it, without annotations."""
        first = node.lineno - 1
        while first and self.line(first).lstrip().startswith("#"):
            first -= 1
        start, end = self.starts[first], self.end(node)
        text = self.text
        for begin, stop in sorted(self.annotations(node), reverse=True):
            text = text[:begin] + text[stop:]
            end -= stop - begin
        return text[start:end] + "\n"

    def line(self, number: int) -> str:
        """Return a line, counted from 1."""
        return self.text[self.starts[number - 1] : self.starts[number]]

    def annotations(self, node: ast.stmt) -> Iterator[tuple[int, int]]:
        """Yield the spans of the annotations in a statement."""
        for part in ast.walk(node):
            if isinstance(part, ast.arg) and part.annotation is not None:
                yield (
                    self.offset(part.lineno, part.col_offset + len(part.arg)),
                    self.end(part.annotation),
                )
            elif isinstance(part, ast.AnnAssign):
                yield self.end(part.target), self.end(part.annotation)
            elif isinstance(part, ast.FunctionDef) and part.returns is not None:
                begin = self.offset(part.returns.lineno, part.returns.col_offset)
                yield self.text.rindex(")", 0, begin) + 1, self.end(part.returns)

    def definitions(self) -> dict[str, ast.stmt]:
        """Return the definitions of the module by name."""
        return dict(_named(self.tree.body))

    def of_class(self, name: str) -> dict[str, ast.stmt]:
        """Return the definitions of a class by name."""
        found = self.definitions()[name]
        assert isinstance(found, ast.ClassDef)
        return dict(_named(found.body))


def _named(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node


def module(version: str) -> str:
    """Return the text of the module; of the lexer for manifests only, if the version is ""."""
    rules, templates = Source(_rules), Source(epp)
    bases = "DelegatingLexer, ExtendedRegexLexer" if version else "ExtendedRegexLexer"
    header = HEADER.format(
        bases=bases,
        html="from pygments.lexers.html import HtmlLexer\n" if version else "",
        other="Other, " if version else "",
        names=["PuppetLexer", *(["EppLexer", "HtmlEppLexer"] if version else [])],
    )
    parts = [header.replace("'", '"'), *_whole(Source(_heredoc))]
    parts += _whole(rules, without=("TOKENS",))
    parts.append(AT_END)
    parts += _whole(Source(_signs))
    code = Source(lexer)
    parts.append(code.plain(code.definitions()["_open_heredoc"]))
    tokens = rules.plain(rules.definitions()["TOKENS"]).replace("TOKENS", "tokens", 1)
    parts.append(PUPPET.format(tokens=textwrap.indent(_leaving(tokens), "    ")))
    if version:
        in_epp = templates.of_class("EppLexer")
        templates_text = TEMPLATES.format(
            epp_url=epp.EppLexer.url,
            version=version,
            epp_tokens=templates.plain(in_epp["tokens"]),
            epp_analysis=templates.plain(in_epp["analyse_text"]),
        )
        parts.append(templates_text)
    text = re.sub(r"\brating_of\b", "_rating_of", "".join(parts))
    text = text.replace("__rating_of", "_rating_of")
    return re.sub(r"\n{4,}", "\n\n\n", text).rstrip("\n") + "\n"


def builtins() -> str:
    """Return the text of the module of names, and of the script that writes it anew."""
    return BUILTINS.format(
        states=pprint.pformat(_builtins.STATES, compact=True),
        functions=pprint.pformat(_builtins.FUNCTIONS, compact=True),
        statements=pprint.pformat(_builtins.STATEMENT_FUNCTIONS, compact=True),
    )


def _whole(source: Source, without: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield all definitions of a module."""
    for name, node in source.definitions().items():
        if name not in (*LEFT_OUT, *without):
            blanks = "\n\n" if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ""
            yield blanks + source.plain(node) + blanks


def _leaving(tokens: str) -> str:
    """Return the rules with what `ExtendedRegexLexer` needs in place of `default`."""
    return re.sub(r'default\(("#pop")\)', r"(_MORE, _leave, \1)", tokens)


def write(tree: Path, *, templates: bool) -> list[Path]:
    """Write the modules and their golden files into a directory; return the files.

    In a tree of Pygments, the old lexer is replaced. The modules are those of the lexer for
    manifests only, unless the one for templates is asked for.
    """
    lexers = tree / "pygments" / "lexers"
    lexers.mkdir(parents=True, exist_ok=True)
    written = [lexers / "puppet.py", lexers / "_puppet_builtins.py"]
    written[0].write_text(module(_next_version(tree) if templates else ""), encoding="utf-8")
    written[1].write_text(builtins(), encoding="utf-8")
    for name, suffix in (("puppet", ".pp"), *((("epp", ".epp"),) if templates else ())):
        snippets, examples = (tree / "tests" / each / name for each in ("snippets", "examplefiles"))
        for directory in (snippets, examples):
            directory.mkdir(parents=True, exist_ok=True)
        for snippet in (goldens.DIRECTORY / "snippets" / name).glob("*.txt"):
            written.append(Path(shutil.copyfile(snippet, snippets / snippet.name)))
        for example in EXAMPLES.glob(f"*{suffix}"):
            shutil.copyfile(example, examples / example.name)
        # with the examples of the old lexer, if it had some
        for example in examples.glob(f"*{suffix}"):
            output = example.with_name(f"{example.name}.output")
            text = example.read_text(encoding="utf-8")
            output.write_text(goldens.tokens_of(goldens.LEXERS[name](), text), encoding="utf-8")
            written += [example, output]
    if (lexers / "dsls.py").exists():
        written += replace(tree)
    return written


def _next_version(tree: Path) -> str:
    """Return the version after that of a tree, or after the one installed."""
    path = tree / "pygments" / "__init__.py"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found = re.search(r"^__version__ = '(.*)'", text, re.MULTILINE)
    major, minor = (found[1] if found else pygments.__version__).split(".")[:2]
    return f"{major}.{int(minor) + 1}"


def replace(tree: Path) -> list[Path]:
    """Take the old lexer out of a tree, and write its tables anew; return the changed files."""
    lexers = tree / "pygments" / "lexers"
    dsls, other = lexers / "dsls.py", lexers / "other.py"
    text = dsls.read_text(encoding="utf-8")
    text = re.sub(r"^class PuppetLexer\(.*?(?=^class )", "", text, flags=re.MULTILINE | re.DOTALL)
    dsls.write_text(text.replace("'PuppetLexer', ", ""), encoding="utf-8")
    text = other.read_text(encoding="utf-8")
    if "BroLexer, PuppetLexer, " in text:
        text = text.replace("BroLexer, PuppetLexer, ", "BroLexer, ")
        own = "from pygments.lexers.puppet import PuppetLexer\n"
        text = text.replace("from pygments.lexers.dsls", f"{own}from pygments.lexers.dsls", 1)
    other.write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    subprocess.run(
        [sys.executable, "scripts/gen_mapfiles.py"],
        cwd=tree,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return [dsls, other, lexers / "_mapping.py"]


def offer(tree: Path) -> None:
    """Write all modules; in a clone of Pygments, commit those of each lexer apart."""
    for message, templates in COMMITS.items():
        written = write(tree, templates=templates)
        if (tree / ".git").exists():
            git = ["git", "-C", str(tree)]
            subprocess.run([*git, "add", *map(str, written)], check=True)
            subprocess.run([*git, "commit", "--quiet", "-m", message], check=True)


if __name__ == "__main__":
    offer(Path(sys.argv[1]))
