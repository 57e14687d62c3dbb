"""The recordings of a session: the names of their blocks, and one recording in words and figures."""
