"""One rule for each kind of hazard: how it is found, in which frames it happens, what is marked, what is said."""
