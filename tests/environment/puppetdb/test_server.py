"""``puppetdb_query`` and collectors ask a PuppetDB at an address: an HTTP server of the tests."""

from __future__ import annotations

import contextlib
import json
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

import puppet_repl
from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.catalog.storeconfigs import _resources
from puppet_repl.environment.puppetdb import server as asking
from puppet_repl.frontends.cli.command_line import main
from puppet_repl.session import Options, Session

NODES = [{"certname": "web01.example.com"}]
EXPORTED = {
    "certname": "db01.example.com",
    "type": "Notify",
    "title": "of db",
    "tags": ["notify"],
    "exported": True,
    "parameters": {"message": "hello"},
    "file": "/site.pp",
    "line": 3,
}

REDIRECTS = {f"moved{status} {{ }}": status for status in (301, 302, 303, 307, 308)}


class Handler(BaseHTTPRequestHandler):
    """Answers by the query, and keeps what it was asked."""

    server: Recorder

    def do_POST(self) -> None:
        """Answer a query."""
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, self.headers["Content-Type"], json.loads(content)))
        query = self.server.asked[-1][2]["query"]
        if query == "slow { }":
            time.sleep(5)
        if query == "broken { }":
            self._send(200, "<html>")
        elif query in ("large { }", "short { }"):
            self._send(200, "[" + " " * 2000, length=3000 if query == "short { }" else None)
        elif query == "trickle { }":
            self._trickle()
        elif str(query) in REDIRECTS:
            self._send(REDIRECTS[query], "", location="http://joe:s3cret@other.example.com/pdb")
        elif query == "bad {":
            self._send(400, "PQL parse error at line 1")
        else:
            rows = [self.server.exported] if "resources" in query else NODES
            self._send(200, json.dumps(rows))

    def _send(
        self, status: int, text: str, location: str | None = None, length: int | None = None
    ) -> None:
        self.send_response(status)
        if location is not None:
            self.send_header("Location", location)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(text.encode())

    def _trickle(self) -> None:
        """Send a blank now and then: each comes sooner than any limit of a socket."""
        self._send(200, "[")
        with contextlib.suppress(OSError):
            for _ in range(200):
                self.wfile.write(b" ")
                time.sleep(0.05)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


class Recorder(ThreadingHTTPServer):
    """A server that knows what it was asked."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str, Any]] = []
        self.exported = EXPORTED

    @property
    def address(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.server_address[1]}"


@pytest.fixture
def server() -> Iterator[Recorder]:
    with Recorder() as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.05,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def test_a_query_is_sent_as_puppet_does(server: Recorder) -> None:
    for address in (server.address, f"{server.address}/", f"{server.address}/pdb/query/v4"):
        session = Session(Options(puppetdb=address), facts={})
        assert session.execute("puppetdb_query('nodes { }')[0]['certname']").value == (
            "web01.example.com"
        )
    session.execute("puppetdb_query(['from', 'nodes', ['=', 'certname', 'a']])").unwrap()
    kind = "application/json; charset=UTF-8"
    assert server.asked[0] == ("/pdb/query/v4", kind, {"query": "nodes { }"})
    assert [path for path, _, _ in server.asked] == ["/pdb/query/v4"] * 4
    assert server.asked[-1][2] == {"query": ["from", "nodes", ["=", "certname", "a"]]}


def test_functions_of_puppetdbquery_ask_the_server(server: Recorder, tmp_path: Path) -> None:
    path = tmp_path / "puppetdbquery/lib/puppet/functions/query_nodes.rb"
    path.parent.mkdir(parents=True)
    path.write_text("require 'puppetdb/connection'\n")
    options = Options(puppetdb=server.address, modulepath=(str(tmp_path),), ruby="off")
    found = Session(options, facts={}).execute("query_nodes('web01')")
    assert found.value == ("web01.example.com",)
    condition = ["~", "certname", "web01"]
    assert [query for _, _, query in server.asked] == [
        {"query": ["from", "nodes", ["extract", ["certname"], condition]]}
    ]


def test_exported_resources_are_asked_for_once(server: Recorder) -> None:
    code = """\
        define later() { notify { 'later': } }
        later { 'x': }
        Notify <<| tag == 'Base' and message != 'x' |>>
        """
    catalog = puppet_repl.compile(code, node="web01.example.com", puppetdb=server.address)
    assert catalog["Notify[of db]"]["message"] == "hello"
    assert [request for _, _, request in server.asked] == [
        {
            "query": [
                "from",
                "resources",
                [
                    "and",
                    ["=", "type", "Notify"],
                    ["=", "exported", True],
                    ["not", ["=", "certname", "web01.example.com"]],
                    [
                        "and",
                        ["or", ["=", "tag", "base"]],
                        ["not", ["=", ["parameter", "message"], "x"]],
                    ],
                ],
            ]
        }
    ]


def test_a_class_cannot_be_collected(server: Recorder) -> None:
    server.exported = {**EXPORTED, "type": "Class"}
    session = Session(Options(puppetdb=server.address, storeconfigs=True), facts={})
    outcome = session.execute("Notify <<| |>>")
    assert outcome.error is not None
    assert "Unknown resource type: 'Class'" in outcome.error.message


def test_errors_name_the_server(server: Recorder) -> None:
    host = server.address.removeprefix("http://")
    for query, wanted in (
        (
            "bad {",
            f"PuppetDB at {host} refuses the query bad {{: [400 Bad Request] PQL parse error",
        ),
        ("broken { }", f"cannot ask PuppetDB at {host}: "),
    ):
        error = (
            Session(Options(puppetdb=server.address), facts={})
            .execute(f"puppetdb_query('{query}')")
            .error
        )
        assert error is not None
        assert wanted in error.message


def test_a_server_that_is_not_there() -> None:
    with Recorder() as gone:
        address = gone.address
    error = Session(Options(puppetdb=address), facts={}).execute("puppetdb_query('nodes {}')").error
    assert error is not None
    assert f"cannot ask PuppetDB at {address.removeprefix('http://')}: " in error.message


def test_the_time_of_an_input_limits_the_wait(server: Recorder) -> None:
    session = Session(Options(puppetdb=server.address, max_seconds=0.3), facts={})
    error = session.execute("puppetdb_query('slow { }')").error
    assert error is not None
    assert error.message == "Time limit exceeded (see max_seconds)"


def test_the_time_counts_for_the_whole_answer(server: Recorder) -> None:
    session = Session(Options(puppetdb=server.address, max_seconds=0.5), facts={})
    error = session.execute("puppetdb_query('trickle { }')").error
    assert error is not None
    assert error.message == "Time limit exceeded (see max_seconds)"


@pytest.mark.parametrize("query", REDIRECTS)
def test_redirects_are_errors(server: Recorder, query: str) -> None:
    host = server.address.removeprefix("http://")
    message = refusal(server, query)
    assert f"PuppetDB at {host} answers with a redirect to other.example.com" in message
    assert "s3cret" not in message
    assert len(server.asked) == 1


def test_answers_are_whole_and_not_too_large(
    server: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "its answer ends after 2001 of 3000 bytes" in refusal(server, "short { }")
    monkeypatch.setattr(asking, "MAX_BYTES", 2500)
    assert "its answer has more than 0 MB" in refusal(server, "short { }")
    monkeypatch.setattr(asking, "MAX_BYTES", 1500)
    assert "its answer has more than 0 MB" in refusal(server, "large { }")


def refusal(server: Recorder, query: str) -> str:
    """Return the message of a query that a server is asked."""
    session = Session(Options(puppetdb=server.address), facts={})
    error = session.execute(f"puppetdb_query('{query}')").error
    assert error is not None
    return error.message


def test_the_address_of_a_proxy_is_not_shown(
    server: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for proxy in ("http://joe:s3cret", "http://joe:s3cret@[::1", "http://joe:pa/s3cret@h"):
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.setenv("no_proxy", "")
        message = refusal(server, "nodes { }")
        assert "cannot ask PuppetDB at 127.0.0.1" in message
        assert "s3cret" not in message
    assert server.asked == []


def test_the_scheme_of_an_address_may_be_in_upper_case(server: Recorder) -> None:
    session = Session(Options(puppetdb=server.address.replace("http", "HTTP")), facts={})
    assert session.execute("puppetdb_query('nodes { }').size").value == 1


@pytest.mark.parametrize("rows", ['{"a": 1}', '[{"certname": 1}]'])
def test_an_answer_without_resources_names_the_host(rows: str) -> None:
    with pytest.raises(RuntimeFailure) as raised:
        _resources(json.loads(rows), "http://joe:s3cret@db.example.com:8081/x")
    assert "PuppetDB at db.example.com:8081" in str(raised.value)
    assert "s3cret" not in str(raised.value)


def test_a_hermetic_session_asks_nobody(
    server: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match="a hermetic session asks no server"):
        Options(puppetdb=server.address, hermetic=True)
    assert main(["--hermetic", "--puppetdb", server.address, "-e", "1"]) == 2
    assert "--puppetdb: a hermetic session asks no server" in capsys.readouterr().err
    assert server.asked == []


def test_a_file_of_the_settings_that_is_not_there(tmp_path: Path) -> None:
    settings = {"localcacert": str(tmp_path / "no-ca.pem")}
    options = Options(puppetdb="https://127.0.0.1:1", puppet_settings=settings)
    error = Session(options, facts={}).execute("puppetdb_query('nodes { }')").error
    assert error is not None
    assert "cannot ask PuppetDB at 127.0.0.1:1: " in error.message
    assert "no such file" in error.message.lower()


def test_certificates_are_those_of_the_settings(server: Recorder, tmp_path: Path) -> None:
    pytest.importorskip("cryptography", reason="it makes the certificates")
    files = certificate_files(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(files["localcacert"]))
    tls.verify_mode = ssl.CERT_REQUIRED
    tls.load_cert_chain(files["hostcert"], files["hostprivkey"])
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    address = server.address.replace("http:", "https:")
    settings = {name: str(path) for name, path in files.items()}
    without_ca = {name: each for name, each in settings.items() if name != "localcacert"}
    without_own = {"localcacert": settings["localcacert"]}
    code = "puppetdb_query('nodes { }')[0]['certname']"
    good, *refused = (
        Session(Options(puppetdb=address, puppet_settings=given), facts={}).execute(code)
        for given in (settings, without_ca, without_own)
    )
    assert good.value == "web01.example.com"
    for outcome in refused:
        assert outcome.error is not None
        assert "cannot ask PuppetDB at 127.0.0.1" in outcome.error.message
    assert len(server.asked) == 1


def certificate_files(directory: Path) -> dict[str, Path]:
    """Return a certificate of 127.0.0.1, which has signed itself, and its key, as settings."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(tz=UTC)
    usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    files = {"hostcert": directory / "cert.pem", "hostprivkey": directory / "key.pem"}
    files["hostcert"].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files["hostprivkey"].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return {**files, "localcacert": files["hostcert"]}
