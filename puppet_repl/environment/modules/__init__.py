"""Modules and environments: the module path, autoloading, environment.conf, files in use."""
