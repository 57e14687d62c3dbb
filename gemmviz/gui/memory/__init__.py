"""The page of memory: recordings played, one or two side by side."""
