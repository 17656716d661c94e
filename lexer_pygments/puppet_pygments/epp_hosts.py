"""Lexers for templates of files in other languages, one for each extension before ``.epp``.

Pygments gives a lexer the text of a file but not its name, so each language needs a lexer class. If
two lexers for a name rate a text alike, Pygments takes the class whose name sorts last: these names
sort after `EppLexer`.
"""

from __future__ import annotations

import re

from puppet_pygments.epp import CONFIGURATION, EppLexer

__all__ = [
    "HtmlEppLexer",
    "IniEppLexer",
    "JsonEppLexer",
    "PowerShellEppLexer",
    "PropertiesEppLexer",
    "ShellEppLexer",
    "SystemdEppLexer",
    "TomlEppLexer",
    "UnixConfEppLexer",
    "XmlEppLexer",
    "YamlEppLexer",
]


#: Above that of `EppLexer`.
PRIORITY = 0.6


def _rating(text: str, sign: str) -> float:
    """Rate a template a little higher where it has a sign of its host."""
    rating = EppLexer.analyse_text(text)
    return rating + 0.01 if rating and re.search(sign, text, re.MULTILINE) else rating


class HtmlEppLexer(EppLexer):
    """Lexer for EPP templates of web pages."""

    name = "HTML+EPP"
    aliases = ["html+epp"]
    filenames = ["*.html.epp", "*.htm.epp"]
    mimetypes = ["text/html+epp"]
    priority = PRIORITY
    host = "html"

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r"(?i)<(?:!doctype html|html|body)\b")


class IniEppLexer(EppLexer):
    """Lexer for EPP templates of INI files."""

    name = "INI+EPP"
    aliases = ["ini+epp"]
    filenames = ["*.ini.epp", "*.cfg.epp"]
    mimetypes = ["text/x-ini+epp"]
    priority = PRIORITY
    host = "ini"

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r"^\[[^\]\n]+\][ \t]*$")


class JsonEppLexer(EppLexer):
    """Lexer for EPP templates of JSON."""

    name = "JSON+EPP"
    aliases = ["json+epp"]
    filenames = ["*.json.epp"]
    mimetypes = ["application/json+epp"]
    priority = PRIORITY
    host = "json"

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r'^\s*"[^"\n]*"\s*:')


class PowerShellEppLexer(EppLexer):
    """Lexer for EPP templates of scripts for PowerShell."""

    name = "PowerShell+EPP"
    aliases = ["powershell+epp"]
    filenames = ["*.ps1.epp", "*.psm1.epp"]
    mimetypes = ["text/x-powershell+epp"]
    priority = PRIORITY
    host = "powershell"

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r"^\s*(?:param\s*\(|\$ErrorActionPreference\b)")


class PropertiesEppLexer(EppLexer):
    """Lexer for EPP templates of property files of Java."""

    name = "Properties+EPP"
    aliases = ["properties+epp"]
    filenames = ["*.properties.epp"]
    mimetypes = ["text/x-java-properties+epp"]
    priority = PRIORITY
    host = "properties"

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r"^\w+(?:\.\w+)+\s*=")


class ShellEppLexer(EppLexer):
    """Lexer for EPP templates of shell scripts."""

    name = "Bash+EPP"
    aliases = ["bash+epp", "sh+epp"]
    filenames = ["*.sh.epp", "*.bash.epp"]
    mimetypes = ["application/x-sh+epp"]
    priority = PRIORITY
    host = "bash"

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r"^#!.*\b(?:ba|da|k|z)?sh\b")


class SystemdEppLexer(EppLexer):
    """Lexer for EPP templates of units of systemd."""

    name = "Systemd+EPP"
    aliases = ["systemd+epp"]
    filenames = [
        "*.automount.epp",
        "*.mount.epp",
        "*.path.epp",
        "*.service.epp",
        "*.slice.epp",
        "*.socket.epp",
        "*.swap.epp",
        "*.target.epp",
        "*.timer.epp",
    ]
    mimetypes = ["text/x-systemd+epp"]
    priority = PRIORITY
    host = "systemd"

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r"^\[(?:Unit|Service|Timer|Socket)\]")


class TomlEppLexer(EppLexer):
    """Lexer for EPP templates of TOML."""

    name = "TOML+EPP"
    aliases = ["toml+epp"]
    filenames = ["*.toml.epp"]
    mimetypes = ["application/toml+epp"]
    priority = PRIORITY
    host = "toml"

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r"^\[\[[^\]\n]+\]\][ \t]*$")


class UnixConfEppLexer(EppLexer):
    """Lexer for EPP templates of configuration files: Apache, nginx, systemd, INI."""

    name = "Configuration+EPP"
    aliases = ["conf+epp"]
    filenames = ["*.conf.epp", "*.cnf.epp", "*.config.epp"]
    mimetypes = ["text/x-conf+epp"]
    priority = PRIORITY
    host = CONFIGURATION

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r"^[ \t]*<[A-Z]\w*[^<>%\n]*>[ \t]*$|^[ \t]*server\s*\{")


class XmlEppLexer(EppLexer):
    """Lexer for EPP templates of XML."""

    name = "XML+EPP"
    aliases = ["xml+epp"]
    filenames = ["*.xml.epp"]
    mimetypes = ["application/xml+epp"]
    priority = PRIORITY
    host = "xml"

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r"^<\?xml\b")


class YamlEppLexer(EppLexer):
    """Lexer for EPP templates of YAML."""

    name = "YAML+EPP"
    aliases = ["yaml+epp"]
    filenames = ["*.yaml.epp", "*.yml.epp"]
    mimetypes = ["text/x-yaml+epp"]
    priority = PRIORITY
    host = "yaml"

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text as a template, and by a sign of its host."""
        return _rating(text, r"^---[ \t]*$")
