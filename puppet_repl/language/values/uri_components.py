"""URIs from their components, with the checks of Ruby's URI library (RFC 2396)."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.ruby import no_method
from puppet_repl.language.values.uri import URI, escaped_fragment, escaped_query

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ESCAPED = "%[a-fA-F0-9]{2}"
_UNRESERVED = r"\-_.!~*'()a-zA-Z0-9"
_SEGMENTS = rf"(?:[{_UNRESERVED}:@&=+$,;/]|{_ESCAPED})*"
_IPV4 = r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}"
_HEX = "[a-fA-F0-9]{1,4}"
_IPV6 = (
    rf"(?:(?:{_HEX}:)*(?:{_HEX}|{_IPV4})"
    rf"|(?:(?:{_HEX}:)*{_HEX})?::(?:(?:{_HEX}:)*(?:{_HEX}|{_IPV4}))?)"
)
_SCHEME = re.compile(r"[a-zA-Z][\-+.a-zA-Z0-9]*", re.ASCII)
_USERINFO = re.compile(rf"(?:[{_UNRESERVED};:&=+$,]|{_ESCAPED})*", re.ASCII)
_HOST = re.compile(rf"(?:[a-zA-Z0-9\-.]|{_ESCAPED})+|\[{_IPV6}\]", re.ASCII)
_ABSOLUTE_PATH = re.compile(f"/{_SEGMENTS}", re.ASCII)
_RELATIVE_PATH = re.compile(rf"(?:[{_UNRESERVED};@&=+$,]|{_ESCAPED})+(?:/{_SEGMENTS})?", re.ASCII)
_OPAQUE = re.compile(
    rf"(?:[{_UNRESERVED};?:@&=+$,]|{_ESCAPED})(?:[{_UNRESERVED};/?:@&=+$,\[\]]|{_ESCAPED})*",
    re.ASCII,
)


def uri_of(given: dict[str, Any]) -> URI:
    """Return a URI of components. Raises RuntimeFailure with Ruby's words.

    ``given`` has strings, and the port as an Integer, by the names of the components.
    """
    parts = _of_scheme(dict(given))
    scheme, path, opaque = parts.get("scheme"), parts.get("path"), parts.get("opaque")
    _expect("scheme", _SCHEME, scheme)
    _check_userinfo(scheme, parts.get("userinfo"))
    host = parts.get("host")
    if host is not None and ":" in host and not (host.startswith("[") and host.endswith("]")):
        host = parts["host"] = f"[{host}]"
    _expect("host", _HOST, host)
    _check_path(scheme, path)
    if "query" in parts:
        parts["query"] = escaped_query(parts["query"])
    if opaque is not None:
        if any(parts.get(name) is not None for name in ("host", "port", "userinfo", "path")):
            raise RuntimeFailure("can not set opaque with host, port, userinfo or path")
        _expect("opaque", _OPAQUE, opaque)
    if "fragment" in parts:
        parts["fragment"] = escaped_fragment(parts["fragment"])
    if path is None and opaque is None:
        parts["path"] = ""
    return URI(**parts)


def _of_scheme(parts: dict[str, Any]) -> dict[str, Any]:
    """Return the components as the class of a scheme changes them."""
    scheme = parts.get("scheme")
    if scheme is None:
        return parts
    scheme = parts["scheme"] = scheme.lower()
    if scheme == "ftp":
        if parts.get("path") is None:
            raise no_method("sub", None)
        parts["path"] = "/" + re.sub("^/", "%2F", parts["path"])
    elif scheme == "mailto":
        parts["opaque"] = ""  # it is made of a component that Puppet does not pass
    elif scheme in ("ldap", "ldaps"):
        parts["query"] = ""  # likewise
    return parts


def _check_userinfo(scheme: str | None, userinfo: str | None) -> None:
    if userinfo is None:
        return
    if scheme == "file":
        raise RuntimeFailure("can not set userinfo for file URI")
    user, _, password = userinfo.partition(":")
    if not _USERINFO.fullmatch(user):
        raise RuntimeFailure(
            f"bad component(expected userinfo component or user component): {user}"
        )
    if not _USERINFO.fullmatch(password):
        raise RuntimeFailure("bad password component")


def _check_path(scheme: str | None, path: str | None) -> None:
    if not path or _ABSOLUTE_PATH.fullmatch(path):
        return
    if scheme is not None and scheme != "ftp":
        raise RuntimeFailure(f"bad component(expected absolute path component): {path}")
    if not _RELATIVE_PATH.fullmatch(path):
        raise RuntimeFailure(f"bad component(expected relative path component): {path}")


def _expect(name: str, pattern: re.Pattern[str], text: str | None) -> None:
    if text is not None and not pattern.fullmatch(text):
        raise RuntimeFailure(f"bad component(expected {name} component): {text}")
