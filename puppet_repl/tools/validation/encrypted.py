"""Values that are encrypted as hiera-eyaml does it: whether they can be decrypted at all."""

from __future__ import annotations

import re

from puppet_repl.base.lenient_base64 import decode_leniently
from puppet_repl.language.data.pkcs7 import DecryptionError, check_structure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

RULE = "encrypted_value"
_ENCRYPTED = re.compile(r"ENC\[PKCS7,([^]]*)(\]?)", re.IGNORECASE)
_DIGITS = re.compile(r"[A-Za-z0-9+/]*={0,2}", re.ASCII)


def problems(text: str) -> Iterator[tuple[str, bool, str, str]]:
    """Yield the encrypted parts of a text that nobody can decrypt, with a level, rule and reason.

    A level is whether it is an error: what does not look like a message stays as it is. No key is
    needed.
    """
    for found in _ENCRYPTED.finditer(text):
        digits = "".join(found[1].split())
        is_message = digits.startswith("MII") and _DIGITS.fullmatch(digits) is not None
        if not found[2]:
            if is_message:  # otherwise it may be a text about encryption
                message = "the closing bracket is missing: the text stays the same"
                yield found.group(), False, RULE, message
        elif _DIGITS.fullmatch(digits) is None:
            yield found.group(), False, RULE, "the value is not Base64: the text stays the same"
        else:
            reason = _reason(digits)
            if reason is not None:
                yield found.group(), True, RULE, reason


def _reason(digits: str) -> str | None:
    try:
        check_structure(decode_leniently(digits))
    except DecryptionError:
        if len(digits) % 4:
            return "the value cannot be decrypted: its Base64 is cut off"
        return "the value cannot be decrypted: these bytes are not a message of PKCS #7"
    return None
