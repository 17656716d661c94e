"""Files that only their user may touch: what is trusted, what is bounded, what is no error."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from puppet_repl.base.private_store import PrivateStore, digest_of

pytestmark = pytest.mark.untraced


NAME = "0/123abcd"
ROOM = 16 << 20
posix = pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
not_root = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere"
)


@pytest.fixture
def store(tmp_path: Path) -> PrivateStore:
    """A store whose directory is still to be made."""
    return PrivateStore(os.fspath(tmp_path / "cache" / "files"), ROOM)


def fresh(store: PrivateStore) -> PrivateStore:
    """The same files, as another process sees them."""
    return PrivateStore(store.directory, ROOM)


def path_of(store: PrivateStore, name: str = NAME) -> Path:
    return Path(store.directory, name)


def content(path: Path) -> bytes:
    """What was written to a file, without its digest."""
    return path.read_bytes()[len(digest_of("", b"")) :]


def test_what_is_written_is_read(store: PrivateStore) -> None:
    assert store.read(NAME) is None
    store.write(NAME, b"\0first")
    store.write(NAME, b"\0second")
    store.write("f/0123", b"")
    for each in (store, fresh(store)):
        assert (each.read(NAME), each.read("f/0123")) == (b"\0second", b"")
        assert each.read("f/01") is None
    assert sorted(Path(path).name for path, _ in store.files()) == ["0123", "123abcd"]


@posix
def test_nobody_else_may_look(store: PrivateStore) -> None:
    before = os.umask(0)
    try:
        store.write(NAME, b"text")
    finally:
        os.umask(before)
    path = path_of(store)
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (path, path.parent, path.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


@posix
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o755, 0o701])
def test_a_directory_that_others_may_use_is_left_alone(store: PrivateStore, mode: int) -> None:
    store.write(NAME, b"text")
    os.chmod(store.directory, mode)
    other = fresh(store)
    assert other.problem() == f"others may use it: its mode is {mode:04o}, not 0700" or (
        "others may write" in str(other.problem())
    )
    assert other.read(NAME) is None
    other.write(NAME, b"another")
    other.write("a/bcdef", b"another")
    assert content(path_of(store)) == b"text"
    assert not path_of(store, "a/bcdef").exists()
    assert other.remove_all() == (0, 0)
    os.chmod(store.directory, 0o700)
    assert fresh(store).read(NAME) == b"text"


@posix
def test_a_directory_of_somebody_else_is_left_alone(
    store: PrivateStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write(NAME, b"text")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    other = fresh(store)
    assert other.problem() == "it belongs to another user, or others may write to it"
    assert other.read(NAME) is None
    other.write(NAME, b"another")
    assert content(path_of(store)) == b"text"
    # A directory may be changed while a process runs.
    assert store.read(NAME) is None


@pytest.mark.parametrize("damage", ["empty", "cut", "longer", "flipped", "garbage", "renamed"])
def test_a_damaged_file_is_not_read(store: PrivateStore, damage: str) -> None:
    store.write(NAME, bytes(5000))
    path = path_of(store)
    whole = path.read_bytes()
    path.write_bytes(
        {
            "empty": b"",
            "cut": whole[:4000],
            "longer": whole + b"\0",
            "flipped": whole[:3000] + b"\1" + whole[3001:],
            "garbage": os.urandom(5020),
            "renamed": whole,
        }[damage]
    )
    if damage == "renamed":
        path.rename(path_of(store, "0/456"))
        assert store.read("0/456") is None
    assert store.read(NAME) is None
    store.write(NAME, b"again")
    assert store.read(NAME) == b"again"


@posix
def test_files_without_a_digest(store: PrivateStore, tmp_path: Path) -> None:
    """They are opened if they can be trusted, and an error says why not."""
    store.save("code/a", [b"one", b"two"])
    descriptor = store.open("code/a")
    assert os.read(descriptor, 100) == b"onetwo"
    os.close(descriptor)
    os.chmod(path_of(store, "code/a"), 0o620)
    with pytest.raises(PermissionError, match="it belongs to another user, or others may write"):
        store.open("code/a")
    os.mkfifo(path_of(store, "code/pipe"))
    with pytest.raises(PermissionError, match="it is not a file"):
        store.open("code/pipe")
    path_of(store, "code/link").symlink_to(path_of(store, "code/a"))
    with pytest.raises(PermissionError, match="it is not a file"):
        store.open("code/link")
    os.chmod(store.directory, 0o755)
    for act in (lambda: fresh(store).open("code/a"), lambda: fresh(store).save("code/b", [b""])):
        with pytest.raises(PermissionError, match="others may use it"):
            act()
    assert not path_of(store, "code/b").exists()


@posix
def test_a_directory_may_be_no_link(store: PrivateStore, tmp_path: Path) -> None:
    store.write(NAME, b"text")
    link = tmp_path / "link"
    link.symlink_to(store.directory)
    assert PrivateStore(os.fspath(link), ROOM).problem() == "it is not a directory"
    assert PrivateStore(os.fspath(link), ROOM).read(NAME) is None


@posix
@pytest.mark.parametrize("kind", ["writable", "link", "pipe", "directory"])
def test_a_file_that_others_may_write_is_not_read(
    store: PrivateStore, tmp_path: Path, kind: str
) -> None:
    store.write(NAME, b"text")
    path = path_of(store)
    if kind == "writable":
        path.chmod(0o620)
    else:
        path.unlink()
        if kind == "link":
            target = tmp_path / "elsewhere"
            target.write_bytes(b"other")
            path.symlink_to(target)
        elif kind == "pipe":
            os.mkfifo(path)
        else:
            path.mkdir()
    assert fresh(store).read(NAME) is None
    fresh(store).write(NAME, b"again")
    assert fresh(store).read(NAME) == (None if kind == "directory" else b"again")
    if kind == "link":
        assert target.read_bytes() == b"other"


@not_root
@pytest.mark.parametrize("mode", [0o500, 0o000])
def test_a_home_that_cannot_be_written(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)
    try:
        store = PrivateStore(os.fspath(tmp_path / "cache" / "files"), ROOM)
        assert store.read(NAME) is None
        store.write(NAME, b"text")
        assert store.read(NAME) is None
        assert list(store.files()) == []
    finally:
        tmp_path.chmod(0o700)


def test_a_home_that_is_a_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("")
    store = PrivateStore(os.fspath(home / "cache" / "files"), ROOM)
    assert store.read(NAME) is None
    store.write(NAME, b"text")
    assert store.read(NAME) is None
    assert store.remove_all() == (0, 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="resource limits are those of POSIX")
def test_a_full_disk(store: PrivateStore) -> None:
    """A process that may write no more bytes to a file stands for a disk that has no room."""
    store.write(NAME, b"text")
    program = f"""
import resource, signal
from puppet_repl.base.private_store import PrivateStore
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
store = PrivateStore({store.directory!r}, 1 << 20)
store.write({NAME!r}, bytes(100_000))
store.write("a/bcdef", bytes(10))
print(bytes(store.read({NAME!r})), store.read("a/bcdef"))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("b'text' None\n", "")
    assert [Path(path).name for path, _ in store.files()] == [NAME[2:]]


def test_what_was_not_used_for_the_longest_time_makes_room(tmp_path: Path) -> None:
    store = PrivateStore(os.fspath(tmp_path / "files"), 1000, names_per_search=64)
    now = time.time()
    for number in range(12):
        # Names from 001 on: the room is not searched yet.
        store.write(f"0/{number + 1:03x}", bytes(80))
        os.utime(path_of(store, f"0/{number + 1:03x}"), (now, now - 3600 + number))
    store.write("0/000", bytes(80))
    left = sorted(Path(path).name for path, _ in store.files())
    assert left == ["000", "007", "008", "009", "00a", "00b", "00c"]
    assert sum(status.st_size for _, status in store.files()) <= 750
    store.write("0/020", bytes(981))
    assert store.read("0/020") is None  # has no room at all


def test_a_use_is_noted_once_a_day(store: PrivateStore) -> None:
    store.write(NAME, b"text")
    path = path_of(store)
    now = time.time()
    for age, is_noted in ((3600, False), (2 * 86400, True), (-3600, True)):
        os.utime(path, (now, now - age))
        store.read(NAME)
        assert (abs(path.stat().st_mtime - now) < 60) is is_noted, age


def test_what_killed_processes_left_is_removed(store: PrivateStore) -> None:
    store.write("0/0", b"text")
    old, new = path_of(store, "0/0.aaa.new"), path_of(store, "0/0.bbb.new")
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    store.write("0/0", b"text")
    assert sorted(path.name for path in old.parent.iterdir()) == ["0", new.name]


@posix
def test_removing_all(store: PrivateStore) -> None:
    assert store.remove_all() == (0, 0)
    for number in range(20):
        store.write(f"{number % 4}/{number:02x}", b"text")
    os.mkfifo(path_of(store, "0/pipe"))
    path_of(store, "0/link").symlink_to(path_of(store, "1"))
    count, size = store.remove_all()
    assert count == 22
    assert size >= 20 * len(digest_of("", b"text") + b"text")
    assert not Path(store.directory).exists()
    assert store.read("0/00") is None
    fresh(store).write(NAME, b"text")
    assert fresh(store).read(NAME) == b"text"


def test_a_directory_that_vanishes_is_made_again(store: PrivateStore) -> None:
    store.write(NAME, b"text")
    store.remove_all()
    store.write(NAME, b"again")
    assert store.read(NAME) == b"again"


def test_threads_read_whole_files(store: PrivateStore) -> None:
    contents = [bytes([number]) * 10_000 for number in range(8)]
    store.write(NAME, contents[0])
    stop = time.monotonic() + 0.5
    wrong: list[object] = []

    def write(content: bytes) -> None:
        own = fresh(store)
        while time.monotonic() < stop:
            own.write(NAME, content)
            found = own.read(NAME)
            if found not in contents:
                wrong.append(found)

    threads = [threading.Thread(target=write, args=(each,)) for each in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


WRITER = """
import os, sys
from puppet_repl.base.private_store import PrivateStore
store = PrivateStore(sys.argv[1], 16 << 20, names_per_search=64)
print("ready", flush=True)
while True:
    for number in range(256):
        store.write(f"{number % 16:x}/{number:02x}", bytes([number]) * 50_000)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_processes_that_are_killed_while_they_write(store: PrivateStore) -> None:
    for turn in range(20):
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, store.directory], stdout=subprocess.PIPE
            )
            for _ in range(2)
        ]
        for writer in writers:
            assert writer.stdout is not None
            writer.stdout.readline()
        time.sleep(0.005 * turn)
        for writer in writers:
            writer.kill()
            writer.communicate()
        reader = fresh(store)
        for number in range(256):
            found = reader.read(f"{number % 16:x}/{number:02x}")
            assert found is None or found == bytes([number]) * 50_000
