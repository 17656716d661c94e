"""Messages that are encrypted for the owner of a certificate: PKCS #7, EnvelopedData.

The structure is read here, as DER; the package cryptography decrypts. Errors have OpenSSL's words.
"""

from __future__ import annotations

from puppet_repl.base.optional_packages import how_to_install

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_NO_MESSAGE = "Could not parse the PKCS7: no start line"
_ENVELOPED = bytes.fromhex("2a864886f70d010703")
_RSA = bytes.fromhex("2a864886f70d010101")
# Object identifiers of ciphers, all in the mode CBC.
_AES = tuple(bytes.fromhex(f"6086480165030401{kind}") for kind in ("02", "16", "2a"))
_TRIPLE_DES = bytes.fromhex("2a864886f70d0307")
_SEQUENCE, _SET, _INTEGER, _OBJECT, _OCTETS = 0x30, 0x31, 0x02, 0x06, 0x04
# Content of another type than its tag says, in one piece or in several.
_WHOLE, _IN_PIECES = 0x80, 0xA0


class DecryptionError(Exception):
    """A message cannot be decrypted; the text says why."""


class NoKeyError(DecryptionError):
    """A message may be right, but what decrypts it is not here."""


class _Element:
    """A part of a message: a tag, its bytes as a whole and those of its content."""

    def __init__(self, data: bytes, start: int) -> None:
        try:
            self.tag = data[start]
            size = data[start + 1]
            at = start + 2
            if size & 0x80:
                count = size & 0x7F
                size = int.from_bytes(data[at : at + count], "big")
                at += count
        except IndexError:
            _refuse(_NO_MESSAGE)
        self.end = at + size
        if self.end > len(data) or (size == 0 and data[start + 1] == 0x80):
            _refuse(_NO_MESSAGE)
        self.whole = data[start : self.end]
        self.content = data[at : self.end]

    def parts(self) -> list[_Element]:
        """Return the elements in the content."""
        found: list[_Element] = []
        start = 0
        while start < len(self.content):
            found.append(_Element(self.content, start))
            start = found[-1].end
        return found

    def expect(self, *tags: int) -> list[_Element]:
        """Return the parts, whose first ones must have these tags."""
        parts = self.parts()
        if [part.tag for part in parts[: len(tags)]] != [*tags]:
            _refuse(_NO_MESSAGE)
        return parts


def _refuse(reason: str) -> NoReturn:
    raise DecryptionError(reason)


def decrypt(message: bytes, private_key: bytes, certificate: bytes) -> bytes:
    """Return what a message holds; key and certificate are PEM. Raises DecryptionError."""
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError:
        raise NoKeyError(
            f"the Python package cryptography is not installed ({how_to_install('eyaml')})"
        ) from None
    try:
        key: Any = load_pem_private_key(private_key, None)
    except (TypeError, ValueError):
        raise DecryptionError("Neither PUB key nor PRIV key: unsupported") from None
    try:
        owner = x509.load_pem_x509_certificate(certificate)
    except ValueError:
        raise DecryptionError("PEM_read_bio_X509: no start line") from None
    envelope = _envelope(message)
    if owner.public_key() != key.public_key():
        raise NoKeyError("private key does not match certificate")
    encrypted = _encrypted_key(envelope, owner)
    try:
        secret = key.decrypt(encrypted, PKCS1v15())
    except (AttributeError, ValueError):
        raise DecryptionError("decrypt error") from None
    return _content(envelope, secret)


def check_structure(message: bytes) -> None:
    """Raise DecryptionError for bytes of another form, which no key can decrypt."""
    envelope = _envelope(message)
    for recipient in envelope[1].parts():
        recipient.expect(_INTEGER, _SEQUENCE, _SEQUENCE, _OCTETS)
    _encrypted(envelope)


def _encrypted(envelope: list[_Element]) -> tuple[bytes, bytes, bytes]:
    """Return the kind of the cipher, its vector, and the encrypted content."""
    _, algorithm, content, *_ = envelope[2].expect(_OBJECT, _SEQUENCE)
    kind, vector, *_ = algorithm.expect(_OBJECT, _OCTETS)
    if content.tag not in (_WHOLE, _IN_PIECES):
        _refuse(_NO_MESSAGE)
    data = content.content
    if content.tag == _IN_PIECES:
        data = b"".join([part.content for part in content.parts()])
    return kind.content, vector.content, data


def _envelope(message: bytes) -> list[_Element]:
    """Return version, recipients and content of a message."""
    kind, inner, *_ = _Element(message, 0).expect(_OBJECT, _IN_PIECES)
    if kind.content != _ENVELOPED:
        _refuse("wrong content type")
    return inner.expect(_SEQUENCE)[0].expect(_INTEGER, _SET, _SEQUENCE)


def _encrypted_key(envelope: list[_Element], owner: Any) -> bytes:
    """Return the key of the content, which is encrypted for the owner of a certificate."""
    for recipient in envelope[1].parts():
        if recipient.tag != _SEQUENCE:
            continue
        _, identity, algorithm, encrypted, *_ = recipient.expect(
            _INTEGER, _SEQUENCE, _SEQUENCE, _OCTETS
        )
        issuer, serial, *_ = identity.expect(_SEQUENCE, _INTEGER)
        number = int.from_bytes(serial.content, "big", signed=True)
        if issuer.whole != owner.issuer.public_bytes() or number != owner.serial_number:
            continue
        if algorithm.expect(_OBJECT)[0].content != _RSA:
            _refuse("unsupported encryption of the key")
        return encrypted.content
    raise NoKeyError("no recipient matches certificate")


def _content(envelope: list[_Element], secret: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.modes import CBC
    from cryptography.hazmat.primitives.padding import PKCS7

    kind, vector, data = _encrypted(envelope)
    try:
        cipher = _cipher(kind, secret)
        decryptor = Cipher(cipher, CBC(vector)).decryptor()
        padded = decryptor.update(data) + decryptor.finalize()
        unpadder = PKCS7(cipher.block_size).unpadder()
        return unpadder.update(padded) + unpadder.finalize()
    except ValueError:
        raise DecryptionError("bad decrypt") from None


def _cipher(kind: bytes, secret: bytes) -> Any:
    if kind in _AES:
        from cryptography.hazmat.primitives.ciphers.algorithms import AES

        return AES(secret)
    if kind != _TRIPLE_DES:
        _refuse("unsupported cipher")
    try:
        from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
    except ImportError:
        raise DecryptionError("unsupported cipher") from None
    return TripleDES(secret)
