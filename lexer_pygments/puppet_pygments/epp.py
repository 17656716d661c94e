"""Lexers for EPP, the templates of Puppet: text with Puppet code in ``<% %>``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pygments.lexer import DelegatingLexer, include
from pygments.lexers import find_lexer_class_by_name
from pygments.lexers.html import HtmlLexer
from pygments.token import Comment, Other, String, _TokenType

from puppet_pygments.lexer import PuppetLexer

__all__ = ["EppLexer", "HtmlEppLexer"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class EppLexer(PuppetLexer):
    """Lexer for EPP templates; what is outside the tags is `Other`.

    Additional option:

    `host`
        Name of the lexer for the text outside the tags, for example ``ini`` or ``nginx``
        (default: none).
    """

    name = "EPP"
    url = "https://www.puppet.com/docs/puppet/8/lang_template_epp.html"
    aliases = ["epp", "puppet-epp"]
    filenames = ["*.epp"]
    mimetypes = ["text/x-puppet-epp"]
    version_added = "2.22"

    tokens = {
        "root": [
            (r"[^<%]+", Other),
            (r"<%%|%%>", String.Escape),
            (r"<%#[^\n]*?(?<!%)%>", Comment.Multiline),
            (r"<%(?=#)", Comment.Multiline, "epp-comment"),
            (r"<%[-=]?", Comment.Preproc, "epp"),
            (r"<|%", Other),
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
        host = options.pop("host", None)
        self._hosted = (
            DelegatingLexer(find_lexer_class_by_name(host), EppLexer, **options) if host else None
        )

    def get_tokens_unprocessed(
        self, text: str, stack: Iterable[str] = ("root",)
    ) -> Iterator[tuple[int, _TokenType, str]]:
        """Split a template into (position, token type, value)."""
        if self._hosted is not None:
            return self._hosted.get_tokens_unprocessed(text)
        return super().get_tokens_unprocessed(text, stack)

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text by its tags, which ERB has too, and by what only Puppet has in them."""
        if "<%" not in text or "%>" not in text:
            return 0.0
        puppet = re.search(
            r"<%-?=?\s*(?:\|[^|]*\$|\$[a-z:]|\w+\(.*\$[a-z]|(?:if|unless) .*\{ -?%>)", text
        )
        return 0.6 if puppet else 0.05


class HtmlEppLexer(DelegatingLexer):
    """Lexer for EPP templates of HTML pages."""

    name = "HTML+EPP"
    url = EppLexer.url
    aliases = ["html+epp"]
    filenames = ["*.html.epp", "*.htm.epp"]
    mimetypes = ["text/html+epp"]
    version_added = "2.22"
    priority = 0.6  # above EppLexer for *.html.epp

    def __init__(self, **options: Any) -> None:
        super().__init__(HtmlLexer, EppLexer, **options)

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate the template and the page in it."""
        return EppLexer.analyse_text(text) + (0.05 if "<html" in text.lower() else -0.05)
