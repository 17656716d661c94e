"""What knows nothing of Puppet: errors, limits, files, YAML and JSON, safe text, patterns."""
