"""Certificates and keys, by the package cryptography."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure

_NO_PACKAGE = (
    "validate_x509_rsa_key_pair(): this function needs the Python package cryptography: "
    "pip install 'puppet-repl[crypto]'"
)
_NO_START = "no start line"


def check_signature(certificate: str, key: str) -> None:
    """Raise an error unless an RSA key has signed a certificate; both are PEM texts."""
    try:
        from cryptography import x509
        from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
        from cryptography.hazmat.primitives.serialization import (
            load_pem_private_key,
            load_pem_public_key,
        )
    except ImportError:
        raise RuntimeFailure(_NO_PACKAGE) from None
    try:
        read = x509.load_pem_x509_certificate(certificate.encode())
    except ValueError as error:
        reason = _reason(certificate, "PEM_read_bio_X509", error)
        raise RuntimeFailure(f"Not a valid x509 certificate: {reason}") from None
    loaded: object
    try:
        if "PUBLIC KEY-----" in key:
            loaded = load_pem_public_key(key.encode())
        else:
            loaded = load_pem_private_key(key.encode(), None)
    except (TypeError, ValueError, UnsupportedAlgorithm) as error:
        reason = _reason(key, "PEM_read_bio_PrivateKey", error)
        raise RuntimeFailure(f"Not a valid RSA key: {reason}") from None
    if isinstance(loaded, RSAPrivateKey):
        public = loaded.public_key()
    elif isinstance(loaded, RSAPublicKey):
        public = loaded
    else:
        raise RuntimeFailure("Not a valid RSA key: incorrect pkey type: " + _kind(loaded))
    algorithm = read.signature_hash_algorithm
    padding = read.signature_algorithm_parameters
    try:
        if algorithm is None or not isinstance(padding, PKCS1v15):
            raise InvalidSignature
        public.verify(read.signature, read.tbs_certificate_bytes, padding, algorithm)
    except InvalidSignature:
        raise RuntimeFailure("Certificate signature does not match supplied key") from None


def _reason(text: str, reader: str, error: Exception) -> str:
    """Return what is wrong with a PEM text: OpenSSL's words where nothing of it is there."""
    return str(error) if "-----BEGIN" in text else f"{reader}: {_NO_START}"


def _kind(key: object) -> str:
    """Return OpenSSL's name of the kind of a key."""
    name = type(key).__name__.removesuffix("PrivateKey").removesuffix("PublicKey")
    return {"EllipticCurve": "id-ecPublicKey", "ECPrivate": "id-ecPublicKey"}.get(name, name)
