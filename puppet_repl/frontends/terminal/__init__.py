"""The terminal front end: the full screen, and the line mode."""
