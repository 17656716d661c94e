"""The option ``puppetdb`` names a file, or the address of a server, whose password is not shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.frontends.cli.command_line import main
from puppet_repl.host.options_file import OptionsFile, OptionsFileError
from puppet_repl.language.runtime.options import Options
from puppet_repl.language.runtime.puppetdb_address import address_problem, is_address, server_name

CREDENTIALS = "an address cannot have a user or a password: "
NO_HOST = "the address has no valid host and port"
REFUSED = [
    ("http://joe:s3cret@127.0.0.1", CREDENTIALS),
    ("HTTPS://joe:s3cret@h:8081/pdb", CREDENTIALS),
    ("http://s3cret@h", CREDENTIALS),
    (" http://joe:s3cret@h", "an address has only printable characters of ASCII, and no blanks"),
    ("http://h/s3cret\n", "an address has only printable characters of ASCII, and no blanks"),
    ("http://[::1", NO_HOST),
    ("http://joe:s3cret", NO_HOST),
    ("http://joe:s3/cret@h", NO_HOST),
    ("http://joe%3as3cret%40h", NO_HOST),
    ("http://h:70000", NO_HOST),
    ("http://", NO_HOST),
    ("http:///pdb", NO_HOST),
    ("https://h?token=s3cret", "an address ends with its path: "),
    ("ftp://joe:s3cret@h", "an address begins with http:// or https://, not with ftp://"),
    ("file:///s3cret", "an address begins with http:// or https://, not with file://"),
]


@pytest.mark.parametrize(("address", "reason"), REFUSED)
def test_addresses_that_are_refused(
    address: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert is_address(address)
    assert main(["--puppetdb", address, "-e", "1"]) == 2
    assert main(["compile", "--puppetdb", address, "-e", "1"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count(f"puppet-repl: --puppetdb: {reason}") == 2
    with pytest.raises(ValueError, match=r"^puppetdb: ") as raised:
        Options(puppetdb=address)
    path = tmp_path / "config.toml"
    path.write_text(f"[profiles.a]\npuppetdb = {json.dumps(address)}\n")
    with pytest.raises(OptionsFileError, match="puppetdb: ") as in_file:
        OptionsFile(str(path), None)
    assert reason in str(in_file.value)
    assert "s3cret" not in printed.err + str(raised.value) + str(in_file.value)


@pytest.mark.parametrize(
    "address",
    ["http://h", "HTTP://h:80/", "https://[::1]:8081/pdb/query/v4", "https://[fe80::1%25a]"],
)
def test_addresses_that_are_taken(address: str) -> None:
    assert is_address(address)
    assert address_problem(address) is None
    assert Options(puppetdb=address).puppetdb == address
    with pytest.raises(ValueError, match="a hermetic session asks no server"):
        Options(puppetdb=address, hermetic=True)


@pytest.mark.parametrize(
    "path", ["x.json", "http:/x", "./http://x", "C://x.json", "://x", "a b://x"]
)
def test_files(path: str) -> None:
    assert not is_address(path)
    assert address_problem(path) is None


def test_the_name_of_a_server() -> None:
    assert server_name("https://joe:s3cret@h:8081/pdb?x#y") == "h:8081"
    assert server_name("http://[::1]:1") == "[::1]:1"
