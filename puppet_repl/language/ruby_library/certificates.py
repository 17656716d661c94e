"""Certificates and keys, by the package cryptography; errors have OpenSSL's words."""

from __future__ import annotations

import binascii
import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.optional_packages import how_to_install

_BEGIN = re.compile(r"^-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[ \t]*\r?$", re.MULTILINE)
_END = re.compile(r"^-----END (?:TRUSTED |X509 )?CERTIFICATE-----", re.MULTILINE)
# OpenSSL's names of kinds of keys, by the classes of the package.
_KINDS = {
    "ECPrivateKey": "id-ecPublicKey",
    "ECPublicKey": "id-ecPublicKey",
    "Ed25519PrivateKey": "ED25519",
    "Ed25519PublicKey": "ED25519",
    "Ed448PrivateKey": "ED448",
    "Ed448PublicKey": "ED448",
    "DSAPrivateKey": "dsaEncryption",
    "DSAPublicKey": "dsaEncryption",
}


def check_signature(certificate: str, key: str) -> None:
    """Raise an error unless an RSA key has signed a certificate; both are PEM texts."""
    try:
        from cryptography import x509
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.padding import PSS, PKCS1v15
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
    except ImportError:
        raise RuntimeFailure(
            "validate_x509_rsa_key_pair(): this function needs the Python package cryptography: "
            + how_to_install("crypto")
        ) from None
    try:
        read = x509.load_der_x509_certificate(_der(certificate))
    except ValueError:
        raise _not_a_certificate("ASN1 lib") from None
    loaded = _load_key(key)
    if isinstance(loaded, RSAPrivateKey):
        loaded = loaded.public_key()
    if not isinstance(loaded, RSAPublicKey):
        kind = _KINDS.get(type(loaded).__name__, type(loaded).__name__)
        raise _not_a_key(f"incorrect pkey type: {kind}")
    algorithm = read.signature_hash_algorithm
    padding = read.signature_algorithm_parameters
    if algorithm is None or not isinstance(padding, PKCS1v15 | PSS):
        raise RuntimeFailure("wrong public key type")
    try:
        loaded.verify(read.signature, read.tbs_certificate_bytes, padding, algorithm)
    except InvalidSignature:
        raise RuntimeFailure("Certificate signature does not match supplied key") from None


def _der(certificate: str) -> bytes:
    """Return the bytes in a PEM text."""
    begin = _BEGIN.search(certificate)
    if begin is None:
        raise _not_a_certificate("no start line")
    end = _END.search(certificate, begin.end())
    if end is None:
        raise _not_a_certificate("bad end line")
    body = "".join(certificate[begin.end() : end.start()].split())
    try:
        return binascii.a2b_base64(body, strict_mode=True)
    except ValueError:
        raise _not_a_certificate("bad base64 decode") from None


def _load_key(key: str) -> object:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import (
        load_pem_private_key,
        load_pem_public_key,
    )

    try:
        if "PUBLIC KEY-----" in key:
            return load_pem_public_key(key.encode())
        return load_pem_private_key(key.encode(), None)
    except TypeError:  # it is encrypted
        raise _not_a_key("Neither PUB key nor PRIV key: unable to get passphrase") from None
    except (ValueError, UnsupportedAlgorithm):
        raise _not_a_key("Neither PUB key nor PRIV key: unsupported") from None


def _not_a_certificate(reason: str) -> RuntimeFailure:
    return RuntimeFailure(f"Not a valid x509 certificate: PEM_read_bio_X509: {reason}")


def _not_a_key(reason: str) -> RuntimeFailure:
    return RuntimeFailure(f"Not a valid RSA key: {reason}")
