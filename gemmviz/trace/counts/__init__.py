"""What accesses cost, added up: requests, sectors, bytes, wavefronts, and how often elements are loaded."""
