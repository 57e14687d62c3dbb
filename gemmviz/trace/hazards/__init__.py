"""What is wrong with the accesses of blocks: races, bounds, unwritten reads, copies in flight, barriers."""
