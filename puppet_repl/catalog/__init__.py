"""Resources, classes, relationships, collectors, and the catalog as JSON and as code."""
