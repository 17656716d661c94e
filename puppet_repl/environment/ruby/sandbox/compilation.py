"""Compiling Ruby to machine code, and its first start."""

from __future__ import annotations

from wasmtime import Engine, Module, WasmtimeError

from puppet_repl.environment.ruby.engine import EngineBroken
from puppet_repl.environment.ruby.sandbox.engine import SandboxEngine
from puppet_repl.environment.ruby.sandbox.instance import make_config
from puppet_repl.environment.ruby.sandbox.startup import Maker


def compile_module(wasm: bytes) -> bytes:
    """Return the compiled module; raise EngineBroken."""
    try:
        return bytes(Module(Engine(make_config()), wasm).serialize())
    except WasmtimeError as error:
        raise EngineBroken(str(error)) from None


def start_once(compiled: str) -> None:
    """Start the compiled Ruby, which writes its snapshot, and end it; raise EngineFailure."""
    SandboxEngine(Maker(compiled)).close()
