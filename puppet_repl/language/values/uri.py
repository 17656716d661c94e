"""URIs as Ruby's URI library (RFC 3986) reads, compares and merges them."""

from __future__ import annotations

from functools import cache

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.protocols import Members, Operand
from puppet_repl.language.values.ruby import ruby_quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Hashable

    from puppet_repl.language.values.protocols import Value

COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque")
DEFAULT_PORTS = {
    "ftp": 21,
    "http": 80,
    "https": 443,
    "ldap": 389,
    "ldaps": 636,
    "ws": 80,
    "wss": 443,
}


@cache
def _pattern(absolute: bool) -> re.Pattern[str]:
    import re

    plain = r"(?:%[0-9A-Fa-f]{2}|[!$&-.0-9;=A-Z_a-z~:@])"
    head = "(?P<scheme>[A-Za-z][+.0-9A-Za-z-]*):" if absolute else ""
    if absolute:
        rest = rf"(?P<absolute>/(?:{plain}+(?:/{plain}*)*)?)|(?P<opaque>{plain}+(?:/{plain}*)*)"
    else:
        first = r"(?:%[0-9A-Fa-f]{2}|[!$&-.0-9;=A-Z_a-z~@])+"
        rest = rf"(?P<absolute>/(?:{plain}+(?:/{plain}*)*)?)|(?P<relative>{first}(?:/{plain}*)*)"
    return re.compile(
        rf"{head}(?://(?:(?P<userinfo>(?:%[0-9A-Fa-f]{{2}}|[!$&-.0-9;=A-Z_a-z~:])*)@)?"
        r"(?P<host>\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]|\[v[0-9A-Fa-f]+\.[!$&-.0-9;=A-Z_a-z~:]+\]"
        r"|(?:%[0-9A-Fa-f]{2}|[!$&-.0-9;=A-Z_a-z~])*)"
        rf"(?::(?P<port>[0-9]*))?(?P<path>(?:/{plain}*)*)|{rest}|)"
        rf"(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>(?:{plain}|[/?])*))?\Z"
    )


def _dumped(text: str) -> str:
    """Return what Ruby's ``dump`` returns: characters beyond ASCII by their codes."""
    quoted = ruby_quoted(text)
    return "".join([each if each.isascii() else _code(ord(each)) for each in quoted])


def _code(code: int) -> str:
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\u{{{code:X}}}"


class URI(Operand, Members):
    """A parsed URI; missing parts have the value None, a missing path ''."""

    __slots__ = ("fragment", "host", "opaque", "path", "port", "query", "scheme", "userinfo")
    data_type = "URI"

    def __init__(
        self,
        scheme: str | None = None,
        userinfo: str | None = None,
        host: str | None = None,
        port: int | None = None,
        path: str | None = None,
        query: str | None = None,
        fragment: str | None = None,
        opaque: str | None = None,
    ) -> None:
        self.scheme = scheme
        self.userinfo = userinfo
        self.host = host
        if scheme == "file":
            port = None
        self.port = port if port is not None or scheme is None else DEFAULT_PORTS.get(scheme)
        self.path = path
        self.query = query
        self.fragment = fragment
        self.opaque = opaque

    @property
    def ruby_class(self) -> str:
        """The class of Ruby's library that a URI of this scheme has."""
        names = {"file": "File", "mailto": "MailTo"}
        scheme = self.scheme or ""
        known = scheme.upper() if scheme in DEFAULT_PORTS else names.get(scheme, "Generic")
        return f"URI::{known}"

    @classmethod
    def parse(cls, text: str) -> URI:
        """Read a URI or a relative reference. Raises RuntimeFailure with Ruby's words."""
        if not text.isascii():
            raise RuntimeFailure(f"URI must be ascii only {_dumped(text)}")
        match = _pattern(True).match(text) or _pattern(False).match(text)
        if match is None:
            raise RuntimeFailure(f"bad URI(is not URI?): {ruby_quoted(text)}")
        found = match.groupdict()
        scheme = found.get("scheme")
        opaque = found.get("opaque")
        query = found["query"]
        path: str | None = found["path"] or found["absolute"] or found.get("relative") or ""
        if opaque is not None:
            path = None
            if query is not None:
                opaque, query = f"{opaque}?{query}", None
        if query is not None:
            query = escaped_query(query)
        host = found["host"]
        if scheme is not None:
            scheme = scheme.lower()
            if scheme == "file":
                host = host or ""
            elif host == "":
                host = None
        port = int(found["port"]) if found["port"] else None
        fragment = found["fragment"]
        if scheme == "mailto":
            _check_recipients(opaque)
        return cls(scheme, found["userinfo"], host, port, path, query, fragment, opaque)

    def puppet_text(self) -> str:
        """Join the parts; the default port of the scheme is omitted."""
        text = "" if self.scheme is None else f"{self.scheme}:"
        if self.opaque is not None:
            text += self.opaque
        else:
            if self.host is not None or self.scheme == "file":
                text += "//"
            if self.userinfo:
                text += f"{self.userinfo}@"
            text += self.host or ""
            if self.port is not None and self.port != DEFAULT_PORTS.get(self.scheme or ""):
                text += f":{self.port}"
            text += self.path or ""
            if self.query is not None:
                text += f"?{self.query}"
        return text if self.fragment is None else f"{text}#{self.fragment}"

    def ruby_inspect(self) -> str:
        """Write the class and the text."""
        return f"#<{self.ruby_class} {self.puppet_text()}>"

    def puppet_program(self) -> str:
        """Write the call that makes an equal value."""
        return f"URI('{self.puppet_text()}')"

    def puppet_literal(self) -> str:
        """Write the same call inside an object's attributes."""
        return self.puppet_program()

    def components(self) -> dict[str, object]:
        """Return the parts that are present, in the usual order."""
        parts = {name: getattr(self, name) for name in COMPONENTS}
        return {name: part for name, part in parts.items() if part is not None}

    def merge(self, other: URI) -> URI:
        """Resolve a reference against this URI (RFC 3986, 5.2). Raises RuntimeFailure."""
        if other.scheme is not None:
            return other
        if self.scheme is None:
            raise RuntimeFailure("both URI are relative")
        if self.opaque is not None:
            if other.query is not None:
                raise RuntimeFailure("query conflicts with opaque")
            fragment = self.fragment if other.fragment is None else other.fragment
            return URI(self.scheme, opaque=self.opaque, port=self.port, fragment=fragment)
        scheme, fragment = self.scheme, other.fragment
        if other.host is not None:
            userinfo = other.userinfo or self.userinfo
            path = other.path
            return URI(scheme, userinfo, other.host, other.port, path, other.query, fragment)
        path, query = self.path, other.query
        if other.path:
            path = _merge_paths(self.path or "", other.path)
        elif query is None:
            query = self.query
            fragment = self.fragment if fragment is None else fragment
        return URI(scheme, self.userinfo, self.host, self.port, path, query, fragment)

    def puppet_arithmetic(self, operator: str, other: object) -> object:
        """Merge with ``+``, the only operator."""
        if operator != "+":
            return NotImplemented
        if type(other) is str:
            other = URI.parse(other)
        if type(other) is not URI:
            raise RuntimeFailure("An URI can only be merged with an URI or String")
        return self.merge(other)

    def has_member(self, name: str) -> bool:
        """Tell whether ``.name`` is a part."""
        return name in COMPONENTS

    def call_member(self, name: str, args: tuple[Value, ...], block: Value = None) -> Value:
        """Return a part by its name; arguments are ignored."""
        return getattr(self, name)

    def puppet_key(self) -> Hashable:
        """Return what tells values apart: the parts as they are written."""
        return tuple([getattr(self, name) for name in COMPONENTS])

    def _normal(self) -> tuple[object, ...]:
        """Return the parts for ``==``: no case in the host, and no path is ``/``."""
        path = "/" if self.host and self.path == "" else self.path
        host = None if self.host is None else self.host.lower()
        return (
            self.scheme,
            self.userinfo,
            host,
            self.port,
            path,
            self.query,
            self.opaque,
            self.fragment,
        )

    def puppet_equals(self, other: object) -> bool:
        """Compare: two are equal if they are in their normal forms."""
        return type(other) is URI and self._normal() == other._normal()

    def __eq__(self, other: object) -> bool:
        return self.puppet_equals(other)

    def __hash__(self) -> int:
        return hash(self._normal())

    def __repr__(self) -> str:
        return f"URI({self.puppet_text()!r})"


def _check_recipients(opaque: str | None) -> None:
    """Raise for a mailto URI without addresses, in Ruby's words."""
    import re

    if opaque is None:
        raise RuntimeFailure("missing opaque part for mailto URL")
    if not re.fullmatch(r"(?:[^@,;]+@[^@,;]+(?:\Z|[,;]))*", opaque.partition("?")[0]):
        raise RuntimeFailure(f"unrecognised opaque part for mailtoURL: {opaque}")


# The characters that a query or a fragment may contain; all others are escaped.
_IN_QUERY = "!$-&(-;=?-_a-~"
_IN_FRAGMENT = "!-~"


def escaped_query(text: str) -> str:
    """Escape what a query may not have. Raises RuntimeFailure for a wrong %HH."""
    import re

    wrong = re.search("%[^0-9a-fA-F]{2}", text)
    if wrong is not None:
        raise RuntimeFailure(f"invalid percent escape: {wrong[0]}")
    return _escaped(text, _IN_QUERY)


def escaped_fragment(text: str) -> str:
    """Escape what a fragment may not have."""
    return _escaped(text, _IN_FRAGMENT)


def _escaped(text: str, allowed: str) -> str:
    """Escape all but some characters as %HH; tabs and line ends are dropped."""
    import re

    def escape(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in match[0].encode())

    text = re.sub("[\t\r\n]", "", text)
    return re.sub(rf"(?!%[0-9A-Fa-f]{{2}}|[{allowed}])(?s:.)", escape, text)


def _merge_paths(base: str, relative: str) -> str:
    """Replace the last segment by a relative path, and resolve dots."""
    if not relative.startswith("/"):
        relative = base[: base.rfind("/") + 1] + relative
        if not relative.startswith("/"):
            relative = "/" + relative
    segments = relative[1:].split("/")
    kept: list[str] = []
    for index, segment in enumerate(segments):
        last = index == len(segments) - 1
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
            continue
        if last:
            kept.append("")
    return "/" + "/".join(kept)
