"""Relations between types: common types, inference, normalization."""
