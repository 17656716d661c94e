"""The stack of Python in a browser, where it is WebAssembly (Pyodide)."""

from __future__ import annotations

from puppet_repl.base.modules import import_package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Bytes of WebAssembly's stack that calls may take. The stack of JavaScript, whose overflow ends
# Python, is full after some three times as much.
_SIZE = 100 << 10
_is_protected = False


def protect_stack() -> None:
    """Make calls through functions in C end in a RecursionError in time, from the first call on.

    Python checks WebAssembly's stack, but JavaScript's ends much earlier.
    """
    global _is_protected
    if _is_protected:
        return
    _is_protected = True
    pyodide: Any = import_package("pyodide_js")
    python = pyodide._module
    start = python._emscripten_stack_get_current() - _SIZE
    python._PyUnstable_ThreadState_SetStackProtection(python._PyThreadState_Get(), start, _SIZE)
