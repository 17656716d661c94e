"""Types as text: formats, signatures, explanations of mismatches."""
