"""`gemmviz run`, `gemmviz report`: from the words of a command to an experiment and its report."""
