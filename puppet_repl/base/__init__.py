"""Parts that know nothing of Puppet: errors, limits, files, YAML and JSON, safe text, patterns."""
