"""The engine "sandbox": CRuby as WebAssembly, hermetic.

* ``engine`` is the thread that Ruby runs in; ``instance`` one Ruby, with its memory and calls.
* ``installation`` downloads Ruby, ``compilation`` compiles it, ``store`` is where the result is
  kept. ``libraries`` are gems that come with Puppet's Ruby and not with this one. ``startup`` and
  ``snapshot`` let a Ruby begin with the state after its first start.
* ``wasi`` answers the system calls, with ``process``, ``descriptors``, ``files`` (of modules)
  and ``scratch`` (files in memory). ``observations`` are the files that code has looked at.
  ``zone`` is the time zone.
"""
