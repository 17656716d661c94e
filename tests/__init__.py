"""The tests. A storey of the engine has the directory of its name; the others are about more.

``conformance`` runs programs with the results that Puppet 8.11 recorded: value, text, type, logs,
errors with their locations, trees, catalogs. ``docs`` runs what pages show, ``kernel`` the
notebooks. The terminal is tested through a pipe and a pseudo-terminal, the kernel through its
protocol. Every prefix of recorded programs goes through check, complete and inspect, and none may
raise.

What attacks the project:

* ``hostile``: programs that ask for all the time, memory or stack, each in a child with limits, and
  requests that attack the requests of others;
* ``fuzz``: recorded cases, and files of every kind that is read, changed at random;
* ``audit``: what each front end asks of the system, since hermetic sessions ask for little;
* ``differential``: programs that must answer the same, rewritten and in every front end;
* ``mutants``: modules changed one small step at a time, to see whether their tests fail.

What needs other programs: ``browser`` (Chromium), ``pyodide`` (Node.js), ``install`` (pip),
``corpus`` (Debian's modules, a tree of Puppet), ``benchmarks``.
"""
