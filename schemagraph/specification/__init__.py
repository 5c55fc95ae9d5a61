"""What the data of a synthesised graph should be like: distributions, columns, their checks."""
