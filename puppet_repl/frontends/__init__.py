"""What users talk to: terminal, command line, commands of the prompt, Python API."""
