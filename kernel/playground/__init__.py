"""What runs the engine in a browser: a page, its worker, and the archive that they load.

``static`` is served as it is, a module for each job: ``client.mjs`` is the session. ``bundle`` is
the editor, which esbuild puts together with CodeMirror and the language of ``kernel/labextension``.
HTML and Markdown of the engine pass ``markup.mjs`` on their way into the page. ``site`` writes the
directory for a static host; ``prepare``, which runs in Pyodide then, compiles what the start
imports and removes from Python's library what nothing imports. ``sw.js`` keeps a release in the
browser. ``try.mjs`` is the run buttons of the documentation, for examples that
``docs/_ext/try_examples.py`` chooses.

What a browser lacks is said by ``puppet_repl.base.browser``. Python ends there when the stack of
JavaScript overflows; ``puppet_repl.base.browser_stack`` ends calls in an error before that.
"""
