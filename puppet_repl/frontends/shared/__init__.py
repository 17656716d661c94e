"""What terminal, kernel and command line share: running entries, showing results, many nodes."""
