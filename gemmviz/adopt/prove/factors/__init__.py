"""Alpha, beta and constants: which of them multiply, and whether they act as such."""
