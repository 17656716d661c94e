"""The graph of a catalog: its nodes and edges, their layout, and its forms as text and picture."""
