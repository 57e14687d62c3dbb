"""`gemmviz export`."""
