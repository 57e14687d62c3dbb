"""`gemmviz schedule`."""
