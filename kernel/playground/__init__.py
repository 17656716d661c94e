"""What runs the engine in a browser: a page, its worker, and the archive that they load."""
