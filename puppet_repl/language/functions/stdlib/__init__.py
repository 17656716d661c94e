"""The functions of puppetlabs-stdlib in Python, one module per theme."""
