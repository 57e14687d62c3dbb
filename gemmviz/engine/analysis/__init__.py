"""What counts and checks the accesses of recordings: compiled ahead, and how far it is."""
