"""In which arithmetic a kernel takes its inputs and keeps its sums, told by probes and by the growth of its error."""
