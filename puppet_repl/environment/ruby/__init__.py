"""The Ruby of modules: engines that run it, the values and calls between it and Puppet code.

A session and Ruby hold a conversation in JSON. A request (load a function, call it, render a
template) may lead to questions of the Ruby code (a variable, a call of another function, the
catalog), these to further requests, and it ends in a reply. All engines run the same Ruby of our
own, the directory ``shim``: it has the classes of Puppet that modules use, and asks for the rest.

* ``engine`` says what an engine is and how it can fail; ``engines`` which one a session gets.
  ``system`` is a child process, ``sandbox`` WebAssembly; ``recorded`` replies without starting it.
* ``host`` is what a session has: it sends requests, and answers with ``questions``,
  ``catalog_questions`` and ``legacy_questions``.
* ``functions``, ``templates`` and ``types`` (of resources) are what modules write in Ruby;
  ``order`` asks types for the order that they imply.
* ``data_type_files`` loads the data types that modules create in Ruby, ``data_types`` has their
  instances.
* ``values`` writes values as JSON. ``objects`` are values that only Ruby understands, ``numbers``
  what they are referred to by.
* ``variables`` are those that Ruby may read, and their scopes; ``changes`` gives them the arrays
  and hashes that Ruby code has changed in place.
* ``failures`` are errors of Ruby code.
* ``function_docs`` finds signatures and documentation in a file, without running it.
"""
