"""The language server: by messages, in a process of its own, and from real editors."""
