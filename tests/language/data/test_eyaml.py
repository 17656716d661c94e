"""Values of eyaml files, with keys made here; what is wrong is told as OpenSSL tells it."""

from __future__ import annotations

import base64
import datetime
import itertools
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.session import Options, Session

x509 = pytest.importorskip("cryptography.x509")
hashes = pytest.importorskip("cryptography.hazmat.primitives.hashes")
serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
rsa = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.rsa")
pkcs7 = pytest.importorskip("cryptography.hazmat.primitives.serialization.pkcs7")

CONFIG = """
version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options:
"""
FILES = "      pkcs7_private_key: {0}/private.pem\n      pkcs7_public_key: {0}/public.pem\n"


def keys(serial: int) -> tuple[Any, Any]:
    """Return a private key and a certificate of it."""
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([])
    day = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    built = x509.CertificateBuilder(name, name, key.public_key(), serial, day, day)
    return key, built.sign(key, hashes.SHA256())


PAIR, OTHER = keys(7), keys(8)


def private_pem(key: Any) -> bytes:
    written: bytes = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    return written


def public_pem(certificate: Any) -> bytes:
    written: bytes = certificate.public_bytes(serialization.Encoding.PEM)
    return written


def message(text: str, certificate: Any = PAIR[1]) -> bytes:
    builder = pkcs7.PKCS7EnvelopeBuilder().set_data(text.encode()).add_recipient(certificate)
    made: bytes = builder.encrypt(serialization.Encoding.DER, [pkcs7.PKCS7Options.Binary])
    return made


def enc(data: bytes) -> str:
    return f"ENC[PKCS7,{base64.b64encode(data).decode()}]"


def look_up(root: Path, text: str, options: str = FILES, pair: tuple[Any, Any] = PAIR) -> Any:
    """Look the key k up in an eyaml file; return the value, or the message of the error."""
    (root / "data").mkdir()
    (root / "hiera.yaml").write_text(CONFIG + options.format(root))
    (root / "data/secrets.eyaml").write_text(text)
    (root / "private.pem").write_bytes(private_pem(pair[0]))
    (root / "public.pem").write_bytes(public_pem(pair[1]))
    outcome = Session(Options(environment=str(root)), facts={"kernel": "Linux"}).lookup("k")
    return outcome.value if outcome.error is None else outcome.error.message


def test_values(tmp_path: Path) -> None:
    text = f"k: ['{enc(message('a'))}', plain, 5, 'u:{enc(message('b'))}@', '%{{facts.kernel}}']\n"
    assert look_up(tmp_path, text) == ("a", "plain", 5, "u:b@", "Linux")


def test_a_decrypted_value_is_interpolated(tmp_path: Path) -> None:
    assert look_up(tmp_path, f"k: {enc(message('on %{facts.kernel}'))}\n") == "on Linux"


def test_blocks(tmp_path: Path) -> None:
    whole = enc(message("block"))
    lines = "\n  ".join(whole[start : start + 60] for start in range(0, len(whole), 60))
    assert look_up(tmp_path, f"k: >\n  {lines}\n") == "block"


def test_keys_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVATE", private_pem(PAIR[0]).decode())
    monkeypatch.setenv("PUBLIC", public_pem(PAIR[1]).decode())
    options = "      pkcs7_private_key_env_var: PRIVATE\n      pkcs7_public_key_env_var: PUBLIC\n"
    assert look_up(tmp_path, f"k: {enc(message('x'))}\n", options) == "x"


def test_relative_keys_may_be_in_the_environment(tmp_path: Path) -> None:
    options = "      pkcs7_private_key: private.pem\n      pkcs7_public_key: public.pem\n"
    assert look_up(tmp_path, f"k: {enc(message('x'))}\n", options) == "x"


NO_KEY = "      pkcs7_public_key: {0}/public.pem\n"
MISSING = NO_KEY + "      pkcs7_private_key: {0}/none.pem\n"
UNSET = NO_KEY + "      pkcs7_private_key_env_var: NOT_SET_HERE\n"
SWAPPED = "      pkcs7_private_key: {0}/public.pem\n      pkcs7_public_key: {0}/private.pem\n"


@pytest.mark.parametrize(
    ("value", "options", "reason"),
    [
        ("ENC[PKCS7,AAAA]", FILES, "Could not parse the PKCS7: no start line"),
        ("ENC[PKCS7,====]", FILES, "Could not parse the PKCS7: no start line"),
        (enc(message("x")[:-40]), FILES, "Could not parse the PKCS7: no start line"),
        (enc(message("x")[:-1] + b"?"), FILES, "bad decrypt"),
        (enc(message("x", OTHER[1])), FILES, "no recipient matches certificate"),
        ("ENC[GPG,AAAA]", FILES, "values of the kind GPG cannot be decrypted here, those of PKCS7"),
        (enc(message("x")), NO_KEY, "pkcs7_private_key is not defined"),
        (enc(message("x")), "      other: option\n", "pkcs7_public_key is not defined"),
        (enc(message("x")), MISSING, "No such file or directory @ rb_sysopen - "),
        (enc(message("x")), UNSET, "the environment variable NOT_SET_HERE is not set"),
        (enc(message("x")), SWAPPED, "Neither PUB key nor PRIV key: unsupported"),
    ],
    ids=itertools.count(),  # encrypted values differ in each process
)
def test_what_cannot_be_decrypted(tmp_path: Path, value: str, options: str, reason: str) -> None:
    failure = look_up(tmp_path, f"k: {value}\n", options)
    assert failure.startswith(f"hiera-eyaml backend error decrypting {value} when looking up k in ")
    assert f". Error was {reason}" in failure


def test_another_key(tmp_path: Path) -> None:
    failure = look_up(tmp_path, f"k: {enc(message('x'))}\n", pair=(OTHER[0], PAIR[1]))
    assert failure.endswith("Error was private key does not match certificate")


def test_plain_values_need_no_keys(tmp_path: Path) -> None:
    assert look_up(tmp_path, "k: {a: ENC, b: 'ENC[', c: 1}\n", "      a: b\n") is not None
    outcome = Session(Options(environment=str(tmp_path)), facts={}).lookup("k.a")
    assert outcome.value == "ENC"


def test_a_level_needs_a_path(tmp_path: Path) -> None:
    text = "version: 5\nhierarchy: [{name: s, lookup_key: eyaml_lookup_key}]\n"
    (tmp_path / "hiera.yaml").write_text(text)
    outcome = Session(Options(environment=str(tmp_path)), facts={}).lookup("k")
    assert outcome.error is not None
    assert "'eyaml_lookup_key': one of 'path', 'paths' 'glob'" in outcome.error.message
