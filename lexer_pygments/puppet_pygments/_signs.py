"""What tells a manifest from texts in other languages."""

from __future__ import annotations

import re

__all__ = ["rating_of"]

_COMMENTS = r"(?:#[^\n]*\n\s*)*"
_QUALIFIED = r"(?:::)?[a-z]\w*(?:::[a-z]\w*)+"
_NAME = r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*"
#: The beginning of a parameter list: comments, the type of the first parameter, its name.
_PARAMETERS = rf"\(\s*{_COMMENTS}(?:[A-Z][\w:]*(?:\[[^$()]*\])?\s+)?\$[a-z_]\w*"
_TITLE = r"(?:'[^'\n]*'|\"[^\"\n]*\"|\$[\w:\[\]'.]+|\[[^{}]*\]|default)[ \t]*:"


#: Patterns, each with how sure it makes that a text is Puppet.
_SIGNS = (
    # aliases of types, and definitions with a namespace
    (rf"^[ \t]*type\s+[A-Z]\w*(?:::[A-Z]\w*)+\s*=\s*{_COMMENTS}[A-Z]", 0.9),
    (rf"^(?:class|define|plan)\s+{_QUALIFIED}\s*(?:\(\s*\)\s*)?(?:\{{|inherits\s)", 0.8),
    (rf"^(?:class|define|plan)\s+{_NAME}\s*(?:inherits\s+{_NAME}\s*)?{_PARAMETERS}", 0.9),
    (rf"^function\s+{_QUALIFIED}\s*{_PARAMETERS}", 0.9),
    (rf"^class\s+{_NAME}\s+inherits\s+{_NAME}\s*\{{", 0.9),
    (rf"^function\s+{_NAME}\s*\(\s*\)\s*>>\s*[A-Z]", 0.9),
    # resources, and what belongs to nodes
    (rf"^[ \t]*(?:@@?)?{_NAME}[ \t]*\{{\s*{_TITLE}\s*{_COMMENTS}(?:[a-z]\w*|\*)\s*=>", 0.9),
    (rf"^[ \t]*(?:@@?)?{_NAME}[ \t]*\{{\s*{_TITLE}\s*(?:\}}|$)", 0.6),
    (r"^node\s+(?:default|'[\w.-]+'|/\S+/)\s*\{", 0.8),
    (r"^[ \t]*[A-Z]\w*(?:::[A-Z]\w*)*[ \t]*<<?\|", 0.8),
    (r"^[ \t]*[A-Z]\w*(?:::[A-Z]\w*)*\['[^'\n]*'\]\s*[~-]>", 0.8),
    # statements that are short and might be something else
    (rf"^class\s+{_NAME}\s*\{{\s*{_COMMENTS}(?:(?:include|contain|require)\s|\$\w+\s*=)", 0.6),
    (rf"^[ \t]*(?:include|contain) {_QUALIFIED}[ \t]*$|\|\$\w+\| *\{{", 0.3),
    (rf"^(?:class|define|plan)\s+{_NAME}\s*[({{]", 0.1),
)


def rating_of(text: str) -> float:
    """Return how sure the most telling sign in a text makes that it is Puppet."""
    return max(
        (rating for pattern, rating in _SIGNS if re.search(pattern, text, re.MULTILINE)),
        default=0.0,
    )
