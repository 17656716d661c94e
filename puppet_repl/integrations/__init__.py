"""What other programs load: the plugin for pytest and the extension for Sphinx."""
