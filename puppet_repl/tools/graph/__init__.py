"""The graph of a catalog: what is in it, how it is laid out, and its forms as text and picture."""
