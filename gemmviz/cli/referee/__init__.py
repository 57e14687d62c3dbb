"""`gemmviz referee`."""
