"""`gemmviz adopt`."""
