"""The tour of the prompt: steps that ask for an input, and react to it."""
