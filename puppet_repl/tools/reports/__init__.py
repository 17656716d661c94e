"""Reports: what a command answers, as text and as HTML."""
