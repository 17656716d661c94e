"""Install the modules of a Puppetfile, from the Forge, from git and as archives.

Nothing of a module is run. ``wanted`` reads the Puppetfile. ``downloads``, ``forge`` and ``git``
fetch modules, ``archives`` unpacks them, ``record`` remembers the installed versions, and
``install`` puts these parts together. ``survey`` compares installed modules with a Puppetfile.
"""
