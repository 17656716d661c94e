"""Facts: those of this machine, bundled fact sets, files of facts, and legacy names."""
