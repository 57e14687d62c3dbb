"""What one block of a kernel did, read off its recording: its loads counted, its sums followed term by term."""
