"""The lexers as one plain module, for Pygments itself: python -m tests.pygments.upstream TREE.

TREE is a tree of Pygments, or a directory that gets the new files only: the module, made of the
sources of `puppet_pygments`, and its golden files. The rules are the same; what applies them is
the `ExtendedRegexLexer` of Pygments, and there are no annotations.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from puppet_pygments import _builtins, _heredoc, _rules, _signs, epp, lexer
from tests.pygments import goldens

EXAMPLES = goldens.DIRECTORY / "examples"
#: Means nothing in the one module.
LEFT_OUT = ("__all__", "TYPE_CHECKING")
HEADER = '''\
"""
    pygments.lexers.puppet
    ~~~~~~~~~~~~~~~~~~~~~~

    Lexers for Puppet manifests and for EPP, the templates of Puppet.

    :copyright: Copyright 2006-present by the Pygments team, see AUTHORS.
    :license: BSD, see LICENSE for details.
"""

import re
from collections import namedtuple

from pygments.lexer import DelegatingLexer, ExtendedRegexLexer, include, words
from pygments.lexers.html import HtmlLexer
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, \\
    Other, Punctuation, String, Whitespace

__all__ = ['PuppetLexer', 'EppLexer', 'HtmlEppLexer']

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

    name = 'Puppet'
    url = 'https://www.puppet.com/'
    aliases = ['puppet']
    filenames = ['*.pp']
    mimetypes = ['text/x-puppet']
    version_added = '1.6'

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
        contexts = [Context(['root'], [], CODE)]
        depths = {{}}
        pos = 0
        while pos < len(text):
            end = len(text)
            if len(contexts) > 1:
                end = text.find('\\n', pos) + 1 or end
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


class EppLexer(PuppetLexer):
    """
    Lexer for EPP templates, where Puppet code is in tags.
    """

    name = 'EPP'
    url = '{epp_url}'
    aliases = ['epp']
    filenames = ['*.epp']
    mimetypes = ['text/x-puppet-epp']
    version_added = '{version}'

{epp_tokens}
{epp_analysis}

class HtmlEppLexer(DelegatingLexer):
    """
    Lexer for EPP templates of HTML pages.
    """

    name = 'HTML+EPP'
    url = '{epp_url}'
    aliases = ['html+epp']
    filenames = ['*.html.epp', '*.htm.epp']
    mimetypes = ['text/html+epp']
    version_added = '{version}'

    def __init__(self, **options):
        super().__init__(HtmlLexer, EppLexer, **options)

    def analyse_text(text):
        return {html_analysis}
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


def module(version: str = "2.21") -> str:
    """Return the text of the module, for that version of Pygments."""
    rules, templates = Source(_rules), Source(epp)
    parts = [HEADER, *_whole(Source(_builtins)), *_whole(Source(_heredoc))]
    parts += _whole(rules, without=("TOKENS",))
    parts.append(AT_END)
    parts += _whole(Source(_signs))
    code = Source(lexer)
    parts.append(code.plain(code.definitions()["_open_heredoc"]))
    tokens = rules.plain(rules.definitions()["TOKENS"]).replace("TOKENS", "tokens", 1)
    in_epp = templates.of_class("EppLexer")
    pages = PUPPET.format(
        tokens=textwrap.indent(_leaving(tokens), "    "),
        epp_url=epp.EppLexer.url,
        version=version,
        epp_tokens=templates.plain(in_epp["tokens"]),
        epp_analysis=templates.plain(in_epp["analyse_text"]),
        html_analysis="EppLexer.analyse_text(text) + (0.01 if '<html' in text.lower() else 0)",
    )
    text = "".join(parts) + pages
    text = re.sub(r"\brating_of\b", "_rating_of", text).replace("__rating_of", "_rating_of")
    return re.sub(r"\n{4,}", "\n\n\n", text).rstrip("\n") + "\n"


def _whole(source: Source, without: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield all definitions of a module."""
    for name, node in source.definitions().items():
        if name not in (*LEFT_OUT, *without):
            blanks = "\n\n" if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ""
            yield blanks + source.plain(node) + blanks


def _leaving(tokens: str) -> str:
    """Return the rules with what `ExtendedRegexLexer` needs in place of `default`."""
    return re.sub(r'default\(("#pop")\)', r"(_MORE, _leave, \1)", tokens)


def write(tree: Path) -> None:
    """Write the module and its golden files into a tree of Pygments or an empty directory."""
    path = tree / "pygments" / "lexers" / "puppet.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(module(), encoding="utf-8")
    for name in ("puppet", "epp"):
        snippets = tree / "tests" / "snippets" / name
        snippets.mkdir(parents=True, exist_ok=True)
        for snippet in (goldens.DIRECTORY / "snippets" / name).glob("*.txt"):
            shutil.copyfile(snippet, snippets / snippet.name)
    for example in EXAMPLES.iterdir():
        kind = "epp" if example.suffix == ".epp" else "puppet"
        directory = tree / "tests" / "examplefiles" / kind
        directory.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(example, directory / example.name)
    if (tree / "pygments" / "lexers" / "dsls.py").exists():
        replace(tree)


def replace(tree: Path) -> None:
    """Take the old lexer out of a tree of Pygments, and write its tables anew."""
    lexers = tree / "pygments" / "lexers"
    text = (lexers / "dsls.py").read_text(encoding="utf-8")
    text = re.sub(r"^class PuppetLexer\(.*?(?=^class )", "", text, flags=re.MULTILINE | re.DOTALL)
    text = text.replace("'PuppetLexer', ", "")
    (lexers / "dsls.py").write_text(text, encoding="utf-8")
    other = (lexers / "other.py").read_text(encoding="utf-8")
    other = other.replace("BroLexer, PuppetLexer, ", "BroLexer, ")
    other = other.replace(
        "from pygments.lexers.dsls",
        "from pygments.lexers.puppet import PuppetLexer\nfrom pygments.lexers.dsls",
        1,
    )
    (lexers / "other.py").write_text(other, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    subprocess.run(
        [sys.executable, "scripts/gen_mapfiles.py"], cwd=tree, env=environment, check=True
    )


if __name__ == "__main__":
    write(Path(sys.argv[1]))
