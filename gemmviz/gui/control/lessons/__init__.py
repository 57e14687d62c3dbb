"""What leads through a lesson, and what follows when its run is tried out."""
