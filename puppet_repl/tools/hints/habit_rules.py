"""The tables of hints for what people of other languages type, and for slips of the keyboard."""

from __future__ import annotations

from puppet_repl.language.syntax import calls, tokens

_PARAMETERS = "names of parameters begin with $: {type} f($x) { ... }"
_STRING = "{name} is a string here, the variable is ${name}"
_ARROW = "write => between a key, or an attribute, and its value: { {name} => ... }"
_SMALL_NAMES = "names of classes, defined types and functions begin with small letters"
_SMALL = "the value is written %s, with a small letter"
_WRITE = "notice() writes to the log: notice('x')"
_BIND = "variables begin with $ and are bound by =, without a word before: $x = 1"
_LOOP = (
    "Puppet has no loops but functions: [1, 2].each |$x| { ... }, Integer[1, 3].each |$i| { ... }"
)
_DEFINE = "functions are written function f($x) { ... }; their last expression is their value"
_ELSIF = "a further condition is written elsif: if $a { ... } elsif $b { ... } else { ... }"
_JOIN = 'strings in double quotes interpolate: "${a}${b}"'
_BRACES = "write blocks in braces: if $x { ... } else { ... }"
_CASE = "Puppet has case: case $x { 1, 2: { ... } default: { ... } }"
SHELL = "Puppet code runs no commands of a shell; an exec resource does that on a node"
_FAIL = "fail('...') ends a program with an error; Puppet has nothing that catches one"
_UNDEF = "no value is undef in Puppet"
_KEEPS = "a variable keeps its value in Puppet: bind another one, as in $next = $i + 1"
_UNLESS_UNDEF = "$x ? { undef => 3, default => $x } is $x unless it is undef"
_QUIT = "the command :quit leaves"
_TEXT = r"(?:'[^']*'|\"[^\"]*\")"
_DOC = ":doc NAME shows documentation, for example :doc each"
_MODULES = "there is nothing to import: functions and classes are found by their names"

WORDS = {
    "append": "$array << $x or $array + [$x] is a longer array; the old one stays as it is",
    "assert": "assert_type(Integer, $x) fails for a value of another type; fail('...') always does",
    "bool": "Boolean($x) makes a Boolean",
    "cat": SHELL,
    "cd": SHELL,
    "collect": "Puppet has map for this",
    "const": _BIND,
    "contains": "$x in $collection tells whether something is in it",
    "def": _DEFINE,
    "dict": "Hash($x) makes a Hash",
    "dir": ":names lists functions, types and classes",
    "die": _FAIL,
    "do": _LOOP,
    "each_pair": "a hash is walked by each: $hash.each |$key, $value| { ... }",
    "echo": _WRITE,
    "elif": _ELSIF,
    "elseif": _ELSIF,
    "end": _BRACES,
    "end_with": "$text =~ /abc$/ tells what a string ends with",
    "ends_with": "$text =~ /abc$/ tells what a string ends with",
    "endswith": "$text =~ /abc$/ tells what a string ends with",
    "endsWith": "$text =~ /abc$/ tells what a string ends with",
    "entries": "a hash is walked by each: $hash.each |$key, $value| { ... }",
    "error": "err() writes an error to the log, fail() ends the program",
    "exit": _QUIT,
    "export": _BIND,
    "first": "$array[0] is the first element",
    "float": "Float($x) makes a Float",
    "fn": _DEFINE,
    "fold": "Puppet has reduce for this",
    "for": _LOOP,
    "foreach": _LOOP,
    "forEach": "Puppet has each for this: [1, 2].each |$x| { ... }",
    "format": f"sprintf('%s', $x) formats values, and {_JOIN}",
    "from": _MODULES,
    "func": _DEFINE,
    "gsub": "regsubst($text, /b/, 'x', 'G') replaces what matches",
    "help": _DOC,
    "import": _MODULES,
    "in_array": "$x in $array tells whether something is in it",
    "inject": "Puppet has reduce for this",
    "int": "Integer($x) makes an Integer",
    "isinstance": "$x =~ Integer tells whether a value is of a type",
    "items": "a hash is walked by each: $hash.each |$key, $value| { ... }",
    "iteritems": "a hash is walked by each: $hash.each |$key, $value| { ... }",
    "lambda": "a lambda follows a call: [1, 2].map |$x| { $x + 1 }",
    "last": "$array[-1] is the last element",
    "len": "length($x) is the length: 'abc'.length, [1, 2].length",
    "let": _BIND,
    "list": "Array($x) makes an Array",
    "local": _BIND,
    "log": _WRITE,
    "loop": _LOOP,
    "lower": "Puppet has downcase for this",
    "ls": SHELL,
    "man": _DOC,
    "match": f"{_CASE}; 'abc'.match(/b/) searches a string",
    "my": _BIND,
    "not": "Puppet has ! for this: !$x",
    "panic": _FAIL,
    "parseFloat": "Float($x) makes a Float",
    "parseInt": "Integer($x) makes an Integer",
    "pass": "an empty block is { }",
    "print": _WRITE,
    "printf": f"sprintf() makes the text; {_WRITE}",
    "println": _WRITE,
    "push": "$array << $x or $array + [$x] is a longer array; the old one stays as it is",
    "puts": _WRITE,
    "pwd": SHELL,
    "quit": _QUIT,
    "raise": _FAIL,
    "repeat": _LOOP,
    "replace": "regsubst($text, /b/, 'x', 'G') replaces what matches",
    "select": "Puppet has filter for this",
    "set": _BIND,
    "sorted": "Puppet has sort for this",
    "start_with": "$text =~ /^abc/ tells what a string begins with",
    "starts_with": "$text =~ /^abc/ tells what a string begins with",
    "startswith": "$text =~ /^abc/ tells what a string begins with",
    "startsWith": "$text =~ /^abc/ tells what a string begins with",
    "str": f"String($x) makes a String, and {_JOIN}",
    "sub": "regsubst($text, /b/, 'x', 'G') replaces what matches",
    "substr": "$text[0, 3] is a part of a string: start and length",
    "substring": "$text[0, 3] is a part of a string: start and length",
    "sudo": SHELL,
    "sum": "$array.reduce(0) |$sum, $x| { $sum + $x } adds up",
    "switch": _CASE,
    "then": _BRACES,
    "throw": _FAIL,
    "times": "Integer[1, 3].each |$i| { ... } runs a block three times",
    "to_f": "Float($x) makes a Float",
    "to_i": "Integer($x) makes an Integer",
    "to_lower": "Puppet has downcase for this",
    "to_s": f"String($x) makes a String, and {_JOIN}",
    "to_upper": "Puppet has upcase for this",
    "tolower": "Puppet has downcase for this",
    "toLowerCase": "Puppet has downcase for this",
    "toupper": "Puppet has upcase for this",
    "toUpperCase": "Puppet has upcase for this",
    "trim": "Puppet has strip for this",
    "try": _FAIL,
    "tuple": "Array($x) makes an Array",
    "typeof": "type($x) is the type of a value",
    "upper": "Puppet has upcase for this",
    "upto": _LOOP,
    "var": _BIND,
    "warn": "warning() writes a warning to the log: warning('x')",
    "while": _LOOP,
}
"""A word that is taken for a function, or that begins a statement, and what Puppet has instead."""

BLOCK_WORDS = frozenset(
    word for word, hint in WORDS.items() if hint in (_LOOP, _DEFINE, _ELSIF, _CASE, _FAIL)
)
"""Words that have blocks elsewhere: an error in the block may come from them."""

TYPES = {
    "Absent": _SMALL % "absent",
    "Console": _WRITE,
    "False": "the value is written false",
    "Installed": _SMALL % "installed",
    "Latest": _SMALL % "latest",
    "None": _UNDEF,
    "Null": _UNDEF,
    "Present": _SMALL % "present",
    "Running": _SMALL % "running",
    "Stopped": _SMALL % "stopped",
    "System": _WRITE,
    "True": "the value is written true",
}
"""Names of values elsewhere that are references to types in Puppet."""

SURE_SYMBOLS = (
    (
        "",
        r"\bfor(?:each)?\s*\(?\s*\$?(?P<name>[a-z_]\w*)\s+(?:in|of)\s+"
        r"\$?(?P<list>[a-z_][\w:]*)\s*\)?\s*[:{]",
        "loops are functions: ${list}.each |${name}| { ... }",
    ),
    ("", r"\b(?:fmt|System\.out)\.\w+", _WRITE),
    ("", r"\b(?:and|or)\s+not\b", "Puppet has ! for this: !$x"),
    ("", r"\|\|=|\?\?\s*[^\s?]", _UNLESS_UNDEF),
    ("", r"\.[a-z_]\w*\?(?!\s*\{)", "names of functions have no question mark"),
)
"""As ``SYMBOLS``, but these count before words do."""

SYMBOLS = (
    ("", r"&&", "Puppet has 'and' for this: $a and $b"),
    ("", r"\|\|", "Puppet has 'or' for this: $a or $b"),
    ("", r"[=!]==", "values are compared by == and !=; case does not count, types do: 1 != '1'"),
    ("", r"\*\*", "Puppet has no **; it multiplies: $i * $i (a * before a value unfolds an array)"),
    ("", rf"{_TEXT}\s*\+\+|\+\+\s*['\"]", _JOIN),
    (
        "",
        r"(?:^|[;{}(,=])\s*\+\+\s*\$\w|\+\+(?!\s*[\w$(\[{])|--(?!\s*[\w$'\"(\[{])"
        r"|[-+*/]=|(?:<<|>>)=",
        _KEEPS,
    ),
    ("", r":=", "= binds a variable: $x = 1"),
    ("", r"^\s*\?+\s*(?P<name>[A-Za-z_][\w:]*)\s*$", ":doc {name} shows the documentation"),
    ("", r"^\s*(?P<name>[A-Za-z_][\w:]*)\s*\?+\s*$", ":doc {name} shows the documentation"),
    (
        "",
        r"^\s*!\s*(?!(?:true|false|undef|default)\b)[a-z][\w./-]*[ \t]+"
        r"(?!(?:and|or|in)\b|[=!<>?.,;{})\]]).*",
        SHELL,
    ),
    ("", r"```", "a fence of Markdown is around the code: leave it out"),
    ("", r"`", SHELL),
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
    ("", r"(?:\{|\bdo)\s*\|", "the parameters of a lambda come before its braces: |$x| { ... }"),
    ("", r"\|\s*[a-z_]\w*\s*[,|]", "names of parameters begin with $: |$x| { ... }"),
    ("SYNTAX_ERROR", rf"{_TEXT}\s*\.\s*['\"$]|\$\w+\s+\.\s*['\"]", _JOIN),
    ("NOT_NUMERIC", rf"{_TEXT}\s*\+|\+\s*{_TEXT}", f"+ adds numbers; {_JOIN}"),
    ("NOT_NUMERIC", rf"{_TEXT}\s*%", "sprintf('%s', $x) formats values"),
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

The expression is for the code of the error's line, where strings and comments say nothing. It
counts if the error is in the text that it matches, or right after it. The first row that fits
applies.
"""

# No names that stand for themselves: words of the language, and calls without parentheses.
_NO_NAMES = (*tokens.KEYWORDS, "false", "true", *calls.STATEMENT_CALLS)
# What a resource is titled with, and a key.
_TITLE = r"(?:'[^']*'|\"[^\"]*\"|[\w.:$/-]+|\[[^\]]*\])"
_KEY = r"(?P<name>'[^']*'|\"[^\"]*\"|\w+)"
_RESOURCE = r"\b(?!else\b|do\b|then\b)(?P<type>[a-z]\w*(?:::\w+)*)\s*\{\s*"

_PLAN = "plans are files in a directory plans; validate reads them elsewhere with --tasks"

PLACES = (
    ("PARSE_ERROR", r"(?:\A|[;}\n])\s*plan\s+", r"[a-z][\w:]*\s*\(", _PLAN),
    ("SYNTAX_ERROR", r"(?:\A|[;}\n])\s*plan\s+[a-z][\w:]*\s*\([^{]*", r"\$\w", _PLAN),
    (
        "SYNTAX_ERROR",
        rf"(?:\A|[;{{}}\n])\s*(?!(?:{'|'.join(WORDS)}|else)\b)"
        r"(?P<type>[a-z]\w*(?:::\w+)*)\s*\{\s*"
        r"""(?P<title>'[^']*'|"[^"]*")\s*""",
        r"\}",
        "a colon follows the title: {type} { {title}: }",
    ),
    (
        "SYNTAX_ERROR",
        _RESOURCE + rf"(?P<title>{_TITLE})\s*",
        r"(?:,\s*)?(?P<name>[a-z_]\w*)\s*=>",
        "a colon follows the title: {type} { {title}: {name} => ... }",
    ),
    (
        "SYNTAX_ERROR",
        r"=>[^;]*[\w'\"\])}]\s+",
        r"""['"]?[\w:]+['"]?\s*=>""",
        "separate attributes, and entries of a hash, by commas",
    ),
    (
        "SYNTAX_ERROR",
        _RESOURCE + rf"{_TITLE}\s*:(?:[^{{}}]*,)?\s*",
        r"""(?P<quote>['"])(?P<name>\w+)(?P=quote)\s*=>""",
        "write names of attributes without quotes: {name} => ...",
    ),
    (
        "SYNTAX_ERROR",
        _RESOURCE + rf"{_TITLE}\s*:(?:[^{{}}]*,)?\s*",
        r"(?P<name>[A-Z]\w*)\s*=>",
        "names of attributes begin with a small letter",
    ),
    (
        "SYNTAX_ERROR",
        r"\bcase\b[^{}]*\{(?:[^{}]|\{[^{}]*\})*",
        r"=>",
        "options of a case are written 3: { ... }; => is for the selector $x ? { 3 => 'a' }",
    ),
    (
        "SYNTAX_ERROR",
        r"\bcase\b[^{}]*\{(?:[^{}]|\{[^{}]*\})*[\w'\"]\s*",
        r"\{",
        "a colon follows each option: default: { ... }",
    ),
    (
        "SYNTAX_ERROR",
        r"\bcase\b[^{}]*\{(?:[^{}]|\{[^{}]*\})*:\s*",
        r"""['"$\w]""",
        "each option of a case has a block: 3: { 'a' }",
    ),
    (
        "SYNTAX_ERROR",
        r"(?:\{[^{}]*[,:]|\{)\s*(?P<name>[a-z_]\w*)\s*",
        r"->",
        _ARROW,
    ),
    (
        "SYNTAX_ERROR",
        _RESOURCE + rf"{_TITLE}\s*:(?:[^{{}}]*,)?\s*(?P<name>[a-z_]\w*)\s*",
        r"=(?![=~>])",
        _ARROW,
    ),
    (
        "SYNTAX_ERROR",
        r"[\w'\"\])]\[\s*-?\w*\s*",
        r":\s*-?\w*\s*\]",
        "select a part by start and length: [80, 443, 8080][0, 2], 'text'[1, -1]",
    ),
    (
        "SYNTAX_ERROR",
        r"\A(?:[^{}()\[\]]*\n)?\s*[\w-]+\s*",
        r":\s",
        "this looks like YAML, which files of data have; a hash is { 'key' => 'value' }",
    ),
    (
        "SYNTAX_ERROR",
        r"\b[A-Z]\w*(?:::[A-Z]\w*)*\s*(?:\[[^\]]*\]|<<?\|[^|{}]*\|>>?)?"
        r"\s*\{\s*(?:[^{}]*,\s*)?(?P<name>[a-z_]\w*)\s*",
        r"=(?![=~>])",
        _ARROW,
    ),
    (
        "SYNTAX_ERROR",
        r"[=(,\[>]\s*\{\s*(?:[^{}]*,\s*)?(?P<name>[a-z_]\w*)\s*=(?![=~>])[^{}=,]*",
        r"[,}]",
        _ARROW,
    ),
    (
        "SYNTAX_ERROR",
        rf"(?:\{{[^{{}}]*[,:]|(?<!\bcase )(?<!\bif )\{{|[\[(,])\s*{_KEY}\s*",
        r":(?!:)",
        _ARROW,
    ),
    (
        "SYNTAX_ERROR",
        r"\b(?P<type>file)\s*\{\s*/?[\w./-]*",
        r"[\w./-]+\s*:",
        "a title that is a path is written in quotes: {type} { '/tmp/x': ... }",
    ),
    (
        "SYNTAX_ERROR",
        r"\|\s*",
        r"[=-]>",
        "the block of a lambda directly follows its parameters: |$x| { ... }",
    ),
    (
        "SYNTAX_ERROR",
        r"\w\(\s*(?:[^()]*,\s*)?",
        r"\|\s*\$",
        "a lambda follows the parentheses of a call: [1, 2].map |$x| { ... }",
    ),
    (
        "SYNTAX_ERROR",
        r"\b(?:function|class|define)\s+[\w:]+\s*\([^)]*",
        r"[a-z]\w*\s+\$",
        "types begin with a capital letter: Integer, String, Boolean, Array, Hash",
    ),
    (
        "SYNTAX_ERROR",
        r"\b(?P<type>function|class|define)\s+[\w:]+\s*\([^)]*",
        r"[a-z_]\w*\s*[,)=:]",
        _PARAMETERS,
    ),
    (
        "SYNTAX_ERROR",
        r"\b(?:function|class|define)\s+[\w:]+\s*\([^)]*\$\w+\s*",
        r":",
        "write the type of a parameter before it: String $x",
    ),
    (
        "SYNTAX_ERROR",
        r"\bfunction\s+[\w:]+\s*\([^)]*\)\s*",
        r"(?::|->)\s*[A-Z]",
        "write the type of the result after >>: function f($x) >> String { ... }",
    ),
    (
        "SYNTAX_ERROR",
        r"\bfunction\s+[\w:]+\s*\([^)]*\)\s*",
        r"=>?",
        "write the body of a function in braces: function f($x) { $x }",
    ),
    (
        "SYNTAX_ERROR",
        r"\btype\s+",
        r"[a-z]\w*\s*=",
        "names of types begin with a capital letter: type Port = Integer[1, 65535]",
    ),
    (
        "SYNTAX_ERROR",
        r"\A\s*[a-z_]\w*\s*",
        r"=>",
        "write attributes inside a resource: file { '/tmp/x': ensure => file }",
    ),
    (
        "SYNTAX_ERROR",
        r"\.(?P<name>[a-z]\w*)\s*\{[^{}|]*",
        r"[^|]",
        "a block has its parameters in front: .{name} |$x| { ... }",
    ),
    ("SYNTAX_ERROR", r"(?:\bin|=)\s*\([^()]*", r",", "arrays are written in brackets: [1, 2]"),
    (
        "SYNTAX_ERROR",
        r"[\w\])]\.",
        r"\.\s*[\w$]",
        "a range is a type of Integer: Integer[1, 5].each |$i| { ... }",
    ),
    (
        "SYNTAX_ERROR",
        r"=\s*",
        r"\|\s*\$",
        "a lambda is not a value, it follows a call; function f($x) { ... } has a name",
    ),
    (
        "SYNTAX_ERROR",
        r"=>\s*(?:'[^']*'|\"[^\"]*\"|\w+),\s*(?:'[^']*'|\"[^\"]*\"|\w+)\s*",
        r"[,;}]",
        "several values are an array: groups => ['wheel', 'sudo']",
    ),
    (
        "SYNTAX_ERROR",
        r"\b(?:fucntion|funciton|functoin|funtion|fuction|functio|functon)\s+[\w:]+\s*\([^()]*\)"
        r"\s*\{[^{}]*",
        r"",
        "did you mean function?",
    ),
    ("SYNTAX_ERROR", r"\$[\w:\])'\"\[]+\s*<\s?", r">", "!= tells whether two values differ"),
    (
        "SYNTAX_ERROR",
        r"\$\w+\s*\?",
        r"\.",
        "$h.get('a.b') is undef where a key on the way is missing",
    ),
    ("SYNTAX_ERROR", r"\A\s*", r"\?+\s*\Z", ":help shows commands; :doc NAME tells of a name"),
    (
        "SYNTAX_ERROR",
        r"\A[^?{(\[\n]+\s",
        r":[a-z]+\s*\Z",
        "a command has its line for itself, and begins it",
    ),
    ("SYNTAX_ERROR", r"", r"[‘’“”«»]", "quotes are straight: 'a' or \"a\""),
    ("SYNTAX_ERROR", r"(?:\A|[^\w\])'\"])\s*", r"\.\d", "a number begins with a digit: 0.5"),
    (
        "PARSE_ERROR RESOURCE_WITHOUT_TITLE",
        r"\b(?:include|contain|require)\s+",
        r"['\"\w][\w:]*['\"]?\s*\{",
        "parameters are given where a class is declared: class { 'web': port => 80 }",
    ),
    ("PARSE_ERROR", r"\A\s*\$\w+", r",\s*\$[^=]*=", "several variables: [$x, $y] = [1, 2]"),
    (
        "PARSE_ERROR",
        r"",
        r"(?P<name>cron|exec|file|group|host|mount|notify|package|service|user)"
        r"\s*\(\s*(?P<title>'[^']*'|\"[^\"]*\")\s*\)\s*\{",
        "a resource is declared as {name} { {title}: ... }",
    ),
    (
        "PARSE_ERROR",
        r"",
        r"@(?P<name>[a-z_]\w*)\s*(?:=(?![=~>])|\Z)",
        "variables begin with $: ${name}; @ declares virtual resources",
    ),
    (
        "RESOURCE_WITHOUT_TITLE",
        r"",
        r"(?P<type>[a-z][\w:]*)\s*\{\s*(?P<name>[a-z_]\w*)\s*=>",
        "a resource has a title: {type} { 'title': {name} => ... }",
    ),
    ("ILLEGAL_REASSIGNMENT", r"", r"", _KEEPS),
    (
        "ILLEGAL_ASSIGNMENT",
        r"\$[a-z]\w*",
        r"-[a-z]\w*\s*=",
        "names of variables have no hyphens, but may have underscores: $my_port",
    ),
    (
        "ILLEGAL_INDEXED_ASSIGNMENT",
        r"",
        r"",
        "values never change: $array + [3] and $hash + { 'c' => 3 } are new, longer ones",
    ),
    ("ILLEGAL_VAR_NAME", r"", r"\$[A-Z]", "names of variables begin with a small letter"),
    (
        "ILLEGAL_DEFINITION_NAME",
        r"",
        r"\w+\s+[\w:]*-",
        "names have no hyphens; an underscore does",
    ),
    (
        "ILLEGAL_DEFINITION_NAME",
        r"",
        r"(?:class|define|function)\s+(?:[\w:]*::)?[A-Z]",
        _SMALL_NAMES,
    ),
    ("ILLEGAL_CLASS_REFERENCE", r"\b(?:class|define|function)\s+\w+:", r":", _SMALL_NAMES),
    (
        "ILLEGAL_CLASS_REFERENCE",
        r"[A-Z]\w*:",
        r":\w",
        "each part of the name of a type begins with a capital letter",
    ),
    (
        "UNMATCHED_SELECTOR",
        r"",
        r"",
        "default => is for all other values: $x ? { 1 => 'a', default => 'b' }",
    ),
    ("BAD_STRING_SLICE_KEY_TYPE", r"(?<![\w$'\"\]):])(?P<name>[a-z_]\w*)\[\s*", r"['\"$]", _STRING),
    (
        "NOT_NUMERIC",
        r"",
        r"""(?P<name>'[^']*'|"[^"]*")\s*\*\s*(?P<list>\d+|\$[\w:]+)(?![\w:]|\s*[.\[])""",
        "* multiplies numbers; a text repeated: Integer[1, {list}].map |$i| { {name} }.join",
    ),
    (
        "NOT_NUMERIC",
        r"",
        r"""(?P<name>'[^']*'|"[^"]*")\s*\*(?!\*)""",
        "* multiplies numbers; a text three times: Integer[1, 3].map |$i| { {name} }.join",
    ),
    ("NOT_NUMERIC", r"(?:\A|\n)\s*-", r"-\s", "comments begin with #"),
    ("NOT_NUMERIC", r"(?:\A|\n)\s*", r"set\s+-", SHELL),
    (
        "NOT_NUMERIC",
        r"\(\s*(?P<name>[a-z_]\w*)\s*[=-]>\s*",
        r"[a-z_]",
        "a lambda follows a call: [1, 2].map |${name}| { ... }",
    ),
    (
        "NOT_NUMERIC",
        r"(?:\A|[^\w$'\":])",
        rf"(?!(?:cat|cd|ls|pwd|sudo|{'|'.join(_NO_NAMES)})\b)(?P<name>[a-z_]\w*)(?![\w('\"\[:])",
        _STRING,
    ),
    (
        "IDEM_EXPRESSION_NOT_LAST",
        r"",
        r"(?:[$%]\s+)?puppet(?:\s+apply|-repl)\s(?:.*\s)?(?P<name>[\w./-]+\.pp)\s*$",
        "that is a command of the shell; :load {name} runs a manifest",
    ),
    (
        "IDEM_EXPRESSION_NOT_LAST",
        r"",
        r"(?:[$%]\s+)?puppet(?:-repl|\s+(?:agent|apply|config|doc|facts|help|lookup|module|parser"
        r"|resource|strings)\b)",
        "that is a command of the shell; type code as in a manifest",
    ),
    (
        "IDEM_EXPRESSION_NOT_LAST",
        r"",
        r"""(?:[fbru]|rb|br|fr)["']""",
        f"a letter before a quote means nothing; {_JOIN}",
    ),
    (
        "IDEM_EXPRESSION_NOT_LAST",
        r"",
        r"""(?:'[^']*'|"[^"]*")[ \t]+["'$]""",
        f"adjacent strings are not joined; {_JOIN}",
    ),
    (
        "IDEM_EXPRESSION_NOT_LAST",
        r"",
        r"(?:int|float|bool|str|string|list|dict|auto|[A-Z]\w*(?:\[[^\]]*\])?)\s+\$?(?P<name>[a-z_]\w*)\s*=(?![=~>])",
        "variables have no type: ${name} = ...; assert_type(String, ${name}) checks one",
    ),
    (
        "IDEM_EXPRESSION_NOT_LAST",
        r"",
        r"\$\w+\s+is\b",
        "== compares values, =~ asks for a type: $x == undef, $x =~ String",
    ),
)
"""What is written in another way, or slipped: codes of errors, what is before and at them.

Both are regular expressions; the first one ends, the second one begins where the error is. A hint
may have what their groups have matched. The first row that fits takes precedence.
"""

BARE = {
    "clear": "Ctrl-L clears the screen",
    "exit": _QUIT,
    "help": ":help shows commands, :doc NAME shows documentation",
    "history": "the command is :history",
    "ls": ":vars lists the variables; " + SHELL,
    "nil": _UNDEF,
    "null": _UNDEF,
    "pwd": SHELL,
    "quit": _QUIT,
    "reset": "the command is :reset",
    "who": ":vars lists the variables",
    "whos": ":vars lists the variables",
}
"""Words that are only strings in Puppet, and what was meant by one that is a whole input."""
