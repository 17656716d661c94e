"""Stopping in running Puppet code: breakpoints, steps, frames and their variables."""
