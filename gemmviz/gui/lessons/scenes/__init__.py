"""What a step of a lesson shows."""
