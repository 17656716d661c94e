"""The Ruby of modules: engines that run it, the values and calls between it and Puppet code."""
