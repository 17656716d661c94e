"""Tests of installing modules, against a server that speaks the Forge's API, and local git."""
