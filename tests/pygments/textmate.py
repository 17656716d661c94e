"""The TextMate grammars, which are written from the Pygments lexers; run it to write.

VS Code and Shiki read them. A grammar is applied line by line, and its rules nest: a rule of the
lexer that pushes a state is written as one with a beginning and an end, and the rules of the state
are tried in between. Two things are written in another way. The state "operand", in which a slash
divides, is an optional slash at the end of the pattern of the operand. The text of a heredoc lasts
`while` a line does not end in its tag, whatever the text opens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pygments.token import Token, _TokenType

from puppet_pygments import EppLexer, PuppetLexer
from puppet_pygments._machine import _transition
from puppet_pygments._rules import _CONTROL

EDITORS = Path(__file__).parents[2] / "puppet_repl" / "frontends" / "language_server" / "editors"
SYNTAXES = EDITORS / "vscode" / "syntaxes"
NOTE = "Written by `make grammars` from the Pygments lexers: do not edit."

# The scope of each kind of token: names that the themes know.
SCOPES = {
    "Comment.Multiline": "comment.block",
    "Comment.Preproc": "punctuation.section.embedded.tag",
    "Comment.Single": "comment.line.number-sign",
    "Comment.Special": "keyword.other.lint",
    "Error": "invalid.illegal",
    "Keyword": "keyword.control.conditional",
    "Keyword.Constant": "constant.language",
    "Keyword.Declaration": "storage.type",
    "Keyword.Namespace": "keyword.control.import",
    "Keyword.Reserved": "keyword.other.reserved",
    "Keyword.Type": "entity.name.type",
    "Literal.Number.Float": "constant.numeric.float",
    "Literal.Number.Hex": "constant.numeric.hex",
    "Literal.Number.Integer": "constant.numeric.integer",
    "Literal.Number.Oct": "constant.numeric.octal",
    "Literal.String.Affix": "storage.modifier.heredoc",
    "Literal.String.Delimiter": "punctuation.definition.string.heredoc",
    "Literal.String.Doc": "keyword.other.documentation",
    "Literal.String.Double": "string.quoted.double",
    "Literal.String.Escape": "constant.character.escape",
    "Literal.String.Heredoc": "string.unquoted.heredoc",
    "Literal.String.Interpol": "punctuation.section.embedded",
    "Literal.String.Regex": "string.regexp",
    "Literal.String.Single": "string.quoted.single",
    "Literal.String.Symbol": "string.unquoted.word",
    "Name.Attribute": "entity.other.attribute-name",
    "Name.Builtin": "support.function",
    "Name.Class": "entity.name.class",
    "Name.Function": "entity.name.function",
    "Name.Tag": "support.type.resource",
    "Name.Variable": "variable.other",
    "Name.Variable.Magic": "variable.language",
    "Operator": "keyword.operator",
    "Operator.Word": "keyword.operator.word",
    "Other": "",
    "Punctuation": "punctuation.separator",
    "Text.Whitespace": "",
}
# Languages of the texts of heredocs, with the scopes of their grammars in VS Code and Shiki.
EMBEDDED = {
    "epp": "text.epp",
    "html": "text.html.basic",
    "ini": "source.ini",
    "javascript|js": "source.js",
    "json": "source.json",
    "puppet|pp": "source.puppet",
    "python|py": "source.python",
    "ruby|rb": "source.ruby",
    "shell|sh|bash": "source.shell",
    "sql": "source.sql",
    "toml": "source.toml",
    "xml": "text.xml",
    "yaml|yml": "source.yaml",
}
# States with text, and the kind of token of what is around the text.
TEXTS = {
    "comment": "Comment.Multiline",
    "double": "Literal.String.Double",
    "epp-comment": "Comment.Multiline",
    "regex": "Literal.String.Regex",
    "single": "Literal.String.Single",
}
# The escapes of heredocs by their flags, each with a pattern of the flags. There are rules for
# some sets of flags; any other set is taken for all flags.
ESCAPES = {
    "": r"(?::[^/)]*)?",
    "L": r"(?::[^/)]*)?/L[ \t]*",
    "$": r"(?::[^/)]*)?/\$[ \t]*",
    "L$": r"(?::[^/)]*)?/(?:L\$|\$L)[ \t]*",
    "n": r"(?::[^/)]*)?/n[ \t]*",
    "r": r"(?::[^/)]*)?/r[ \t]*",
    "s": r"(?::[^/)]*)?/s[ \t]*",
    "t": r"(?::[^/)]*)?/t[ \t]*",
    "u": r"(?::[^/)]*)?/u[ \t]*",
    "tnrsuL$": r"(?::[^/)]*)?/[A-Za-z0-9_$]*[ \t]*",
}
# The tag of a heredoc, without the blanks around it.
TAG = r"([^\":/\r\n)\s](?:[^\":/\r\n)]{0,98}[^\":/\r\n)\s])?)"
# The line that ends the text of a heredoc; the tag is what the beginning of the rule captures.
END_OF_HEREDOC = r"^(.*?)\s*((?:\|[ \t]*)?(?:-[ \t]*)?\1)\s*$"
# A slash that divides, after an operand.
DIVIDED = r"(?:[ \t]*(/)(?!\*))?"
TEXT_OF_HEREDOC = "meta.heredoc.puppet"
INTERPOLATION = "meta.interpolation.puppet"
TAG_OF_EPP = "meta.embedded.tag.puppet"

Rule = dict[str, Any]


def scope_of(token: Any, language: str = "puppet") -> str:
    """Return the scope of a kind of token, "" if it has none."""
    scope = SCOPES[str(token).removeprefix("Token.")]
    return f"{scope}.{language}" if scope else ""


def without_groups(pattern: str) -> str:
    """Return a regular expression whose groups capture nothing: rules number groups of their own.

    >>> without_groups(r"(a)[(](?=b)")
    '(?:a)[(](?=b)'
    """
    parts = r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\])|\((?!\?)"
    return re.sub(parts, lambda match: match[1] or "(?:", pattern)


def captures(*scopes: str) -> Rule:
    """Return what a rule says about its groups, from the first one on."""
    return {str(at): {"name": scope} for at, scope in enumerate(scopes, 1) if scope}


class Writer:
    """Write states of a lexer as rules of a grammar; ``code`` is the state of its programs."""

    def __init__(self, tables: dict[str, list[Any]], language: str) -> None:
        self.tables = tables
        self.language = language

    def scope(self, token: Any) -> str:
        return scope_of(token, self.language)

    def patterns(self, state: str) -> list[Rule]:
        """Return the rules of a state, but for those that leave it."""
        table, code = self.tables[state], PuppetLexer._tokens["root"]
        if state != "root" and table[-len(code) :] == code:
            own = [*self._rules(table[: -len(code)], state)]
            return [*own, {"include": "source.puppet" if state == "epp" else "#code"}]
        return [*self._rules(table, state)]

    def _rules(self, table: list[Any], state: str) -> Iterator[Rule]:
        for pattern, action, new_state in table:
            pops, pushes = _transition(new_state, state)
            unseen = not isinstance(pattern, str) or pattern.endswith(r"\Z")
            if not pops and not unseen and action is not Token.Text.Whitespace:
                yield from self._rule(pattern, action, pushes, state)

    def _rule(
        self, pattern: str, action: Any, pushes: tuple[str, ...], state: str
    ) -> Iterator[Rule]:
        if not isinstance(action, _TokenType):
            yield from ACTIONS[action.__name__](pattern)
            return
        source, scope = without_groups(pattern), self.scope(action)
        if not pushes:
            is_plain = not scope or TEXTS.get(state) == str(action).removeprefix("Token.")
            yield {"match": source} if is_plain else {"match": source, "name": scope}
        elif pushes == ("operand",):
            yield {
                "match": f"({source}){DIVIDED}",
                "captures": captures(scope, self.scope("Operator")),
            }
        else:
            yield self._nested(source, scope, pushes)

    def _nested(self, source: str, scope: str, pushes: tuple[str, ...]) -> Rule:
        """Return the rule for a rule of the lexer that pushes a state."""
        state = "interpolated" if "interpolated" in pushes else pushes[-1]
        begin = {"begin": source, **self._end(state, divides="operand" in pushes)}
        if state in TEXTS:
            return {"name": scope, **begin, "patterns": self.patterns(state)}
        begin["beginCaptures"] = {"0": {"name": scope}}
        if state == "interpolated":
            begin["begin"] += r"(?:\s*\n)?"  # so that \G is at the start of the next line
            begin["contentName"] = f"meta.embedded.line.puppet {INTERPOLATION}"
            return {**begin, "patterns": [{"include": "#first-word"}, {"include": "#interpolated"}]}
        if state == "epp":
            # VS Code takes comments and brackets of this code from the configuration of Puppet.
            begin["contentName"] = TAG_OF_EPP
        return {**begin, "patterns": [{"include": f"#{state}"}]}

    def _end(self, state: str, *, divides: bool) -> Rule:
        """Return the end of the rule for a state: what leaves it, in the order of the lexer."""
        sources, scopes = [], []
        goes_on = True
        for pattern, action, new_state in self.tables[state]:
            pops, pushes = _transition(new_state, state)
            if not pops:
                continue
            if not isinstance(pattern, str):
                sources.append(r"(?=\S)")
                goes_on = False
                continue
            sources.append(f"({without_groups(pattern)})")
            scopes.append("" if state in TEXTS else self.scope(action))
            if divides or pushes:
                sources[-1] += DIVIDED
                scopes.append(self.scope("Operator"))
        end: Rule = {"end": "|".join(sources), "endCaptures": captures(*scopes)}
        return end if goes_on else {**end, "applyEndPatternLast": 1}


def _tagged_comment(pattern: str) -> Iterator[Rule]:
    line = scope_of("Comment.Single")
    tags = re.fullmatch(r"\((#\[ \\t\]\*)\)\((@.*\\b)\|(lint:.*)\)\((\[\^\\n\]\*)\)", pattern)
    assert tags is not None, pattern
    mark, doc, lint, rest = map(without_groups, tags.groups())
    for tag, kind in ((doc, "Literal.String.Doc"), (lint, "Comment.Special")):
        yield {
            "match": f"{mark}({tag}){rest}",
            "name": line,
            "captures": captures(scope_of(kind)),
        }


def _heredoc_header(_pattern: str) -> Iterator[Rule]:
    yield from ({"include": name} for name in ("#second-heredocs", "#heredocs"))


ACTIONS: dict[str, Callable[[str], Iterator[Rule]]] = {
    "_tagged_comment": _tagged_comment,
    "_heredoc_header": _heredoc_header,
}


def first_words() -> Iterator[Rule]:
    """Yield the rules for the first word of an interpolation, as far as they need one line."""
    variable, magic = scope_of("Name.Variable"), scope_of("Name.Variable.Magic")
    for pattern, action, _ in PuppetLexer._tokens["interpolated-name"]:
        if not isinstance(pattern, str) or action is Token.Text.Whitespace:
            continue
        if isinstance(action, _TokenType) and not str(action).startswith("Token.Comment"):
            source, scopes = without_groups(pattern), [scope_of(action)]
        elif not isinstance(action, _TokenType) and action.__name__ == "_word_at_line_end":
            control = "|".join(sorted(_CONTROL))
            source, scopes = rf"(?!(?:{control})\b){pattern}", [variable, magic]
        else:
            continue
        yield {
            "match": rf"\G\s*({source}){DIVIDED}",
            "captures": captures(*scopes, scope_of("Operator")),
        }


def heredocs() -> Iterator[Rule]:
    """Yield the rules for heredocs: by their language, quotes and escapes."""
    for names, scope in (*EMBEDDED.items(), ("", "")):
        chosen = ESCAPES if not names else {flags: ESCAPES[flags] for flags in ("", "L", "tnrsuL$")}
        for flags, pattern in chosen.items():
            if names:
                pattern = pattern.replace("(?::[^/)]*)?", rf":[ \t]*(?i:{names})[ \t]*")
            for quote in ('"', ""):
                yield heredoc(quote, flags, pattern, names.split("|")[0], scope)


def header_of_heredoc(quote: str) -> str:
    """Return the pattern of a header up to its language and flags."""
    return rf"@\([ \t]*{quote}[ \t]*{TAG}[ \t]*{quote}[ \t]*"


def second_heredocs() -> Iterator[Rule]:
    """Yield the rules for two heredocs on a line: the first one, then the text of the other."""
    first = without_groups(header_of_heredoc('"?')) + r"[^)\n]*\)[^@#'\"\n]*"
    own = scope_of("Literal.String.Heredoc")
    for flags in ("", "tnrsuL$"):
        for quote in ('"', ""):
            patterns = [*escapes(flags, interpolated=bool(quote))]
            if quote:
                patterns.append({"include": "#interpolation"})
            yield {
                "begin": rf"(?={first}{header_of_heredoc(quote)}{ESCAPES[flags]}\))",
                "end": END_OF_HEREDOC,
                "endCaptures": captures(own, scope_of("Literal.String.Delimiter")),
                "patterns": [
                    # a line of the text; the line of the headers has the beginning of this rule
                    {"begin": r"^(?!\G)(?=.)", "end": "$", "name": own, "patterns": patterns},
                    {"include": "#heredocs"},
                ],
            }


def heredoc(quote: str, flags: str, pattern: str, name: str, language: str) -> Rule:
    """Return the rule for heredocs of a kind.

    Its three parts are nested: all of the heredoc, all but its last line, and the text.
    """
    delimiter = scope_of("Literal.String.Delimiter")
    header = header_of_heredoc(quote)
    own = scope_of("Literal.String.Heredoc")
    content = f"meta.embedded.block.{name}" if name else own
    patterns = [*escapes(flags, interpolated=bool(quote))]
    if quote:
        patterns.append({"include": "#interpolation"})
        content += f" {TEXT_OF_HEREDOC}"
    if language:
        # The first one stays where there is no grammar for the language: a rule needs patterns.
        patterns += [{"match": "(?!)"}, {"include": language}]
    return {
        "begin": rf"(?={header}{pattern}\))",
        "end": END_OF_HEREDOC,
        "endCaptures": captures(own, delimiter),
        "patterns": [
            {
                "begin": rf"({header})({pattern})(\)){DIVIDED}",
                "beginCaptures": {
                    "1": {"name": delimiter},
                    "3": {"name": scope_of("Literal.String.Affix")},
                    "4": {"name": delimiter},
                    "5": {"name": scope_of("Operator")},
                },
                "while": r"^(?!.*\2\s*$)",
                "patterns": [
                    {"begin": "^", "while": "^", "contentName": content, "patterns": patterns},
                    # the rest of the line of the header
                    {"begin": r"\G", "while": "(?!)", "patterns": [{"include": "#code"}]},
                ],
            }
        ],
    }


def escapes(flags: str, *, interpolated: bool) -> Iterator[Rule]:
    """Yield the rules for backslashes in the text of a heredoc with these flags."""
    if flags:
        characters = "".join(sorted(set(flags) - set("uL")))
        kinds = [rf"[\\{characters}]"]
        if "u" in flags:
            kinds += [r"u[0-9A-Fa-f]{4}", r"u\{[0-9A-Fa-f]{1,6}\}"]
        if "L" in flags:
            kinds.append(r"\r?\n")
        yield {"match": rf"\\(?:{'|'.join(kinds)})", "name": scope_of("Literal.String.Escape")}
        yield {"match": r"\\[^$\n]" if interpolated else r"\\[^\n]"}


def puppet() -> Rule:
    """Return the grammar of programs."""
    PuppetLexer()  # the first instance makes the tables
    writer = Writer(PuppetLexer._tokens, "puppet")
    states = [
        *["braces", "class-names", "collector", "declared", "declared-function", "declared-node"]
    ]
    states += [*["interpolated", "kind-of-file", "method"]]
    return {
        "comment": NOTE,
        "name": "Puppet",
        "scopeName": "source.puppet",
        "fileTypes": ["pp"],
        "patterns": [{"include": "#code"}],
        # Inside of strings of the embedded language, too.
        "injections": {
            f"L:{TEXT_OF_HEREDOC} - {INTERPOLATION}": {"patterns": [{"include": "#interpolation"}]}
        },
        "repository": {
            "code": {"patterns": writer.patterns("root")},
            "first-word": {"patterns": [*first_words()]},
            "interpolation": {"patterns": interpolation(writer)},
            "heredocs": {"patterns": [*heredocs()]},
            "second-heredocs": {"patterns": [*second_heredocs()]},
            **{state: {"patterns": writer.patterns(state)} for state in states},
        },
    }


def interpolation(writer: Writer) -> list[Rule]:
    """Return the rules for what begins with a dollar sign in a string."""
    both = [writer.tables[name] for name in ("double", "heredoc-interpolate")]
    return [*writer._rules([given for given in both[0] if given in both[1]], "heredoc")]


def epp() -> Rule:
    """Return the grammar of templates."""
    EppLexer()
    return {
        "comment": NOTE,
        "name": "EPP",
        "scopeName": "text.epp",
        "fileTypes": ["epp"],
        "patterns": Writer(EppLexer._tokens, "epp").patterns("root"),
        "repository": {
            "epp": {"patterns": Writer(EppLexer._tokens, "epp").patterns("epp")},
        },
    }


def written(grammar: Rule) -> str:
    """Return a grammar as its file has it."""
    return json.dumps(grammar, indent=1) + "\n"


FILES = {
    SYNTAXES / "puppet.tmLanguage.json": puppet,
    SYNTAXES / "epp.tmLanguage.json": epp,
}


if __name__ == "__main__":
    for path, grammar in FILES.items():
        path.write_text(written(grammar()), encoding="utf-8")
