"""`gemmviz compile`."""
