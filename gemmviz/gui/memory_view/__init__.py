"""The memory view: A, B and C as on paper, shared memory beside them, one frame of a recording at a time."""
