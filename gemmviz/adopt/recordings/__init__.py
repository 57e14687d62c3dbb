"""What a recording of a kernel shows of its races, within the time that is left."""
