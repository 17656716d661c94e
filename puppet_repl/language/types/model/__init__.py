"""One class for each data type: its parameters, and the values that it accepts."""
