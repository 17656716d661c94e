"""From source text to values: syntax, data types, functions, and the compiler to Python."""
