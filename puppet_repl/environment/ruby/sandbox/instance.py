"""One Ruby as WebAssembly: made from a compiled module, called from one thread.

Ruby is initialized once, with the shim and the libraries that it needs loaded; then the memory is
kept as a ``Snapshot``. Each Ruby begins with a copy of it, which takes a few milliseconds. At rest
between calls the memory, the table of handles and the open files are all of Ruby's state.
"""

from __future__ import annotations

import ctypes
import os
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

from wasmtime import Config, Engine, Func, FuncType, Linker, Module, Store, WasmtimeError, _ffi
from wasmtime import Memory as WasmMemory

from puppet_repl.base.wording import failure_with_file
from puppet_repl.environment.ruby.engine import EngineBroken
from puppet_repl.environment.ruby.sandbox import store
from puppet_repl.environment.ruby.sandbox.files import VisibleFiles
from puppet_repl.environment.ruby.sandbox.snapshot import BLOCK, Snapshot, joined
from puppet_repl.environment.ruby.sandbox.wasi import Wasi

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.ruby.sandbox.wasi import Channel

MAX_MEMORY = 256 << 20
"""The default limit of Ruby's memory, in bytes."""

# Ruby's blocks call each other on the stack of WebAssembly, which is that of the thread.
WASM_STACK = 24 << 20
THREAD_STACK = 32 << 20

_WASM_PAGE = 1 << 16
_NEARLY = 1 << 20
_NO_ARGUMENTS = 8  # the address of an empty list: anything that is aligned
_ARGUMENTS = ("ruby", "--disable-all", "-EUTF-8:UTF-8", "-W0", "-e_=0")


# The library keeps the functions of all instances in one list that is not made for several threads:
# two that add or remove some at the same time would share an entry, and call each other's function.
_LOCK = threading.Lock()


class RubyError(Exception):
    """An exception in the code that prepares Ruby; the text is Ruby's full message."""


def make_config() -> Config:
    """Return the configuration that modules are compiled and loaded with."""
    config = Config()
    config.epoch_interruption = True
    _ffi.wasmtime_config_async_stack_size_set(config.ptr(), THREAD_STACK)
    config.max_wasm_stack = WASM_STACK
    return config


def _load(engine: Engine, compiled: str) -> Module:
    """Load the machine code from the file that was checked, whatever has its name by now."""
    files = store.files()
    try:
        descriptor = files.open(compiled)
    except OSError as error:
        raise EngineBroken(f"{failure_with_file(error)}{store.REMEDY}") from None
    with open(descriptor, "rb") as file:
        path = f"/dev/fd/{descriptor}"
        try:
            if os.path.exists(path):
                return Module.deserialize_file(engine, path)
            return Module.deserialize(engine, file.read())
        except WasmtimeError as error:
            if "mmap" in str(error) and os.fstat(descriptor).st_size:
                raise  # there is no room
            raise EngineBroken(f"{files.path(compiled)} is damaged{store.REMEDY}") from None


class _Memory:
    """The linear memory of an instance."""

    __slots__ = ("_memory", "_store")

    def __init__(self, memory: WasmMemory, store: Store) -> None:
        self._memory = memory
        self._store = store

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self._memory.data_len(self._store)

    def _address(self, start: int, size: int) -> int:
        start &= 0xFFFFFFFF
        if size < 0 or start + size > self._memory.data_len(self._store):
            raise IndexError(f"no memory of {size} bytes at {start}")
        return ctypes.addressof(self._memory.data_ptr(self._store).contents) + start

    def read(self, start: int, size: int) -> bytes:
        """Return a copy of some bytes."""
        return ctypes.string_at(self._address(start, size), size)

    def write(self, start: int, data: bytes) -> None:
        """Write some bytes."""
        ctypes.memmove(self._address(start, len(data)), data, len(data))

    def fill(self, parts: Sequence[tuple[int, memoryview]]) -> None:
        """Write parts by their positions, without a copy of each."""
        whole = (ctypes.c_ubyte * self.size).from_address(self._address(0, 0))
        with memoryview(whole).cast("B") as view:
            for start, data in parts:
                view[start : start + len(data)] = data

    def grow_to(self, size: int) -> None:
        """Make the memory at least so many bytes large."""
        missing = size - self.size
        if missing > 0:
            self._memory.grow(self._store, -(-missing // _WASM_PAGE))


class Ruby:
    """One Ruby. All calls have to come from the thread that made it, except for ``interrupt``."""

    def __init__(
        self,
        compiled: str,
        files: VisibleFiles,
        channel: Channel,
        printed: Callable[[bytes], None],
        sleep: Callable[[float], None],
        *,
        environment: Mapping[str, str],
        max_memory: int = MAX_MEMORY,
    ) -> None:
        self._cause: BaseException | None = None
        self._handles: dict[int, int] = {}
        self._numbers: dict[int, int] = {}
        self._max_memory = max_memory
        self._entry = (0, 0, 0)
        self._engine_lock = threading.Lock()
        self._is_closed = False
        with _LOCK:
            self._instantiate(compiled, files, channel, printed, sleep, environment)

    def _instantiate(
        self,
        compiled: str,
        files: VisibleFiles,
        channel: Channel,
        printed: Callable[[bytes], None],
        sleep: Callable[[float], None],
        environment: Mapping[str, str],
    ) -> None:
        self._engine = Engine(make_config())
        self._module = _load(self._engine, compiled)
        self._store = Store(self._engine)
        self._store.set_limits(memory_size=self._max_memory)
        self._store.set_epoch_deadline(1)
        linker = Linker(self._engine)
        instance_memory: list[_Memory] = []
        self.wasi = Wasi(_Late(instance_memory), files, channel, printed, sleep, environment)
        for wanted in self._module.imports:
            name, kind = wanted.name or "", wanted.type
            assert isinstance(kind, FuncType)
            linker.define_func(wanted.module, name, kind, self._import(wanted.module, name))
        instance = linker.instantiate(self._store, self._module)
        exports = instance.exports(self._store)
        self._exports = {}
        for export in self._module.exports:
            found = exports[export.name]
            if isinstance(found, WasmMemory):
                self.memory = _Memory(found, self._store)
            elif isinstance(found, Func):
                self._exports[export.name.partition(":")[0]] = found
        instance_memory.append(self.memory)
        linker.close()

    @property
    def is_full(self) -> bool:
        """Whether Ruby has nearly all the memory that it may have."""
        return self.memory.size > self._max_memory - _NEARLY

    def _import(self, module: str, name: str) -> Callable[..., int | None]:
        function = self._find_import(module, name)

        def call(*arguments: int) -> int | None:
            try:
                return function(*arguments)
            except BaseException as error:
                # The library passes it on through a variable of the process.
                self._cause = self._cause or error
                raise

        return call

    def _find_import(self, module: str, name: str) -> Callable[..., int | None]:
        if module == "wasi_snapshot_preview1":
            return self.wasi.function(name)
        if name == "resource_new_rb-abi-value":
            return self._keep
        if name == "resource_get_rb-abi-value":
            return self._handles.__getitem__
        return _no_javascript

    def _keep(self, value: int) -> int:
        """Return the handle of a value of Ruby, the same for the same value."""
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = len(self._numbers) + 1
            self._handles[number] = value
        return number

    # Preparing

    def boot(self, entry: str) -> None:
        """Initialize Ruby and evaluate ``entry``, whose value has methods ``run`` and ``step``.

        Raises RubyError.
        """
        self._call("_initialize")
        self._call("ruby-init", *self._texts(_ARGUMENTS))
        receiver = self.evaluate(entry)
        self._entry = (receiver, self._intern("run"), self._intern("step"))

    def evaluate(self, code: str) -> int:
        """Evaluate Ruby code; return the handle of its value. Raises RubyError."""
        value, failed = self._pair(self._call("rb-eval-string-protect", *self._text(code)))
        if failed:
            raise RubyError(self._full_message())
        return value

    def _full_message(self) -> str:
        error = self._call("rb-errinfo")
        self._call("rb-clear-errinfo")
        name = self._intern("full_message")
        text, failed = self._pair(
            self._call("rb-funcallv-protect", error, name, self._allocate(4, 4), 0)
        )
        if failed:
            return "an exception without a message"
        start, size = self._pair(self._call("rstring-ptr", text))
        return self.memory.read(start, size).decode("utf-8", "replace")

    def freeze(self, fresh: Ruby) -> Snapshot:
        """Return a snapshot; ``fresh`` is a Ruby that was not booted."""
        parts = [(at, memoryview(data)) for at, data in joined(self._changed(fresh.memory))]
        return Snapshot(self.memory.size, parts, self._handles, self.wasi.opened(), self._entry)

    def _changed(self, fresh: _Memory) -> Iterator[tuple[int, bytes]]:
        known = fresh.size
        nothing = bytes(BLOCK)
        for start in range(0, self.memory.size, BLOCK):
            block = self.memory.read(start, BLOCK)
            if block != (fresh.read(start, BLOCK) if start < known else nothing):
                yield start, block

    def thaw(self, snapshot: Snapshot) -> None:
        """Take the state of a snapshot."""
        self.memory.grow_to(snapshot.size)
        self.memory.fill(snapshot.parts)
        self._handles.update(snapshot.handles)
        self._numbers.update({value: number for number, value in self._handles.items()})
        self.wasi.reopen(snapshot.opened)
        self._entry = snapshot.entry

    # Calls

    def run(self) -> None:
        """Let Ruby answer the requests that it reads from the channel, one after the other.

        Raises Trap, WasmtimeError, and what the functions raise that Ruby calls: the only ways in
        which it ends.
        """
        receiver, method, _ = self._entry
        self._send(receiver, method)

    def step(self) -> None:
        """Let Ruby answer one request, while a call waits for the answer to a question."""
        receiver, _, method = self._entry
        self._send(receiver, method)

    def _send(self, receiver: int, method: int) -> None:
        _, failed = self._pair(
            self._call("rb-funcallv-protect", receiver, method, _NO_ARGUMENTS, 0)
        )
        if failed:
            raise RubyError(self._full_message())

    def interrupt(self) -> None:
        """End what Ruby is doing by a trap; it cannot be used any more."""
        with self._engine_lock:
            if not self._is_closed:
                self._engine.increment_epoch()

    def close(self) -> None:
        """Release the memory, and what else would wait for the collector of garbage."""
        with _LOCK:
            self._exports.clear()
            self._store.close()
            self._module.close()
            with self._engine_lock:
                self._is_closed = True
                self._engine.close()
        del self.memory, self.wasi, self._store, self._module
        self._cause = None

    def _call(self, name: str, *arguments: int) -> int:
        try:
            result: int = self._exports[name](self._store, *arguments)
        except BaseException as error:
            raise self._cause or error from None
        return result

    def _intern(self, name: str) -> int:
        return self._call("rb-intern", *self._text(name))

    def _allocate(self, size: int, align: int = 1) -> int:
        return self._call("cabi_realloc", 0, 0, align, max(1, size))

    def _text(self, text: str) -> tuple[int, int]:
        raw = text.encode() + b"\0"
        start = self._allocate(len(raw))
        self.memory.write(start, raw)
        return start, len(raw)

    def _texts(self, texts: Sequence[str]) -> tuple[int, int]:
        pairs = b"".join(struct.pack("<II", *self._text(text)) for text in texts)
        start = self._allocate(len(pairs), 4)
        self.memory.write(start, pairs)
        return start, len(texts)

    def _pair(self, start: int) -> tuple[int, int]:
        first, second = struct.unpack("<Ii", self.memory.read(start, 8))
        return first, second


class _Late:
    """The memory that an instance has when it exists: its functions are defined before."""

    __slots__ = ("_memory",)

    def __init__(self, memory: list[_Memory]) -> None:
        self._memory = memory

    def read(self, start: int, size: int) -> bytes:
        return self._memory[0].read(start, size)

    def write(self, start: int, data: bytes) -> None:
        self._memory[0].write(start, data)


def _no_javascript(*_: object) -> None:
    raise RuntimeError("there is no JavaScript here")
