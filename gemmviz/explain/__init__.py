"""What recordings mean when they are set beside each other. No Qt."""
