"""What compiled code runs on: context, scopes, closures, operators, calls, signals."""
