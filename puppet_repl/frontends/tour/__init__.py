"""The tour of the prompt: steps that say what to type, and react to what is typed."""
