"""From text to a checked tree: source, tokens, lexer, parser, validation, completeness, EPP."""
