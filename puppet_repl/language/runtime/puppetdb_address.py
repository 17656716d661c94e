"""What the option ``puppetdb`` names: a file, or a server by its address."""

from __future__ import annotations

OF_TLS = ("hostcert", "hostprivkey", "localcacert")
"""Settings of Puppet by which a server and its client know each other, if a user names them."""
_SCHEMES = ("http", "https")
_NO_HOST = "the address has no valid host and port"


def is_address(puppetdb: str) -> bool:
    """Tell whether the option names a server: an address begins with ``SCHEME://``, in any case.

    A single letter is a drive of Windows.
    """
    scheme, mark, _ = puppetdb.lstrip().partition("://")
    is_scheme = len(scheme) > 1 and scheme[0].isalpha() and scheme.isascii()
    return bool(mark) and is_scheme and all(sign.isalnum() or sign in "+-." for sign in scheme)


def address_problem(puppetdb: str) -> str | None:
    """Return why no server can be asked at an address, None for a good one and for a file.

    No part of the address is in the text but its scheme: others may be a password.
    """
    if not is_address(puppetdb):
        return None
    # Few sessions have an address.
    from urllib.parse import urlsplit

    scheme = puppetdb.lstrip().partition("://")[0].lower()
    if scheme not in _SCHEMES:
        return f"an address begins with http:// or https://, not with {scheme}://"
    if not puppetdb.isascii() or not puppetdb.isprintable() or " " in puppetdb:
        return "an address has only printable characters of ASCII, and no blanks"
    try:
        parts = urlsplit(puppetdb)
        if "@" in parts.netloc:
            return (
                "an address cannot have a user or a password: PuppetDB is shown the certificate of"
                " the settings hostcert and hostprivkey"
            )
        is_valid = bool(parts.hostname) and parts.port != 0
    except ValueError:  # its message may have the password
        return _NO_HOST
    if not is_valid or ("%" in parts.netloc and "[" not in parts.netloc):
        return _NO_HOST
    if parts.query or parts.fragment:
        return "an address ends with its path: it has neither '?' nor '#'"
    return None


def server_name(address: str) -> str:
    """Return the host and port of an address for messages, without a user and a password."""
    rest = address.partition("://")[2]
    for sign in "/?#":
        rest = rest.partition(sign)[0]
    return rest.rpartition("@")[2]
