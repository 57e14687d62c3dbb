"""`gemmviz sweep`."""
