"""What looks at code and results: completion, inspection, hints, advice, graphs, rendering."""
