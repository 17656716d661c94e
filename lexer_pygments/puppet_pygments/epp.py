"""Lexer for EPP, the templates of Puppet: text with Puppet code in ``<% %>``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from pygments.lexer import DelegatingLexer, include
from pygments.lexers import find_lexer_class_by_name, find_lexer_class_for_filename
from pygments.token import Comment, Other, String, _TokenType

from puppet_pygments.lexer import PuppetLexer

__all__ = ["CONFIGURATION", "EppLexer"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

#: The host of files whose name does not tell their language, as ``*.conf``: their text tells it.
CONFIGURATION = "configuration"
# Signs of configuration files, each with the lexer that they are for.
_SIGNS = (
    (
        r"^\[(?:Install|Match|Mount|Network|Path|Service|Slice|Socket|Timer|Unit)\][ \t]*$",
        "systemd",
    ),
    (r"^[ \t]*<[A-Z]\w*[^<>\n]*>[ \t]*$", "apacheconf"),
    (r"^[ \t]*(?:events|http|location .*|server|upstream .*)\{", "nginx"),
    (r"^[ \t]*[a-z_]+[ \t]+[^=\n]*;[ \t]*$", "nginx"),
    (r"^\[[^\]\n]+\][ \t]*$|^[ \t]*[\w.-]+[ \t]*=", "ini"),
    # each line begins with a keyword, and there are no braces
    (r"\A(?:[ \t]*(?:#.*|[A-Za-z][^{}\n]*)?(?:\n|\Z))*\Z", "apacheconf"),
)


class EppLexer(PuppetLexer):
    """Lexer for EPP templates; the text outside the tags is `Other`, unless there is a host.

    Additional options:

    `host`
        Name of the lexer for the text outside the tags, for example ``ini`` or ``nginx``;
        ``configuration`` chooses one of those for configuration files by the text
        (default: none).

    `filename`
        Name of the template. The extension before ``.epp`` chooses the host: that of
        ``app.yaml.epp`` is YAML (default: none).
    """

    name = "EPP"
    url = "https://www.puppet.com/docs/puppet/8/lang_template_epp.html"
    aliases = ["epp", "puppet-epp"]
    filenames = ["*.epp"]
    mimetypes = ["text/x-puppet-epp"]
    version_added = "2.22"

    host: ClassVar[str] = ""

    tokens = {
        "root": [
            (r"(?:[^<%]+|<(?!%)|%(?!%>))+", Other),
            (r"<%%|%%>", String.Escape),
            (r"<%#[^\n]*?(?<!%)%>", Comment.Multiline),
            (r"<%(?=#)", Comment.Multiline, "epp-comment"),
            (r"<%[-=]?", Comment.Preproc, "epp"),
        ],
        "epp": [
            (r"-?%>", Comment.Preproc, "#pop"),
            include("code"),
        ],
        "epp-comment": [
            (r"(?<!%)%>", Comment.Multiline, "#pop"),
            (r"[^%]+|%", Comment.Multiline),
        ],
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._host = options.get("host") or _host_of(options.get("filename", "")) or self.host
        if self._host not in ("", CONFIGURATION):
            find_lexer_class_by_name(self._host)  # raises ClassNotFound

    def get_tokens_unprocessed(
        self, text: str, stack: Iterable[str] = ("root",)
    ) -> Iterator[tuple[int, _TokenType, str]]:
        """Split a template into (position, token type, value)."""
        host = _lexer_of_configuration(text) if self._host == CONFIGURATION else self._host
        if not host:
            return super().get_tokens_unprocessed(text, stack)
        options = {**self.options, "host": "", "filename": ""}
        hosted = DelegatingLexer(find_lexer_class_by_name(host), EppLexer, **options)
        return hosted.get_tokens_unprocessed(text)

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text by its tags, which ERB has too, and by what only Puppet has in them."""
        if "<%" not in text or "%>" not in text:
            return 0.0
        puppet = re.search(
            r"<%-?=?\s*(?:\|[^|]*\$|\$[a-z:]|\w+\(.*\$[a-z]|(?:if|unless) .*\{ *-?%>)", text
        )
        return 0.85 if puppet else 0.05


def _host_of(filename: str) -> str:
    """Return the name of the lexer for a template, '' if the file's name does not determine one."""
    base = os.path.basename(filename)
    inner = base.removesuffix(".epp")
    if inner == base or "." not in inner:
        return ""
    if inner.endswith((".conf", ".cnf", ".config")):
        return CONFIGURATION
    lexer = find_lexer_class_for_filename(inner)
    return lexer.aliases[0] if lexer is not None else ""


def _lexer_of_configuration(template: str) -> str:
    """Return the name of the lexer for a configuration file, '' for what none is good for."""
    head, *others = template.split("<%")
    text = head + "".join(f"x{part.partition('%>')[2]}" for part in others)
    return next((name for sign, name in _SIGNS if re.search(sign, text, re.MULTILINE)), "")
