"""`gemmviz lesson`: a whole lesson as a handout and as pictures."""
