"""The engine "sandbox": CRuby as WebAssembly, hermetic."""
