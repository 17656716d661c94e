"""The messages of puppet-strings and YARD, by the rules of ours that they stand for."""

from __future__ import annotations

import re
from collections import Counter
from typing import TypeAlias

#: A rule, the name in the message or '', and the file or ''.
Told: TypeAlias = tuple[str, str, str]

_NEAR = r"(?: near| at) (?P<file>[\w/.]+):\d+"
_MESSAGES = (
    ("unknown-param", r"The @param tag for parameter '(?P<name>.*?)' has no matching .*" + _NEAR),
    ("unknown-param", r"The @param tag for '(?P<name>.*?)' has no matching attribute" + _NEAR),
    ("unknown-param", r"The @param tag for '(?P<name>.*?)' should not exist .*" + _NEAR),
    ("type-mismatch", r"The type of the @param tag for parameter '(?P<name>.*?)' .*" + _NEAR),
    ("type-mismatch", r"Documented return type does not match .*" + _NEAR),
    ("type-mismatch", r"The @\w+ tag for '(?P<name>.*?)' .*a different type .*" + _NEAR),
    ("missing-param", r"Missing @param tag for (?:parameter|attribute) '(?P<name>.*?)'" + _NEAR),
    ("missing-documentation", r"Missing documentation for Puppet .*'(?P<name>.*?)'" + _NEAR),
    ("missing-return", r"Missing @return tag" + _NEAR),
    ("missing-description", r"Missing a description for .*?'(?P<name>.*?)'.*" + _NEAR),
    ("missing-description", r"Missing a description for Puppet Task (?P<name>\w+)\.\."),
    ("missing-description", r"Missing description for param '(?P<name>.*?)' in Puppet Task"),
    ("missing-method", r"Missing @!method tag for function '(?P<name>.*?)'" + _NEAR),
    ("unknown-method", r"The @!method tag for '(?P<name>.*?)' has no matching .*" + _NEAR),
    ("unreadable-documentation", r"Failed to parse docstring for .*?'(?P<name>.*?)'.*" + _NEAR),
    ("undocumentable", r"in PuppetStrings.*: Undocumentable .*" + _NEAR),
    ("invalid-function", r".*he function definition for '(?P<name>.*?)'" + _NEAR),
    ("invalid-interface", r"Invalid datatype definition" + _NEAR),
    ("needless-type", r"The @param tag for parameter '(?P<name>.*?)' should not .*" + _NEAR),
    ("misplaced-tag", r"The docstring for Puppet 4.x function '(?P<name>.*?)' .*" + _NEAR),
    ("duplicate-block", r"A duplicate block parameter was found .*'(?P<name>.*?)'" + _NEAR),
    ("wrong-arguments", r"Expected 2 arguments to '(?P<name>.*?)' call" + _NEAR),
    ("wrong-arguments", r"Unexpected number of arguments .*" + _NEAR),
    ("long-summary", r"The length of the summary for \w+ '(?P<name>.*?)'"),
    ("see-in-braces", r"@see tag \(#\d+\) should not be wrapped"),
    ("unknown-tag", r"Unknown tag @(?P<name>\S+) in file `(?P<file>.*?)`"),
    ("invalid-tag", r"Invalid tag format for @(?P<name>\S+) in file `(?P<file>.*?)`"),
    ("unknown-directive", r"Unknown directive @!(?P<name>\S+) in file `(?P<file>.*?)`"),
    ("unreadable", r"Cannot parse `(?P<file>.*?)': invalid byte"),
    ("syntax", r"Syntax error in `(?P<file>[\w/.]*?)`"),
    ("syntax", r"Failed to parse (?P<file>\S+): "),
    # The same once more, without a file; and mistakes of the program itself.
    ("", r"Unknown (?:tag|directive) @\S+$|Invalid tag format for @\S+$"),
    ("", r"ParserSyntaxError|ArgumentError|NoMethodError|Unhandled exception"),
)


def told(log: str) -> Counter[Told]:
    """Return what the messages of a log tell; raise ValueError for one that is unknown."""
    found: Counter[Told] = Counter()
    for line in log.splitlines():
        level, _, message = line.partition(": ")
        if level not in ("[warn]", "[error]"):
            continue
        for rule, pattern in _MESSAGES:
            match = re.match(pattern, message)
            if match:
                parts = {"name": "", "file": "", **match.groupdict()}
                found[rule, parts["name"] or "", parts["file"] or ""] += 1
                break
        else:
            raise ValueError(f"an unknown message: {message}")
    return Counter({key: count for key, count in found.items() if key[0]})
