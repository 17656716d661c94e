"""The engine "sandbox": CRuby as WebAssembly, hermetic.

* ``engine`` is the thread that Ruby runs in; ``instance`` one Ruby, with its memory and calls.
* ``installation`` downloads Ruby, ``compilation`` compiles it, ``store`` is where the result is
  kept. ``startup`` and ``snapshot`` let a Ruby begin with the state after its first start.
* ``wasi`` answers the system calls, with ``process``, ``descriptors``, ``files`` (of modules)
  and ``scratch`` (files in memory).
"""
