"""The checks of ``validate``: each kind of file of a module or a control repository."""
