"""Hints for what people of Python, Ruby, shells and other languages type.

They are tables. A hint is given only for what has failed, below Puppet's own message; for a few
words that are a whole input, and to Puppet just a string, there is a note.
"""

from __future__ import annotations

import re

from puppet_repl.errors import ValidationErrors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.errors import PuppetError
    from puppet_repl.syntax.source import Source

_WRITE = "notice() writes to the log: notice('x')"
_BIND = "variables begin with $ and are bound by =, without a word before: $x = 1"
_LOOP = (
    "Puppet has no loops but functions: [1, 2].each |$x| { ... }, Integer[1, 3].each |$i| { ... }"
)
_DEFINE = "functions are written function f($x) { ... }; their last expression is their value"
_ELSIF = "a further condition is written elsif: if $a { ... } elsif $b { ... } else { ... }"
_JOIN = 'strings in double quotes interpolate: "${a}${b}"'
_BRACES = "blocks stand in braces: if $x { ... } else { ... }"
_CASE = "Puppet has case: case $x { 1, 2: { ... } default: { ... } }"
_SHELL = "Puppet code runs no commands of a shell; an exec resource does that on a node"
_FAIL = "fail('...') ends a program with an error; Puppet has nothing that catches one"
_UNDEF = "no value is undef in Puppet"
_KEEPS = "a variable keeps its value in Puppet: bind another one, as in $next = $i + 1"
_QUIT = "the command :quit leaves"
_DOC = ":doc NAME shows documentation, for example :doc each"
_MODULES = "there is nothing to import: functions and classes are found by their names"

WORDS = {
    "append": "$array << $x or $array + [$x] is a longer array; the old one stays as it is",
    "assert": "assert_type(Integer, $x) fails for a value of another type; fail('...') always does",
    "bool": "Boolean($x) makes a Boolean",
    "cat": _SHELL,
    "cd": _SHELL,
    "collect": "Puppet has map for this",
    "const": _BIND,
    "contains": "$x in $collection tells whether something is in it",
    "def": _DEFINE,
    "dict": "Hash($x) makes a Hash",
    "do": _LOOP,
    "echo": _WRITE,
    "elif": _ELSIF,
    "elseif": _ELSIF,
    "end": _BRACES,
    "exit": _QUIT,
    "export": _BIND,
    "float": "Float($x) makes a Float",
    "fn": _DEFINE,
    "fold": "Puppet has reduce for this",
    "for": _LOOP,
    "foreach": _LOOP,
    "format": f"sprintf('%s', $x) formats values, and {_JOIN}",
    "from": _MODULES,
    "func": _DEFINE,
    "help": _DOC,
    "import": _MODULES,
    "inject": "Puppet has reduce for this",
    "int": "Integer($x) makes an Integer",
    "isinstance": "$x =~ Integer tells whether a value is of a type",
    "lambda": "a lambda stands behind a call: [1, 2].map |$x| { $x + 1 }",
    "len": "length($x) is the length: 'abc'.length, [1, 2].length",
    "let": _BIND,
    "list": "Array($x) makes an Array",
    "local": _BIND,
    "log": _WRITE,
    "loop": _LOOP,
    "lower": "Puppet has downcase for this",
    "ls": _SHELL,
    "man": _DOC,
    "match": f"{_CASE}; 'abc'.match(/b/) searches a string",
    "my": _BIND,
    "not": "Puppet has ! for this: !$x",
    "pass": "an empty block is { }",
    "print": _WRITE,
    "printf": f"sprintf() makes the text; {_WRITE}",
    "println": _WRITE,
    "push": "$array << $x or $array + [$x] is a longer array; the old one stays as it is",
    "puts": _WRITE,
    "pwd": _SHELL,
    "quit": _QUIT,
    "raise": _FAIL,
    "repeat": _LOOP,
    "select": "Puppet has filter for this",
    "set": _BIND,
    "sorted": "Puppet has sort for this",
    "str": f"String($x) makes a String, and {_JOIN}",
    "sudo": _SHELL,
    "switch": _CASE,
    "then": _BRACES,
    "throw": _FAIL,
    "to_f": "Float($x) makes a Float",
    "to_i": "Integer($x) makes an Integer",
    "to_s": f"String($x) makes a String, and {_JOIN}",
    "try": _FAIL,
    "tuple": "Array($x) makes an Array",
    "typeof": "type($x) is the type of a value",
    "upper": "Puppet has upcase for this",
    "var": _BIND,
    "while": _LOOP,
}
"""A word that is taken for a function, or that begins a statement, and what Puppet has instead."""

TYPES = {
    "False": "the value is written false",
    "None": _UNDEF,
    "Null": _UNDEF,
    "True": "the value is written true",
}
"""Names of values elsewhere that are references to types in Puppet."""

SYMBOLS = (
    ("", r"&&", "Puppet has 'and' for this: $a and $b"),
    ("", r"\|\|", "Puppet has 'or' for this: $a or $b"),
    ("", r"[=!]==", "values are compared by == and !=; case does not count, types do: 1 != '1'"),
    ("", r"\*\*", "Puppet has no **; it multiplies: $i * $i (a * before a value unfolds an array)"),
    ("", r"\+\+|--(?!\s*\w)|[-+*/]=|(?:<<|>>)=", _KEEPS),
    ("", r":=", "= binds a variable: $x = 1"),
    ("", r"^\s*\?+\s*(?P<name>[A-Za-z_][\w:]*)\s*$", ":doc {name} shows the documentation"),
    ("", r"^\s*(?P<name>[A-Za-z_][\w:]*)\s*\?+\s*$", ":doc {name} shows the documentation"),
    ("", r"^\s*!\s*[a-z][\w./-]*\s.*", _SHELL),
    ("", r"`.*", _SHELL),
    ("", r"^\s*//.*", "comments begin with #"),
    ("", r"\b(?:else|otherwise)\s+if\b", _ELSIF),
    (
        "",
        r"\b(?:if|unless|elsif|case)\b[^{=]*[^=!<>{]=(?![=~>])",
        "== compares; = binds a variable",
    ),
    (
        "",
        r"(?:^|[;{}])\s*(?P<name>[a-z_]\w*)\s*=(?![=~>])",
        "variables begin with $: ${name} = ...",
    ),
    (
        "",
        r"(?:^|[;{}])\s*[A-Z]\w*\s*=(?![=~>])",
        "variables begin with $ and a small letter: $x = 1",
    ),
    ("", r"\b(?:if|elsif|else|unless|for|while|def|function)\b[^{]*:\s*$", _BRACES),
    ("", r"(?:\{|\bdo)\s*\|", "the parameters of a lambda stand before its braces: |$x| { ... }"),
    ("", r"\|\s*[a-z_]\w*\s*[,|]", "names of parameters begin with $: |$x| { ... }"),
    (
        "",
        r"\bfunction\s+[\w:]+\s*\(\s*[a-z_]\w*\s*[,)=:]",
        "names of parameters begin with $: function f($x) { ... }",
    ),
    ("SYNTAX_ERROR", r"""["']\s*\.\s*["'$].*""", _JOIN),
    ("NOT_NUMERIC", r"""["'][^"']*["']\s*\+.*""", f"+ adds numbers; {_JOIN}"),
    ("NOT_NUMERIC", r"""["'][^"']*["']\s*%.*""", "sprintf('%s', $x) formats values"),
    (
        "SYNTAX_ERROR",
        r"\?[^{:]+:",
        "a choice is written $x ? { true => 1, default => 2 }, or with if and else",
    ),
    (
        "ILLEGAL_SIGNAL",
        r"\breturn\b",
        "return() ends a function or a lambda; here the last expression is the value",
    ),
    (
        "ILLEGAL_SIGNAL",
        r"\b(?:next|break)\b",
        "next() and break() work in a lambda, as in [1, 2].each |$x| { ... }",
    ),
)
"""What is written in another way: code of the error or '', a regular expression, the hint.

The expression is for the line of the error, and counts where what it matches reaches the place of
the error. The first row that fits wins.
"""

# Errors of these kinds may come from a habit. Others are about code that is Puppet's.
_CODES = frozenset(
    (
        "APPENDS_DELETES_NO_LONGER_SUPPORTED",
        "DISCONTINUED_IMPORT",
        "IDEM_EXPRESSION_NOT_LAST",
        "ILLEGAL_ASSIGNMENT",
        "ILLEGAL_SIGNAL",
        "NOT_NUMERIC",
        "PARSE_ERROR",
        "RESOURCE_WITHOUT_TITLE",
        "SYNTAX_ERROR",
    )
)
_BRACKETS = ("(", "[", "{", "<|", "<<|")
_QUESTION = re.compile(r"\s*[A-Za-z_][\w:]*\?+\s*")
_ONLY_WORD = re.compile(r"\s*(!?)\s*([A-Za-z_]+)\s*")
# The first word of the line, or behind a brace or a semicolon: no call, no key, no option.
_FIRST_WORD = re.compile(r"(?:^|[;{}])\s*([a-z_]+)\b(?!\(|\s*:|\s*=>)")
_WORD = re.compile(r"[a-z_]+\b")
# A call or a name in a longer word is none.
_MAGIC = re.compile(r"\s*(%%?)([A-Za-z_]\w*)(?![\w(:.])")

BARE = {
    "clear": "the command is :clear",
    "exit": _QUIT,
    "help": ":help lists the commands, :doc NAME shows documentation",
    "history": "the command is :history",
    "ls": ":vars lists the variables; " + _SHELL,
    "nil": _UNDEF,
    "null": _UNDEF,
    "pwd": _SHELL,
    "quit": _QUIT,
    "reset": "the command is :reset",
    "who": ":vars lists the variables",
    "whos": ":vars lists the variables",
}
"""Words that are only strings in Puppet, and what was meant by one that is a whole input."""

# What commands and cell magics of IPython are for.
_AGAIN = ":edit N opens an earlier input again"
_CALLS = "errors show their line and the calls that led there"
_COMMANDS = "commands begin with a colon or a percent sign"
_DEBUG = "notebooks have a debugger; :why EXPR explains the result of a condition"
_DIRECTORY = ":environment DIR takes a directory as the environment; the working directory stays"
_DOCUMENTED = ":doc NAME shows documentation"
_FORGET = ":forget NAME forgets a variable, function, type or class"
_INSTALL = "modules of Puppet are taken from the module path: :modulepath DIR"
_LIST = ":help lists the commands"
_LOAD = ":load FILE runs a manifest"
_NOTHING = "there is nothing to load; :help lists the commands"
_PLOT = "there are no plots; :graph draws the catalog"
_PUPPET = "cells hold Puppet code; other languages are not run"
_PYTHON = "code is Puppet's; :show python CODE shows the Python that it becomes"
_SAVE = ":save FILE writes the inputs of the session"
_SOURCE = ":doc NAME tells where a name is defined"
_TEXT = "text, HTML and formulas stand in a Markdown cell; :graph draws the catalog"
_VARIABLES = ":vars lists the variables"

COMMANDS = {
    "HTML": _TEXT,
    "SVG": _TEXT,
    "alias": _SHELL,
    "autocall": _COMMANDS,
    "automagic": _COMMANDS,
    "autoreload": "modules are read again when they have changed",
    "bash": _SHELL,
    "bookmark": _DIRECTORY,
    "capture": "in a notebook %%capture $name keeps what a cell shows",
    "cd": _DIRECTORY,
    "colors": ":set theme NAME chooses the colours of the terminal",
    "conda": _INSTALL,
    "config": ":set lists the settings, :set NAME VALUE changes one",
    "cp": _SHELL,
    "debug": _DEBUG,
    "dhist": _DIRECTORY,
    "dir": _SHELL,
    "dirs": _DIRECTORY,
    "gui": _PLOT,
    "html": _TEXT,
    "javascript": _TEXT,
    "js": _TEXT,
    "latex": _TEXT,
    "ldir": _SHELL,
    "lf": _SHELL,
    "lk": _SHELL,
    "ll": _SHELL,
    "load_ext": _NOTHING,
    "loadpy": _LOAD,
    "logoff": _SAVE,
    "logon": _SAVE,
    "logstart": _SAVE,
    "logstate": _SAVE,
    "logstop": _SAVE,
    "lsmagic": _LIST,
    "lx": _SHELL,
    "macro": "a function keeps code: function f($x) { ... }; :edit N opens an earlier input again",
    "magic": _LIST,
    "mamba": _INSTALL,
    "markdown": _TEXT,
    "matplotlib": _PLOT,
    "micromamba": _INSTALL,
    "mkdir": _SHELL,
    "mv": _SHELL,
    "notebook": ":save FILE.ipynb writes the session as a notebook",
    "pastebin": _SAVE,
    "pdb": _DEBUG,
    "pdef": _DOCUMENTED,
    "pdoc": _DOCUMENTED,
    "perl": _PUPPET,
    "pfile": _SOURCE,
    "pinfo": _DOCUMENTED,
    "pinfo2": _DOCUMENTED,
    "pip": _INSTALL,
    "popd": _DIRECTORY,
    "pprint": ":full shows a value in full",
    "precision": "sprintf('%.2f', $x) formats a number",
    "prun": ":bench CODE measures how long code takes",
    "psearch": ":functions, :types and :classes take a pattern and list what matches it",
    "psource": _SOURCE,
    "pushd": _DIRECTORY,
    "pwd": ":environment shows the directory of the environment",
    "pylab": _PLOT,
    "pypy": _PUPPET,
    "python": _PYTHON,
    "python2": _PYTHON,
    "python3": _PYTHON,
    "quickref": _LIST,
    "recall": _AGAIN,
    "reload_ext": _NOTHING,
    "rep": _AGAIN,
    "rerun": _AGAIN,
    "reset_selective": _FORGET,
    "rm": _SHELL,
    "rmdir": _SHELL,
    "ruby": _PUPPET,
    "run": _LOAD,
    "sc": _SHELL,
    "script": _SHELL,
    "set_env": "code sees the machine by its facts; :facts NAME=VALUE sets one",
    "store": ":save FILE writes the inputs of the session, :load FILE runs them",
    "svg": _TEXT,
    "sx": _SHELL,
    "system": _SHELL,
    "tb": _CALLS,
    "timeit": ":bench CODE runs code many times and shows how long one run takes",
    "unload_ext": _NOTHING,
    "uv": _INSTALL,
    "who": _VARIABLES,
    "who_ls": _VARIABLES,
    "whos": _VARIABLES,
    "writefile": "in a notebook %%file NAME writes a cell to a file",
    "xdel": _FORGET,
    "xmode": _CALLS,
}
"""Commands of IPython that this one lacks, and what does the same."""

CELL_MAGICS = {
    "puppet": "a cell is Puppet code without a magic",
    "sh": _SHELL,
    "timeit": ":bench CODE runs code many times; %%time runs a cell once and prints its time",
    "writefile": "%%file NAME writes a cell to a file",
}
"""Cell magics of IPython that have other hints than the commands of that name, or none of them."""


def habit_hint(error: PuppetError, own_functions: set[str]) -> str | None:
    """Return what Puppet has for what was written, None where it is no known habit.

    Words that are among the functions of the user are none.
    """
    subject = error.subject
    if subject is not None:
        if subject.name in own_functions:
            return None
        table = {"function": WORDS, "type": TYPES}.get(subject.kind, {})
        return table.get(subject.name)
    for source, code, start, line, column in _places(error):
        if code not in _CODES:
            continue
        text = source.line(line)
        at = len(text.rstrip()) if column is None and start is None else (column or 1) - 1
        found = (
            _magic_hint(text) or _word_hint(text, at, own_functions) or _symbol_hint(text, at, code)
        )
        if found is not None:
            return found
    return None


def _places(error: PuppetError) -> Iterator[tuple[Source, str, int | None, int, int | None]]:
    """Yield source, code, offset, line and column of an error, or of each that was found.

    An error at the end of a text is on the last line that is not empty; where a bracket was never
    closed, that is the reason, and no habit.
    """
    if isinstance(error, ValidationErrors):
        for report in error.reports:
            yield report.source, report.code, report.start, *report.position
    elif error.source is not None and error.line is not None:
        yield error.source, error.code, error.start or 0, error.line, error.column
    elif error.source is not None and error.code == "SYNTAX_ERROR":
        start, end = error.opening or (0, 0)
        if error.source.text[start:end] in _BRACKETS:
            return
        end = len(error.source.text.rstrip())
        yield error.source, error.code, None, error.source.position(max(end - 1, 0))[0], None


def _magic_hint(text: str) -> str | None:
    """Return the hint for a line that begins as a command or cell magic of IPython.

    Below code it is a part of that: a percent sign divides.
    """
    found = _MAGIC.match(text)
    if found is None:
        return None
    sign, name = found.groups()
    return command_hint(name) if sign == "%" else cell_magic_hint(name)


def _word_hint(text: str, at: int, own_functions: set[str]) -> str | None:
    """Return the hint for the word at a column, or for the one that begins its statement."""
    here = _WORD.match(text, at)
    words = [] if here is None else [here[0]]
    words += [found[1] for found in _FIRST_WORD.finditer(text) if found.start(1) <= at][::-1]
    for word in words[:2]:
        if word in WORDS and word not in own_functions:
            return WORDS[word]
    return None


def _symbol_hint(text: str, at: int, code: str) -> str | None:
    is_signal = code == "ILLEGAL_SIGNAL"  # it has a line only
    for wanted, pattern, hint in SYMBOLS:
        if wanted not in ("", code):
            continue
        for found in re.finditer(pattern, text):
            if is_signal or found.start() <= at <= found.end():
                return hint.replace("{name}", found.groupdict().get("name") or "")
    return None


def is_question(text: str) -> bool:
    """Tell whether an input asks for documentation as in IPython: ``each?``.

    To Puppet it is the beginning of a selector, which nobody writes so.
    """
    return _QUESTION.fullmatch(text) is not None


def note_on(text: str, own_functions: set[str]) -> str | None:
    """Return what was probably meant by an input of one word, which is a string to Puppet."""
    found = _ONLY_WORD.fullmatch(text)
    if found is None:
        return None
    sign, word = found.groups()
    if sign:
        is_value = word in ("true", "false", "undef", "default") or not word.islower()
        return None if is_value else f"! is 'not' in Puppet, and '{word}' a string; {_SHELL}"
    if word in own_functions or word not in BARE:
        return None
    return f"'{word}' is a string in Puppet; {BARE[word]}"


def command_hint(name: str) -> str | None:
    """Return what does the same as a command of IPython; None for any other name."""
    return COMMANDS.get(name)


def cell_magic_hint(name: str) -> str | None:
    """Return what does the same as a cell magic of IPython; None for any other name."""
    return CELL_MAGICS.get(name) or COMMANDS.get(name)
