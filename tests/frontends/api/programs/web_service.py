"""A web service that evaluates code of strangers, in threads and with limits."""

import json
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import puppet_repl as puppet


class Evaluate(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        code = self.rfile.read(int(self.headers["Content-Length"])).decode()
        try:
            value = puppet.evaluate(code, facts="debian-12", hermetic=True, max_seconds=2)
            status, text = 200, puppet.to_json(value)
        except puppet.PuppetError as error:
            status, text = 400, json.dumps({"error": error.message, "code": error.code})
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


def ask(address: str, code: str) -> str:
    try:
        with urllib.request.urlopen(address, data=code.encode()) as response:
            return str(response.read().decode())
    except urllib.error.HTTPError as error:
        return f"{error.code} {error.read().decode()}"


puppet.evaluate("$facts", facts="debian-12", hermetic=True)  # the first one takes longer
with ThreadingHTTPServer(("127.0.0.1", 0), Evaluate) as server:
    threading.Thread(target=server.serve_forever).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    for code in (
        "$facts['os']['family']",
        "1 +",
        "Integer[1, 40000000].reduce |$a, $b| { $a + $b }",
    ):
        print(ask(address, code))
    server.shutdown()
