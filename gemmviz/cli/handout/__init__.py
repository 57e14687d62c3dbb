"""`gemmviz report --pdf`."""
